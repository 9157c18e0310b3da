"""Laws of counting models, for any text, alphabet and order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tests.support.ngram_oracle import DictionaryCounts, DictionaryModel, segments

from regard.models.ngram.context_mixing import ContextMixing, Gate
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey

calm = settings(deadline=None, max_examples=25)


@st.composite
def cases(draw):
    """A training text, another text, the vocabulary's size, an order, and a start id inside it, outside it or none."""
    vocab_size, order = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    start_id = draw(st.sampled_from([None, vocab_size, *([0] if vocab_size > 1 else [])]))
    symbols = st.integers(0, vocab_size - (start_id != vocab_size))
    texts = [np.array(draw(st.lists(symbols, max_size=size)), dtype=np.int64) for size in (60, 15)]
    return *texts, {"vocab_size": vocab_size, "order": order, "start_id": start_id}


def mixing(ids, shape):
    rng = np.random.default_rng(len(ids))
    gates = (Gate(rng.standard_normal((2 * shape["order"] - 1, shape["order"]))) for _ in range(2))
    return ContextMixing(NgramCounts.count(ids, **shape), *gates)


def assert_sound(text, start_id, log_probs, after):
    """Distributions that sum to one, and a score for each symbol that is its probability given those before."""
    assert_allclose(np.exp(after).sum(axis=1), 1, atol=1e-12)
    scored = np.flatnonzero(text != start_id)
    assert_allclose(log_probs[scored], after[scored, text[scored]], atol=1e-12)


@calm
@given(cases())
def test_counts_are_those_of_dictionaries(case):
    ids, text, shape = case
    counts = NgramCounts.count(ids, **shape).extend(text)
    start_id = shape["start_id"]
    parts = [*segments(ids, start_id), *segments(text, start_id)]
    oracle = DictionaryCounts(parts, order=shape["order"], start_id=start_id)
    for order, table in enumerate(counts.tables, start=1):
        expected = sorted(n for gram, n in oracle.plain.items() if len(gram) == order)
        assert sorted(table.counts[table.counts > 0].tolist()) == expected


@calm
@given(cases())
def test_static_models_are_causal_distributions(case):
    ids, text, shape = case
    contexts = [text[:t] for t in range(len(text) + 1)]
    for model in (KneserNey.fit(ids, **shape), mixing(ids, shape)):
        assert_sound(text, shape["start_id"], model.log_probs(text), model.next_log_probs_of(contexts))


@calm
@given(cases())
def test_adaptive_models_are_causal_distributions(case):
    ids, text, shape = case
    model = mixing(ids, shape)
    after = np.array([model.adaptive_next_log_probs(text[:t]) for t in range(len(text) + 1)])
    assert_sound(text, shape["start_id"], model.adaptive_log_probs(text), after)


@calm
@given(cases())
def test_the_last_probability_is_that_of_dictionaries(case):
    ids, text, shape = case
    parts, model = segments(ids, shape["start_id"]), mixing(ids, shape)
    static = DictionaryModel(parts, **shape)
    adaptive = DictionaryModel(parts, **shape, learnt=segments(text, shape["start_id"]))
    history = text.tolist()
    for found, expected in (
        (KneserNey.fit(ids, **shape).next_log_probs(text), lambda w: static.kneser_ney(history, w)),
        (model.next_log_probs(text), lambda w: static.mixture(model.gate.matrix, history, w)),
        (model.adaptive_next_log_probs(text), lambda w: adaptive.mixture(model.adaptive_gate.matrix, history, w)),
    ):
        for symbol in static.symbols:
            assert_allclose(np.exp(found[symbol]), expected(symbol), rtol=1e-11)


@calm
@given(cases())
def test_saving_changes_nothing(case):
    ids, text, shape = case
    model = mixing(ids, shape)
    again = ContextMixing.from_arrays(model.to_arrays())
    np.testing.assert_array_equal(again.adaptive_log_probs(text), model.adaptive_log_probs(text))
