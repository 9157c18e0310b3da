"""Written claims about attention, gradients and perplexity, tried on random instances."""
