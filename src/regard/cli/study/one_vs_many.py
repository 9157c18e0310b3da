"""`regard study one-vs-many`: one head against many, when keys are noisy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.app import Csv, Debug, Figure, Json, Scales, Scheduler, Seed, WorkerCount, drawable
from regard.cli.output import print_json, print_table, progress_bar, require_outputs
from regard.progress import part

if TYPE_CHECKING:
    from regard.records import Workers
    from regard.studies.one_vs_many import Config
    from regard.tables import StudyTable

# What fits on a terminal; --json and --csv have every column with all its digits.
HEADINGS = {
    "scale": "C",
    "design": "design",
    "wanted_share": "on wanted",
    "variance": "variance",
    "mean_squared_error": "sq. error",
    "failure": "failure",
    "sampled_variance": "~var.",
    "sampled_mean_squared_error": "~sq. err.",
}


ScalesOption = Annotated[
    Scales, typer.Option(parser=Scales.parse, metavar="C,C,…", help="Scales C of the queries, comma-separated.")
]
AllNoisy = Annotated[bool, typer.Option("--all-noisy", help="Let every key vary in length, not only the first.")]
KeyFigure = Annotated[
    Path | None,
    typer.Option(metavar="FILE", callback=drawable, help="Save a picture of the key that varies in length."),
]


def study_one_vs_many(
    keys: Annotated[int, typer.Option(min=2, help="Number of keys; their means are orthonormal.")] = 10,
    wanted: Annotated[int, typer.Option(min=1, help="Number of keys to average, and of heads.")] = 2,
    scales: ScalesOption = "1,2,5,10,20,50,100",  # type: ignore[assignment]
    radial: Annotated[float, typer.Option(min=0, help="Variance of a key's relative length.")] = 0.5,
    isotropic: Annotated[float, typer.Option(min=0, help="Variance of every key in every direction.")] = 1e-4,
    all_noisy: AllNoisy = False,
    draws: Annotated[int, typer.Option(min=0, help="Also show figures from this many random draws.")] = 0,
    figure: Figure = None,
    at: Annotated[float, typer.Option(min=0, help="Show the outputs at this scale in the figure.")] = 10.0,
    key_figure: KeyFigure = None,
    csv: Csv = None,
    workers: WorkerCount = 1,
    scheduler: Scheduler = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Compare one pull head, one push head and many pull heads under noise in the keys."""
    from regard.files import write_output
    from regard.records import Workers
    from regard.report.figures import save_figure
    from regard.report.one_vs_many import draw_varying_key
    from regard.studies import one_vs_many as study_of

    config = study_of.Config(
        n_keys=keys,
        wanted=wanted,
        scales=tuple(scales),
        radial=radial,
        isotropic=isotropic,
        all_noisy=all_noisy,
        n_draws=draws,
        seed=seed,
    )
    if key_figure is not None and radial == 0:
        raise typer.BadParameter("--key-figure draws a key whose length varies; give --radial above 0")
    require_outputs(figure, key_figure, csv)
    group = Workers(workers, scheduler)
    with progress_bar() as progress:
        table = study_of.run(config, workers=group, progress=progress)
    if csv is not None:
        write_output(csv, table.as_csv().encode())
    if figure is not None:
        _save_figure(config, figure, scale=at, workers=group)
    if key_figure is not None:
        save_figure(draw_varying_key(study_of.draw_keys(config), variance=radial), key_figure)
    if as_json:
        print_json({"title": table.title, "config": table.config, "rows": table.records(), "notes": table.notes})
        return
    _print_table(table)
    for path in (figure, key_figure, csv):
        if path is not None:
            print(f"\nsaved {path}")


def _save_figure(config: Config, path: Path, *, scale: float, workers: Workers) -> None:
    """Draw the variances over all scales, and the outputs at one of them."""
    from regard.report.figures import save_figure
    from regard.report.one_vs_many import draw_one_vs_many
    from regard.studies import one_vs_many as study_of

    with progress_bar() as progress:
        curves = study_of.compute_curves(config, workers=workers, progress=part(progress, 0.0, 0.7))
        clouds = study_of.sample_clouds(config, scale, progress=part(progress, 0.7, 1.0))
    save_figure(draw_one_vs_many(curves, clouds, scale=scale, crossing=study_of.find_crossing(config)), path)


def _print_table(table: StudyTable) -> None:
    print(table.title)
    print()
    shown = [place for place, name in enumerate(table.columns) if name in HEADINGS]
    rows = [[row[place] for place in shown] for row in table.rows]
    print_table([HEADINGS[table.columns[place]] for place in shown], rows, digits=4)
    print()
    for note in table.notes:
        print(f"- {note}")
