"""What of a text is given and what is claimed."""

import pytest

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.errors import NotUnderstood


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("if a = 1 then b = 2", "b = 2 given a = 1"),
        ("a = 1 ⇒ b = 2", "b = 2 given a = 1"),
        ("a = 1 ⇒ b = 2 ⇒ c = 3", "b = 2; c = 3 given a = 1"),
        ("b = 2 ⇐ a = 1", "b = 2 given a = 1"),
        ("b = 2 provided a = 1 and c > 0", "b = 2 given a = 1 and c > 0"),
        ("for i ≠ j, x y = 0", "x y = 0 given i ≠ j"),
        ("Let a = 1. Then b = 2", "b = 2 given a = 1"),
        ("a = 1 iff b = 2", "b = 2 given a = 1; a = 1 given b = 2"),
        ("x y = 0 for i ≠ j, x y = 1 for i = j", "x y = 0 given i ≠ j; x y = 1 given i = j"),
        ("a ≤ b with equality iff c = d", "a ≤ b; c = d given a = b; a = b given c = d"),
        ("x, y > 0 ⇒ x y > 0", "x y > 0 given x > 0 and y > 0"),
        ("lim_{x → 0} x = 0", "x + 0 → 0; x → 0"),
        ("A is symmetric", "A is symmetric"),
        ("x = y for i ≠ a, b", "x = y given i ≠ a and i ≠ b"),
        ("x ∈ (0, 1]", "0 < x; x ≤ 1"),
        ("x = ±2", "|x - 2| |x - (−2)| = 0"),
        ("(a ± b) c = a c ± b c", "(a + b) c = a c + b c; (a - b) c = a c - b c"),
        ("x = 1 or x = 2", "|x - 1| |x - 2| = 0"),
    ],
)
def test_premises_and_claims(text, plain):
    assert as_plain(parse(text)) == plain


def test_negations_and_witnesses_are_noted():
    assert parse("a = b does not hold").negated
    assert [one.name for one in parse("there is an x such that a = x").some] == ["x"]
    assert parse("c = d if a_i = 1 for all i").universal == ("i",)


@pytest.mark.parametrize("text", ["a = b unless c = d", "a < b or c = d", "a ⇔ b", "a, b"])
def test_what_has_no_meaning_is_complained_of(text):
    with pytest.raises(NotUnderstood):
        parse(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A is symmetric and idempotent", "A is idempotent; A is symmetric"),
        ("A is symmetric and idempotent ⇒ x = 1", "x = 1 given A is idempotent and A is symmetric"),
        ("A B is symmetric if A and B are", "A B is symmetric given A is symmetric and B is symmetric"),
        ("I - P is a projection if P is", "I - P is projection given P is projection"),
    ],
)
def test_no_word_behind_a_description_is_dropped(text, plain):
    assert as_plain(parse(text)) == plain


@pytest.mark.parametrize("text", ["A is symmetric if B", "x = 1 for every", "x = 1 and symmetric", "P is symmetric or"])
def test_words_that_lead_nowhere_are_not_understood(text):
    with pytest.raises(NotUnderstood):
        parse(text)


def test_what_letters_satisfy_where_they_are_introduced_is_given():
    claim = parse("Let x and y satisfy ‖x‖ = 1 and xᵀy = 0. Then ‖x + y‖ = √2")
    assert (len(claim.premises), len(claim.statements)) == (2, 1)
    claim = parse("If x is unit, y satisfies ‖y‖ = 1")
    assert [one.comparison for one in claim.statements] == ["="]


@pytest.mark.parametrize(
    "text",
    [
        "The softmax is not a distribution: x = 1",
        "Nobody can say that the weights sum to one: x = 1",
        "It is a myth that the weights sum to one: x = 1",
        "The perplexity isn't the mean of the inverse probabilities: x = 1",
    ],
)
def test_words_that_deny_something_are_no_comment(text):
    with pytest.raises(NotUnderstood):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "x > 0 is enough for log(1 + x) < x",  # given x > 0, and not the other way round
        "Put p = softmax(z); then p_i < 1",  # Put is no product of letters
        "Let A have ‖A‖ = 1 and be symmetric. Then A² is symmetric",
    ],
)
def test_words_that_would_turn_or_lose_what_is_given_are_refused(text):
    with pytest.raises(NotUnderstood):
        parse(text)


def test_what_is_given_for_all_is_given_of_every_one():
    claim = parse("Let q ⊥ k_i for all i. Then α_i = 1/n")
    assert "k_i" not in as_plain(claim).partition("given")[2]
    assert claim.universal == ("i", "j")
    assert "k_i" in as_plain(parse("Let q ⊥ k_i. Then α_i = 1/n")).partition("given")[2]
