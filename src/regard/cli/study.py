"""`regard study`: one question each, answered with figures: exact ones of attention, measured ones of models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from regard.cli.options import (
    AttributionMethod,
    Csv,
    Debug,
    Figure,
    Json,
    Scales,
    Seed,
    drawable,
    example,
    new_app,
    writable,
)
from regard.cli.output import print_json, print_table, progress_bar, require_outputs
from regard.cli.training_data import Data, LabelColumn, TextColumn

EXAMPLES = example(
    "regard study one-vs-many --figure study.png",
    "regard study one-vs-many --keys 100 --wanted 4 --all-noisy --scales 5,10,20 --draws 100000",
)
# Written out, for the table they stand in loads what help pages can do without.
MODEL_NAMES = (
    "ngram-char, ngram-byte, ngram-word, bigram-char, bigram-word, recurrent-char, recurrent-word, transformer-char"
)
MODEL_EXAMPLES = example(
    "regard study models --figure models.png",
    "regard study models --text book.txt --models ngram-char,ngram-word,recurrent-char --minutes 2",
)
AVERAGING_EXAMPLES = example(
    "regard study averaging --figure averaging.png",
    "regard study averaging --data imdb --only vectors,form --seeds 3 --out best",
)
ERROR_EXAMPLES = example(
    "regard study errors films --html errors.html",
    "regard study errors films --data reviews.csv --n 10 --json",
)


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


class StudyGroup(TyperGroup):
    """The studies; without a name, the classic exercise is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the classic exercise where none is given."""
        named = bool(args) and (not args[0].startswith("-") or args[0] == "--help")
        return super().parse_args(ctx, args if named else ["one-vs-many", *args])


app = new_app(
    "One question, answered with figures: noisy keys, characters or words.", epilog=EXAMPLES, group=StudyGroup
)


@app.callback()
def study() -> None:
    """Answer one question with figures; without a name: one-vs-many, the classic exercise."""


@app.command("one-vs-many", epilog=EXAMPLES)
def one_vs_many(
    keys: Annotated[int, typer.Option(min=2, help="How many keys, with orthonormal means.")] = 10,
    wanted: Annotated[int, typer.Option(min=1, help="How many of them are to be averaged; as many heads.")] = 2,
    scales: Annotated[
        Scales, typer.Option(parser=Scales.parse, metavar="C,C,…", help="Scales C of the queries.")
    ] = "1,2,5,10,20,50,100",  # type: ignore[assignment]
    radial: Annotated[float, typer.Option(min=0, help="Variance of a key's relative length.")] = 0.5,
    isotropic: Annotated[float, typer.Option(min=0, help="Variance of every key in every direction.")] = 1e-4,
    all_noisy: Annotated[
        bool, typer.Option("--all-noisy", help="Every key varies in length, not only the first.")
    ] = False,
    draws: Annotated[int, typer.Option(min=0, help="Show sampled figures beside the exact ones.")] = 0,
    figure: Figure = None,
    at: Annotated[float, typer.Option(min=0, help="The scale whose outputs the figure shows.")] = 10.0,
    key_figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=drawable, help="Save a picture of the key that varies in length."),
    ] = None,
    csv: Csv = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Set one pull head, one push head and many pull heads side by side under noise in the keys."""
    from regard.files import write_output
    from regard.report import figures
    from regard.report.figure_file import save_figure
    from regard.report.tables import to_csv
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
        raise typer.BadParameter("--key-figure shows a key that varies in length; with --radial 0 none does")
    require_outputs(figure, key_figure, csv)
    with progress_bar() as progress:
        table = study_of.run(config, progress=progress)
    if csv is not None:
        write_output(csv, to_csv(table).encode())
    if figure is not None:
        with progress_bar() as progress:
            curves = study_of.compute_curves(config, progress=progress)
            clouds = study_of.sample_clouds(config, at, progress=progress)
        picture = figures.draw_one_vs_many(curves, clouds, scale=at, crossing=study_of.find_crossing(config))
        save_figure(picture, figure)
    if key_figure is not None:
        save_figure(figures.draw_varying_key(study_of.draw_keys(config), variance=radial), key_figure)
    if as_json:
        print_json({"title": table.title, "config": table.config, "rows": table.records(), "notes": table.notes})
        return
    print(table.title)
    print()
    shown = [name for name in table.columns if name in HEADINGS]
    rows = [[row[name] for name in shown] for row in table.records()]
    print_table([HEADINGS[name] for name in shown], rows, digits=4)
    print()
    for note in table.notes:
        print(f"- {note}")
    for path in (figure, key_figure, csv):
        if path is not None:
            print(f"\nsaved {path}")


@app.command(epilog=MODEL_EXAMPLES)
def models(
    text: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Learnt from, but for its last tenth, which is measured on.")
    ] = "python-manual",
    names: Annotated[
        str, typer.Option("--models", metavar="NAME,NAME,…", help=f"Which of {MODEL_NAMES}. [default: all but bytes]")
    ] = "",
    minutes: Annotated[
        float, typer.Option(help="Of the processor, for each network that learns by time: recurrent, transformer.")
    ] = 0.25,
    length: Annotated[int, typer.Option(min=1, max=1_000_000, help="Characters that each model draws.")] = 2000,
    figure: Figure = None,
    csv: Csv = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Set models of characters and of words side by side on the same text: quality, unknown words, size and speed."""
    from regard.cli.study_models import compare, save, show, use_one_thread

    use_one_thread()
    require_outputs(figure, csv, inputs=(text,))
    chosen = {"models": tuple(name.strip() for name in names.split(","))} if names else {}
    table = compare(text, {"minutes": minutes, "n_drawn": length, "seed": seed, **chosen})
    save(table, csv=csv, figure=figure)
    show(table, as_json=as_json)
    if not as_json:
        for path in (figure, csv):
            if path is not None:
                print(f"\nsaved {path}")


@app.command(epilog=AVERAGING_EXAMPLES)
def averaging(
    data: Data = "movie-snippets",
    test: Annotated[
        str,
        typer.Option(
            metavar="FRACTION|NAME|FILE", help="What to measure on; a fraction leaves the data's own test part alone."
        ),
    ] = "0.2",
    only: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME,…",
            help="Which of dropout, depth, activation, vectors, weights, form. [default: all]",
        ),
    ] = "",
    vectors: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE|none", help="Word vectors. [default: glove where it is at hand, else none]"),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Times through the data, at most. [default: 6 to 20]")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Train each so often; means and spreads are shown.")] = 1,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the best classifier in this folder.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the model that is in DIR.")] = False,
    figure: Figure = None,
    csv: Csv = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Set averaging classifiers side by side on the same texts: dropout, depth, vectors, attention, n-grams."""
    from regard.cli.study_averaging import AveragingStudyOptions, run
    from regard.cli.study_models import use_one_thread

    use_one_thread()
    settings = {} if epochs is None else {"epochs": epochs}
    run(
        data,
        AveragingStudyOptions(test, only, vectors, settings, seeds, seed, (text_column, label_column)),
        out=out,
        force=force,
        figure=figure,
        csv=csv,
        as_json=as_json,
    )


@app.command(epilog=ERROR_EXAMPLES)
def errors(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained classifier.")],
    data: Data = "movie-snippets",
    test: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION|NAME|FILE",
            help="As it was in training: the part set aside, or other data. [default: its test part, else all]",
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=0, help="Show so many of the worst and of the most borderline.")] = 5,
    method: AttributionMethod = None,
    seed: Seed = 0,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=writable(".html"), help="Save the report as one page of HTML."),
    ] = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Say why a classifier is wrong: its worst errors, the words that decided, and what goes with errors."""
    from regard.cli.study_errors import save_page, show, study_errors

    require_outputs(html, inputs=(model, data, test))
    columns = {"text_column": text_column, "label_column": label_column}
    study = study_errors(model, data, test, {"n": n, "method": method, "seed": seed}, columns=columns)
    if html is not None:
        save_page(study, html)
    show(study, as_json=as_json)
    if html is not None and not as_json:
        print(f"\nsaved {html}")
