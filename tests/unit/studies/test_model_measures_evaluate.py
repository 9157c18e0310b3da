"""One call says how good a model is: perplexity of a language model, accuracy of a classifier."""

import pytest
from tests.support.texts import VERSE

from regard.errors import ArgumentError, VocabularyError
from regard.evaluation.perplexity import evaluate as evaluate_text
from regard.studies.model_measures import evaluate
from regard.studies.training.averaging import train_averaging
from regard.studies.training.ngram import train_ngram

PAIRS = [
    (f"{word} film number {i}", label) for i in range(12) for word, label in (("superb", "good"), ("awful", "bad"))
]


def test_a_language_model_in_hand_or_in_a_folder(tmp_path):
    model = train_ngram(VERSE, order=3, out=tmp_path / "model", progress=False)
    expected = evaluate_text(model, VERSE, name="the text")
    for given in (model, tmp_path / "model", str(tmp_path / "model")):
        found = evaluate(given, VERSE)
        assert (found.perplexity, found.text) == (expected.perplexity, "the text")
    assert evaluate(model, VERSE, name="verse").text == "verse"
    assert evaluate(model, VERSE, adaptive=True).adaptive


def test_a_classifier_on_pairs():
    pytest.importorskip("torch")
    settings = {"form": "classic", "layers": 0, "width": 4, "epochs": 20, "vectors": "none"}
    classifier = train_averaging(PAIRS, **settings, progress=False)
    found = evaluate(classifier, PAIRS)
    texts, labels = zip(*PAIRS, strict=True)
    right = sum(each.label == label for each, label in zip(classifier.predict(texts), labels, strict=True))
    assert (found.n, found.accuracy) == (24, right / 24)
    with pytest.raises(ArgumentError, match="are for language models; this is a classifier"):
        evaluate(classifier, PAIRS, adaptive=True)
    with pytest.raises((VocabularyError, ValueError)):
        evaluate(classifier, [("a film", "middling"), ("a plot", "good")])
