"""Attention, and the small language models around it: see it, prove it, measure it."""

__version__ = "0.1.0"
