"""The page of claims: one file, everything escaped, every verdict with what shows it."""

from html.parser import HTMLParser

from regard.claims.sheets.formulas import FoundClaim
from regard.claims.sheets.totals import Answer, total_by_question
from regard.claims.syntax.tree import Span
from regard.claims.verdict.records import Counterexample, Verdict, format_counterexample, format_value
from regard.report.claims_page import claims_page

EXAMPLE = Counterexample({"n": 2}, {"x": [0.123456789, 1.0]}, left=[[1.0]], right=0.5, gap=0.5)
HOSTILE = "<script>alert(1)</script>"


class Elements(HTMLParser):
    """Which elements a page opens, and whether each is closed."""

    def __init__(self, page):
        super().__init__()
        self.opened, self.stack = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.opened.append(tag)
        if tag not in ("meta", "br", "mspace"):
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.opened.append(tag)


def page_of(*verdicts, question="1"):
    answers = [Answer(FoundClaim(one.claim, 3, question=question, student="Ada"), one) for one in verdicts]
    return claims_page(answers, total_by_question(answers), title="answers.md")


def test_a_page_shows_each_claim_and_the_totals():
    page = page_of(
        Verdict("M = A A^T", "two-subspaces", "holds", "true of all 32 instances tried", how="32 instances"),
        Verdict("M = B", "two-subspaces", "fails", "the sides differ", counterexample=EXAMPLE, nearest="A Aᵀ"),
    )
    assert page.count("<article") == 2
    assert "<math>" in page
    assert "Ada, line 3, two-subspaces" in page
    assert '<span class="verdict">fails</span>: the sides differ' in page
    assert "Nearest: A Aᵀ" in page
    assert "x = [0.123457, 1]\nleft  = [[1]]\nright = 0.5" in page
    assert '<td>1</td><td class="n">2</td><td class="n">1</td><td class="n">0</td><td class="n">1</td>' in page
    assert "1 ×" in page
    assert not Elements(page).stack


def test_nothing_of_a_document_is_taken_for_markup():
    page = page_of(
        Verdict(HOSTILE, HOSTILE, "not-understood", HOSTILE, how=HOSTILE, where=Span(0, 3), notes=(HOSTILE,)),
        Verdict(f"x = {HOSTILE}", "attention", "fails", "no", nearest=HOSTILE),
        question=HOSTILE,
    )
    assert "<script" not in page
    assert "script" not in Elements(page).opened
    assert 'content="default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"' in page


def test_a_place_is_shown_with_a_caret():
    page = page_of(Verdict("q = * k", "attention", "not-understood", "'*' does not fit here", where=Span(4, 5)))
    assert "<pre>q = * k\n    ^</pre>" in page


def test_readings_are_shown():
    inner = (Verdict("a", "s", "holds", "one"), Verdict("a", "s", "fails", "two"))
    page = page_of(Verdict("x = 1/2C", "attention", "holds", "one", readings=inner))
    assert "One reading holds: one" in page
    assert "One reading fails: two" in page


def test_values():
    assert format_counterexample(EXAMPLE) == ["n = 2", "x = [0.123457, 1]", "left  = [[1]]", "right = 0.5"]
    assert format_value((1, 2.5, "a")) == "[1, 2.5, a]"
