"""Classifiers of texts by averages of words and n-grams."""
