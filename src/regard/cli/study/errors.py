"""`regard study errors`: why a classifier is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import (
    AttributionMethod,
    Data,
    Debug,
    Json,
    LabelColumn,
    Scheduler,
    Seed,
    TextColumn,
    WorkerCount,
    fraction_or_name,
    writable,
)
from regard.cli.output import jsonable, print_json, print_table, progress_bar, require_outputs, show_activity
from regard.display import Cell, percent
from regard.files import write_output

if TYPE_CHECKING:
    from regard.records import ErrorStudy, ExplainedText, RuleCount


Test = Annotated[
    str | None,
    typer.Option(
        metavar="FRACTION|NAME|FILE",
        help="Measure on this, as in training: a fraction, or other data. [default: the test part, else all]",
    ),
]
N = Annotated[int, typer.Option("--n", min=0, help="Show this many of the worst and of the most borderline errors.")]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", callback=writable(".html"), help="Save the report as one page of HTML."),
]


def study_errors(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained classifier.")],
    data: Data = "movie-snippets",
    test: Test = None,
    n: N = 5,
    method: AttributionMethod = None,
    seed: Seed = 0,
    html: Html = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Show where a classifier is wrong: its worst errors, the words that decided, and what often goes with an error."""
    from regard.models.checkpoint import load_classifier
    from regard.records import Workers
    from regard.studies.errors import Config, study_data
    from regard.studies.training.data import own_parts, split_data

    require_outputs(html, inputs=(model, data, test))
    classifier = load_classifier(model)
    columns = {"text_column": text_column, "label_column": label_column}
    with show_activity(f"reading {data}"):
        parts = own_parts(data, **columns) if test is None else split_data(data, fraction_or_name(test), **columns)
    config = Config(model=str(model), n=n, method=method, seed=seed)
    with progress_bar() as progress:
        study = study_data(classifier, parts, config, workers=Workers(workers, scheduler), progress=progress)
    if html is not None:
        save_page(study, html)
    show(study, as_json=as_json)
    if html is not None and not as_json:
        print(f"\nsaved {html}")


def save_page(study: ErrorStudy, path: Path) -> None:
    """Write the report as one HTML file."""
    from regard.report.errors_page import errors_page

    write_output(path, errors_page(study).encode())


def show(study: ErrorStudy, *, as_json: bool) -> None:
    """Everything that was found: for programs, or for people."""
    from regard.report import explanation

    if as_json:
        print_json(study_json(study))
        return
    print(study.title)
    print(_accuracy_line(study))
    for title, errors in (("The worst errors", study.worst), ("The most borderline errors", study.borderline)):
        if errors:
            print(f"\n{title}:")
        for error in errors:
            _print_error(error)
    print("\nWhat goes with errors:")
    doubted = [] if study.label_doubts is None else [study.label_doubts]
    print_table(["rule", *explanation.RULE_HEADINGS], _rule_rows([*study.rules, *doubted]))
    for name, groups in study.groups.items():
        print(f"\nAccuracy by {name}:")
        rows: list[list[Cell]] = [
            [each.group, each.n, percent(each.accuracy, decimals=1), f"{100 * each.low:.1f}–{100 * each.high:.1f} %"]
            for each in groups
        ]
        print_table([name, "texts", "accuracy", "95 % interval"], rows)
    print()
    for note in study.notes:
        print(f"- {note}")


def study_json(study: ErrorStudy) -> dict[str, Any]:
    """Every figure, and every error that is shown with all of its words."""
    from regard.cli.classify import decision_json

    return {
        "title": study.title,
        "config": study.config,
        "result": jsonable(study.result),
        "unseen": jsonable(study.unseen),
        "groups": jsonable(study.groups),
        "rules": jsonable(study.rules),
        "rules_by_answer": jsonable(study.rules_by_answer),
        "label_doubts": jsonable(study.label_doubts),
        "worst": [decision_json(error) for error in study.worst],
        "borderline": [decision_json(error) for error in study.borderline],
        "notes": list(study.notes),
    }


def _accuracy_line(study: ErrorStudy) -> str:
    result = study.result
    line = (
        f"accuracy {100 * result.accuracy:.2f} ± {100 * result.standard_error:.2f} %, {result.nats:.4f} nats, "
        f"calibration error {result.calibration_error:.4f}"
    )
    if study.unseen is None or study.unseen.n == result.n:
        return line
    return (
        f"{line}; without texts that training has, {percent(study.unseen.accuracy, decimals=2)} of {study.unseen.n:,}"
    )


def _print_error(error: ExplainedText) -> None:
    from regard.cli.classify import print_explanation
    from regard.report import explanation
    from regard.report.explanation import split_by_verdict

    number = 0 if error.place is None else error.place + 1
    print(
        f"\n--- text {number}: called {error.label} ({percent(error.probability, decimals=1)}), "
        f"is {error.true_label} ({percent(error.against_probability, digits=2)}) ---"
    )
    print_explanation(error)
    telling, other = split_by_verdict(error.findings)
    for finding in telling:
        print(f"- {explanation.write_finding(finding)}")
    if other:
        print(f"  also seen, but hardly less so in right answers: {', '.join(finding.rule for finding in other)}")


def _rule_rows(counts: Iterable[RuleCount]) -> list[list[Cell]]:
    from regard.report import explanation

    return [[count.rule, *explanation.format_rule(count)] for count in counts]
