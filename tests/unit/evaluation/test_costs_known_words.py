"""What a perplexity says of known words: by a formula for others' models, exactly for our own."""

import math

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.evaluation import costs as known_words
from regard.evaluation.costs import perplexity_behind, perplexity_given_known, text_costs
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.text.normalise.prepare import prepare
from regard.text.tokenise.words import WordTokeniser


@pytest.mark.parametrize(("share", "expected"), [(2 / 3, 28.5), (0.0, 5.7706)])
def test_the_deception_of_the_course(share: float, expected: float) -> None:
    assert perplexity_behind(5.7706, unknown_share=share) == pytest.approx(expected, rel=2e-3)


def test_a_calibrated_model_is_seen_through() -> None:
    """PPL = exp(H(u) + (1 − u) ln V) where known tokens are uniform over V."""
    u, size = 0.8, 50
    telling = -u * math.log(u) - (1 - u) * math.log(1 - u)
    assert perplexity_behind(math.exp(telling + (1 - u) * math.log(size)), unknown_share=u) == pytest.approx(size)


LINES = "a b c d e\n" * 30


@pytest.mark.parametrize("adaptive", [False, True])
def test_with_one_known_token_nothing_is_left_to_guess(adaptive: bool) -> None:
    """Where lines have five words each, a model of <unk> and </s> knows where lines end: the formula says below 1."""
    model = fit_ngram(LINES, NgramConfig(unit="word", vocabulary=2))
    costs = text_costs(model, prepare(LINES, ()), adaptive=adaptive)
    assert perplexity_given_known(model, costs) == pytest.approx(1, abs=1e-12)
    perplexity = math.exp(-costs.scored.log_probs_nats.mean())
    assert perplexity_behind(perplexity, unknown_share=5 / 6) < 1


def test_it_is_that_of_a_plain_loop() -> None:
    model = fit_ngram(LINES + "b a c c a\n" * 9, NgramConfig(unit="word", vocabulary=5, method="kneser-ney"))
    text = "a b x y b a\nzz b b\n"
    reader, nats = model.reader(), []
    for token in model.tokeniser.encode(text).ids:
        p = np.exp(reader.next_log_probs())
        if token != model.tokeniser.unknown:
            nats.append(-math.log(p[token] / (1 - p[model.tokeniser.unknown])))
        reader.read(int(token))
    assert perplexity_given_known(model, text_costs(model, prepare(text, ()))) == pytest.approx(math.exp(np.mean(nats)))


def test_of_a_long_text_the_beginning_and_of_no_known_token_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Unigram.fit("a a b b c\n", WordTokeniser.fit("a a b b c\n"))
    monkeypatch.setattr(known_words, "MAX_POSITIONS", 3)
    found = (perplexity_given_known(model, text_costs(model, prepare(text, ()))) for text in ("a b x a a", "a b x b b"))
    assert len(set(found)) == 1
    assert perplexity_given_known(model, text_costs(model, prepare("x y z", ()))) is None
