"""The smallest counterexample, and how it is printed."""

import numpy as np
import pytest

from regard.claims.check import check
from regard.claims.verdict.counterexample import to_plain


def test_values_as_lists_without_what_rounding_left():
    assert to_plain(np.array([[[1.0], [1e-14]]])) == [1.0, 0.0]
    assert to_plain(np.array([[[2.0]]])) == 2.0
    assert to_plain(np.array([[[1.0, 2.0], [3.0, 1 / 3]]])) == [[1.0, 2.0], [3.0, 0.333333]]


def test_a_counterexample_is_small_and_whole(unchecked):
    example = check("c = v_a", setting="attention").counterexample
    assert example.sizes == {"n": 2, "d": 1}
    assert example.symbols == {"a": 1, "k": [1.0, 2.0], "q": 1.0, "v": [0.0, 1.0]}
    assert (example.left, example.right, example.gap) == (0.731059, 0.0, pytest.approx(0.731059))


@pytest.mark.parametrize(
    "claim", [r"q = C k_a; \alpha_a \to 1", r"q = k_a; \alpha_a \ge \alpha_b", r"\alpha_a = \sigma(s_a - s_b)"]
)
def test_no_key_of_a_counterexample_lies_at_the_origin_or_on_another(claim):
    symbols = check(claim, setting="attention").counterexample.symbols
    keys = [tuple(np.atleast_1d(key)) for key in symbols["k"]]
    assert len(set(keys)) == len(keys)
    assert all(any(key) for key in keys)
    assert np.any(symbols["q"])


@pytest.mark.parametrize(
    ("claim", "violates"),
    [
        ("-log p_k ≤ log n for p = softmax(z)", lambda left, right: left > right),
        ("softmax(z)_i ≤ 1/n if z_i < max(z)", lambda left, right: left > right),
        ("α_i ≥ 1/n", lambda left, right: left < right),
    ],
)
def test_the_sides_of_an_inequality_are_those_of_a_place_that_refutes_it(claim, violates, unchecked):
    example = check(claim).counterexample
    assert violates(example.left, example.right)


@pytest.mark.parametrize(
    ("claim", "sizes", "symbols"),
    [
        ("x² = 4 ⇒ x = 2", {}, {"x": -2.0}),
        ("‖x‖ = ‖Px‖ + ‖(I − P)x‖ if P² = P = Pᵀ", {"n": 2}, {"P": [[0.0, 0.0], [0.0, 1.0]], "x": [1.0, 1.0]}),
        ("x ∼ N(μ, Σ) ⇒ E[x x^T] = Σ", {"d": 2}, {"Sigma": [[0.0, 0.0], [0.0, 1.0]], "mu": [0.0, 1.0]}),
    ],
)
def test_only_sizes_and_symbols_of_the_claim_are_shown(claim, sizes, symbols, unchecked):
    found = check(claim).counterexample
    assert (found.sizes, found.symbols) == (sizes, symbols)
