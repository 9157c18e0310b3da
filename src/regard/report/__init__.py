"""Records → text, figure, HTML; computes nothing new."""
