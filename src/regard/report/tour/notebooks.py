"""The tour as notebooks that run: Jupyter's, as JSON, and marimo's, as Python.

Each answer is a cell of text, with its figures and numbers, and a cell with the code that finds the same again.
"""

from __future__ import annotations

import base64
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from regard.report.tour.answers import Answer, Tour

TITLE = "A tour of attention and small language models"


def as_ipynb(tour: Tour) -> str:
    """A notebook for Jupyter: for each answer a cell of text and one of code."""
    cells = [_text_cell("tour", preface(tour))]
    for answer in tour.answers:
        cells.append(_text_cell(answer.question.identifier, describe_answer(answer)))
        if answer.python:
            cells.append(_code_cell(f"{answer.question.identifier}-code", answer.python.rstrip("\n")))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    record = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def as_marimo(tour: Tour) -> str:
    """A notebook for marimo: the code of each answer is a function, as names in two cells must differ there."""
    cells = ["@app.cell\ndef _():\n    import marimo as mo\n\n    return (mo,)\n", _marimo_text(preface(tour))]
    for answer in tour.answers:
        cells.append(_marimo_text(describe_answer(answer)))
        if answer.python:
            cells.append(_marimo_code(answer))
    return "\n\n".join(
        [
            "import marimo\n\napp = marimo.App()\n",
            *cells,
            'if __name__ == "__main__":\n    app.run()\n',
        ]
    )


def preface(tour: Tour) -> str:
    """What the notebook is, in Markdown."""
    how = ", in the quick form" if tour.quick else ""
    return (
        f"# {TITLE}\n\nAnswers that regard {tour.version} found with seed {tour.seed}{how}. The code below each finds "
        "the same numbers again."
    )


def describe_answer(answer: Answer) -> str:
    """An answer in Markdown: the question, the sentences, figures, numbers, and claims with their verdicts."""
    question = answer.question
    parts = [f"## {question.identifier}. {_escape(question.title)}", f"> {_escape(question.text)}"]
    if answer.failure:
        return "\n\n".join([*parts, f"This could not be answered. {_escape(answer.failure)}"])
    parts += map(_escape, (*answer.sentences, *answer.notes))
    parts += [_picture(drawing.caption, drawing.svg) for drawing in answer.drawings]
    parts += [f"**{_escape(table.title)}**\n\n{_table(table.columns, table.rows)}" for table in answer.tables]
    parts += [f"**{_escape(sample.caption)}**\n\n{_fence(sample.text)}" for sample in answer.samples]
    rows = [
        (each.name, each.value, "" if each.error is None else f"{each.error:.2g}", each.how) for each in answer.numbers
    ]
    parts.append(_table(("number", "value", "error", "how"), rows))
    parts += [
        f"- `{each.claim}` in {each.setting}: **{each.verdict}**, {_escape(each.reason)}" for each in answer.claims
    ]
    parts.append(f"The same by the command line: `{answer.command}`")
    return "\n\n".join(parts)


def _picture(caption: str, svg: str) -> str:
    return f"![{_escape(caption)}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else value if value == "---" else _escape(str(value))


def _fence(text: str) -> str:
    """The text as it is, between more tildes than it has itself."""
    longest = max((len(run) for run in re.findall("~+", text)), default=0)
    mark = "~" * max(3, longest + 1)
    return f"{mark}text\n{text}\n{mark}"


def _escape(text: str) -> str:
    """Text that Markdown and HTML leave alone.

    >>> _escape("v_a < |x|*")
    'v\\\\_a &lt; \\\\|x\\\\|\\\\*'
    """
    return re.sub(r"([\\`*_|\[\]#~$])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def _text_cell(identifier: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": identifier, "metadata": {}, "source": list(_lines(text))}


def _code_cell(identifier: str, code: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"execution_count": None, "outputs": []}
    return {"cell_type": "code", "id": identifier, "metadata": {}, "source": list(_lines(code)), **empty}


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, as Jupyter keeps them."""
    yield from text.splitlines(keepends=True)


def _marimo_text(text: str) -> str:
    return f"@app.cell(hide_code=True)\ndef _(mo):\n    mo.md({text!r})\n    return\n"


def _marimo_code(answer: Answer) -> str:
    name = f"find_{answer.question.identifier.lower()}"
    body = textwrap.indent(answer.python.rstrip("\n"), " " * 8)
    return f"@app.cell\ndef _():\n    def {name}():\n{body}\n\n    {name}()\n    return\n"
