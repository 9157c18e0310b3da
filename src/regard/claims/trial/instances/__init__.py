"""Instances: drawn, structured, moved to where premises hold, hunted for and shrunk."""
