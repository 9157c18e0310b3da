"""A mixture of models against plain arithmetic on what its members say; alphabets that differ; damaged files."""

from functools import cache

import numpy as np
import pytest
from tests.support.models import MODELS
from tests.support.texts import VERSE

from regard.errors import CheckpointError, ValueRangeError, VocabularyError
from regard.models.checkpoint import load_model
from regard.models.mixture.gate import MixtureGate
from regard.models.mixture.model import AdaptivePart, MixtureModel, difference, n_features
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.text.tokenise.tokens import ByteTokeniser, CharacterTokeniser
from regard.text.tokenise.words import WordTokeniser

NEW = "the sailor sings to the sailor.\n"


@cache
def members():
    return fit_ngram(VERSE, NgramConfig(order=4)), MODELS["recurrent-gru-char"]()


def mixture(form="geometric", looks_at="features", *, adaptive=True, seed=0) -> MixtureModel:
    """With random gates: whatever they are, the mixture must be sound."""
    rng = np.random.default_rng(seed)
    shape = n_features(members(), looks_at), 2
    gates = [MixtureGate(form, 0.2 * rng.standard_normal(shape)) for _ in range(2)]
    settings = (None, {"rate": 0.003, "piece": 8, "floor": 0.01})
    part = AdaptivePart(gates[1], settings) if adaptive else None
    return MixtureModel(members(), gates[0], members()[0].background, looks_at, part)


@pytest.mark.parametrize("form", ["geometric", "linear"])
def test_fixed_weights_are_plain_arithmetic(form):
    model = mixture(form, "fixed")
    ids = model.tokeniser.encode(NEW).ids
    p, q = (np.exp(np.concatenate(list(member.next_log_probs_along(ids)))) for member in members())
    a, b = model.gate.matrix[0]
    if form == "linear":
        share = 1 / (1 + np.exp(b - a))
        expected = share * p + (1 - share) * q
    else:
        expected = p**a * q**b
        expected /= expected.sum(axis=1, keepdims=True)
    table = np.concatenate(list(model.next_log_probs_along(ids)))
    np.testing.assert_allclose(np.exp(table), expected, rtol=1e-10)
    np.testing.assert_array_equal(model.token_log_probs(ids), table[np.arange(len(ids)), ids])


@pytest.mark.parametrize("form", ["geometric", "linear"])
@pytest.mark.parametrize("looks_at", ["features", "fixed"])
def test_distributions_are_proper_static_and_adaptive(form, looks_at):
    model = mixture(form, looks_at)
    ids = model.tokeniser.encode(NEW).ids
    for tables in (model.next_log_probs_along(ids), model.adaptive_next_log_probs_along(ids)):
        np.testing.assert_allclose(np.exp(np.concatenate(list(tables))).sum(axis=1), 1, rtol=1e-12)


def test_the_adaptive_part_mixes_members_that_learn():
    model = mixture("geometric", "fixed")
    ids, (a, b) = model.tokeniser.encode(NEW).ids, model.adaptive.gate.matrix[0]
    counted = np.concatenate(list(members()[0].adaptive_next_log_probs_along(ids)))
    learnt = np.concatenate(list(members()[1].adaptive_next_log_probs_along(ids, settings=model.adaptive.settings[1])))
    expected = np.exp(a * counted + b * learnt)
    expected = np.log(expected / expected.sum(axis=1, keepdims=True))[np.arange(len(ids)), ids]
    np.testing.assert_allclose(model.score(NEW, adaptive=True).log_probs_nats, expected, rtol=1e-9)
    assert model.can_adapt


def test_it_cannot_adapt_without_that_part():
    model = mixture(adaptive=False)
    assert not model.can_adapt
    with pytest.raises(ValueRangeError, match="fitted without an adaptive part; leave adaptive off, or train it with"):
        model.score(NEW, adaptive=True)


def test_members_that_cannot_learn_stay_as_they_are():
    plain = fit_ngram(VERSE, NgramConfig(order=3, method="kneser-ney"))
    gate = MixtureGate("linear", np.array([[-50.0, 50.0]]))
    model = MixtureModel((members()[0], plain), gate, plain.background, "fixed", AdaptivePart(gate, (None, None)))
    np.testing.assert_allclose(
        model.score(NEW, adaptive=True).log_probs_nats, plain.score(NEW).log_probs_nats, rtol=1e-9
    )


def test_the_adaptive_part_is_saved_too(tmp_path):
    model = mixture("linear")
    model.save(tmp_path / "mixed")
    again = load_model(tmp_path / "mixed")
    assert again.adaptive.settings == model.adaptive.settings
    np.testing.assert_array_equal(
        again.score(NEW, adaptive=True).log_probs_nats, model.score(NEW, adaptive=True).log_probs_nats
    )
    for ours, theirs in zip(model.members, again.members, strict=True):
        assert theirs.background.digest.sha256 == ours.background.digest.sha256
        assert theirs.background.notes == ours.background.notes


def test_a_mixture_can_be_a_member(tmp_path):
    inner = mixture(adaptive=False)
    model = MixtureModel((inner, members()[0]), MixtureGate("linear", np.zeros((1, 2))), inner.background, "fixed")
    model.save(tmp_path / "mixed")
    np.testing.assert_array_equal(
        load_model(tmp_path / "mixed").score(NEW).log_probs_nats, model.score(NEW).log_probs_nats
    )


def test_a_damaged_gate_is_told():
    model = mixture()
    arrays = model.arrays()
    for wrong in (arrays["gate"][:-1], arrays["gate"] * np.nan):
        with pytest.raises(CheckpointError, match="gate of this mixture should be 8 × 2 finite numbers; it has shape"):
            MixtureModel.restore(model.config(), arrays | {"gate": wrong}, model.background)
    with pytest.raises(CheckpointError, match="the file says 'geometrical' and 'features'"):
        MixtureModel.restore(model.config() | {"form": "geometrical"}, arrays, model.background)


def test_one_model_is_no_mixture():
    with pytest.raises(ValueRangeError, match="a mixture has two models or more; got 1"):
        MixtureModel(members()[:1], MixtureGate("linear", np.zeros((1, 1))), members()[0].background)


def test_alphabets_that_differ_are_told_apart():
    other = fit_ngram("nothing but this\n" * 5, NgramConfig(order=2))
    with pytest.raises(VocabularyError) as caught:
        MixtureModel((members()[0], other), MixtureGate("linear", np.zeros((1, 2))), members()[0].background)
    assert str(caught.value) == (
        "the models of a mixture share one alphabet; the first (ngram) and number 2 (ngram) differ: only the first has "
        "',', '.', 'a' and 10 more; train them on the same text, with the same --unit"
    )


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (CharacterTokeniser.fit("abc"), CharacterTokeniser.fit("abc"), ""),
        (CharacterTokeniser.fit("abc"), ByteTokeniser(), "one has characters, the other bytes"),
        (CharacterTokeniser.fit("ab"), CharacterTokeniser.fit("abz"), "only the second has 'z'"),
        (
            WordTokeniser(["<unk>", "</s>", "be", "to"]),
            WordTokeniser(["<unk>", "</s>", "to", "be"]),
            "id 2 is 'be' in one and 'to' in the other",
        ),
    ],
)
def test_how_alphabets_differ(one, other, told):
    assert difference(one, other) == told
