"""How good a model is on new data, in one call: perplexity of a language model, accuracy of a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regard.errors import ArgumentError
from regard.evaluation import accuracy, perplexity
from regard.models.base import LanguageModel
from regard.models.checkpoint import load
from regard.models.classifier.base import Classifier
from regard.records import ClassificationResult, PerplexityResult
from regard.studies.sources import TextSource, find_text
from regard.studies.training.data import LabelledSource, find_splits, source_name
from regard.text.labelled.split import align_labels


def evaluate(
    model: LanguageModel | Classifier | Path | str,
    data: TextSource | LabelledSource,
    *,
    name: str | None = None,
    steps: Sequence[str] = (),
    adaptive: bool = False,
) -> PerplexityResult | ClassificationResult:
    """How well a model, or the model in a folder, does on `data`.

    A language model takes a text: a corpus name, a path, or a text with a line break in it; `name` is what the result
    calls it, `steps` prepare it (see `regard perplexity --help`), and an `adaptive` model learns as it reads. A
    classifier takes labelled texts: a name, a path, or pairs of text and label; of a source with a test part, that
    part is measured.

    >>> from regard.studies.training.ngram import train_ngram
    >>> evaluate(train_ngram("to be or not to be\\n" * 9, order=2), "to be\\n").tokens
    6
    """
    ready = load(model) if isinstance(model, str | Path) else model
    if isinstance(ready, Classifier):
        if steps or adaptive or name is not None:
            raise ArgumentError("name, steps and adaptive are for language models; this is a classifier")
        return evaluate_classifier(ready, data)  # type: ignore[arg-type]  # refuses what has no labels
    if not isinstance(ready, LanguageModel):
        raise ArgumentError(f"expected a model or the folder of one; got {type(ready).__name__}")
    corpus = find_text(data)  # type: ignore[arg-type]  # refuses what is no text
    return perplexity.evaluate(ready, corpus.text, name=name or corpus.name, steps=steps, adaptive=adaptive)


def evaluate_classifier(classifier: Classifier, data: LabelledSource) -> ClassificationResult:
    """Accuracy with its error, the cost of true labels, and how honest the probabilities are."""
    splits = find_splits(data)
    texts = splits.train if splits.test is None else splits.test
    known = align_labels(texts, classifier.labels, name=source_name(data), whose="the classifier")
    return accuracy.evaluate(classifier.log_probs(known.texts), known.label_ids, labels=known.labels)
