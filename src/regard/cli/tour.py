"""`regard tour`: every question of the exercise, answered on this machine, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.app import Debug, Json, Seed, example, new_app, use_one_thread, writable
from regard.cli.output import print_json, print_table, progress_bar, require_outputs

if TYPE_CHECKING:
    from regard.report.tour.answers import Tour

app = new_app("Answer the questions of the exercise, with evidence computed here and now, as one page.")


Quick = Annotated[
    bool, typer.Option("--quick", help="Take minutes instead of half an hour: train briefly, download nothing.")
]
Only = Annotated[str, typer.Option(metavar="A,B2,…", help="Answer only these parts or questions. [default: all]")]
Out = Annotated[
    Path,
    typer.Option(
        metavar="FILE.html",
        callback=writable(".html"),
        help="Write the page here.",
    ),
]
Notebook = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.ipynb", callback=writable(".ipynb"), help="Also write the answers as a notebook for Jupyter."
    ),
]
Marimo = Annotated[
    Path | None,
    typer.Option(metavar="FILE.py", callback=writable(".py"), help="Also write the answers as a notebook for marimo."),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Keep the answers that FILE has from an earlier run, and find the others.")
]


@app.command(
    epilog=example(
        "regard tour --quick", "regard tour --only A,B2 --out attention.html", "regard tour --quick --resume"
    )
)
def tour(
    quick: Quick = False,
    only: Only = "",
    out: Out = Path("tour.html"),
    notebook: Notebook = None,
    marimo: Marimo = None,
    resume: Resume = False,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Answer every question in order: attention (A), gradients (B), a bigram model of words (C), a model of
    characters (D), perplexity (E), film reviews (F).

    The page is written after each answer, so that Ctrl-C keeps what is done. Where a question cannot be
    answered, the page says why.
    """
    use_one_thread()
    require_outputs(out, notebook, marimo)
    from regard.errors import ValueRangeError
    from regard.files import write_output
    from regard.report.tour.notebooks import as_ipynb, as_marimo
    from regard.report.tour.page import tour_page
    from regard.studies.tour import run
    from regard.studies.tour.evidence import Config

    config, names = Config(quick=quick, seed=seed), only.split(",") if only else []
    try:
        questions = run.choose_questions(names)
    except ValueRangeError as error:
        raise typer.BadParameter(str(error)) from None
    kept = run.read_answers(out, config) if resume else ()

    def keep(so_far: Tour) -> None:
        done = {answer.question for answer in so_far.answers}
        missing = [question for question in questions if question not in done]
        write_output(out, tour_page(so_far, parts=run.PARTS, missing=missing).encode())

    with progress_bar() as progress:
        found = run.run_tour(config, only=names, kept=kept, keep=keep, progress=progress)
    for path, content in ((notebook, as_ipynb), (marimo, as_marimo)):
        if path is not None:
            write_output(path, content(found).encode())
    if as_json:
        print_json(found.as_json())
    else:
        _print(found, [path for path in (out, notebook, marimo) if path is not None])
    if any(answer.failure for answer in found.answers):
        raise typer.Exit(1)


def _print(tour: Tour, written: list[Path]) -> None:
    """What was answered, in a line each, and where to read it."""
    rows = [
        (answer.question.identifier, answer.question.title, answer.failure or "answered", f"{answer.seconds:.1f}")
        for answer in tour.answers
    ]
    print_table(["question", "title", "outcome", "seconds"], rows)
    print("\nsaved " + ", ".join(map(str, written)))
