"""What a claim defines, what it only assumes, and what is left to be judged."""

from fractions import Fraction

import pytest

from regard.claims.check import check
from regard.claims.meaning.conditions import sort_statements
from regard.claims.meaning.definitions import compile_setting, define, with_dependents
from regard.claims.meaning.resolve import TreeReader
from regard.claims.meaning.setting import find_setting, setting_from_text
from regard.claims.meaning.shapes import IllFormed
from regard.claims.meaning.terms import Stack
from regard.claims.syntax.grammar import parse
from regard.errors import InputFileError

ATTENTION = find_setting("attention")


def test_each_statement_finds_its_place():
    claim = parse("q = C k_a; t = v_a; c ≈ t; α_i ≤ α_a; i ≠ a; n > 2; C → ∞; E > 3")
    parts = sort_statements(claim, TreeReader(ATTENTION))
    assert [symbol.name for symbol, _, _ in parts.definitions] == ["q", "t"]
    assert [relation.comparison for relation in parts.claims] == ["≈", "≤"]
    assert parts.distinct == {("i", "a")}
    assert parts.sizes == [("n", ">", Fraction(2))]
    assert (parts.stated_limits, parts.lower_bounds) == ({"C": "large"}, {"E": 3.0})


def test_a_definition_must_have_the_shape_of_its_symbol():
    reader, compiled = TreeReader(ATTENTION), compile_setting(ATTENTION)
    [(symbol, body, relation)] = sort_statements(parse("q = K"), reader).definitions
    with pytest.raises(IllFormed, match=r"q is a column \(d, 1\), but here it would be a matrix \(n, d\)"):
        define(reader, compiled, symbol, body, relation)


def test_nothing_is_defined_by_what_follows_from_it():
    reader, compiled = TreeReader(ATTENTION), compile_setting(ATTENTION)
    [(symbol, body, relation)] = sort_statements(parse("q = c"), reader).definitions
    assert not define(reader, compiled, symbol, body, relation)


def test_a_compiled_setting_knows_families_and_what_is_random():
    compiled = compile_setting(ATTENTION)
    assert compiled.definitions["K"].body == Stack("k", "rows")
    assert (compiled.families, compiled.random) == ({"k", "v"}, frozenset())
    assert with_dependents({"s"}, compiled.definitions) == {"s", "alpha", "c"}
    assert "alpha" not in compile_setting(find_setting("noisy-keys")).random


def test_a_definition_of_a_setting_that_does_not_fit_is_named():
    text = 'name = "t"\nsizes = [{ n = 2 }]\n[[symbols]]\nname = "x"\nshape = ["n", 1]\ndefinition = "1"\n'
    with pytest.raises(InputFileError, match="t: the definition of x does not fit: it is a number, not a column"):
        compile_setting(setting_from_text(text, source="t"))


@pytest.mark.parametrize(
    ("definitions", "ring"), [({"u": "2 u"}, "u"), ({"u": "2 t", "t": "u + 1"}, "u"), ({"u": "t", "t": "2 t"}, "t")]
)
def test_a_symbol_is_not_defined_by_itself(definitions, ring):
    symbols = [f'{{ name = "{name}", shape = [1, 1], definition = "{text}" }}' for name, text in definitions.items()]
    text = f'name = "ring"\nsizes = [{{ n = 2 }}]\nsymbols = [{", ".join(symbols)}]\n'
    with pytest.raises(InputFileError, match=f"ring: the definition of {ring} leads back to itself"):
        compile_setting(setting_from_text(text, source="ring.toml"))


def test_two_vectors_of_one_letter_are_no_family_of_one_definition():
    given = "Let {0} = A x. Let {1} = B y. Then {0} = A x"
    assert check(given.format("v_a", "v_b")).verdict != "fails"
    assert check(given.format("v_1", "v_2")).verdict == "holds"


@pytest.mark.parametrize(
    ("claim", "setting", "verdict"),
    [
        ("x_a = z_a ⇒ x = z", None, "fails"),  # an equation at one place
        ("x_a = z_a ⇒ softmax(x) = softmax(z)", None, "fails"),
        ("x_i = z_i ⇒ x = z", None, "holds"),
        ("x_a = 2 z_a, x_b = 3 z_b ⇒ x_a + x_b = 2 z_a + 3 z_b", None, "holds"),
        ("k_i = μ_i for all i ≠ a ⇒ k_a = μ_a", "noisy-keys", "fails"),  # and at all others
        ("k_i = μ_i for all i ≠ a ⇒ k_b = μ_b", "noisy-keys", "holds"),
        ("k_i = μ_i for all i ≠ a, k_a = 2 μ_a ⇒ k_a^T μ_a = 2", "noisy-keys", "holds"),
    ],
)
def test_an_equation_at_some_places_says_nothing_of_others(claim, setting, verdict, unchecked):
    assert check(claim, setting=setting).verdict == verdict


def test_what_stands_before_then_is_given(unchecked):
    claim = "k_i = μ_i for all i ≠ a. k_a = (1+γ) μ_a, γ ~ N(0, 1/2). Then Var(k_a^T q) = {} (μ_a^T q)^2"
    assert check(claim.format("1/2")).verdict == "holds"
    assert check(claim.format("2")).verdict == "fails"
    assert check("A B = B A. Then (A + B)^2 = A^2 + 2 A B + B^2. Hence (A + B)^2 = A^2 + B^2").verdict == "fails"
