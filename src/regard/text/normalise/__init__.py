"""Steps that change a text, and which characters came from which."""
