"""`regard heads`: every head of a pretrained Transformer in one table."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.app import (
    Csv,
    Debug,
    Figure,
    Json,
    Scheduler,
    Seed,
    WorkerCount,
    example,
    find_text,
    new_app,
    show_reading,
    writable,
)
from regard.cli.output import align_right, print_json, print_table, progress_bar, require_outputs, show_activity
from regard.errors import ValueRangeError

if TYPE_CHECKING:
    from regard.pretrained.load import Pretrained
    from regard.progress import Progress
    from regard.studies.head_bits import BitStudy
    from regard.studies.heads import Config as TextConfig
    from regard.tables import StudyTable

app = new_app("Show what every head of a pretrained Transformer does while it reads a text.")
# What fits on a terminal; --json and --csv have every column with all its digits.
HEADINGS = {
    "model": "model",
    "text": "text",
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

Models = Annotated[
    list[str], typer.Argument(metavar="MODEL", help="A model folder, or the name of a model on the Hugging Face hub.")
]
TextNames = Annotated[
    list[str],
    typer.Option(
        "--text",
        metavar="NAME|FILE",
        help="Read this text: a file, a name from `regard data list`, or - for standard input. May be given several "
        "times.",
    ),
]
Lines = Annotated[
    bool, typer.Option("--lines", help="Take each line as a text of its own, instead of the whole in blocks.")
]
Block = Annotated[
    int | None, typer.Option(min=4, help="Tokens read at once. [default: the model's positions, at most 512]")
]
Layer = Annotated[int | None, typer.Option(min=0, help="Print the heads of this layer only.")]
MaxTokens = Annotated[int, typer.Option(min=2, help="Read at most this many tokens of the text.")]
Noises = Annotated[
    list[str] | None,
    typer.Option(
        "--noise",
        metavar="KIND:LEVEL",
        help="Predict what random noise in the keys does: radial:0.1 (their length varies by 10 %) or "
        "isotropic:0.1. May be given several times.",
    ),
]
Quantisers = Annotated[
    list[str] | None,
    typer.Option(
        "--quantise",
        metavar="intBITS[:…]",
        help="Predict what keys stored in few bits do: int4, with any of :channel (default) or :token, :symmetric, "
        ":clip, :before (default) or :after rotary positions, :group32. May be given several times.",
    ),
]
Measure = Annotated[
    bool,
    typer.Option(
        "--measure",
        help="Also measure the errors: of each head by random draws, of all together by running the model.",
    ),
]
Bits = Annotated[
    float | None,
    typer.Option(
        min=1,
        max=8,
        help="Store keys in this many bits on average: choose how many each head gets, and check it on the rest of "
        "the text.",
    ),
]
PerChannel = Annotated[
    bool, typer.Option("--per-channel", help="With --bits: choose bits for each channel instead of each head.")
]
Values = Annotated[bool, typer.Option("--values", help="With --bits: store the values too, under the same budget.")]
Plan = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.json", callback=writable(".json"), help="With --bits: save the plan, for a cache of keys."
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.html",
        callback=writable(".html"),
        help="Save a page with the map of heads and the pattern of each; it needs no network.",
    ),
]


@dataclasses.dataclass(frozen=True)
class _Found:
    """What one call has found out: the heads; their errors under noise and a plan of bits, where asked for."""

    table: StudyTable
    noise: StudyTable | None
    bits: BitStudy | None

    @property
    def joined_table(self) -> StudyTable:
        """The heads, with their errors beside them."""
        from regard.studies.heads import join_noise

        return self.table if self.noise is None else join_noise(self.table, self.noise)

    def as_json(self) -> dict[str, object]:
        """Everything, as --json prints it."""
        rows = None if self.noise is None else self.noise.records()
        record = {"title": self.table.title, "config": self.table.config, "heads": self.table.records(), "noise": rows}
        schemes = None if self.bits is None else self.bits.table.records()
        return {**record, "bits": schemes, "notes": self.joined_table.notes}


@app.command(
    epilog=example(
        "regard heads sentence-transformers/all-MiniLM-L6-v2 --text sentences.txt --lines --csv heads.csv",
        "regard heads stories260k --text story.txt --noise radial:0.1 --quantise int4 --quantise int2:token:symmetric",
        "regard heads stories260k --text story.txt --bits 3 --per-channel --plan plan.json",
        "regard heads stories260k --text story.txt --html heads.html --figure heads.png",
    )
)
def heads(
    models: Models,
    texts: TextNames,
    lines: Lines = False,
    block: Block = None,
    layer: Layer = None,
    max_tokens: MaxTokens = 8192,
    noise: Noises = None,
    quantise: Quantisers = None,
    measure: Measure = False,
    bits: Bits = None,
    per_channel: PerChannel = False,
    values: Values = False,
    plan: Plan = None,
    html: Page = None,
    figure: Figure = None,
    csv: Csv = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a row for every head: what it reads, how sharply, from where, and how much it adds.

    Several models, or several texts, give one table, with its rows shared by --workers or a --scheduler.
    """
    from regard.studies import heads as study_of

    if len(models) * len(texts) > 1:
        if noise or quantise or measure or bits is not None or any((plan, html, figure)) or layer is not None:
            raise typer.BadParameter(
                "several models or texts give one table of heads; only --csv and --json go with it"
            )
        require_outputs(csv, inputs=(*models, *texts))
        reading = {"lines": lines, "block": block, "max_tokens": max_tokens}
        _sweep(models, texts, csv, as_json, workers=workers, scheduler=scheduler, **reading)
        return
    (model,), (text,) = models, texts
    if bits is None and (per_channel or values or plan is not None):
        raise typer.BadParameter("--per-channel, --values and --plan go with --bits; give --bits, too")
    require_outputs(csv, plan, html, figure, inputs=(model, text))
    study_of.check_names(noise or (), quantise or ())
    with show_reading(text):
        corpus = find_text(text)
    names = (*(noise or ()), *(quantise or ()))
    config = study_of.Config(model, corpus.name, lines, block, max_tokens, names, measure, seed)
    with show_activity(f"loading {model}"):
        pretrained = study_of.open_pretrained(model)
    with progress_bar() as progress:
        found = _find(pretrained, corpus.text, config, bits, per_channel, values, progress)
    page = None if html is None else study_of.make_page(pretrained, corpus.text, found.joined_table, config)
    written = _write(found, page, csv=csv, plan=plan, html=html, figure=figure)
    if as_json:
        print_json(found.as_json())
    else:
        _print(found, layer, written)


def _sweep(models: list[str], texts: list[str], csv: Path | None, as_json: bool, **settings: Any) -> None:
    """Print, and save, the heads of all models on all texts."""
    from regard.files import write_output
    from regard.studies.heads import sweep_heads

    with show_reading(*texts):
        corpora = [find_text(text) for text in texts]
    with progress_bar() as progress:
        table = sweep_heads(models, corpora, progress=progress, **settings)
    if csv is not None:
        write_output(csv, table.as_csv().encode())
    if as_json:
        print_json({"title": table.title, "config": table.config, "heads": table.records(), "notes": table.notes})
        return
    _print_heads(table)
    print()
    for note in table.notes:
        print(f"- {note}")
    if csv is not None:
        print(f"\nsaved {csv}")


def _find(
    pretrained: Pretrained,
    text: str,
    config: TextConfig,
    budget: float | None,
    per_channel: bool,
    values: bool,
    progress: Progress,
) -> _Found:
    """The heads; their errors under noise, and bits under a budget, if these were asked for."""
    from regard.studies import head_bits, heads

    table = heads.run(pretrained, text, config, progress=progress)
    noise = heads.run_noise(pretrained, text, config, progress=progress) if config.noise else None
    if budget is None:
        return _Found(table, noise, None)
    settings = head_bits.Config(budget, per_channel, values, measure=config.measure, seed=config.seed)
    blocks = heads.cut_text(pretrained, text, config)
    return _Found(table, noise, head_bits.run(pretrained, blocks, settings, progress=progress))


def _write(found: _Found, page: str | None, **paths: Path | None) -> list[Path]:
    """Write the files that were asked for, by their names: csv, plan, html, figure; which they are, in this order."""
    from regard.files import write_output
    from regard.report.figures import save_figure

    joined = found.joined_table
    if (csv := paths["csv"]) is not None:
        write_output(csv, joined.as_csv().encode())
    if (html := paths["html"]) is not None and page is not None:
        write_output(html, page.encode("utf-8", "replace"))
    if (figure := paths["figure"]) is not None:
        save_figure(joined.plot(), figure)
    if (plan := paths["plan"]) is not None and found.bits is not None:
        write_output(plan, found.bits.plan.to_json().encode())
    return [path for path in paths.values() if path is not None]


def _print(found: _Found, layer: int | None, written: list[Path]) -> None:
    """The tables, what there is to know of them, and where the files are."""
    joined = found.joined_table
    _print_heads(joined if layer is None else _layer_rows(joined, layer))
    if found.noise is not None:
        _print_measured(found.noise if layer is None else _layer_rows(found.noise, layer))
    print()
    for note in joined.notes:
        print(f"- {note}")
    if found.bits is not None:
        _print_bits(found.bits.table)
    for path in written:
        print(f"\nsaved {path}")


def _layer_rows(table: StudyTable, layer: int) -> StudyTable:
    """The rows of one layer."""
    rows = tuple(row for row, own in zip(table.rows, table.column("layer"), strict=True) if own == layer)
    if not rows:
        raise ValueRangeError(f"the layers are 0 to {max(table.column('layer'))}; got {layer}")
    return dataclasses.replace(table, rows=rows)


def _print_bits(table: StudyTable) -> None:
    """How the plan does beside others, on the half of the text that it has not seen."""
    print(f"\n{table.title}\n")
    print_table(["scheme", "mean bits", "damage"], table.rows, digits=4)
    print()
    for note in table.notes:
        print(f"- {note}")


def _print_heads(table: StudyTable) -> None:
    """The figures of every head that fit on a terminal, and its errors under noise."""
    print(f"{table.title}\n")
    errors = [name for name in table.columns if name.endswith(" error")]
    headings = HEADINGS | {name: name.removesuffix(" error") for name in errors}
    columns = [_column(name, table.column(name), headings[name]) for name in table.columns if name in headings]
    print_table([column[0] for column in columns], list(zip(*(column[1:] for column in columns), strict=True)))


def _print_measured(table: StudyTable) -> None:
    """Errors under random noise as predicted and as measured."""
    rows = [row for row in table.records() if row["measured"] is not None]
    if not rows:
        return
    print("\nErrors under random noise, predicted and measured by draws:\n")
    print_table(
        ["noise", "layer", "head", "predicted", "measured", "method"],
        [[row["noise"], row["layer"], row["head"], row["error"], row["measured"], row["method"]] for row in rows],
        digits=3,
    )


def _column(name: str, values: list[str | int | float], heading: str) -> list[str]:
    """A column under its heading; numbers with equally many decimals, set right."""
    decimals = DECIMALS.get(name, 3 if name.endswith(" error") else 2)
    cells = [f"{value:.{decimals}f}" if isinstance(value, float) else str(value) for value in values]
    return [heading, *cells] if name in ("model", "text", "kind") else align_right([heading, *cells])
