"""What a verdict shows of itself: one line, a table whose text is escaped, and facts in their order."""

from regard.claims.verdict.records import VERDICT_NAMES, VERDICT_WORDS, Counterexample, Verdict

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
