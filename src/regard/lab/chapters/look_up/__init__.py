"""Chapter 1: drag the query and the keys, and see what is read."""
