"""`regard check`: a written claim, tried on random instances; or every claim of a document.

exit code   0   it holds, or holds in the limit; in a document, all of them do
            1   it does not
            2   it is not understood, or wrong usage
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.options import Debug, FreeText, Json, example, new_app, writable
from regard.cli.output import (
    GAP,
    align_table,
    fit_facts,
    fit_text,
    jsonable,
    line_width,
    print_json,
    print_table,
    progress_bar,
    require_outputs,
)
from regard.files import write_output

if TYPE_CHECKING:
    from regard.claims.sheets.documents import Answer
    from regard.claims.verdict import Verdict

EXAMPLES = example(
    "regard check 'M = A A^T' --setting two-subspaces",
    r"regard check 'q = C k_a' --setting orthonormal-keys --goal 'c \approx v_a'",
    "regard check --file answers.md --html answers.html",
    "regard check --settings",
)
EXIT_CODES = {"holds": 0, "holds-in-limit": 0, "fails": 1, "ill-formed": 1, "not-understood": 2}

app = new_app("A written claim, tried on random instances: it holds, holds in the limit, or fails and where.")


@app.command(cls=FreeText, epilog=EXAMPLES)
def check(
    claim: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM", help="What to check, in LaTeX, plain text or Unicode; separate statements by semicolons."
        ),
    ] = "",
    setting: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE.toml",
            help="What the letters stand for: one of --settings, or your own file. [default: by the letters]",
        ),
    ] = "",
    goal: Annotated[
        str, typer.Option(metavar="CLAIM", help="What a definition should reach. [default: the goal of the setting]")
    ] = "",
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Check every claim in a .md, .tex, .toml or .csv file; - reads Markdown from a pipe."
        ),
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="List the settings and what their letters stand for.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html", callback=writable(".html"), help="Save the claims with their verdicts as a page."
        ),
    ] = None,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Try a written claim on random instances: does it hold, hold in the limit, or fail, and on which smallest one?"""
    if sum([bool(claim), file is not None, settings]) != 1:
        raise typer.BadParameter("expected one of CLAIM, --file or --settings")
    if settings:
        _print_settings(as_json=json)
        return
    require_outputs(html, inputs=(file, setting))
    answers = _check_claim(claim, setting, goal) if file is None else _check_file(file, setting, goal)
    if html is not None:
        _save_page(answers, html, title=file.name if file else "A claim")
    _print_answers(answers, is_file=file is not None, as_json=json)
    codes = {EXIT_CODES[answer.verdict.verdict] for answer in answers}
    raise typer.Exit(max(codes) if file is None else min(max(codes), 1))


def _check_claim(claim: str, setting: str, goal: str) -> list[Answer]:
    from regard.claims.check import check
    from regard.claims.sheets.documents import Answer, FoundClaim

    return [Answer(FoundClaim(claim, 1), check(claim, setting=setting, goal=goal))]


def _check_file(file: Path, setting: str, goal: str) -> list[Answer]:
    from regard.cli.options import STANDARD_INPUT, STANDARD_INPUT_NAME, read_standard_input
    from regard.studies.claims import Config, check_document, check_text

    config = Config(setting=setting, goal=goal)
    with progress_bar() as progress:
        if str(file) == STANDARD_INPUT:
            return check_text(read_standard_input(), STANDARD_INPUT_NAME, config, progress=progress)
        return check_document(file, config, progress=progress)


def _save_page(answers: list[Answer], path: Path, *, title: str) -> None:
    from regard.claims.sheets.documents import total_by_question
    from regard.report.claims_page import claims_page

    page = claims_page(answers, total_by_question(answers), title=title)
    write_output(path, page.encode("utf-8", errors="replace"))


def _print_answers(answers: list[Answer], *, is_file: bool, as_json: bool) -> None:
    if as_json:
        print_json(_answers_record(answers) if is_file else _verdict_record(answers[0].verdict))
    elif is_file:
        _print_tables(answers)
    else:
        _print_verdict(answers[0].verdict)


def _print_verdict(verdict: Verdict) -> None:
    """One fact a line; a complaint about a place shows it with a caret."""
    width = line_width()
    for line in fit_facts([*_claim_facts(verdict, width), *verdict.facts()], width):
        print(line)


def _claim_facts(verdict: Verdict, width: int) -> list[tuple[str, str]]:
    """The claim; or as much of it as fits one line around the place that is complained of, and carets below."""
    from regard.claims.syntax.grammar import format_claim
    from regard.claims.syntax.printer import WINDOW, point_at

    if verdict.where is not None and verdict.verdict in ("ill-formed", "not-understood"):
        space = width - len("setting" + GAP) - 1  # "setting" is the longest name; a caret may stand behind the end
        line, carets = point_at(verdict.claim, verdict.where, window=max(min(WINDOW, space), 1))
        return [("claim", line), ("", carets)]
    return [("claim", format_claim(verdict.claim))]


def _print_tables(answers: list[Answer]) -> None:
    """Every claim with its verdict, columns that say nothing left out; then the totals of each question."""
    from regard.studies.claims import answers_table, totals_table

    claims, totals = answers_table(answers), totals_table(answers)
    kept = [i for i in range(len(claims.columns)) if any(str(row[i]) for row in claims.rows)]
    print_table([claims.columns[i] for i in kept], [[row[i] for i in kept] for row in claims.rows])
    print()
    print_table(totals.columns, totals.rows)


def _verdict_record(verdict: Verdict) -> dict[str, Any]:
    """All that is known of a claim; `told` is what programs know its notes by."""
    record = {"told" if name == "notes" else name: value for name, value in jsonable(verdict).items()}
    record["readings"] = [_verdict_record(reading) for reading in verdict.readings]
    return record


def _answers_record(answers: list[Answer]) -> dict[str, Any]:
    """Every claim as it was found, with its verdict, and the totals of each question."""
    from regard.claims.sheets.documents import total_by_question

    claims = []
    for answer in answers:
        place = {name: getattr(answer.found, name) for name in ("line", "question", "student")}
        claims.append({**place, **_verdict_record(answer.verdict)})
    return {"claims": claims, "questions": jsonable(total_by_question(answers))}


def _print_settings(*, as_json: bool) -> None:
    """Each setting: what it is, what definitions are judged by, and what its letters mean."""
    from regard.claims.meaning.setting import builtin_settings, symbol_rows
    from regard.claims.syntax.grammar import format_claim

    if as_json:
        print_json(_settings_record())
        return
    for number, setting in enumerate(builtin_settings().values()):
        lines = [] if number == 0 else [""]
        lines += fit_text(f"{setting.name}: {setting.summary}", line_width())
        if setting.goal:
            lines += fit_text(f"{GAP}goal: {format_claim(setting.goal)}", line_width(), indent=2 * GAP)
        rows = symbol_rows(setting)
        names = align_table([row[:2] for row in rows], [True, True])
        facts = [(name, meaning) for name, (_, _, meaning) in zip(names, rows, strict=True)]
        print(*lines, *(f"{GAP}{line}" for line in fit_facts(facts, line_width() - len(GAP))), sep="\n")


def _settings_record() -> dict[str, Any]:
    from regard.claims.meaning.setting import builtin_settings

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
