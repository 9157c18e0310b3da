"""What `regard study errors` does: read a model and labelled texts, run the study, show it, write the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from regard.cli.explanation import decision_json, print_explained
from regard.cli.output import Cell, at_work, jsonable, print_json, print_table, progress_bar
from regard.cli.training_data import DataParts, read_data
from regard.display import percent
from regard.files import write_output
from regard.records import ErrorStudy, ExplainedText, RuleCount
from regard.report import rule_lines
from regard.report.attributed_text import split_by_verdict


def study_errors(
    model: Path, data: str, test: str | None, settings: dict[str, Any], *, columns: dict[str, str | None]
) -> ErrorStudy:
    """The study, on what `test` says, or the data's own test part, or else all of it."""
    from regard.models.checkpoint import load_classifier
    from regard.studies import errors

    classifier = load_classifier(model)
    parts = _parts(data, columns) if test is None else read_data(data, test, **columns)
    measured, name = (parts.train, data) if parts.test is None else (parts.test, parts.test_name)
    seen = None if parts.test is None else parts.train.texts
    config = errors.Config(model=str(model), data=name, **settings)
    with progress_bar() as progress:
        return errors.run(classifier, measured, config, training_texts=seen, progress=progress)


def save_page(study: ErrorStudy, path: Path) -> None:
    """Write the report as one HTML file."""
    from regard.report.errors_page import errors_page

    write_output(path, errors_page(study).encode())


def show(study: ErrorStudy, *, as_json: bool) -> None:
    """Everything that was found: for programs, or for people."""
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
    print_table(["rule", *rule_lines.HEADINGS], _rule_rows([*study.rules, *doubted]))
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


def _parts(data: str, columns: dict[str, str | None]) -> DataParts:
    """The data in its own parts: where it has none, nothing is set aside, unlike in training."""
    from regard.text.labelled.source import read_splits

    with at_work(f"reading {data}"):
        splits = read_splits(data, **columns)
    return DataParts(data, splits.train, splits.test, f"test part of {data}")


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
    number = 0 if error.place is None else error.place + 1
    print(
        f"\n--- text {number}: called {error.label} ({percent(error.probability, decimals=1)}), "
        f"is {error.true_label} ({percent(error.against_probability, digits=2)}) ---"
    )
    print_explained(error)
    telling, other = split_by_verdict(error.findings)
    for finding in telling:
        print(f"- {rule_lines.write_finding(finding)}")
    if other:
        print(f"  also seen, but hardly less so in right answers: {', '.join(finding.rule for finding in other)}")


def _rule_rows(counts: Iterable[RuleCount]) -> list[list[Cell]]:
    return [[count.rule, *rule_lines.format_figures(count)] for count in counts]
