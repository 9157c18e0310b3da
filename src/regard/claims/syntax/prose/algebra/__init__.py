"""What is said of matrices, their eigenvalues, subspaces and projections."""
