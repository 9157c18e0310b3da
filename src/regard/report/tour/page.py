"""The tour as one HTML page that needs no other file: contents, then every question with its answer and evidence.

Texts are escaped, scripts and anything from elsewhere are forbidden. Figures are drawn on white paper, light or dark.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from regard.claims.verdict.records import VERDICT_WORDS
from regard.display import Markup, element, html_list, html_page, join
from regard.report.claims_page import typeset_claim
from regard.report.tour.answers import Answer, Drawing, Number, Question, Sample, Table, Tour, TriedClaim

LAB_ADDRESS = "http://127.0.0.1:8642/"
"""Where `regard lab` answers, if that port is free."""
MAX_ANSWERS = 64 * 2**20
"""Bytes of answers, unpacked: ten times what a whole tour has."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --dim: #5b6875; --paper: #fff; --soft: #f3f5f7; --line: #d5dbe1;
  --good: #2e8540; --bad: #c8441e; --odd: #b58900; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe6ec; --dim: #9dabb8; --paper: #14191f; --soft: #1e262e;
  --line: #36424d; --good: #5cb870; --bad: #f08a66; --odd: #dcb44a; --link: #7cb8f2; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper); overflow-wrap: anywhere; }
a { color: var(--link); } h1 { line-height: 1.2; } h2 { margin: 3rem 0 1rem; border-bottom: 2px solid var(--line); }
h3 { margin: 2.5rem 0 .3rem; } h4 { margin: 1.4rem 0 .3rem; font-size: 1rem; }
nav ul { list-style: none; padding-left: 0; columns: 2; } nav li { margin: .15rem 0; break-inside: avoid; }
blockquote { margin: .3rem 0 1rem; padding: .1rem 1rem; border-left: .25rem solid var(--line); color: var(--dim); }
.answer { background: var(--soft); border-radius: 6px; padding: .2rem 1rem; }
.wide { overflow-x: auto; }
table { overflow-wrap: normal; border-collapse: collapse; font-size: .9rem; margin: .4rem 0; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td.claim math { white-space: nowrap; } td.claim { min-width: max-content; padding-right: 1.2rem; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
td.origin { overflow-wrap: anywhere; min-width: 9rem; }
.origin, .note, figcaption, footer { color: var(--dim); font-size: .85rem; }
figure { margin: 1rem 0; } figure img { width: 100%; height: auto; background: #fff; border-radius: 6px; padding: 4px; }
pre { background: var(--soft); padding: .6rem .8rem; border-radius: 6px; overflow-x: auto; font-size: .85rem;
  white-space: pre-wrap; margin: .4rem 0; }
.verdict { font-weight: 600; white-space: nowrap; } .good { color: var(--good); } .bad { color: var(--bad); }
.odd { color: var(--odd); } .failure { border-left: .25rem solid var(--bad); padding: .1rem 1rem; }
@media (max-width: 40rem) { nav ul { columns: 1; } }
@media print { body { font-size: 10.5pt; max-width: none; margin: 0; --paper: #fff; --ink: #000; }
  figure, pre, tr, .answer, blockquote { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
  h2 { break-before: page; } nav h2 { break-before: auto; } .wide { overflow: visible; }
  table { font-size: 8pt; } th, td { padding-right: .5rem; } tr:first-child { break-after: avoid; }
  td.origin { min-width: 0; } .origin { font-size: 7pt; } pre { font-size: 8pt; }
  figure img { max-height: 21cm; width: auto; max-width: 100%; } .lab { display: none; } }
"""


def tour_page(tour: Tour, *, parts: Mapping[str, str], missing: Sequence[Question] = ()) -> str:
    """The whole page; `parts` are the titles of parts by letter, `missing` the questions yet to be answered."""
    answers = {answer.question: answer for answer in tour.answers}
    questions = sorted([*answers, *missing], key=lambda question: question.identifier)
    body = [element("h1", "A tour of attention and small language models"), _write_preface(tour)]
    body.append(element("nav", element("h2", "Contents"), _contents(questions, answers), aria_label="contents"))
    part = ""
    for question in questions:
        if question.part != part:
            part = question.part
            body.append(element("h2", f"{part}. {parts[part]}", id=part))
        body.append(_section(question, answers.get(question)))
    body.append(element("footer", f"Made by regard {tour.version}, seed {tour.seed}."))
    return html_page("Regard: the tour", element("main", *body), pack_answers(tour), style=STYLE, policy=POLICY)


def pack_answers(tour: Tour) -> Markup:
    """All answers as an element that shows nothing, so that a later run can go on from the page alone."""
    packed = gzip.compress(json.dumps(tour.as_json(drawings=True), ensure_ascii=False).encode(), mtime=0)
    return element("template", base64.b64encode(packed).decode(), id="answers")


def unpack_answers(page: str) -> dict[str, Any] | None:
    """The plain data of the answers in a page, as `Tour.as_json` made them; None where the page has none."""
    found = re.search(r'<template id="answers">([A-Za-z0-9+/=]*)</template>', page)
    if found is None:
        return None
    try:
        with gzip.open(io.BytesIO(base64.b64decode(found[1]))) as file:
            packed = file.read(MAX_ANSWERS + 1)  # no more: a small page may unpack to any size
        record = json.loads(packed) if len(packed) <= MAX_ANSWERS else None
    except (binascii.Error, OSError, EOFError, ValueError, RecursionError, zlib.error):
        return None
    return record if isinstance(record, dict) else None


def _write_preface(tour: Tour) -> Markup:
    how = "in the quick form: short trainings on texts that need no download" if tour.quick else "in full"
    seconds = sum(answer.seconds for answer in tour.answers)
    return element(
        "p",
        f"Every number on this page was computed by regard {tour.version} on this machine, {how}, with seed "
        f"{tour.seed}, in {seconds:.0f} seconds. Each answer has its evidence below it, how to reproduce it, and what "
        "regard check says of claims that are often made.",
    )


def _contents(questions: Sequence[Question], answers: Mapping[Question, Answer]) -> Markup:
    items = []
    for question in questions:
        answer = answers.get(question)
        state = " – not answered yet" if answer is None else " – failed" if answer.failure else ""
        name = f"{question.identifier}. {question.title}"
        items.append(join(element("a", name, href=f"#{question.identifier}"), state))
    return html_list(items)


def _section(question: Question, answer: Answer | None) -> Markup:
    head = [
        element("h3", f"{question.identifier}. {question.title}"),
        element("blockquote", element("p", _set_indices(question.text))),
    ]
    if answer is None:
        body = [element("p", "Not answered yet: the run was stopped. The same command with --resume goes on.")]
    elif answer.failure:
        body = [element("div", element("p", "This could not be answered. ", answer.failure), class_="failure")]
    else:
        body = _evidence(answer)
    return element("section", *head, *body, id=question.identifier)


def _evidence(answer: Answer) -> list[Markup]:
    parts = [element("div", *(element("p", _set_indices(sentence)) for sentence in answer.sentences), class_="answer")]
    parts += [element("p", note, class_="note") for note in answer.notes]
    parts += map(_figure, answer.drawings)
    parts += map(_table, answer.tables)
    parts += map(_sample, answer.samples)
    parts += [_numbers(answer.numbers)] if answer.numbers else []
    parts += [_claims(answer.claims)] if answer.claims else []
    parts += [element("h4", "To reproduce it"), element("pre", answer.command), element("pre", answer.python)]
    if answer.link:
        where = element("a", "the same in the lab", href=f"{LAB_ADDRESS}{answer.link}")
        parts.append(element("p", where, ", while ", element("code", "regard lab"), " runs", class_="note lab"))
    return parts


def _figure(drawing: Drawing) -> Markup:
    # An image of its own, as names inside two drawings on one page would clash.
    source = "data:image/svg+xml;base64," + base64.b64encode(drawing.svg.encode()).decode()
    picture = Markup(f'<img alt="{join(drawing.caption)}" src="{source}">')
    return element("figure", picture, element("figcaption", _set_indices(drawing.caption)))


def _table(table: Table) -> Markup:
    rows = [[(_cell(cell), isinstance(cell, int | float)) for cell in row] for row in table.rows]
    is_number = [all(row[place][1] for row in rows) for place in range(len(table.columns))]
    head = [
        element("th", _set_indices(name), class_=_side(n)) for name, n in zip(table.columns, is_number, strict=True)
    ]
    body = [element("tr", *(element("td", cell, class_=_side(n)) for cell, n in row)) for row in rows]
    return join(
        element("h4", _set_indices(table.title)),
        element("div", element("table", element("tr", *head), *body), class_="wide"),
    )


def _numbers(numbers: Sequence[Number]) -> Markup:
    head = ("number", "value", "error", "how", "from")
    rows = [
        element(
            "tr",
            element("td", _set_indices(each.name)),
            element("td", _cell(each.value), class_="n"),
            element("td", "" if each.error is None else f"{each.error:.2g}", class_="n"),
            element("td", each.how),
            element("td", _origin(each), class_="origin"),
        )
        for each in numbers
    ]
    titles = element("tr", *(element("th", name, class_=_side(name in head[1:3])) for name in head))
    return join(element("h4", "Numbers"), element("div", element("table", titles, *rows), class_="wide"))


def _origin(number: Number) -> str:
    data = f"{number.data} (sha256 {number.digest[:12]}), " if number.data else ""
    return f"{data}seed {number.seed}, regard {number.version}"


def _sample(sample: Sample) -> Markup:
    return join(element("h4", sample.caption), element("pre", sample.text))


def _claims(claims: Sequence[TriedClaim]) -> Markup:
    rows = [
        element(
            "tr",
            element("td", typeset_claim(each.claim), _aim(each), class_="claim"),
            element("td", VERDICT_WORDS.get(each.verdict, each.verdict), class_=f"verdict {_colour(each)}"),
            element("td", each.reason, element("div", f"nearest: {each.nearest}") if each.nearest else ""),
        )
        for each in claims
    ]
    head = element("tr", *(element("th", name) for name in ("claim", "verdict", "why")))
    title = "Right and wrong, by regard check"
    return join(element("h4", title), element("div", element("table", head, *rows), class_="wide"))


def _aim(claim: TriedClaim) -> Markup:
    goal = join(", goal ", typeset_claim(claim.goal)) if claim.goal else ""
    return element("div", "in ", claim.setting, goal, class_="origin")


def _colour(claim: TriedClaim) -> str:
    return "good" if claim.is_true else "bad" if claim.verdict == "fails" else "odd"


def _set_indices(text: str) -> Markup:
    """The text with v_a, s_b and the like written with an index below the line.

    >>> _set_indices("v_a < s_b, not tour_page")
    'v<sub>a</sub> &lt; s<sub>b</sub>, not tour_page'
    >>> _set_indices("k_aᵀq, log_b p")
    'k<sub>a</sub>ᵀq, log<sub>b</sub> p'
    """
    return Markup(re.sub(r"(?<![\w;])(log|[^\W\d_])_([ab])(?!(?!ᵀ)\w)", r"\1<sub>\2</sub>", join(text)))


def _side(is_number: bool) -> str | None:
    return "n" if is_number else None


def _cell(value: Any) -> str:
    """Numbers with six digits, whole ones with all of theirs.

    >>> _cell(1 / 3), _cell(12345), _cell("pull")
    ('0.333333', '12,345', 'pull')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
