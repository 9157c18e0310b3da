"""Models x texts: a result for each pair, what preparation gains, and what is refused."""

import pytest
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.evaluation.perplexity import compare_perplexity, evaluate
from regard.studies.training.ngram import train_ngram

LETTERS = train_ngram(VERSE, order=2, method="kneser-ney", progress=False)
WORDS = train_ngram(VERSE, unit="word", order=2, progress=False)
TEXTS = {"verse": VERSE, "loud": VERSE.upper()}


def test_every_model_is_scored_on_every_text():
    shares = []
    found = compare_perplexity(
        {"l": LETTERS, "w": WORDS}, TEXTS, progress=lambda share, message="": shares.append(share)
    )
    assert [(each.model, each.text) for each in found.results] == [
        ("l", "verse"),
        ("l", "loud"),
        ("w", "verse"),
        ("w", "loud"),
    ]
    assert found.results[1].perplexity == evaluate(LETTERS, VERSE.upper(), name="loud").perplexity
    assert found.cautions  # characters stand beside words
    assert found.gains == []
    assert shares == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_steps_are_charged_and_their_gain_is_told():
    found = compare_perplexity({"l": LETTERS}, {"loud": VERSE.upper()}, prepare=("lower",))
    assert found.results[0].prepare == ("lower",)
    assert found.results[0].restoration_nats > 0
    assert len(found.gains) == 1


def test_only_models_that_learn_are_adaptive():
    with pytest.raises(ValueRangeError, match="no model here can learn from the text it scores"):
        compare_perplexity({"l": LETTERS}, TEXTS, adaptive=True)
    found = compare_perplexity({"l": LETTERS, "w": WORDS}, {"verse": VERSE}, adaptive=True)
    assert [each.adaptive for each in found.results] == [False, True]
