"""What is said of keys, queries, values, weights and outputs, also of noisy keys."""
