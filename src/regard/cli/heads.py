"""`regard heads`: every head of a pretrained Transformer in one table."""

from __future__ import annotations

from typing import Annotated

import typer

from regard.cli.options import Csv, Debug, Json, example, find_text, new_app, show_reading
from regard.cli.output import at_work, print_json, print_table, progress_bar, require_outputs, set_right

app = new_app(
    "Show what every head of a pretrained Transformer does while it reads a text.",
    epilog=example("regard heads sentence-transformers/all-MiniLM-L6-v2 --text sentences.txt --lines --csv heads.csv"),
)
# What fits on a terminal; --json and --csv have every column with all its digits.
HEADINGS = {
    "layer": "layer",
    "head": "head",
    "kind": "kind",
    "effective_count": "keys read",
    "largest_weight": "largest",
    "first_token": "first",
    "previous": "prev.",
    "same": "same",
    "next": "next",
    "duplicate": "dupl.",
    "induction": "induct.",
    "distance": "dist.",
    "output_norm": "output",
    "direct_effect": "effect",
}
DECIMALS = {"effective_count": 1, "distance": 1, "direct_effect": 3}


@app.command()
def heads(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="A model folder, or the name of a model on the Hugging Face hub."),
    ],
    text: Annotated[
        str,
        typer.Option(
            "--text",
            metavar="NAME|FILE",
            help="Let it read this: a file, a name from `regard data list`, or - for standard input.",
        ),
    ],
    lines: Annotated[
        bool, typer.Option("--lines", help="Take each line as a text of its own, not the whole in blocks.")
    ] = False,
    block: Annotated[
        int | None, typer.Option(min=4, help="Tokens read at once. [default: the model's positions, at most 512]")
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=2, help="Read so many tokens of the text.")] = 8192,
    csv: Csv = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a row for every head: what it reads, how sharply, from where, and how much it adds."""
    from regard.files import write_output
    from regard.studies import heads as study_of

    require_outputs(csv, inputs=(model, text))
    with show_reading(text):
        corpus = find_text(text)
    with at_work(f"loading {model}"):
        pretrained = study_of.open_pretrained(model)
    config = study_of.Config(model=model, text=corpus.name, lines=lines, block=block, max_tokens=max_tokens)
    with progress_bar() as progress:
        table = study_of.run(pretrained, corpus.text, config, progress=progress)
    if csv is not None:
        write_output(csv, table.as_csv().encode())
    if as_json:
        print_json({"title": table.title, "config": table.config, "heads": table.records(), "notes": table.notes})
        return
    print(f"{table.title}\n")
    shown = [name for name in table.columns if name in HEADINGS]
    columns = [_column(name, table.column(name)) for name in shown]
    print_table([column[0] for column in columns], list(zip(*(column[1:] for column in columns), strict=True)))
    print()
    for note in table.notes:
        print(f"- {note}")
    if csv is not None:
        print(f"\nsaved {csv}")


def _column(name: str, values: list[str | int | float]) -> list[str]:
    """A column under its heading; numbers with equally many decimals, set right."""
    decimals = DECIMALS.get(name, 2)
    cells = [f"{value:.{decimals}f}" if isinstance(value, float) else str(value) for value in values]
    return [HEADINGS[name], *cells] if name == "kind" else set_right([HEADINGS[name], *cells])
