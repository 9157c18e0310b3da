"""Trainers: a model and its data to a trained model and its history."""
