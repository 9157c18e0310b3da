"""A character Transformer as one file for the page, and the one that ships with the package."""

import json
import math

import numpy as np
import pytest

from regard.errors import CheckpointError, MethodError
from regard.lab.chapters.characters.page_model import (
    MAX_BYTES,
    page_model_bytes,
    read_page_model,
    shipped_bytes,
    shipped_model,
)
from regard.models.ngram.model import NgramConfig, fit_ngram

SCENE = "ROMEO:\nBut, soft! what light through yonder window breaks?\nIt is the east, and Juliet is the sun.\n"


def header(data):
    length = int.from_bytes(data[:8], "little")
    return json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["regard"])


def test_what_is_read_back_is_what_was_written_to_half_precision():
    model = shipped_model()
    again = read_page_model(page_model_bytes(model, facts={"seed": 0}))
    assert again.config() == model.config()
    for name, array in model.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)
    assert again.background.notes["facts"] == {"seed": 0}


def test_the_shipped_model_is_small_and_says_what_it_is():
    data, about = shipped_bytes(), header(shipped_bytes())
    assert len(data) <= MAX_BYTES
    assert about["vocabulary"][about["start"]] == "\n"
    assert about["facts"]["parameters"] == sum(array.size for array in shipped_model().arrays().values())
    assert about["facts"]["bits_per_character"] < 2.2


def test_the_shipped_model_knows_shakespeare():
    model = shipped_model()
    nats = -model.token_log_probs(model.tokeniser.encode(SCENE).ids).mean()
    assert nats / math.log(2) < 2.6


def test_other_models_are_refused():
    with pytest.raises(MethodError, match="the page runs Transformers and plain GRUs of characters alone"):
        page_model_bytes(fit_ngram("to be or not to be", NgramConfig(order=2)))


@pytest.mark.parametrize("data", [b"", b"x" * 40, (2).to_bytes(8, "little") + b"{}"])
def test_other_files_are_refused(data):
    with pytest.raises(CheckpointError, match="no file of a character Transformer"):
        read_page_model(data)
