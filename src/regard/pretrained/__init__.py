"""Pretrained Transformers: load one, capture its attention in one forward pass, say what each head does."""
