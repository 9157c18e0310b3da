"""Mixtures of orders, static and adaptive, against dictionaries that are counted anew before every symbol."""

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.support.ngram_oracle import DictionaryModel, segments

from regard.errors import InputFileError, MethodError
from regard.models.ngram import counts as counts_module
from regard.models.ngram.context_mixing import ContextMixing, Gate, Levels, fit_gate
from regard.models.ngram.counts import NgramCounts

DATA = Path(os.environ.get("REGARD_DATA") or Path(__file__).parents[5] / "shared" / "data")
needs_data = pytest.mark.skipif(
    not DATA.is_dir() and os.environ.get("CI") != "true", reason=f"needs the corpora in {DATA}: set REGARD_DATA"
)
MARKS = [None, 0, 5]


def random_ids(seed, *, size=300, vocab_size=5, start_id=None):
    rng = np.random.default_rng(seed)
    ids = (rng.random(size) ** 2 * vocab_size).astype(np.int64)
    if start_id is not None:
        ids[rng.random(size) < 0.1] = start_id
    return ids


def random_model(ids, *, order, start_id, vocab_size=5):
    """A model with gates that favour no order in particular, so that a mistake in any of them shows."""
    rng = np.random.default_rng(0)
    counts = NgramCounts.count(ids, vocab_size=vocab_size, order=order, start_id=start_id)
    return ContextMixing(counts, *(Gate(rng.standard_normal((2 * order - 1, order))) for _ in range(2)))


@pytest.mark.parametrize("order", [1, 4])
@pytest.mark.parametrize("start_id", MARKS)
def test_static_probabilities_are_those_of_dictionaries(order, start_id):
    ids, text = random_ids(0, start_id=start_id), random_ids(1, size=40, start_id=start_id)
    model = random_model(ids, order=order, start_id=start_id)
    oracle = DictionaryModel(segments(ids, start_id), vocab_size=5, order=order, start_id=start_id)
    found = np.exp(model.log_probs(text))
    for t, symbol in enumerate(text.tolist()):
        expected = 1.0 if symbol == start_id else oracle.mixture(model.gate.matrix, text[:t], symbol)
        assert_allclose(found[t], expected, rtol=1e-12)


@pytest.mark.parametrize("order", [1, 4])
@pytest.mark.parametrize("start_id", MARKS)
def test_adaptive_probabilities_are_those_of_dictionaries_counted_anew(order, start_id):
    ids, text = random_ids(0, size=60, start_id=start_id), random_ids(1, size=40, start_id=start_id)
    model = random_model(ids, order=order, start_id=start_id)
    found = np.exp(model.adaptive_log_probs(text))
    for t, symbol in enumerate(text.tolist()):
        oracle = DictionaryModel(
            segments(ids, start_id),
            vocab_size=5,
            order=order,
            start_id=start_id,
            learnt=segments(text[:t], start_id),
        )
        expected = 1.0 if symbol == start_id else oracle.mixture(model.adaptive_gate.matrix, text[:t], symbol)
        assert_allclose(found[t], expected, rtol=1e-12)


@pytest.mark.parametrize("start_id", MARKS)
def test_distributions_sum_to_one_and_agree_with_scores(start_id):
    ids, text = random_ids(2, start_id=start_id), random_ids(3, size=40, start_id=start_id)
    model = random_model(ids, order=5, start_id=start_id)
    contexts = [text[:t] for t in range(len(text))]
    scored = np.flatnonzero(text != start_id)
    for log_probs, after in (
        (model.log_probs(text), model.next_log_probs_of(contexts)),
        (model.adaptive_log_probs(text), np.array([model.adaptive_next_log_probs(context) for context in contexts])),
    ):
        assert_allclose(np.exp(after).sum(axis=1), 1, atol=1e-12)
        assert_allclose(log_probs[scored], after[scored, text[scored]], atol=1e-12)
    assert_allclose(model.next_log_probs(text[:9]), model.next_log_probs_of(contexts)[9], rtol=1e-14)


def test_long_texts_are_scored_in_pieces_to_the_same_figures(monkeypatch):
    ids, text = random_ids(4), random_ids(5, size=50)
    model = random_model(ids, order=5, start_id=None)
    static, adaptive = model.log_probs(text), model.adaptive_log_probs(text)
    monkeypatch.setattr(counts_module, "PIECE", 7)
    assert_allclose(model.log_probs(text), static, rtol=1e-13)
    assert_allclose(model.adaptive_log_probs(text), adaptive, rtol=1e-13)


@pytest.mark.parametrize("start_id", MARKS)
@pytest.mark.parametrize("ids", [[], [1], [1] * 40, [1, 2] * 30, list(range(1, 5)) * 5])
def test_any_text_can_be_learnt(ids, start_id):
    model = ContextMixing.fit(np.array(ids, dtype=np.int64), vocab_size=5, order=4, start_id=start_id, adaptive=True)
    for context in ([], [1], [4, 4], ids):
        read = np.array(context, dtype=np.int64)
        for log_probs in (model.next_log_probs(read), model.adaptive_next_log_probs(read)):
            assert_allclose(np.exp(log_probs).sum(), 1, atol=1e-12)
    none = np.zeros(0, dtype=np.int64)
    assert model.log_probs(none).shape == model.adaptive_log_probs(none).shape == (0,)


@pytest.mark.parametrize("start_id", MARKS)
def test_the_gate_is_fitted_on_the_last_tenth_with_the_counts_of_the_other_nine(start_id):
    ids = random_ids(8, size=1000, start_id=start_id)
    model = ContextMixing.fit(ids, vocab_size=5, order=4, start_id=start_id)
    counts = NgramCounts.count(ids[:900], vocab_size=5, order=4, start_id=start_id)
    evidence = Levels.of(counts).along(counts.occurrences(ids).after(900))
    probs = np.stack(list(evidence.orders(np.full(100, counts.uniform.max()))), axis=1)
    scored = ids[900:] != start_id
    expected = fit_gate(evidence.features[scored], probs[scored])
    assert_allclose(model.gate.matrix, expected.matrix, rtol=1e-6, atol=1e-9)


def test_fitted_weights_beat_equal_ones_and_the_counts_are_those_of_the_whole_text():
    rng = np.random.default_rng(1)
    words = [rng.integers(0, 8, 6) for _ in range(30)]
    text = np.concatenate([words[w] for w in rng.integers(0, 30, 500)])
    train, valid = text[:2400], text[2400:]
    model = ContextMixing.fit(train, vocab_size=8, order=6, adaptive=True)
    equal = ContextMixing(model.counts, Gate(np.zeros((11, 6))), Gate(np.zeros((11, 6))))
    assert model.log_probs(valid).mean() > equal.log_probs(valid).mean() + 0.05
    assert model.adaptive_log_probs(valid).mean() > equal.adaptive_log_probs(valid).mean() + 0.05
    assert model.counts.tables[0].counts.sum() == 2400


def test_adaptive_scoring_learns_from_the_text_and_static_scoring_does_not():
    train, passage = random_ids(6, size=800), np.random.default_rng(7).integers(0, 5, 60)
    model = ContextMixing.fit(train, vocab_size=5, order=5, adaptive=True)
    twice = np.concatenate([passage, passage])
    static, adaptive = model.log_probs(twice), model.adaptive_log_probs(twice)
    assert_allclose(static[64:], static[4:60], rtol=1e-12)
    assert adaptive[60:].mean() > adaptive[:60].mean() + 0.1
    assert_array_equal(model.adaptive_log_probs(twice), adaptive)  # scoring leaves the model as it was


def test_a_model_without_an_adaptive_gate_says_so():
    model = ContextMixing.fit(random_ids(0), vocab_size=5, order=3)
    text = r"^this model has static weights only; fit it with adaptive=True to score adaptively$"
    with pytest.raises(MethodError, match=text):
        model.adaptive_log_probs(np.array([1]))
    with pytest.raises(MethodError, match=text):
        model.adaptive_next_log_probs(np.array([1]))


@pytest.mark.parametrize("adaptive", [False, True])
def test_arrays_and_back(adaptive):
    model = ContextMixing.fit(random_ids(0), vocab_size=5, order=3, adaptive=adaptive)
    again = ContextMixing.from_arrays(model.to_arrays())
    text = random_ids(1)
    assert_array_equal(again.log_probs(text), model.log_probs(text))
    assert (again.adaptive_gate is not None) == adaptive
    if adaptive:
        assert_array_equal(again.adaptive_log_probs(text), model.adaptive_log_probs(text))


def test_a_damaged_gate_is_told():
    arrays = ContextMixing.fit(random_ids(0), vocab_size=5, order=3).to_arrays()
    for wrong in (np.zeros((2, 2)), np.full((5, 3), np.nan), np.zeros((5, 3), dtype=np.int64)):
        with pytest.raises(
            InputFileError, match=r"^the model's 'gate' should be 5 × 3 finite numbers; the file is damaged$"
        ):
            ContextMixing.from_arrays(arrays | {"gate": wrong})


@needs_data
def test_nats_per_character_on_the_beginning_of_tinyshakespeare():
    text = (DATA / "tinyshakespeare.txt").read_text(encoding="utf-8")[:110_000]
    alphabet, ids = np.unique(np.array(list(text)), return_inverse=True)
    model = ContextMixing.fit(ids[:100_000], vocab_size=len(alphabet), order=7, adaptive=True)
    static, adaptive = -model.log_probs(ids[100_000:]).mean(), -model.adaptive_log_probs(ids[100_000:]).mean()
    assert adaptive < static - 0.01
    assert static < 1.75
