"""Statements → evidence: numbers drawn, both sides evaluated and compared, moments and limits."""
