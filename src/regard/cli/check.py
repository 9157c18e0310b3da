"""`regard check`: a written claim, tried on random instances; or every claim of a document.

exit code   0   it holds, or holds in the limit; in a document, all of them do
            1   it does not
            2   it is not understood, or wrong usage
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Debug, FreeText, Json, example, new_app, writable
from regard.cli.output import require_outputs
from regard.files import write_output

if TYPE_CHECKING:
    from regard.claims.documents import Answer

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
        str, typer.Argument(metavar="CLAIM", help="LaTeX, plain or Unicode; several statements with ; between.")
    ] = "",
    setting: Annotated[str, typer.Option(metavar="NAME|FILE.toml", help="What the letters mean; see --settings.")] = "",
    goal: Annotated[str, typer.Option(metavar="CLAIM", help="What definitions are judged by.")] = "",
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Check every claim of a .md, .tex, .toml or .csv file; - reads Markdown."),
    ] = None,
    settings: Annotated[bool, typer.Option("--settings", help="Show each setting with its symbols.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", callback=writable(".html"), help="Save the verdicts as a page."),
    ] = None,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Whether a written claim holds, holds in the limit, or fails, with the smallest counterexample."""
    if sum([bool(claim), file is not None, settings]) != 1:
        raise typer.BadParameter("expected one of CLAIM, --file or --settings")
    if settings:
        _show_settings(as_json=json)
        return
    require_outputs(html, inputs=(file, setting))
    answers = _one(claim, setting, goal) if file is None else _many(file, setting, goal)
    if html is not None:
        _save_page(answers, html, title=file.name if file else "A claim")
    _show(answers, is_file=file is not None, as_json=json)
    codes = {EXIT_CODES[answer.verdict.verdict] for answer in answers}
    raise typer.Exit(max(codes) if file is None else min(max(codes), 1))


def _show_settings(*, as_json: bool) -> None:
    from regard.cli.check_report import print_settings, settings_record
    from regard.cli.output import print_json

    if as_json:
        print_json(settings_record())
    else:
        print_settings()


def _one(claim: str, setting: str, goal: str) -> list[Answer]:
    from regard.claims.documents import Answer, FoundClaim
    from regard.claims.meaning.setting import find_setting
    from regard.studies.claims import verdict_of

    chosen = find_setting(setting) if setting else None
    return [Answer(FoundClaim(claim, 1), verdict_of(claim, setting=chosen, goal=goal))]


def _many(file: Path, setting: str, goal: str) -> list[Answer]:
    from regard.cli.output import tracked
    from regard.cli.text_input import STANDARD_INPUT, STANDARD_INPUT_NAME, read_standard_input
    from regard.studies.claims import Config, check_document, check_text

    config = Config(setting=setting, goal=goal)
    if str(file) == STANDARD_INPUT:
        return check_text(read_standard_input(), STANDARD_INPUT_NAME, config, track=tracked)
    return check_document(file, config, track=tracked)


def _save_page(answers: list[Answer], path: Path, *, title: str) -> None:
    from regard.claims.documents import total_by_question
    from regard.report.claims_page import claims_page

    page = claims_page(answers, total_by_question(answers), title=title)
    write_output(path, page.encode("utf-8", errors="replace"))


def _show(answers: list[Answer], *, is_file: bool, as_json: bool) -> None:
    from regard.cli.check_report import answers_record, print_answers, print_verdict, verdict_record
    from regard.cli.output import print_json

    if as_json:
        print_json(answers_record(answers) if is_file else verdict_record(answers[0].verdict))
    elif is_file:
        print_answers(answers)
    else:
        print_verdict(answers[0].verdict)
