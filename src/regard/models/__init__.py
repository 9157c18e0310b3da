"""Language models: ids in, log-probabilities out."""
