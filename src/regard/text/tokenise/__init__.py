"""Text → ids: tokenisers of characters, bytes and words, and their vocabularies."""
