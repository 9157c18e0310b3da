"""Shares by hand for a linear classifier; for a deep one, plain loops and completeness."""

import numpy as np
import pytest
from tests.support.classifiers import LinearClassifier, deep_critic, film_critic

from regard.errors import MethodError
from regard.evaluation import attribution as module
from regard.evaluation.attribution import attribution, centre_logits, contrast, standard_errors

TEXT = "The film is not good, but awful!"


def test_exact_shares_by_hand():
    found = attribution(film_critic(scale=9.0), TEXT)
    assert found.method == "exact"
    assert [TEXT[start:end] for start, end in zip(found.starts, found.ends, strict=True)] == [
        "The", "film", "is", "not", "good", ",", "but", "awful", "!"
    ]  # fmt: skip
    # nine words: each moves the log-odds by its score times 9 / 9
    np.testing.assert_allclose(contrast(found.shares, 1, against=0), [0, 0, 0, -0.5, 2, 0, 0, -4, 0])
    np.testing.assert_allclose(found.baseline, [0.05, -0.05])
    np.testing.assert_allclose(contrast(found.logits, 1, against=0), -2.6)


@pytest.mark.parametrize("method", module.DEFAULTS)
@pytest.mark.parametrize("text", [TEXT, "", "good", "good " * 20])
def test_baseline_and_shares_sum_to_the_logits(method, text):
    critic = film_critic() if method == "exact" else deep_critic()
    found = attribution(critic, text, method=method)
    np.testing.assert_allclose(found.baseline, centre_logits(critic.log_probs([""]))[0])
    logits = found.shares.sum(axis=0) + found.baseline
    np.testing.assert_allclose(logits, found.logits, atol=1e-5)
    np.testing.assert_allclose(np.exp(logits) / np.exp(logits).sum(), np.exp(critic.log_probs([text])[0]), rtol=1e-4)
    assert abs(logits.sum()) < 1e-12


def test_leave_one_out_is_what_the_text_says_without_the_word():
    critic = deep_critic()
    found = attribution(critic, TEXT, method="leave-one-out")
    whole = critic.log_probs([TEXT])[0]
    for i, (start, end) in enumerate(zip(found.starts, found.ends, strict=True)):
        change = whole - critic.log_probs([TEXT[:start] + " " + TEXT[end:]])[0]
        np.testing.assert_allclose(found.shares[i], change - change.mean(), atol=1e-12)


def test_leave_one_out_in_pieces_is_the_same(monkeypatch):
    critic = deep_critic()
    at_once = attribution(critic, TEXT, method="leave-one-out")
    asked = []
    parts = critic.log_probs_of_parts
    monkeypatch.setattr(critic, "log_probs_of_parts", lambda text, kept: asked.append(len(kept)) or parts(text, kept))
    monkeypatch.setattr(module, "PIECE", 20)
    np.testing.assert_allclose(attribution(critic, TEXT, method="leave-one-out").shares, at_once.shares, atol=1e-12)
    # the text and nothing, the text again, then nine words without two or one
    assert asked == [2, 1, 2, 2, 2, 2, 1]


def test_the_default_is_the_first_complete_method_that_there_is(monkeypatch):
    assert attribution(deep_critic(), TEXT).method == "integrated-gradients"
    monkeypatch.setattr("tests.support.classifiers.DeepClassifier.gradient_shares", lambda self, text: None)
    assert attribution(deep_critic(), TEXT).method == "shapley"


def test_shapley_values_of_a_mean_by_hand():
    """Two words: half of what a word says alone, and half of what it changes after the other."""
    found = attribution(film_critic(scale=1.0), "not bad", method="shapley")
    # log-odds: "not" −.5, "bad" −2, both −1.25; nothing 0, up to the bias
    np.testing.assert_allclose(contrast(found.shares, 1, against=0), [(-0.5 + 0.75) / 2, (-2 - 0.75) / 2])
    assert found.samples is None


def test_many_words_are_sampled_with_an_error():
    text = "good bad film dull " * 5
    found = attribution(film_critic(), text, method="shapley", seed=3)
    assert found.samples.shape == (16, 20, 2)
    errors = standard_errors(found.samples, 1, against=0)
    expected = [estimate[:, 1] - estimate[:, 0] for estimate in found.samples]
    np.testing.assert_allclose(errors, np.std(expected, axis=0, ddof=1) / 4)
    again = attribution(film_critic(), text, method="shapley", seed=3)
    np.testing.assert_array_equal(again.shares, found.shares)
    assert standard_errors(None, 1, against=0) is None


def test_methods_agree_on_the_words_that_matter():
    critic = film_critic()
    exact, left_out = (attribution(critic, TEXT, method=method) for method in ("exact", "leave-one-out"))
    for found in (exact, left_out):
        assert contrast(found.shares, 1, against=0).argmin() == 7
        assert contrast(found.shares, 1, against=0).argmax() == 4


def test_the_answer_is_set_against_the_truth_or_the_runner_up():
    log_probs = np.log([0.2, 0.5, 0.3])
    assert module.answer_and_runner_up(log_probs) == (1, 2)
    assert module.answer_and_runner_up(log_probs, truth=1) == (1, 2)
    assert module.answer_and_runner_up(log_probs, truth=0) == (1, 0)


def test_a_method_that_is_not_to_be_had():
    with pytest.raises(MethodError, match="no method 'saliency' of attribution; choose from exact, integrated"):
        attribution(film_critic(), TEXT, method="saliency")
    with pytest.raises(MethodError, match=r"this classifier \(by-hand\) offers no attribution by exact; try shapley"):
        attribution(deep_critic(), TEXT, method="exact")
    with pytest.raises(MethodError, match="offers no attribution by integrated-gradients"):
        attribution(film_critic(), TEXT, method="integrated-gradients")


def test_a_long_text_needs_no_square_table():
    words = {"word": [1.0, 0.0]}
    critic = LinearClassifier(words, ("a", "b"))
    largest = []
    parts = critic.log_probs_of_parts
    critic.log_probs_of_parts = lambda text, kept: largest.append(kept.size) or parts(text, kept)
    attribution(critic, "word " * 3000, method="leave-one-out")
    assert max(largest) <= module.PIECE < 3000 * 3000
