"""Instances: drawn, structured, moved to where premises hold."""
