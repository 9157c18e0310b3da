"""Models that count: Kneser–Ney, and mixtures of all orders."""
