"""Chapter 7: models compared in units that can be compared."""
