"""`regard scale`: what it takes to count a text of a given size."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from regard.cli.app import Debug, Json, example, new_app
from regard.cli.output import print_json, print_table

app = new_app("What it takes to count a text of a given size: hours, disk, memory, and what breaks first.")


def read_size(text: str) -> float:
    """A size as it is typed; wrong usage where it is something else."""
    from regard.studies.scale import parse_size

    size = parse_size(text)
    if not math.isfinite(size) or size <= 0:
        raise typer.BadParameter(f"expected a size, as in 500MB, 10GB or 1TB; got {text!r}")
    return size


@app.command(
    epilog=example("regard scale --text 1TB --workers 16", "regard scale --text 10GB --workers 1 --memory 8GB --json")
)
def scale(
    text: Annotated[
        float, typer.Option("--text", parser=read_size, metavar="SIZE", help="Size of the text: 500MB, 10GB, 1TB.")
    ] = "1TB",  # type: ignore[assignment]
    workers: Annotated[int, typer.Option("--workers", min=1, help="Cores that sort n-grams.")] = 16,
    memory: Annotated[
        float, typer.Option("--memory", parser=read_size, metavar="SIZE", help="Memory of each machine.")
    ] = "64GB",  # type: ignore[assignment]
    disk: Annotated[
        float, typer.Option("--disk", parser=read_size, metavar="SIZE", help="Disk of the machine that merges.")
    ] = "4TB",  # type: ignore[assignment]
    disk_rate: Annotated[
        float,
        typer.Option("--disk-rate", parser=read_size, metavar="SIZE", help="Reading speed of that disk, per second."),
    ] = "1GB",  # type: ignore[assignment]
    network_rate: Annotated[
        float,
        typer.Option("--network-rate", parser=read_size, metavar="SIZE", help="Speed of its network, per second."),
    ] = "1.25GB",  # type: ignore[assignment]
    price: Annotated[float, typer.Option("--price", min=0, help="Price of a core for an hour.")] = 0.05,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the plan for counting a text of this size: stages, hours, disk, memory, price, and what breaks first."""
    from regard.studies.scale import Config, plan_scale

    table = plan_scale(Config(text, workers, memory, disk, disk_rate, network_rate, price))
    if as_json:
        print_json({"title": table.title, "config": table.config, "stages": table.records(), "notes": table.notes})
        return
    print(table.title)
    print()
    print_table(["stage", "by", "core hours", "hours"], table.rows, digits=3)
    print()
    for note in table.notes:
        print(f"- {note}")
