"""Chapter 4: one head against several under the same noise."""
