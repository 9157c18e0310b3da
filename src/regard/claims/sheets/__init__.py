"""Sheets of answers: the formulas of a document, what each is there for, what it takes as given, and points."""
