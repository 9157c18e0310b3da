"""Claims as people say them, put in the signs that the grammar reads: one module for each kind of sentence."""
