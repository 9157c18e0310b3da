"""How verdicts come about: precision, limits, counterexamples, near misses, settings of one's own."""

import math

import numpy as np
import pytest
from tests.support.claim_settings import NUMBERS

from regard.claims.check import check
from regard.claims.meaning.setting import builtin_settings, setting_from_text
from regard.claims.trial.limit import fit_rate
from regard.errors import ArgumentError, InputFileError


def verdict(claim, setting=NUMBERS, **options):
    return check(claim, setting=setting, **options).verdict


# Precision


@pytest.mark.parametrize(
    "claim",
    [
        "(t + 10^{14}) - 10^{14} = t",  # float64 keeps two digits of it
        "(e^t - 1)/e^t = 1 - e^{-t}",
        r"\log(1 + e^{40 + t^2}) > 40 + t^2",  # equal in float64
        r"(t^2 + 1)^3 = t^6 + 3t^4 + 3t^2 + 1",
    ],
)
def test_cancellation_is_no_false_failure(claim):
    assert verdict(claim) == "holds"


@pytest.mark.parametrize(
    "claim",
    [
        "t + 10^{-25} = t",  # equal in float64
        r"\log(1 + e^{40 + t^2}) = 40 + t^2",
        r"\log(1 + e^{40 + t^2}) \le 40 + t^2",
        r"\sqrt{t^2} = t",
        r"x_i \ne x_j, i \ne j",  # only equal entries show it
        r"t^2 > 0",  # only zero does
    ],
)
def test_rounding_and_rare_values_are_no_false_success(claim):
    assert verdict(claim) == "fails"


def test_what_is_nowhere_defined_fails():
    found = check(r"\log(-t^2 - 1) = t", setting=NUMBERS)
    assert found.verdict == "fails"
    assert "not defined on any instance" in found.reason


# Limits


def test_needed_scale_is_that_of_the_closed_form():
    """1 − 2α_a = (n − 2)/(2 e^C + n − 2) is 1 % at C = ln(99 (n − 2)/2)."""
    [rate] = check(r"q = C(k_a + k_b); \alpha_a \approx \frac12", setting="orthonormal-keys").rates
    assert (rate.scale, rate.form, rate.power) == ("C", "exponential", pytest.approx(1, abs=1e-3))
    assert rate.one_percent_at == pytest.approx(math.log(99 * 8 / 2), abs=2e-3)


def test_needed_noise_is_that_of_the_closed_form():
    """E|k_a|² = 1 + d α is within 1 % of 1 (of the larger, 1 + dα) at 1/α = 99 d."""
    [rate] = check(r"E[\|k_a\|^2] \approx 1", setting="noisy-keys").rates
    assert (rate.scale, rate.form) == ("1/alpha", "power")
    assert rate.power == pytest.approx(1, abs=0.02)
    assert rate.one_percent_at == pytest.approx(99 * 10, rel=1e-3)


def test_noise_must_vanish_faster_than_the_square_of_the_scale():
    found = check(r"q = C(\mu_a + \mu_b)", setting="noisy-keys")
    assert "alpha must vanish fast beside C: alpha = C^-3 is enough, alpha = C^-2 is not" in found.notes


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (r"\alpha_b \approx e^{-C}", "holds-in-limit"),
        (r"\alpha_b \approx 2e^{-C}", "fails"),  # both sides are 0 in float64 long before C is large
        (r"1 - \alpha_a \approx 2(n-1) e^{-C}", "fails"),
        (r"\alpha_b \ll e^{-C/2}", "holds-in-limit"),
        (r"\alpha_b \ll e^{-C}", "fails"),
    ],
)
def test_sides_that_both_vanish_are_compared_relatively(claim, expected):
    assert verdict(f"q = C k_a; {claim}", "orthonormal-keys") == expected


def test_a_small_gap_that_stays_is_no_limit():
    assert verdict(r"q = C k_a; \alpha_a \approx 0.995", "orthonormal-keys") == "fails"


def test_failing_share_of_draws():
    found = check(r"q_1 = C\mu_a; q_2 = C\mu_b", setting="two-heads-magnitude")
    share = float(found.reason.split("about ")[1].split("%")[0]) / 100
    exact = 0.5 * math.erfc(1)  # Φ(−√2): k_a points away from μ_a
    assert share == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 64))


@pytest.mark.parametrize(("power", "form"), [(0.5, "power"), (2.0, "power"), (1.5, "exponential")])
def test_rate_of_known_gaps(power, form):
    decay = (lambda s: s**-power) if form == "power" else (lambda s: math.exp(-power * s))
    assert fit_rate([(s, decay(s)) for s in (2.0, 4.0, 8.0)]) == (form, pytest.approx(power))


# Counterexamples and near misses


def test_counterexample_is_the_smallest():
    found = check("q = k_a + k_b", setting="orthonormal-keys")
    example = found.counterexample
    assert example.sizes == {"n": 3, "d": 3}  # with two keys the claim is true
    np.testing.assert_allclose(example.symbols["k"], np.eye(3))
    weights = np.exp([1, 1, 0]) / np.exp([1, 1, 0]).sum()
    np.testing.assert_allclose(example.left, weights @ np.array(example.symbols["v"]), atol=1e-5)


@pytest.mark.parametrize(
    ("claim", "setting", "words"),
    [
        ("M = A^T", "two-subspaces", "instead M s = c holds; M = A Aᵀ reaches the goal"),
        ("M = B B^T", "two-subspaces", "instead M s = v_b holds; M = A Aᵀ reaches the goal"),
        ("q = C k_a", "orthonormal-keys", "instead c ≈ v_a holds as C → ∞; q = C (k_a + k_b) reaches the goal"),
        (r"\partial CE/\partial\theta = y - \hat y", "softmax-cross-entropy", "the sign is wrong"),
        (r"E[z^2 t] = 2t", NUMBERS, "the left side is 1/2 times the right side"),
        (r"q = C k_a; \|q\| = 1", "orthonormal-keys", "the left side is C times the right side"),
        ("q = C k_a; c = v_a", "orthonormal-keys", "≈ instead of =: it holds as C → ∞"),
    ],
)
def test_nearest_true_statement(claim, setting, words):
    assert words in check(claim, setting=setting).nearest


def test_nearest_of_an_unscaled_query_in_numbers():
    nearest = check("q = k_a; c \\approx v_a", setting="orthonormal-keys").nearest
    assert nearest.startswith("as it is, key a weighs 0.23 at n = 10: q needs a large factor")  # e/(e + 9)


def test_push_is_the_answer_under_magnitude_noise():
    found = check(r"q = C(\mu_a + \mu_b)", setting="magnitude-noise")
    assert found.nearest == "q = −C ∑_{i≠a, b} μ_i reaches the goal"


@pytest.mark.parametrize("name", [name for name, one in builtin_settings().items() if one.answer])
def test_answers_reach_their_goals(name):
    assert verdict(builtin_settings()[name].answer, name) in ("holds", "holds-in-limit")


# Shapes, names, goals


def test_ill_formed_says_where_and_which():
    claim = "c = v_a + k_a q"
    found = check(claim, setting="attention")
    assert found.verdict == "ill-formed"
    assert found.reason == "a column (d, 1) cannot be multiplied with a column (d, 1): transpose the first, or use ⊙"
    assert claim[found.where.start : found.where.end] == "k_a q"


def test_unknown_symbol_is_pointed_at():
    found = check(r"c = v_a + \zeta_a", setting="attention")
    assert found.verdict == "not-understood"
    assert "zeta_a is no symbol of attention" in found.reason
    assert found.where.start == 10


def test_goal_can_be_another():
    assert verdict("q = C k_a", "orthonormal-keys", goal=r"c \approx v_a") == "holds-in-limit"
    assert verdict("q = C k_a", "orthonormal-keys", goal="c = v_a") == "fails"


def test_what_follows_from_a_symbol_does_not_define_it():
    assert verdict("q = c", "attention") == "fails"


def test_a_derived_symbol_can_be_varied():
    assert verdict(r"\partial J/\partial h = (\hat y - y) W_2^T", "one-hidden-layer") == "holds"


# Settings from files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 1 2", "is no TOML"),
        ("name = " + "9" * 5000, "is no TOML: .* 5000 digits"),
        ("name = " + "[" * 100_000, "mine.toml is nested too deeply; write it flatter"),
        ("name = 'x'", "has no `sizes`"),
        ("name='x'\nsizes=[{n=99}]\nsymbols=[]", "whole numbers from 1 to 24"),
        ("name='x'\nsizes=[{n=2}]\nsymbols=[{name='a', shape=['m', 1], law='normal'}]", "two sizes out of 1, n"),
        ("name='x'\nsizes=[{n=2}]\nsymbols=[{name='a', shape=['n', 1], law='cauchy'}]", "has the law 'cauchy'"),
        ("name='x'\nsizes=[{n=2}]\nsymbols=[{name='a', shape=['n', 1]}]", "needs one of law and definition"),
        ("name='x'\nsizes=[{n=2}]\nsymbols=[]\nsise=3", "has the key 'sise'"),
    ],
)
def test_faulty_setting_is_refused(text, message):
    with pytest.raises(InputFileError, match=message.replace("[", r"\[")):
        setting_from_text(text, source="mine.toml")


def test_definition_of_another_shape_is_refused():
    text = "name='x'\nsizes=[{n=2}]\nsymbols=[{name='u', shape=['n',1], law='normal'},"
    setting = setting_from_text(text + "{name='r', shape=['n',1], definition='u^T u'}]", source="mine.toml")
    with pytest.raises(InputFileError, match=r"x: the definition of r does not fit: it is a number"):
        check("r = u", setting=setting)


def test_unknown_setting_names_those_that_exist():
    with pytest.raises(InputFileError, match="there is no setting 'nothing'; there are attention"):
        check("c = c", setting="nothing")


def test_without_a_setting_the_letters_choose_one_and_a_note_says_which(unchecked):
    found = check("M = A A^T")
    assert (found.verdict, found.setting) == ("holds", "two-subspaces")
    assert found.notes[-1] == "no setting was named, so this was read in two-subspaces"
    assert check("M = A A^T", setting="two-subspaces").notes == ()


def test_a_broken_goal_is_named_and_no_place_in_the_claim_is_blamed():
    found = check("q = k_a", setting="attention", goal="c = (")
    assert found.verdict == "not-understood"
    assert found.reason.startswith("of the goal, the claim ends here; expected ")
    assert found.where is None


def test_a_claim_must_be_text(unchecked):
    with pytest.raises(ArgumentError, match=r"expected a claim as text, such as 'c = v_a'; got int"):
        check(5)


@pytest.mark.parametrize("claim", ["x (" + "= " * 100_000, "suppose x for all " * 5_000])
def test_a_text_that_is_too_long_is_refused_for_its_length(claim):
    assert check(claim).reason.startswith("a claim may have 4000 characters")


def test_a_star_between_vectors_is_the_product_by_entries():
    found = check("dJ/dx = [((yhat - y) W2^T) * h * (1 - h)] W1^T")
    assert (found.verdict, found.notes[-1]) == ("holds", "* is read as the product entry by entry")
    assert check("dJ/dx = [((yhat - y) W2^T) * h * (1 + h)] W1^T").verdict == "fails"
    assert check("M = A * A^T", setting="two-subspaces").verdict == "holds"


def test_the_letter_e_may_be_a_vector():
    found = check("A^T A = I, v = A c, w = A e ⇒ A^T(v + w) = c + e")
    assert found.verdict == "not-understood"
    assert "a vector needs another letter" in found.reason


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("P is a projection, P ≠ I, x ≠ 0 ⇒ ‖Px‖ < ‖x‖", "fails"),  # x may lie where P projects to
        ("P is a projection, P x ≠ x ⇒ ‖Px‖ < ‖x‖", "holds"),
        ("x^T A x ≥ 0, A = B^T B", "holds"),  # a letter is defined behind the claim
        ("x^T A x > 0, A = B^T B", "fails"),
        ("For x ~ N(μ, Σ), Var(a^T x) = 0 iff Σ a = 0", "not-understood"),  # found to the digits of float64 only
    ],
)
def test_what_was_judged_against_the_truth(claim, verdict):
    assert check(claim).verdict == verdict
