"""Chapter 8: a verdict on a film review, and the words that decided it."""
