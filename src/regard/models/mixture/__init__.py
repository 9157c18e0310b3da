"""Several language models over one alphabet, weighed by context."""
