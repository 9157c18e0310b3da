"""The distribution of one attention weight: P(α_a > t) and its density, each with an error that holds."""
