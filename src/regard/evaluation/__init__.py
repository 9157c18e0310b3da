"""Log-probabilities to figures that can be compared, and what to be wary of in them."""
