"""`regard classify`: the label of each text, how sure that is, and the words that decided."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regard.cli.options import AttributionMethod, Debug, FreeText, Json, Seed, example, new_app, writable
from regard.cli.training_data import LabelColumn, TextColumn

app = new_app("The label of each text, how sure that is, and the words that decided.")


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
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT...", help="What to classify; - reads a text a line from a pipe.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE|FOLDER|NAME",
            help="A text a line; or labelled texts, as 'regard train averaging' takes them, to measure on.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each word's share in the decision, by colour and in figures.")
    ] = False,
    method: AttributionMethod = None,
    seed: Seed = 0,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE.html", callback=writable(".html"), help="Save the texts, coloured, as a page."
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="List so many words that decided.")] = 5,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Say which label a classifier gives each text and how sure it is; of labelled texts, how often it is right."""
    from regard.cli.classify_run import ClassifyOptions, run

    if bool(texts) == (file is not None):
        raise typer.BadParameter("expected texts, or - for a pipe, or --file FILE")
    columns = (text_column, label_column)
    options = ClassifyOptions(
        explain=explain or method is not None,
        method=method,
        seed=seed,
        html=html,
        top=top,
        columns=columns,
        as_json=as_json,
    )
    run(model, texts or [], file, options)
