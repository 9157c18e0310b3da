"""Claims and their verdicts as one page that needs no other file: totals by question, then every claim, typeset.

Whatever comes from a document is escaped, and the page forbids scripts and anything from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from regard.claims.sheets.rubric import Grade
from regard.claims.sheets.totals import Answer, QuestionTotals
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import point_at, shorten
from regard.claims.syntax.typeset import as_mathml
from regard.claims.verdict.records import VERDICT_NAMES, VERDICT_WORDS, Verdict, format_counterexample
from regard.display import Markup, element, html_page, join
from regard.errors import NotUnderstood

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .75rem .25rem 0; text-align: left; }
th { border-bottom: 1px solid #9aa5b1; } td.n { text-align: right; }
article { border-left: .3rem solid #9aa5b1; padding: .1rem 1rem; margin: 1.2rem 0; }
article.holds, article.holds-in-limit { border-color: #2e8540; } article.fails { border-color: #c8441e; }
article.ill-formed, article.undecided, article.not-understood { border-color: #b58900; }
blockquote { margin: .3rem 0; color: #5b6875; }
math { font-size: 1.15em; } pre { background: #f3f5f7; padding: .5rem; overflow-x: auto; margin: .3rem 0; }
.verdict { font-weight: 600; } .who, .how { color: #5b6875; font-size: .9em; } p { margin: .3rem 0; }
@media (prefers-color-scheme: dark) { body { background: #14191f; color: #dfe6ec; } pre { background: #222a33; } }
"""


def claims_page(
    answers: Sequence[Answer],
    questions: Sequence[QuestionTotals],
    grades: Sequence[Grade] = (),
    *,
    title: str = "Claims",
) -> str:
    """The whole page: totals by question, the points where there is a rubric, then every answer in its sentence."""
    parts = [element("h1", title), _totals(questions), *_points(grades), *_group_by_question(answers)]
    return html_page(title, *parts, style=STYLE)


def _points(grades: Sequence[Grade]) -> list[Markup]:
    if not grades:
        return []
    head = element("tr", *(element("th", name) for name in ("sheet", "question", "points", "to be looked at")))
    rows = [
        element(
            "tr",
            element("td", ", ".join(filter(None, [grade.sheet, grade.student]))),
            element("td", grade.question),
            element("td", f"{grade.points:g} of {grade.of:g}", class_="n"),
            element("td", "; ".join(grade.review)),
        )
        for grade in grades
    ]
    return [element("h2", "Points"), element("table", head, *rows)]


def _totals(questions: Sequence[QuestionTotals]) -> Markup:
    outcomes = (VERDICT_WORDS.get(outcome, outcome) for outcome in VERDICT_NAMES)
    headings = ("question", "answers", *outcomes, "most common mistake", "")
    head = element("tr", *(element("th", heading) for heading in headings))
    return element("table", head, *map(_total, questions))


def _total(total: QuestionTotals) -> Markup:
    counts = [total.answers, *(total.outcomes[outcome] for outcome in VERDICT_NAMES)]
    numbers = [element("td", count, class_="n") for count in counts]
    hint = join(Markup("<br>"), total.nearest) if total.nearest else ""
    mistake = join(typeset_claim(total.mistake), hint) if total.times else "none"
    times = f"{total.times} ×" if total.times else ""
    return element("tr", element("td", total.question or "–"), *numbers, element("td", mistake), element("td", times))


def _group_by_question(answers: Sequence[Answer]) -> list[Markup]:
    """A heading where the question changes, and every claim below it."""
    parts, question = [], ""
    for answer in answers:
        if answer.found.question != question:
            question = answer.found.question
            parts.append(element("h2", question))
        parts.append(_answer(answer))
    return parts


def _answer(answer: Answer) -> Markup:
    found, verdict = answer.found, answer.verdict
    who = ", ".join(filter(None, [found.student, found.sheet, f"line {found.line}", verdict.setting]))
    sentence = [element("blockquote", found.sentence)] if found.sentence else []
    given = [element("p", "Taken as given: ", *_join_formulas(found.given), class_="how")] if found.given else []
    return element(
        "article",
        *sentence,
        element("p", typeset_claim(found.text)),
        element("p", who, class_="who"),
        *given,
        element("p", element("span", _name(verdict), class_="verdict"), ": ", verdict.reason),
        *_evidence(verdict),
        class_=verdict.verdict,
    )


def _join_formulas(formulas: Sequence[str]) -> list[Markup | str]:
    """The formulas one after the other, with semicolons between them."""
    parts: list[Markup | str] = []
    for place, formula in enumerate(formulas):
        parts += ["; " if place else "", typeset_claim(formula)]
    return parts


def _name(verdict: Verdict) -> str:
    return VERDICT_WORDS.get(verdict.verdict, verdict.verdict)


def _evidence(verdict: Verdict) -> list[Markup]:
    parts = []
    if verdict.where is not None and verdict.verdict in ("ill-formed", "not-understood"):
        parts.append(element("pre", "\n".join(point_at(verdict.claim, verdict.where))))
    if verdict.nearest:
        parts.append(element("p", "Nearest: ", verdict.nearest))
    if verdict.counterexample is not None:
        parts.append(element("pre", "\n".join(format_counterexample(verdict.counterexample))))
    parts += [element("p", note, class_="how") for note in (*verdict.notes, verdict.how) if note]
    for reading in verdict.readings:
        parts.append(element("p", f"One reading {_name(reading)}: {reading.reason}"))
    return parts


def typeset_claim(text: str) -> Markup:
    """The claim typeset; as it was written where it cannot be read."""
    try:
        return Markup(as_mathml(parse(text)))
    except NotUnderstood:
        return element("code", shorten(text, 400))
