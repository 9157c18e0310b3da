"""The beginning of a text that is kept back, and what a network says of it."""

import numpy as np
import pytest
import torch
from tests.support.networks import TinyConfig, TinyNetwork
from tests.support.texts import VERSE

from regard.errors import NothingScoredError
from regard.models.background import digest, make_background
from regard.training.network import validation as module
from regard.training.network.validation import cut_streams, encode_training_text, mean_nats, split_validation


@pytest.mark.parametrize(
    ("n_characters", "n_kept"), [(10, 1), (200, 20), (5_000, 500), (20_000, 1000), (50_000, 1000), (1_000_000, 20_000)]
)
def test_how_much_is_kept_back(n_characters, n_kept):
    text = "ab" * (n_characters // 2)
    learn, kept = split_validation(text)
    assert kept + learn == text
    assert len(kept) == n_kept


def test_too_short_a_text_is_refused():
    with pytest.raises(NothingScoredError, match=r"^a text of 9 characters is too short for a network, which keeps"):
        split_validation("x" * 9)


def test_the_digest_covers_what_was_learnt_from_and_the_alphabet_everything():
    text = VERSE + "Ω"
    seen = encode_training_text(text, unit="char", training={"width": 3})
    learn, kept = split_validation(text)
    assert seen.background.digest.sha256 == digest(learn).sha256
    assert seen.background.notes["training"] == {"width": 3}
    assert seen.tokeniser.decode(seen.learn) == learn
    assert seen.tokeniser.decode(seen.validation) == kept
    assert "Ω" in seen.tokeniser.vocabulary
    assert (seen.vocab, seen.characters_per_id) == (len(seen.tokeniser.vocabulary), 1)
    assert seen.tokeniser.vocabulary[seen.start_id] == "\n"


@pytest.mark.parametrize("unit", ["char", "byte"])
def test_piece_by_piece_nothing_changes(monkeypatch, unit):
    text = VERSE * 3 + "\ud800é" * 30  # half a surrogate pair is no character
    learn, _ = split_validation(text)
    monkeypatch.setattr(module, "PIECE", 50)
    found = encode_training_text(text, unit=unit)
    tokens = found.tokeniser.encode(learn)
    expected = make_background(learn, tokens, found.tokeniser)
    np.testing.assert_array_equal(found.learn, tokens.ids)
    assert found.learn.itemsize <= 2
    assert found.background.digest.sha256 == expected.digest.sha256
    np.testing.assert_array_equal(found.background.digest.hashes, expected.digest.hashes)
    for name, array in expected.speller.arrays().items():
        np.testing.assert_array_equal(found.background.speller.arrays()[name], array)


def test_bytes_are_less_than_characters():
    seen = encode_training_text("né" * 100, unit="byte")
    assert len(seen.validation) == 30
    assert seen.characters_per_id == pytest.approx(20 / 30)


@pytest.mark.parametrize("n_ids", [1, 5, 3999, 4000, 4001, 17_003, 40_000])
def test_streams_score_each_id_once_given_the_one_before(n_ids):
    ids = np.arange(n_ids)
    given, wanted = cut_streams(ids, start_id=-5)
    np.testing.assert_array_equal(np.sort(wanted[wanted >= 0]), ids)
    assert len(given) == max(1, min(8, n_ids // 2000))
    scored = wanted >= 0
    np.testing.assert_array_equal(given[scored], np.where(wanted[scored] == 0, -5, wanted[scored] - 1))
    if len(given) > 1:  # a stream reads on without a gap from what it reads first
        np.testing.assert_array_equal(np.diff(given[1][: len(given[1]) - 8]), 1)
        assert (wanted[1:, :256] == -1).all()


@pytest.mark.parametrize("n_streams", [1, 3])
def test_mean_nats_are_those_of_reading_in_one_go(monkeypatch, n_streams):
    torch.manual_seed(0)
    network = TinyNetwork(TinyConfig(5))
    ids = np.random.default_rng(0).integers(0, 5, 700)
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(np.concatenate([[2], ids[:-1]]))[None])
    expected = -torch.log_softmax(logits[0], -1)[torch.arange(700), torch.from_numpy(ids)].mean().item()
    monkeypatch.setattr(module, "SHORTEST_STREAM", 700 // n_streams)
    monkeypatch.setattr(module, "WARM", 64)
    monkeypatch.setattr(module, "CHUNK", 50)
    # a state that has read 64 ids is as good as one that has read all: a random GRU forgets fast
    assert mean_nats(network, ids, start_id=2) == pytest.approx(expected, rel=1e-6)
    assert not network.training
