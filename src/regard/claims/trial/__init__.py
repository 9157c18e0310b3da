"""Statements → evidence: numbers drawn, both sides evaluated and compared, counterexamples shrunk."""
