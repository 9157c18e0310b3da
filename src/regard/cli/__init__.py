"""The command line: main.py, and one file a verb that parses, calls and prints."""
