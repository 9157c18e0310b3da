"""Words between formulas: which statements are given, which are claimed, and how they hang together."""
