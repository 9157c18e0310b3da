"""`regard attend`: what each query reads, for arrays in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.app import ARRAY_FORMATS, KEY_FORMATS, Debug, Json, example, new_app, writable
from regard.cli.output import (
    print_facts,
    print_json,
    print_table,
    require_outputs,
    save_arrays,
    vector,
)
from regard.display import Cell, format_cell

if TYPE_CHECKING:
    from regard.studies.attention.summary import QuerySummary

app = new_app("Weights and output of attention, for arrays in files.")


Values = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="One value a row, one row for each key; shows the output as well."),
]
Allowed = Annotated[
    str | None, typer.Option(metavar="FILE", help="A mask, query × key: true where the query may read the key.")
]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE.npz", callback=writable(".npz"), help="Save weights and output here.")
]


@app.command(
    epilog=example(
        "regard attend --queries q.npy --keys arrays.npz:keys --values arrays.npz:values",
        "regard attend --queries x.json --keys x.json --scale 0.125 --causal --out read.npz",
    )
)
def attend(
    queries: Annotated[str, typer.Option(metavar="FILE", help=f"One query a row, or a single one: {ARRAY_FORMATS}.")],
    keys: Annotated[str, typer.Option(metavar="FILE", help=f"One key a row: {KEY_FORMATS}.")],
    values: Values = None,
    scale: Annotated[float, typer.Option(help="Multiply all logits by this: 1/√width in a Transformer.")] = 1.0,
    causal: Annotated[bool, typer.Option("--causal", help="Query i reads only the keys up to i.")] = False,
    allowed: Allowed = None,
    top: Annotated[int, typer.Option(min=1, help="Show this many keys for each query.")] = 5,
    out: Out = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print what each query reads: softmax(scale · Q Kᵀ), and the values mixed with these weights.

    Entropy is in nats; "effective keys", its exponential, is how many keys with equal weights would have this entropy.
    A query copies a key that has at least 0.99 of the weight.
    """
    from regard.studies.attention.array_files import read_mask, read_queries, read_rows
    from regard.studies.attention.summary import AttentionInput, combine_masks, read_mean_keys

    require_outputs(out, inputs=(queries, keys, values, allowed))
    rows, described = read_queries(queries), read_mean_keys(keys)
    n_keys = len(described.rows)
    value_rows = described.values if values is None else read_rows(values, n_rows=n_keys)
    mask = combine_masks(rows, described.rows, allowed=None if allowed is None else read_mask(allowed), causal=causal)
    given = AttentionInput(rows, described.rows, value_rows, scale, mask)
    summaries = list(given.summaries(n_top=top))
    if out is not None:
        save_arrays({"weights": given.weights(), "output": given.output()}, out)
    note = f"{keys} describes noisy keys: these are the weights at their mean" if described.is_noisy else None
    if as_json:
        shape = {"n_queries": len(rows), "n_keys": n_keys, "scale": scale}
        print_json({**shape, "queries": summaries, "out": out, "note": note})
        return
    print_summaries(summaries)
    if note or out:
        print()
        print_facts({name: str(fact) for name, fact in (("note", note), ("saved", out)) if fact})


def print_summaries(summaries: list[QuerySummary]) -> None:
    """A table with one line a query; the output comes last, for it may be long."""
    columns = ["query", "entropy", "effective keys", "copies", "top keys: weight"]
    has_output = summaries[0].output is not None
    print_table([*columns, "output"] if has_output else columns, [_row(summary) for summary in summaries])


def _row(summary: QuerySummary) -> list[Cell]:
    strongest = zip(summary.top_keys, summary.top_weights, strict=True)
    row: list[Cell] = [
        summary.query,
        summary.entropy_nats,
        summary.effective_count,
        "no" if summary.copies is None else f"key {summary.copies}",
        ", ".join(f"{key}: {format_cell(weight)}" for key, weight in strongest),
    ]
    return row if summary.output is None else [*row, vector(summary.output)]
