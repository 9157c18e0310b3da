"""Sentences of the field put in signs: attention, softmax, perplexity, networks, and what changes do."""
