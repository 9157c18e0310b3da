"""Training of the neural bigram model, on counts or by stochastic gradient descent."""
