"""Phrases of any subject: nouns and what is said of them, conditions, limits, changes, whole sentences."""
