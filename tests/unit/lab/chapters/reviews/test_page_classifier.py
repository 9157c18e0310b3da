"""A review's words with their numbers, for the page to judge by."""

import json

import numpy as np
import pytest
from tests.support.averaging import trained

from regard.errors import MethodError, ValueRangeError
from regard.lab.chapters.reviews.page_classifier import MAX_WORDS, page_classifier

REVIEW = "A good film, but dull, dull: not as bad as zyxw says."


def test_every_word_has_its_row_and_unknown_ones_have_none():
    found = page_classifier(trained("one-layer"), REVIEW)
    rows = {word["text"]: word["row"] for word in found["words"]}
    assert [word["text"] for word in found["words"]].count("dull") == 2
    assert rows["zyxw"] == -1
    assert len({row for row in rows.values() if row >= 0}) == len(found["rows"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_numbers_are_those_of_the_classifier():
    classifier = trained("one-layer")
    found = page_classifier(classifier, REVIEW)
    part = classifier.words_part
    np.testing.assert_allclose(found["layers"][0]["matrix"], part.layers[0][0], rtol=1e-8)
    np.testing.assert_allclose(found["bias"], part.bias, rtol=1e-8)


def test_an_empty_review_has_no_words():
    assert page_classifier(trained("linear"), "")["words"] == []


def test_ngrams_and_very_long_reviews_are_for_python():
    with pytest.raises(MethodError, match="reads n-grams too"):
        page_classifier(trained("strong"), REVIEW)
    with pytest.raises(ValueRangeError, match="at most 1,000 words; this one has 1,001"):
        page_classifier(trained("linear"), "good " * (MAX_WORDS + 1))
