"""Text → tree: letters, lexer, grammar, and the printer that writes a tree back."""
