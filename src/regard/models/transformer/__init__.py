"""The Transformer of characters."""
