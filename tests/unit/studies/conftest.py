"""A text cut in two, and a model of its words, for every test of the comparison of models."""

import pytest
from tests.support.texts import VERSE

from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.studies import models


@pytest.fixture(scope="module")
def halves():
    return models.split_text(VERSE, share=0.1)


@pytest.fixture(scope="module")
def by_words(halves):
    return fit_ngram(halves.train, NgramConfig(unit="word"))
