"""`regard check`: a written claim, tried on random instances; or every claim of a sheet, or of a folder of sheets.

exit code   0   it holds, or holds in the limit; in a document, all of them do
            1   it does not
            2   it is not understood or not decided, or wrong usage
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import Debug, FreeText, Json, Scheduler, example, new_app, writable
from regard.cli.output import (
    fit_facts,
    fit_text,
    jsonable,
    line_width,
    print_json,
    print_table,
    progress_bar,
    require_outputs,
)
from regard.display import GAP, align_table
from regard.files import write_output

if TYPE_CHECKING:
    from regard.claims.sheets.rubric import Grade
    from regard.claims.sheets.totals import Answer
    from regard.claims.verdict.records import Verdict
    from regard.tables import StudyTable

EXAMPLES = example(
    "regard check 'M = A A^T' --setting two-subspaces",
    r"regard check 'q = C k_a' --setting orthonormal-keys --goal 'c \approx v_a'",
    "regard check --file answers.md --html answers.html",
    "regard check --file sheets --rubric rubric.toml --csv points.csv --workers 2",
    "regard check --settings",
)
PLACE = ("sheet", "line", "question", "student", "sentence", "given")
"""What is shown of a claim in a sheet, besides its verdict."""
EXIT_CODES = {"holds": 0, "holds-in-limit": 0, "fails": 1, "ill-formed": 1, "undecided": 2, "not-understood": 2}

app = new_app("Try a written claim on random instances: does it hold, hold in the limit, or fail, and where?")


Claim = Annotated[
    str,
    typer.Argument(
        metavar="CLAIM", help="What to check, in LaTeX, plain text or Unicode; separate statements by semicolons."
    ),
]
Setting = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE.toml",
        help="What the letters stand for: one of --settings, or your own file. [default: by the letters]",
    ),
]
Goal = Annotated[
    str, typer.Option(metavar="CLAIM", help="What a definition is meant to achieve. [default: the goal of the setting]")
]
File = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|FOLDER",
        help="Check every claim of a sheet (.md .tex .txt .html .ipynb .toml .csv) or of all sheets in a folder;"
        " - reads Markdown from a pipe.",
    ),
]
Rubric = Annotated[
    Path | None,
    typer.Option(metavar="FILE.toml", help="Give points: what each question is worth, and what is accepted."),
]
Settings = Annotated[bool, typer.Option("--settings", help="List the settings and what their letters stand for.")]
Html = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.html", callback=writable(".html"), help="Save the claims with their verdicts as a page."
    ),
]
Csv = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.csv",
        callback=writable(".csv"),
        help="Save the answers, or with --rubric the points.",
    ),
]


@app.command(cls=FreeText, epilog=EXAMPLES)
def check(
    claim: Claim = "",
    setting: Setting = "",
    goal: Goal = "",
    file: File = None,
    rubric: Rubric = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that check the sheets of a folder.")] = 1,
    scheduler: Scheduler = None,
    settings: Settings = False,
    html: Html = None,
    csv: Csv = None,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Try a written claim on random instances: does it hold, hold in the limit, or fail, and what is the smallest
    counterexample?"""
    if sum([bool(claim), file is not None, settings]) != 1:
        raise typer.BadParameter("expected one of CLAIM, --file or --settings")
    if settings:
        _print_settings(as_json=json)
        return
    if file is None and (rubric or csv):
        raise typer.BadParameter("--rubric and --csv are for sheets; expected --file FILE, too")
    require_outputs(html, csv, inputs=(file, rubric, setting))
    grades: list[Grade] = []
    if file is None and html is None:
        verdict = _check_alone(claim, setting, goal, as_json=json)
        raise typer.Exit(EXIT_CODES[verdict.verdict])
    if file is None:
        answers = _check_claim(claim, setting, goal)
    else:
        answers, grades = _check_sheets(file, setting, goal, rubric, workers, scheduler)
    if html is not None:
        _save_page(answers, grades, html, title=file.name if file else "A claim")
    if csv is not None:
        _save_table(answers, grades, csv)
    _print_answers(answers, grades, is_file=file is not None, as_json=json)
    codes = {EXIT_CODES[answer.verdict.verdict] for answer in answers}
    raise typer.Exit(max(codes) if file is None else min(max(codes), 1))


def _check_alone(claim: str, setting: str, goal: str, *, as_json: bool) -> Verdict:
    """The verdict on one claim, printed; what sheets need is not loaded for it."""
    from regard.claims.check import check as try_claim

    verdict = try_claim(claim, setting=setting, goal=goal)
    if as_json:
        print_json(_verdict_record(verdict))
    else:
        _print_verdict(verdict)
    return verdict


def _check_claim(claim: str, setting: str, goal: str) -> list[Answer]:
    from regard.claims.check import check
    from regard.claims.sheets.formulas import FoundClaim
    from regard.claims.sheets.totals import Answer

    return [Answer(FoundClaim(claim, 1), check(claim, setting=setting, goal=goal))]


def _check_sheets(
    file: Path, setting: str, goal: str, rubric: Path | None, workers: int, scheduler: str | None
) -> tuple[list[Answer], list[Grade]]:
    """The answers of a sheet, of a folder of sheets, or of a pipe; and their points, where there is a rubric."""
    from regard.claims.sheets.rubric import grade, read_rubric
    from regard.cli.app import STANDARD_INPUT, STANDARD_INPUT_NAME, read_standard_input
    from regard.studies.claims import Config, check_document, check_folder, check_text

    questions = tuple(read_rubric(rubric)) if rubric else ()
    config = Config(setting=setting, goal=goal, rubric=questions)
    with progress_bar() as progress:
        if str(file) == STANDARD_INPUT:
            answers = check_text(read_standard_input(), STANDARD_INPUT_NAME, config, progress=progress)
        elif file.is_dir():
            answers = check_folder(file, config, workers=workers, scheduler=scheduler, progress=progress)
        else:
            answers = check_document(file, config, progress=progress)
    return answers, grade(answers, questions)


def _save_page(answers: list[Answer], grades: list[Grade], path: Path, *, title: str) -> None:
    from regard.claims.sheets.totals import total_by_question
    from regard.report.claims_page import claims_page

    page = claims_page(answers, total_by_question(answers), grades, title=title)
    write_output(path, page.encode("utf-8", errors="replace"))


def _save_table(answers: list[Answer], grades: list[Grade], path: Path) -> None:
    from regard.studies.claims import answers_table, grades_table

    table = grades_table(grades) if grades else answers_table(answers)
    write_output(path, table.as_csv().encode("utf-8", errors="replace"))


def _print_answers(answers: list[Answer], grades: list[Grade], *, is_file: bool, as_json: bool) -> None:
    if as_json:
        print_json(_answers_record(answers, grades) if is_file else _verdict_record(answers[0].verdict))
    elif is_file:
        _print_tables(answers, grades)
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
    from regard.claims.syntax.printer import WINDOW, point_at, shorten
    from regard.claims.verdict.records import SAYS

    if verdict.where is not None and verdict.verdict in ("ill-formed", "not-understood"):
        space = width - len("setting" + GAP) - 1  # "setting" is the longest name; a caret may stand behind the end
        line, carets = point_at(verdict.claim, verdict.where, window=max(min(WINDOW, space), 1))
        return [("claim", line), ("", carets)]
    is_sentence = any(note.startswith(SAYS) for note in verdict.notes)
    return [("claim", shorten(verdict.claim) if is_sentence else format_claim(verdict.claim))]


def _print_tables(answers: list[Answer], grades: list[Grade]) -> None:
    """Every claim with its verdict, columns that say nothing left out; the totals of each question; the points."""
    from regard.studies.claims import answers_table, grades_table, totals_table

    totals = totals_table(answers)
    _print_filled_columns(answers_table(answers))
    print()
    print_table(totals.columns, totals.rows)
    if grades:
        print()
        _print_filled_columns(grades_table(grades))


def _print_filled_columns(table: StudyTable) -> None:
    """The table without columns that are empty, and without the sheet's name where there is one sheet."""
    n_values = [len({str(row[i]) for row in table.rows} - {""}) for i in range(len(table.columns))]
    filled = [i for i, name in enumerate(table.columns) if n_values[i] > (1 if name == "sheet" else 0)]
    print_table([table.columns[i] for i in filled], [[row[i] for i in filled] for row in table.rows])


def _verdict_record(verdict: Verdict) -> dict[str, Any]:
    """The record of a claim; programs know its notes by the name `told`."""
    record = {"told" if name == "notes" else name: value for name, value in jsonable(verdict).items()}
    record["readings"] = [_verdict_record(reading) for reading in verdict.readings]
    return record


def _answers_record(answers: list[Answer], grades: list[Grade]) -> dict[str, Any]:
    """Every claim as it was found, with its verdict, the totals of each question, and the points."""
    from regard.claims.sheets.totals import total_by_question

    claims = []
    for answer in answers:
        place = {name: getattr(answer.found, name) for name in PLACE}
        claims.append({**place, **_verdict_record(answer.verdict)})
    points = {"grades": jsonable(grades)} if grades else {}
    return {"claims": claims, "questions": jsonable(total_by_question(answers)), **points}


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
