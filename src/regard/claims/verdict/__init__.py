"""Evidence → verdict: what holds, holds in a limit or fails, counterexamples hunted, shrunk and confirmed, what is near."""
