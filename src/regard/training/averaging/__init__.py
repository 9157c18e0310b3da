"""Training of averaging classifiers."""
