"""Evidence → verdict: what holds, holds in a limit or fails, counterexamples shrunk and confirmed, what is near."""
