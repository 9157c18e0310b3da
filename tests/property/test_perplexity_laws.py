"""Laws of every perplexity, for small models of any kind, trained on any text and scored on any other."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.bigram_networks import random_network
from tests.support.models import MODELS

from regard.errors import NothingScoredError, ValueRangeError
from regard.evaluation.costs import perplexity_given_known, text_costs
from regard.evaluation.perplexity import evaluate
from regard.models.background import make_background
from regard.models.base import LanguageModel
from regard.models.bigram import BigramModel
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.text.normalise.prepare import STEPS, prepare
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts
from regard.training.mixture import MixtureConfig, train_mixture

calm = settings(deadline=None, max_examples=40)
words = st.sampled_from(["a", "b", "the", "sea", "Sea", "3", "ē", "x.", "<unk>", "\n", "\n", "\t"])
texts = st.lists(words, min_size=1, max_size=40).map(" ".join)
units = st.sampled_from(["char", "byte", "word", "course"])
ROUNDING = 1e-12


def ngram(text: str, unit: str, vocabulary: int, seed: int) -> LanguageModel:
    size = vocabulary if unit in ("word", "course") else None
    method = ("kneser-ney", "mixing")[seed % 2]
    return fit_ngram(text, NgramConfig(unit=unit, method=method, order=1 + seed % 4, vocabulary=size))


def bigram(text: str, unit: str, vocabulary: int, seed: int) -> LanguageModel:
    size = vocabulary if unit in ("word", "course") else None
    config = BigramConfig(unit=unit, vocabulary=size, hidden=3, iterations=1 + seed % 9, beside_counts=seed % 3 == 0)
    return train_by_counts(bigram_task(text, config))


def wild_network(text: str, unit: str, vocabulary: int, seed: int) -> LanguageModel:
    """Weights at random, and large: it says almost 1 and almost 0, about anything."""
    tokeniser = fit_tokeniser(text, unit=unit, vocabulary=vocabulary if unit in ("word", "course") else None)
    size = len(tokeniser.vocabulary)
    network = random_network(seed, vocab=size)
    return BigramModel(replace(network, w2=50 * network.w2), make_background(text, tokeniser.encode(text), tokeniser))


def mixture(text: str, unit: str, vocabulary: int, seed: int) -> LanguageModel:
    members = [ngram(text, unit, vocabulary, each) for each in (seed, seed + 1, seed + 2)]
    return train_mixture(
        members, text, MixtureConfig(form=("geometric", "linear")[seed % 2], adaptive=False), fit_on=text
    )


models = st.sampled_from([ngram, bigram, wild_network, mixture])


def check(model: LanguageModel, text: str, *, adaptive: bool = False, steps: tuple[str, ...] = ()) -> None:
    try:
        result = evaluate(model, text, name="text", steps=steps, adaptive=adaptive)
    except NothingScoredError:
        assert not prepare(text, steps).text
        return
    tokens = model.tokeniser.encode(prepare(text, steps).text)
    assert result.tokens == len(tokens)
    figures = [result.perplexity, result.perplexity_known, *result.perplexity_by_base.values()]
    assert all(figure >= 1 - ROUNDING for figure in figures if figure is not None)
    costs = (result.token_nats, result.spelling_nats, result.restoration_nats, result.choice_nats)
    assert all(cost >= 0 for cost in costs)
    assert result.nats_per_character >= 0
    assert result.bits_per_character * math.log(2) == pytest.approx(result.nats_per_character)
    assert result.surprise.nats.sum() == pytest.approx(result.nats, rel=1e-9, abs=1e-9)
    told = perplexity_given_known(model, text_costs(model, prepare(text, steps), adaptive=adaptive))
    assert told is None or 1 - ROUNDING <= told <= (result.perplexity_known or math.inf) * (1 + 1e-9)


@calm
@given(make=models, train=texts, text=texts, unit=units, vocabulary=st.integers(2, 9), seed=st.integers(0, 11))
def test_no_perplexity_is_below_one_and_no_cost_below_zero(make, train, text, unit, vocabulary, seed):
    try:
        model = make(train, unit, vocabulary, seed)
    except ValueRangeError:
        assume(False)
    for steps in ((), tuple(STEPS)):
        check(model, text, steps=steps)
    if model.can_adapt:
        check(model, text, adaptive=True)


@calm
@given(make=models, train=texts, text=texts, unit=units, vocabulary=st.integers(2, 9), seed=st.integers(0, 11))
def test_each_token_is_scored_once_by_a_distribution(make, train, text, unit, vocabulary, seed):
    model = make(train, unit, vocabulary, seed)
    scored, ids = model.score(text), model.tokeniser.encode(text).ids
    tables = np.concatenate(list(model.next_log_probs_along(ids)))
    assert tables.shape == (len(ids), len(model.tokeniser.vocabulary))
    np.testing.assert_allclose(np.exp(tables).sum(axis=1), 1, atol=1e-9)
    np.testing.assert_allclose(tables[np.arange(len(ids)), ids], scored.log_probs_nats, rtol=1e-9, atol=1e-9)
    assert (scored.starts[0], scored.ends[-1]) == (0, len(text))
    np.testing.assert_array_equal(scored.starts[1:], scored.ends[:-1])


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS.keys())
def test_every_kind_of_model_on_a_few_texts(make):
    model = make()
    for text in ("the sea is deep\nthe ship is", "ō\n", "x", "the the the the the the the the the the the the zz"):
        check(model, text)
        check(model, text, steps=tuple(STEPS))
        if model.can_adapt and model.kind in ("ngram", "mixture"):
            check(model, text, adaptive=True)
