"""Texts as bags of words and n-grams, by passes over bytes."""
