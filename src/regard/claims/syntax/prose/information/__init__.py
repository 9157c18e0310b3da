"""What is said of distributions, entropies and divergences, perplexity and its units."""
