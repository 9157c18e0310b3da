"""Answers of the tour, and how they are shown: as one page, and as notebooks."""
