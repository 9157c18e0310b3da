"""What is said of random letters: laws, moments, independence, means, convex functions."""
