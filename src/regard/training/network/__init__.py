"""Training of recurrent networks and Transformers: one loop that can stop anywhere."""
