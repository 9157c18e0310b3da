"""Chapter 5: a neural bigram model, trained while you watch."""
