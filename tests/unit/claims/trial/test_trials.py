"""Both sides of a statement: gaps, comparisons with few and many digits, what a statement depends on."""

from decimal import Decimal

import numpy as np
import pytest

from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.statements import interpret_claim
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import ReadingPath
from regard.claims.trial.comparison import Sides, decide, decide_in_float64, relative_gap, suspicion
from regard.claims.trial.trials import RANDOM_DRAWS, Trials, draws_for


def trials(text, setting="attention"):
    compiled = compile_setting(find_setting(setting))
    found = Trials(interpret_claim(parse(text), compiled, None, ReadingPath()))
    return found, found.task.statements[0]


def sides(left, right, kind=float):
    return Sides(
        *(np.array([[[kind(side)]]], dtype=object if kind is Decimal else float) for side in (left, right)), {}
    )


def test_a_gap_is_relative_unless_one_side_is_zero():
    assert relative_gap(np.array([[[4.0]]]), np.array([[[3.0]]])).tolist() == [0.25]
    assert relative_gap(np.array([[[0.5]]]), np.array([[[0.0]]])).tolist() == [0.5]


@pytest.mark.parametrize(
    ("comparison", "few", "many", "answer"),
    [
        ("=", ("1e-50", 0), ("1e-80", 0), "yes"),
        ("=", ("1e-30", 0), ("1e-30", 0), "no"),
        ("≠", ("1e-30", 0), ("1e-30", 0), "yes"),
        ("<", (1, 2), (1, 2), "yes"),
        ("<", (2, 1), (2, 1), "no"),
        ("<", (1, 1), (1, 1), "tie"),
        ("≤", (1, 1), (1, 1), "yes"),
        ("=", ("NaN", 1), ("NaN", 1), "undefined"),
    ],
)
def test_a_true_zero_shrinks_with_digits(comparison, few, many, answer):
    assert decide(comparison, sides(*few, Decimal), sides(*many, Decimal), (50, 80)) == answer


def test_float64_decides_to_within_rounding():
    assert decide_in_float64("=", sides(1, 1 + 1e-12), 1.0) == "yes"
    assert decide_in_float64("<", sides(1, 1 + 1e-12), 1.0) == "no"
    assert decide_in_float64("≤", sides(1, 1 + 1e-12), 1.0) == "yes"
    assert decide_in_float64("=", sides(np.nan, 1), 1.0) == "undefined"
    assert suspicion("=", sides(np.nan, 1)).tolist() == [np.inf]


def test_a_free_index_points_everywhere_but_where_it_must_differ():
    found, _ = trials("α_i ≤ 1")
    batch = next(found.batches(2))
    assert found.assignments(batch) == [{"i": 0}, {"i": 1}]
    other, _ = trials("α_i ≤ 1; i ≠ a")
    assert other.assignments(batch) == [{"i": 1 - batch.marked["a"]}]


def test_what_a_statement_depends_on():
    found, statement = trials("c = v_a; q = C k_a")
    assert found.depends(statement) == {"c", "alpha", "s", "k", "q", "v", "C"}
    assert found.limits_of(statement) == {"C": "large"}
    noisy, random = trials("k_a = μ_a", "noisy-keys")
    assert noisy.is_random(random)
    assert draws_for(noisy, random) == RANDOM_DRAWS
    expected, mean = trials("E[k_a] = μ_a", "noisy-keys")
    assert not expected.is_random(mean)


def test_truth_of_one_draw():
    found, statement = trials(r"\sum_i α_i = 1")
    draw = next(found.batches(1))
    assert found.truth(statement, draw) == "yes"
    other, wrong = trials(r"\sum_i α_i = 2")
    assert other.truth(wrong, draw) == "no"
    assert other.exact_gap(wrong, draw) == pytest.approx(0.5)
