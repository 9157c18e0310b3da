"""Claims and their verdicts as one page that needs no other file: totals by question, then every claim, typeset.

Whatever comes from a document is escaped, and the page forbids scripts and anything from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from regard.claims.documents import Answer, QuestionTotals
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import point_at, shorten
from regard.claims.syntax.typeset import as_mathml
from regard.claims.verdict import VERDICT_NAMES, VERDICT_WORDS, Verdict, format_counterexample
from regard.errors import NotUnderstood

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .75rem .25rem 0; text-align: left; }
th { border-bottom: 1px solid #9aa5b1; } td.n { text-align: right; }
article { border-left: .3rem solid #9aa5b1; padding: .1rem 1rem; margin: 1.2rem 0; }
article.holds, article.holds-in-limit { border-color: #2e8540; } article.fails { border-color: #c8441e; }
article.ill-formed, article.not-understood { border-color: #b58900; }
math { font-size: 1.15em; } pre { background: #f3f5f7; padding: .5rem; overflow-x: auto; margin: .3rem 0; }
.verdict { font-weight: 600; } .who, .how { color: #5b6875; font-size: .9em; } p { margin: .3rem 0; }
@media (prefers-color-scheme: dark) { body { background: #14191f; color: #dfe6ec; } pre { background: #222a33; } }
"""


def claims_page(answers: Sequence[Answer], questions: Sequence[QuestionTotals], *, title: str = "Claims") -> str:
    """The whole page."""
    head = (
        f'<meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style>"
    )
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head>{head}</head><body>',
        _element("h1", escape(title)),
        _totals(questions),
        *_by_question(answers),
        "</body></html>",
        "",
    ]
    return "\n".join(parts)


def _element(name: str, inner: str, kind: str = "") -> str:
    return f'<{name} class="{escape(kind)}">{inner}</{name}>' if kind else f"<{name}>{inner}</{name}>"


def _totals(questions: Sequence[QuestionTotals]) -> str:
    headings = [
        "question",
        "answers",
        *(VERDICT_WORDS.get(outcome, outcome) for outcome in VERDICT_NAMES),
        "most common mistake",
        "",
    ]
    rows = [_element("tr", "".join(_element("th", escape(heading)) for heading in headings))]
    rows += [_element("tr", _total(total)) for total in questions]
    return _element("table", "\n".join(rows))


def _total(total: QuestionTotals) -> str:
    counts = [total.answers, *(total.outcomes[outcome] for outcome in VERDICT_NAMES)]
    cells = [_element("td", escape(total.question or "–"))]
    cells += [_element("td", str(count), "n") for count in counts]
    if not total.times:
        return "".join([*cells, _element("td", "none"), "<td></td>"])
    hint = f"<br>{escape(total.nearest)}" if total.nearest else ""
    return "".join([*cells, _element("td", _formula(total.mistake) + hint), _element("td", f"{total.times} ×")])


def _by_question(answers: Sequence[Answer]) -> list[str]:
    """A heading where the question changes, and every claim below it."""
    parts, question = [], ""
    for answer in answers:
        if answer.found.question != question:
            question = answer.found.question
            parts.append(_element("h2", escape(question)))
        parts.append(_answer(answer))
    return parts


def _answer(answer: Answer) -> str:
    found, verdict = answer.found, answer.verdict
    who = ", ".join(filter(None, [found.student, f"line {found.line}", verdict.setting]))
    parts = [_element("p", _formula(found.text)), _element("p", escape(who), "who")]
    parts.append(_element("p", f"{_element('span', escape(_name(verdict)), 'verdict')}: {escape(verdict.reason)}"))
    parts += _evidence(verdict)
    return _element("article", "\n".join(parts), verdict.verdict)


def _name(verdict: Verdict) -> str:
    return VERDICT_WORDS.get(verdict.verdict, verdict.verdict)


def _evidence(verdict: Verdict) -> list[str]:
    parts = []
    if verdict.where is not None and verdict.verdict in ("ill-formed", "not-understood"):
        parts.append(_element("pre", escape("\n".join(point_at(verdict.claim, verdict.where)))))
    if verdict.nearest:
        parts.append(_element("p", f"Nearest: {escape(verdict.nearest)}"))
    if verdict.counterexample is not None:
        parts.append(_element("pre", escape("\n".join(format_counterexample(verdict.counterexample)))))
    parts += [_element("p", escape(note), "how") for note in (*verdict.notes, verdict.how) if note]
    for reading in verdict.readings:
        parts.append(_element("p", escape(f"One reading {_name(reading)}: {reading.reason}")))
    return parts


def _formula(text: str) -> str:
    """The claim typeset; as it was written where it cannot be read."""
    try:
        return as_mathml(parse(text))
    except NotUnderstood:
        return _element("code", escape(shorten(text, 400)))
