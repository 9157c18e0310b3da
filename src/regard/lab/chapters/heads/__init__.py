"""Chapter 10: the heads of a Transformer on a text of your own, with their keys in few bits."""
