"""Attention itself, in the array library of its arguments."""
