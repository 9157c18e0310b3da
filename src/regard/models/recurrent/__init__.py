"""Recurrent networks of characters."""
