"""Chapter 9: write a claim; see it hold, or see where it fails."""
