"""Word vectors: read from GloVe text, checked, cached, looked up."""
