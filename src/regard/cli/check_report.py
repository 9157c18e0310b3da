"""What `regard check` prints: one verdict as facts, many as tables, settings with their symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from regard.claims.documents import VERDICT_WORDS, Answer, total_by_question
from regard.claims.meaning.setting import Setting, SymbolSpec, builtin_settings
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import WINDOW, as_plain, make_visible, point_at, shorten
from regard.claims.verdict import Verdict
from regard.cli.output import Cell, jsonable, line_width, print_table
from regard.cli.table_layout import GAP, align_table, fit_facts, fit_text
from regard.errors import NotUnderstood
from regard.report.claims_page import format_counterexample
from regard.studies.claims import parse_symbol, totals_table


def print_verdict(verdict: Verdict) -> None:
    """One fact a line; a complaint about a place shows it with a caret."""
    width = line_width()
    for line in fit_facts([*_claim_facts(verdict, width), *_verdict_facts(verdict)], width):
        print(line)


def _claim_facts(verdict: Verdict, width: int) -> list[tuple[str, str]]:
    """The claim; or as much of it as fits one line around the place that is complained of, and carets below."""
    if verdict.where is not None and verdict.verdict in ("ill-formed", "not-understood"):
        space = width - len("setting" + GAP) - 1  # "setting" is the longest name; a caret may stand behind the end
        line, carets = point_at(verdict.claim, verdict.where, window=max(min(WINDOW, space), 1))
        return [("claim", line), ("", carets)]
    return [("claim", format_claim(verdict.claim))]


def _verdict_facts(verdict: Verdict) -> list[tuple[str, str]]:
    facts = [
        ("setting", verdict.setting),
        ("verdict", VERDICT_WORDS.get(verdict.verdict, verdict.verdict)),
        ("why", verdict.reason),
    ]
    if verdict.nearest:
        facts.append(("nearest", verdict.nearest))
    if verdict.counterexample is not None:
        lines = format_counterexample(verdict.counterexample)
        facts += [("for" if i == 0 else "", line) for i, line in enumerate(lines)]
    facts += [("tried", verdict.how)] if verdict.how else []
    facts += [("note", note) for note in verdict.notes]
    facts += [("reading", f"{VERDICT_WORDS.get(one.verdict, one.verdict)}: {one.reason}") for one in verdict.readings]
    return facts


def format_claim(text: str) -> str:
    """The claim on one line, in one notation; as written where it cannot be read."""
    try:
        return as_plain(parse(text))
    except NotUnderstood:
        return shorten(text)


def print_answers(answers: Sequence[Answer]) -> None:
    """Every claim with its verdict, then the totals of each question."""
    columns = ["line", "question", "student", "verdict", "claim", "why"]
    rows: list[list[Cell]] = [
        [
            answer.found.line,
            make_visible(answer.found.question),
            make_visible(answer.found.student),
            VERDICT_WORDS.get(answer.verdict.verdict, answer.verdict.verdict),
            format_claim(answer.found.text),
            answer.verdict.reason,
        ]
        for answer in answers
    ]
    kept = [i for i in range(len(columns)) if any(str(row[i]) for row in rows)]
    print_table([columns[i] for i in kept], [[row[i] for i in kept] for row in rows])
    table = totals_table(answers)
    print()
    print_table(
        table.columns, [[make_visible(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    )


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """All that is known of a claim."""
    record: dict[str, Any] = jsonable(verdict)
    record["told"] = record.pop("notes")
    record["readings"] = [verdict_record(reading) for reading in verdict.readings]
    return record


def answers_record(answers: Sequence[Answer]) -> dict[str, Any]:
    """Every claim as it was found, with its verdict, and the totals of each question."""
    claims = []
    for answer in answers:
        place = {name: getattr(answer.found, name) for name in ("line", "question", "student")}
        claims.append({**place, **verdict_record(answer.verdict)})
    return {"claims": claims, "questions": jsonable(total_by_question(answers))}


def print_settings() -> None:
    """Each setting: what it is, what definitions are judged by, and what its letters mean."""
    for number, setting in enumerate(builtin_settings().values()):
        lines = [] if number == 0 else [""]
        lines += fit_text(f"{setting.name}: {setting.summary}", line_width())
        if setting.goal:
            lines += fit_text(f"{GAP}goal: {format_claim(setting.goal)}", line_width(), indent=2 * GAP)
        lines += [f"{GAP}{line}" for line in fit_facts(_symbol_facts(setting), line_width() - len(GAP))]
        print(*lines, sep="\n")


def _symbol_facts(setting: Setting) -> list[tuple[str, str]]:
    """Spelling and shape of each symbol as the name of a fact, which is its meaning."""
    rows = symbol_rows(setting)
    names = align_table([row[:2] for row in rows], [True, True])
    return [(name, meaning) for name, (_, _, meaning) in zip(names, rows, strict=True)]


def symbol_rows(setting: Setting) -> list[list[str]]:
    """Each symbol as it is written, its shape, and what it is."""
    return [
        [_spelt(spec), f"{spec.shape[0]} × {spec.shape[1]}" if spec.shape != (1, 1) else "number", _meaning(spec)]
        for spec in setting.symbols
        if not spec.hidden
    ]


def _spelt(spec: SymbolSpec) -> str:
    names = [as_plain(parse_symbol(name)) for name in spec.spellings]
    return ", ".join(f"{name}_i" if spec.over else name for name in names)


def _meaning(spec: SymbolSpec) -> str:
    return f"{spec.meaning} (may be defined)" if spec.open else spec.meaning


def settings_record() -> dict[str, Any]:
    """The same for programs."""
    return {
        "settings": [
            {
                "name": setting.name,
                "summary": setting.summary,
                "goal": setting.goal,
                "symbols": [
                    {"name": spec.name, "shape": list(spec.shape), "meaning": spec.meaning, "open": spec.open}
                    for spec in setting.symbols
                    if not spec.hidden
                ],
            }
            for setting in builtin_settings().values()
        ]
    }
