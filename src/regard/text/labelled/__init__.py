"""Labelled texts: read from files, folders and tables, and split into training and validation."""
