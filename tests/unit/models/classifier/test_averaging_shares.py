"""Attribution of trained averaging networks: exact where they are linear, complete by integrated gradients."""

import itertools

import numpy as np
import pytest

from regard.evaluation.attribution import attribution, centre_logits, explain
from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.models.classifier.words import WordAverage
from regard.records import LabelledTexts
from regard.text.word_bags import word_bags
from regard.training.averaging.train import AveragingConfig, train_averaging

TEXTS = ("a good film , great fun", "bad , dull and boring", "superb !", "an awful mess", "fine", "poor") * 5
DATA = LabelledTexts(TEXTS, np.array([1, 0] * 15), ("negative", "positive"))
TEXT = "Not a bad film, but great fun: superb and zyzzyva!"


def trained(**settings):
    return train_averaging(DATA, AveragingConfig(epochs=4, width=6, **settings))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"form": "classic", "layers": 0}, {"form": "classic", "layers": 2, "hidden": 8},
                                      {"form": "strong", "layers": 1, "hidden": 8}])  # fmt: skip
def test_integrated_gradients_sum_to_what_the_text_adds(settings):
    classifier = trained(**settings)
    found = attribution(classifier, TEXT, method="integrated-gradients")
    kept = np.repeat([[True], [False]], len(classifier.words(TEXT)), axis=1)
    text, nothing = centre_logits(classifier.log_probs_of_parts(TEXT, kept))
    np.testing.assert_allclose(found.shares.sum(axis=0), text - nothing, atol=1e-5)


def test_a_linear_classifier_has_exact_shares():
    assert attribution(trained(form="classic", layers=0), TEXT).method == "exact"


@pytest.mark.parametrize("activation", ["relu", "gelu", "sigmoid", "tanh", "linear"])
def test_mean_derivatives_are_those_of_many_small_steps(activation):
    rng = np.random.default_rng(1)
    sizes = (5, 7, 6, 3)
    layers = tuple((rng.normal(size=(b, a)), rng.normal(size=b)) for a, b in itertools.pairwise(sizes))
    part = WordAverage(np.zeros(0, np.uint64), np.zeros((0, 5)), rng.normal(size=5), layers, activation)
    change = 3 * rng.normal(size=5)
    steps, eps = 20_000, 1e-5
    middles = part.bias + ((np.arange(steps) + 0.5) / steps)[:, None] * change
    expected = np.stack(
        [(part.read_out(middles + eps * unit) - part.read_out(middles - eps * unit)).mean(axis=0) for unit in np.eye(5)]
    ).T / (2 * eps)
    np.testing.assert_allclose(part.mean_derivatives(change), expected, atol=3e-3)
    ends = part.read_out(np.stack([part.bias + change, part.bias]))
    np.testing.assert_allclose(part.mean_derivatives(change) @ change, ends[0] - ends[1], atol=1e-9)


def critic_of_means(log_odds):
    """A classifier of two labels with one relu on each side: log-odds are the mean of these words', exactly."""
    words = list(log_odds)
    rows = np.array([[odds, -odds] for odds in log_odds.values()], np.float32)
    hashes = word_bags([" ".join(words)]).hashes
    order = np.argsort(hashes)
    layer = (np.array([[-0.5, 0.5], [0.5, -0.5]]), np.zeros(2))
    part = WordAverage(hashes[order], rows[order], np.zeros(2), (layer,), "relu")
    return AveragingClassifier(("negative", "positive"), part, None, LengthFactors.constant(1.0, 0.0, 0.0), np.zeros(2))


CRITIC = critic_of_means({"terrible": -9.0, "bad": -7.0, "not": -2.0, "good": 5.0})


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("terrible bad", [4.5, 3.5]),
        ("terrible terrible terrible terrible", [2.25] * 4),
        ("not bad", [1.0, 3.5]),
        ("bad zyzzyva", [7.0, 0.0]),
    ],
)
def test_words_that_all_say_no_are_all_found_to_say_no(text, shares):
    found = explain(CRITIC, text)
    assert (found.label, found.attribution.method, found.baseline) == ("negative", "integrated-gradients", 0.0)
    np.testing.assert_allclose(found.shares, shares, atol=1e-6)
    assert found.log_odds == pytest.approx(sum(shares), abs=1e-6)
    assert found.remainder == pytest.approx(0, abs=1e-6)
