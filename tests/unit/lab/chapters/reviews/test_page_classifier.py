"""An averaging classifier as a file for the page, and the one that ships."""

import numpy as np
import pytest
from tests.support.averaging import TWO, trained

from regard.errors import CheckpointError, MethodError
from regard.lab.chapters.reviews.page_classifier import (
    MAX_BYTES,
    SHIPPED,
    known_words,
    page_classifier_bytes,
    read_page_classifier,
    shipped_classifier,
)
from regard.lab.contents import WEB


@pytest.mark.parametrize("make", ["linear", "one-layer", "attention"])
def test_what_is_read_says_what_was_written(make):
    classifier = trained(make)
    data = page_classifier_bytes(classifier, TWO.texts, facts={"accuracy": 0.9})
    again = read_page_classifier(data)
    texts = [*TWO.texts[:8], "", "zyxw good"]
    assert np.abs(again.log_probs(texts) - classifier.log_probs(texts)).max() < 1e-2  # rows in half precision
    assert again.labels == classifier.labels
    assert again.notes == {"facts": {"accuracy": 0.9}}
    assert page_classifier_bytes(again, TWO.texts, facts={"accuracy": 0.9}) == data
    [beside] = again.familiarity(["zyxw good"], again.log_probs(["zyxw good"]))
    assert beside.unknown_share == 0.5


def test_words_are_found_in_the_texts():
    part = trained("linear").words_part
    words = known_words(part, ["Good film, <i>superb</i>!", "not zyxw"])
    assert words == sorted(words)
    assert {"good", "film", ","} <= set(words)
    assert "zyxw" not in words


def test_ngrams_are_for_python():
    with pytest.raises(MethodError, match="reads n-grams too"):
        page_classifier_bytes(trained("strong"), TWO.texts)


@pytest.mark.parametrize("data", [b"", b"\x05" * 40])
def test_a_file_that_is_none_is_refused(data):
    with pytest.raises(CheckpointError, match="no file of an averaging classifier"):
        read_page_classifier(data)


def test_the_shipped_one_is_small_and_says_what_it_is_worth():
    assert (WEB / "models" / SHIPPED).stat().st_size < MAX_BYTES
    classifier = shipped_classifier()
    assert classifier.labels == ("negative", "positive")
    facts = classifier.notes["facts"]
    assert facts["accuracy"] == 0.7776
    assert facts["command"] == "python benchmarks/lab_classifier.py"
    liked, hated = classifier.log_probs(["A moving, funny and wonderful film", "a dull, lifeless mess"])[:, 1]
    assert liked > np.log(0.95)
    assert hated < np.log(0.05)


@pytest.mark.parametrize(
    ("review", "positive"),
    [("The film is not bad.", 0.074), ("The film is not good.", 0.647), ("Good, good, good, good, dull.", 0.082)],
)
def test_what_the_steps_say_of_it_is_so(review, positive):
    assert np.exp(shipped_classifier().log_probs([review])[0, 1]) == pytest.approx(positive, abs=0.0005)
