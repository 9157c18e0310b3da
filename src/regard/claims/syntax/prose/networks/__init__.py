"""What is said of softmax, sigmoid, losses, networks and their gradients."""
