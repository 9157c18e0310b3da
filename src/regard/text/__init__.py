"""Characters to ids: corpora, tokenisers, vocabulary, word vectors."""
