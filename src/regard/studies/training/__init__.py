"""One call from a text, or labelled texts, to a trained model: read, train, save, measure."""
