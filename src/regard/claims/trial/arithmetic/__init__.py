"""The kinds of numbers that a claim is worked out in: float64, decimals, polynomials; and derivatives in each."""
