"""`regard classify`: the label of each text, how sure that is, and the words that decided.

`regard study errors` prints explanations and decisions through this module, too.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import (
    STANDARD_INPUT,
    AttributionMethod,
    Debug,
    FreeText,
    Json,
    LabelColumn,
    Seed,
    TextColumn,
    example,
    new_app,
    read_standard_input,
    writable,
)
from regard.cli.output import (
    jsonable,
    print_facts,
    print_json,
    print_note,
    print_table,
    progress_bar,
    require_outputs,
    show_activity,
)
from regard.display import Cell, one_line
from regard.files import write_output
from regard.records import Decision, ExplainedText
from regard.report import explanation

if TYPE_CHECKING:
    from regard.models.classifier.familiarity import Familiarity
    from regard.records import ExplainedText
    from regard.studies.classification import Answers, GivenTexts

MAX_EXPLAINED = 100
MAX_WARNINGS = 3
MARKS = {
    "short": "is_short",
    "long": "is_long",
    "unknown": "has_many_unknown",
    "pairs": "has_many_unknown_pairs",
}
"""What the table's column says, and the field that it stands for."""
HOW_MEASURED = "measured on validation texts and on their endings; on other subjects it may be right less often"

NOTHING_MEASURED = "this model is too old to say whether a text is like the training texts; train it again for that"
NO_PAIRS_MEASURED = "this model is too old to say how many unknown word pairs are usual; train it again for that"

app = new_app("The label of each text, how sure that is, and the words that decided.")


Texts = Annotated[
    list[str] | None,
    typer.Argument(metavar="TEXT...", help="Texts to classify; - reads one text a line from standard input."),
]
File = Annotated[
    str | None,
    typer.Option(
        "--file",
        metavar="FILE|FOLDER|NAME",
        help="A file with one text a line; or labelled texts, as for 'regard train averaging', to measure on.",
    ),
]
Explain = Annotated[bool, typer.Option("--explain", help="Show how much each word contributed to the decision.")]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE.html",
        callback=writable(".html"),
        help="Save the texts as a page, each word coloured by its share.",
    ),
]


@app.command(
    cls=FreeText,
    epilog=example(
        "regard classify films 'A joy from beginning to end.' 'Not half bad.'",
        "regard classify films --explain 'Great actors, but a dull story.'",
        "regard classify films --method shapley 'Not half bad.'",
        "regard classify films --file reviews.csv --json",
        "cat reviews.txt | regard classify films -",
    ),
)
def classify(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a trained classifier.")],
    texts: Texts = None,
    file: File = None,
    explain: Explain = False,
    method: AttributionMethod = None,
    seed: Seed = 0,
    html: Html = None,
    top: Annotated[int, typer.Option("--top", min=1, help="List this many deciding words.")] = 5,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Say which label a classifier gives each text and how sure it is; for labelled texts, how often it is right."""
    from regard.models.checkpoint import load_classifier
    from regard.studies import classification

    if bool(texts) == (file is not None):
        raise typer.BadParameter("expected texts, or - for a pipe, or --file FILE")
    require_outputs(html, inputs=(model, file))
    classifier = load_classifier(Path(model))
    columns = {"text_column": text_column, "label_column": label_column}
    given = _read_file(file, classifier.labels, columns) if file is not None else _read_typed(texts or [])
    is_explained = explain or method is not None
    with progress_bar() as progress:
        answers = classification.classify(classifier, given, progress=progress)
        explained: list[ExplainedText] = []
        if is_explained or html is not None:
            places = _places_to_explain(len(given.texts))
            explained = classification.explain_answers(
                classifier, answers, places, method=method, seed=seed, progress=progress
            )
    if html is not None:
        save_page(explained, html, title=f"{model}: {file or 'texts'}", top=top)
    if as_json:
        print_record(model, answers, explained, top=top, html=html)
        return
    if is_explained:
        print_explanations(explained, top=top)
    else:
        print_answers(answers)
    print_warnings(answers.familiarity or ())
    print_missing(answers.familiarity)
    if given.labelled is not None:
        print()
        print_facts(classification.measure(answers))
    if html is not None:
        print(f"\nsaved {html}")


def _read_typed(texts: list[str]) -> GivenTexts:
    """The texts as they were typed; a dash stands for the lines of the standard input."""
    from regard.studies.classification import GivenTexts, split_lines

    lines = (split_lines(read_standard_input()) if text == STANDARD_INPUT else (text,) for text in texts)
    return GivenTexts(tuple(line for each in lines for line in each))


def _read_file(file: str, labels: tuple[str, ...], columns: dict[str, str | None]) -> GivenTexts:
    from regard.studies.classification import GivenTexts, read_texts, split_lines

    if file == STANDARD_INPUT:
        return GivenTexts(split_lines(read_standard_input()))
    with show_activity(f"reading {file}"):
        return read_texts(file, labels, **columns)


def _places_to_explain(n_texts: int) -> range:
    """The first texts, as many as a person looks at; a line says where there are more."""
    if n_texts > MAX_EXPLAINED:
        print_note(f"of {n_texts:,} texts the first {MAX_EXPLAINED} are explained")
    return range(min(n_texts, MAX_EXPLAINED))


def print_answers(answers: Answers) -> None:
    """One line a text: its label, the label's probability, and how it begins."""
    has_truth = answers.given.labelled is not None
    marks = unusual_marks(answers.familiarity or ())
    columns = ["label", "probability", *(["true label"] if has_truth else []), *(["unusual"] if marks else []), "text"]
    taken = max(map(len, answers.labels)) * (1 + has_truth) + 25 + max((len(mark) + 2 for mark in marks), default=0)
    width = max(20, shutil.get_terminal_size().columns - taken)
    rows: list[list[Cell]] = []
    for i in range(len(answers.given.texts)):
        found = answers.decision(i)
        truth = [str(found.true_label)] if has_truth else []
        rows.append([found.label, found.probability, *truth, *marks[i : i + 1], shorten(found.text, width)])
    print_table(columns, rows, digits=4)


def shorten(text: str, width: int) -> str:
    """The beginning of a text in one line, without characters that could steer a terminal.

    >>> shorten("not  half\\nbad", 10)
    'not half …'
    """
    return one_line(" ".join(text[: 4 * width].split()), max_length=width)


def print_explanations(explained: list[ExplainedText], *, top: int) -> None:
    """Each text with its words coloured (in a pipe: marked) by their share, and those that decided."""
    from regard.cli.classify import print_reasons, print_words
    from regard.report.explanation import headline

    for i, each in enumerate(explained):
        print("\n" if i else "", end="")
        print(headline(each))
        print_words(each)
        print_reasons(each, top=top)


def save_page(explained: list[ExplainedText], path: Path, *, title: str, top: int) -> None:
    """The coloured texts as a page of HTML."""
    from regard.report.explanation import explanation_page

    write_output(path, explanation_page(explained, title=title, max_words=top).encode("utf-8", "replace"))


def print_record(model: str, answers: Answers, explained: list[ExplainedText], *, top: int, html: Path | None) -> None:
    """Everything as one JSON object."""
    from regard.cli.classify import decision_json
    from regard.studies.classification import measure

    others = [answers.decision(i) for i in range(len(explained), len(answers.given.texts))]
    records = [decision_json(each, top=top) for each in (*explained, *others)]
    for record, familiarity in zip(records, answers.familiarity or (), strict=False):
        record.update(familiarity.record())
    measured = {} if answers.given.labelled is None else measure(answers)
    page = {} if html is None else {"html": html}
    facts = {name.replace(" ", "_"): fact for name, fact in measured.items() if name != "texts"}
    print_json({"model": model, "labels": answers.labels, "texts": records, **facts, **page})


def unusual_marks(found: Sequence[Familiarity]) -> list[str]:
    """In a word or two what is unusual about each text; an empty list where nothing is."""
    marks = [", ".join(name for name, field in MARKS.items() if getattr(each, field)) for each in found]
    return marks if any(marks) else []


def print_warnings(found: Sequence[Familiarity]) -> None:
    """A line for each of the first texts that are unusual, and how many more there are."""
    warned = [(i, warning) for i, each in enumerate(found, start=1) for warning in each.warnings]
    if not warned:
        return
    print()
    for i, warning in warned[:MAX_WARNINGS]:
        print(f"text {i} is unlike the training texts: {warning}")
    more = len(warned) - MAX_WARNINGS
    if more > 0:
        print(f"{more:,} more text{' is' if more == 1 else 's are'} unlike them: --json tells of each")
    if any(each.is_measured for each in found):
        print(HOW_MEASURED)


def print_missing(found: Sequence[Familiarity] | None) -> None:
    """What a model of an older version does not know of the texts, in a line."""
    if found is None:
        print(f"\n{NOTHING_MEASURED}")
    elif any(each.unknown_pair_share is not None and not each.has_measured_pairs for each in found):
        print(f"\n{NO_PAIRS_MEASURED}")


def has_colours() -> bool:
    """Whether what is printed goes to a terminal whose user wants colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_explanation(explained: ExplainedText, *, threshold: float = explanation.THRESHOLD) -> None:
    """The text with each word's share in the answer, and the words above the threshold."""
    print_words(explained, threshold=threshold)
    print_reasons(explained)


def print_reasons(explained: ExplainedText, *, top: int = 10) -> None:
    """The words that decided, and what all shares add up to."""
    print(f"decided by ({explained.attribution.method}): {explanation.name_deciding_words(explained, max_words=top)}")
    print(explanation.sum_line(explained))


def print_words(explained: ExplainedText, *, threshold: float = explanation.THRESHOLD) -> None:
    """The text with its words coloured by their share, or marked where there are no colours."""
    if not has_colours():
        print(explanation.to_plain_text(explained, threshold=threshold))
        return
    from rich.console import Console

    Console(highlight=False, color_system="256").print(explanation.to_rich(explained, threshold=threshold))


def decision_json(decision: Decision, *, top: int = 10) -> dict[str, Any]:
    """A classifier's answer to a text as every command prints it; with the words' shares where it is explained.

    `top` is how many different words `decided_by` lists; `words` has all of them, in the order of the text.
    """
    found: dict[str, Any] = {
        "place": decision.place,
        "text": decision.text,
        "label": decision.label,
        "probability": decision.probability,
        "probabilities": decision.probabilities,
        "true_label": decision.true_label,
    }
    return found | _explanation_json(decision, top) if isinstance(decision, ExplainedText) else found


def _explanation_json(explained: ExplainedText, top: int) -> dict[str, Any]:
    return {
        "against": explained.against,
        "method": explained.attribution.method,
        "log_odds": explained.log_odds,
        "baseline": explained.baseline,
        "remainder": explained.remainder,
        "words": _words_json(explained),
        "decided_by": [word._asdict() for word in explanation.rank_words(explained)[:top]],
        "findings": jsonable(explained.findings),
    }


def _words_json(explained: ExplainedText) -> list[dict[str, Any]]:
    found, errors = explained.attribution, explained.standard_errors
    words = [
        {"word": found.text[start:end], "start": start, "end": end, "share": share}
        for start, end, share in zip(found.starts.tolist(), found.ends.tolist(), explained.shares.tolist(), strict=True)
    ]
    if errors is None:
        return words
    return [word | {"standard_error": error} for word, error in zip(words, errors.tolist(), strict=True)]
