"""Whole sentences, read by a grammar of English in which formulas are nouns."""
