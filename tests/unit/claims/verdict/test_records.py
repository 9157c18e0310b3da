"""What a verdict shows of itself: one line, a table whose text is escaped, and facts in their order."""

from regard.claims.verdict.records import (
    VERDICT_NAMES,
    VERDICT_WORDS,
    Counterexample,
    Verdict,
    describe_sides,
    format_counterexample,
)

EXAMPLE = Counterexample({"n": 2}, {"x": [0.5, 1.0]}, 1.0, 2.0, 0.5)


def test_repr_is_one_line():
    verdict = Verdict("M =\nA", "attention", "holds-in-limit", "as C → ∞", counterexample=EXAMPLE)
    assert repr(verdict) == "Verdict('M =\\nA' holds in the limit in attention: as C → ∞)"
    assert len(repr(Verdict("x" * 5000, "attention", "fails", "y" * 5000))) == 160


def test_a_table_for_notebooks_is_escaped():
    verdict = Verdict("<b> = 1", "attention", "fails", "1 < 2", notes=("<script>",))
    found = verdict._repr_html_()
    assert "<th>claim</th><td>&lt;b&gt; = 1</td>" in found
    assert "<td>1 &lt; 2</td>" in found
    assert "<script>" not in found


def test_facts_come_in_order_and_a_counterexample_goes_on():
    reading = Verdict("a", "s", "holds", "so it is")
    verdict = Verdict("a", "s", "fails", "why", how="shapes", counterexample=EXAMPLE, nearest="b", readings=(reading,))
    assert verdict.facts() == [
        ("setting", "s"),
        ("verdict", "fails"),
        ("why", "why"),
        ("nearest", "b"),
        ("for", "n = 2"),
        ("", "x = [0.5, 1]"),
        ("", "left  = 1"),
        ("", "right = 2"),
        ("tried", "shapes"),
        ("reading", "holds: so it is"),
    ]


def test_every_verdict_has_words_and_two_of_them_are_true():
    assert set(VERDICT_WORDS) == set(VERDICT_NAMES)
    assert [name for name in VERDICT_NAMES if Verdict("", "", name, "").is_true] == ["holds", "holds-in-limit"]


def test_sides_in_a_sentence():
    assert describe_sides(EXAMPLE) == "at n = 2 the left side is 1 and the right side 2"
    assert describe_sides(Counterexample({}, {}, 0.25, 0.25, 0.0)) == "both sides are 0.25"
    long = [[1.0] * 30] * 2
    assert describe_sides(Counterexample({}, {}, long, 0.0, 1.0)).endswith("… and the right side 0")


def test_letters_of_a_counterexample_are_those_of_claims():
    example = Counterexample({}, {"theta": [1.0], "lambda_1": 2.0, "k": 1.0}, 1.0, 2.0, 0.5)
    assert format_counterexample(example) == ["θ = [1]", "λ_1 = 2", "k = 1", "left  = 1", "right = 2"]
