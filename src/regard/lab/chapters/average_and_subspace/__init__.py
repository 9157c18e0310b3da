"""Chapter 2: mix values, then take one back out of the sum."""
