"""Values of trees: many digits, derivatives, determinants, entries, indices."""

from fractions import Fraction

import numpy as np
import pytest
from tests.support.claim_settings import NUMBERS

from regard.claims.check import check
from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import builtin_settings, find_setting
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS
from regard.claims.trial.instances.draws import build_world, draw_batch


def verdict(claim, setting=NUMBERS, **options):
    return check(claim, setting=setting, **options).verdict


def test_orthonormal_keys_are_so_to_fifty_digits():
    setting = compile_setting(find_setting("orthonormal-keys"))
    numbers = Decimals(50)
    with numbers.context():
        batch = draw_batch(setting.setting, 2, 4)
        keys = build_world(batch, definitions={}, families=setting.families, numbers=numbers).value("k")[..., 0]
        gram = keys @ keys.swapaxes(-1, -2) - numbers.from_floats(np.eye(4))
        assert max(abs(entry) for entry in gram.flat) < Fraction(1, 10**50)


@pytest.mark.parametrize("name", builtin_settings())
def test_both_arithmetics_agree_on_every_symbol(name):
    setting = compile_setting(find_setting(name))
    batch = draw_batch(setting.setting, 1, 1)
    options = {"definitions": setting.definitions, "families": setting.families}
    numbers = Decimals(30)
    with numbers.context():
        fine = build_world(batch, numbers=numbers, **options)
        plain = build_world(batch, numbers=FLOATS, **options)
        for symbol in setting.definitions:
            np.testing.assert_allclose(plain.value(symbol), fine.value(symbol).astype(float), atol=1e-12)


# Derivatives


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (r"\partial \|c\|^2/\partial V = 2\alpha c^T", "holds"),
        (r"\partial \|c\|^2/\partial V = 0", "fails"),
        (r"\partial \|K q\|^2/\partial K = 2 K q q^T", "holds"),
        (r"\partial \alpha_a/\partial K = 0", "fails"),
        (r"\partial c/\partial s_a = \alpha_a (v_a - c)", "holds"),
        (r"\partial c/\partial v_a = \alpha_a I", "holds"),
        (r"\partial (k_a^T q)/\partial s_a = 0", "not-understood"),
    ],
)
def test_derivatives_by_matrices_and_what_they_collect(claim, expected):
    assert verdict(claim, "attention") == expected


def test_derivative_by_columns_varies_the_matrix():
    assert verdict(r"\partial \|s\|^2/\partial a_i = 2 c_i s", "two-subspaces") == "holds"


def test_derivative_beside_the_chain_is_refused():
    found = check(r"\partial H_2/\partial CE = 0", setting="perplexity")
    assert found.reason == ("a derivative by CE of what does not contain it; both follow from p: write it out in CE")


# Determinants, entries, many indices


def test_determinant_against_the_product_of_known_factors():
    rng = np.random.default_rng(0)
    lower, upper = np.tril(rng.integers(1, 4, (6, 6))), np.triu(rng.integers(1, 4, (6, 6)))
    expected = int(np.diag(lower).prod() * np.diag(upper).prod())
    matrix = (lower @ upper)[::-1].astype(float)  # three exchanges of rows: the sign changes
    numbers = Decimals(30)
    with numbers.context():
        assert round(numbers.determinant(numbers.from_floats(matrix))[0, 0], 9) == -expected
    np.testing.assert_allclose(FLOATS.determinant(matrix)[0, 0], -expected)


def test_entries_are_counted_from_one():
    found = check("x_0 = x_1", setting=NUMBERS)
    assert (found.verdict, found.reason) == ("not-understood", "there is no entry 0 in a value of shape (2, 1)")


def test_many_free_indices_are_drawn():
    assert verdict("x_i x_j x_k x_l x_m x_o x_p x_r x_t = x_r x_t x_i x_j x_k x_l x_m x_o x_p") == "holds"
    assert verdict("x_i x_j x_k x_l x_m x_o x_p x_r = x_i x_j x_k x_l x_m x_o x_p x_u") == "fails"


@pytest.mark.parametrize(
    ("claim", "setting", "verdict"),
    [
        ("Var[c]^{12} = 0", "noisy-keys", "fails"),  # 1e-14 and less, but no zero
        ("Var[c]^{12} = Var[c]^{13}", "noisy-keys", "fails"),
        (r"Var[c] - \operatorname{tr}(Cov[c]) = 0", "noisy-keys", "holds"),
        ("Var[c]^{999} = 0", "noisy-keys", "not-understood"),
        ("(A A^T)^{9} = A A^T", "two-subspaces", "holds"),
        ("(A A^T)^{999} = A A^T", "two-subspaces", "not-understood"),
        (r"\exp(-\exp(10000000 PP)) = 0", "perplexity", "not-understood"),
        ("K q = s", "noisy-keys", "holds"),
        ("E[K] = 0", "two-heads", "fails"),
    ],
)
def test_tiny_numbers_are_not_zero_and_nothing_is_said_of_what_is_lost(claim, setting, verdict):
    assert check(claim, setting=setting).verdict == verdict
