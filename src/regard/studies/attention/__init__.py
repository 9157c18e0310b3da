"""Attention for arrays and keys that are kept in files: what queries read, and what noise makes of them."""
