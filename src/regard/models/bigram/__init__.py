"""The neural bigram model: its network, and the language model around it."""
