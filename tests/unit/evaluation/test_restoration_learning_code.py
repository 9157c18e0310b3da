"""The learning code: figures by hand, and distributions that never sum to more than one."""

import copy
import itertools
import math

import numpy as np
import pytest

from regard.evaluation.restoration import END, LearningCode, SpellingCode, space_nats, unicode_nats

UNIFORM = lambda: math.log(3)
CONTEXTS = ("any", ("after", "x"))


def test_two_contexts_by_hand():
    code = LearningCode(prior=0.5)
    first = code.nats("a", CONTEXTS, UNIFORM)
    again = code.nats("a", CONTEXTS, UNIFORM)
    other = code.nats("b", CONTEXTS, UNIFORM)
    assert first == pytest.approx(math.log(3))
    # General: 1/1.5; specific: (1 + 0.5 · 1/1.5) / 1.5.
    assert again == pytest.approx(-math.log((1 + 0.5 / 1.5) / 1.5))
    # General: 0.5 · ⅓ / 2.5; specific: 0.5 · that / 2.5.
    assert other == pytest.approx(-math.log(0.5 / 3 / 2.5 * 0.5 / 2.5))


def test_outcomes_sum_to_at_most_one_in_every_state():
    rng = np.random.default_rng(0)
    code = LearningCode()
    for outcome in rng.choice(["a", "b", "c"], 60, p=[0.8, 0.15, 0.05]):
        total = sum(math.exp(-copy.deepcopy(code).nats(o, CONTEXTS, UNIFORM)) for o in "abc")
        assert 0.6 < total <= 1 + 1e-12
        code.nats(str(outcome), CONTEXTS, UNIFORM)


def test_spellings_sum_to_one():
    code = SpellingCode(lambda character: math.log(3))  # a, b, END alike
    for word in ("ab", "", "abab"):
        code.nats(word)
    words = ["".join(word) for n in range(9) for word in itertools.product("ab", repeat=n)]
    total = sum(math.exp(-copy.deepcopy(code).nats(word)) for word in words)
    assert 0.4 < total <= 1


def test_unicode_is_covered_by_a_distribution():
    kinds = [(1, END), (128, "a"), (0x110000 - 128, "ā")]
    assert sum(n * math.exp(-unicode_nats(character)) for n, character in kinds) == pytest.approx(1)


def test_white_space_is_covered_by_a_distribution():
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert sum(math.exp(-space_nats(character)) for character in [END, *spaces]) == pytest.approx(1)


def test_a_long_spelling_has_a_finite_cost():
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 5000)))
    assert math.isfinite(SpellingCode(unicode_nats).nats(text))
