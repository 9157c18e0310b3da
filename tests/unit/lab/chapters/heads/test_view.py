"""Chapter 10's answers: every head's weights on a text, with keys as they are and in few bits."""

import json

import numpy as np
import pytest
from tests.support.pretrained import stories_folder, transformers_library

from regard.errors import ValueRangeError
from regard.lab.chapters.characters.page_model import shipped_model
from regard.lab.chapters.heads import view
from regard.lab.chapters.heads.view import MAX_TOKENS, QUESTIONS, CharactersInput, ReadInput, confirm, read
from regard.lab.inputs import read_input
from regard.lab.jobs import JobProgress

STORY = "Once upon a time, there was a little girl named Lily. She loved to play."


@pytest.fixture(params=["stories260k", "shipped"])
def model(request, monkeypatch, tmp_path):
    transformers_library()
    if request.param == "stories260k":
        monkeypatch.setenv("REGARD_DATA", str(stories_folder().parent))
    else:
        monkeypatch.delenv("REGARD_DATA", raising=False)
    view.load_heads_model.cache_clear()
    yield request.param
    view.load_heads_model.cache_clear()


def ask(**changes):
    sent = {"text": STORY, "bits": 16, "layer": -1, "head": -1} | changes
    return read(read_input(ReadInput, sent), JobProgress(lambda: None))


def triangle(found, layer, head):
    return np.array(found["weights"][layer][head])


def test_every_head_is_there_and_its_weights_sum_to_one(model):
    found = ask()
    n = len(found["tokens"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert len(found["before"]["weights"]) == found["n_layers"]
    for head in (head for layer in found["before"]["weights"] for head in layer):
        assert len(head) == n * (n + 1) // 2
        last = (np.array(head[-n:]) / 255) ** 2
        assert last.sum() == pytest.approx(1, abs=0.1)
    assert found["before"]["surprise"][0] is None
    assert sum(one["probability"] for one in found["before"]["next"]) <= 1 + 1e-9
    assert found["after"] == found["before"]


def test_fewer_bits_change_more(model):
    off = []
    for bits in (8, 4, 1):
        found = ask(bits=bits)
        before, after = (np.array(found[when]["surprise"][1:]) for when in ("before", "after"))
        off.append(np.abs(after - before).mean())
    assert 0 < off[0] < off[1] < off[2]


def test_one_head_alone(model):
    found = ask(bits=1, layer=1, head=0)
    assert (triangle(found["before"], 0, 0) == triangle(found["after"], 0, 0)).all()
    assert (triangle(found["before"], 1, 0) != triangle(found["after"], 1, 0)).any()


def test_long_texts_are_read_to_a_bound(model):
    assert len(ask(text="To be, or not to be. " * 19)["tokens"]) <= MAX_TOKENS


def test_what_is_refused(model):
    with pytest.raises(ValueRangeError, match="there is no layer 77; they are numbered from 0 to"):
        ask(layer=77)
    with pytest.raises(ValueRangeError, match="text should be a text of 1 to 400 characters, not 'x"):
        ask(text="x" * 401)
    with pytest.raises(ValueRangeError, match="bits should be one of 16, 8, 6, 4, 3, 2, 1, 0, not 5"):
        ask(bits=5)
    with pytest.raises(ValueRangeError, match="text should be a text"):
        ask(text="\ud800")


def test_the_question_is_listed():
    assert QUESTIONS["read"].kind is ReadInput


def test_the_page_s_own_model_is_asked_again():
    found = confirm(read_input(CharactersInput, {"text": "O Romeo"}), JobProgress(lambda: None))
    ids = shipped_model().tokeniser.encode("O Romeo").ids
    np.testing.assert_allclose(found["bits"], -shipped_model().token_log_probs(ids) / np.log(2))
