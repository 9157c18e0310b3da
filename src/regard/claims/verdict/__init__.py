"""Evidence → verdict: counterexamples hunted, shrunk and confirmed; limits; true statements that are near."""
