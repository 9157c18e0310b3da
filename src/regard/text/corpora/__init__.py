"""Corpora by name or path: where each comes from, how it is fetched, checked and read."""
