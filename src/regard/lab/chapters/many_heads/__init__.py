"""Chapter 4: one head against several under equal noise."""
