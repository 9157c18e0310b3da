"""`regard design`: queries that copy, average, mix or withstand noise, and what is out of reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from regard.cli.options import ARRAY_FORMATS, KEY_FORMATS, Debug, Json, KeyIndices, Seed, example, new_app, writable
from regard.cli.output import at_work, require_outputs, save_array
from regard.errors import UnreachableError

app = new_app(
    "A query, or several heads, for a wanted result: the scale it needs, and what is out of reach.",
    epilog=example("regard design copy --keys keys.npy --index 3"),
)

Family = Literal["dual", "margin", "pull", "push"]
"""Those of regard.design, spelt out so that help pages load no mathematics; a test compares the two."""

Keys = Annotated[str, typer.Option("--keys", metavar="FILE", help=f"One key a row: {KEY_FORMATS}.")]
Error = Annotated[float, typer.Option("--error", help="The weight that unwanted keys may keep.")]
FamilyName = Annotated[
    Family,
    typer.Option(
        "--family",
        help="dual: equal gaps to the other keys; margin: the shortest query; pull: towards the wanted keys; "
        "push: away from the others, immune to noise in the wanted keys' length.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE.npy", callback=writable(".npy"), help="Save the query, or one row a head."),
]


@app.command(
    short_help="A query that reads one key.",
    epilog=example("regard design copy --keys keys.npy --index 3 --error 0.001 --family push"),
)
def copy(
    keys: Keys,
    index: Annotated[int, typer.Option("--index", metavar="J", help="The key to copy, counted from 0.")],
    error: Error = 0.01,
    family: FamilyName = "dual",
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a query that reads one key and, but for the error, no other."""
    import regard.design as designs

    wish = partial(designs.copy, index=index, error=error, family=family)
    _answer(keys, wish, out=out, seed=seed, as_json=as_json)


@app.command(
    short_help="A query that reads some keys alike.",
    epilog=example("regard design average --keys keys.toml --subset 0,1 --out query.npy"),
)
def average(
    keys: Keys,
    subset: Annotated[
        KeyIndices,
        typer.Option("--subset", parser=KeyIndices.parse, metavar="I,J,...", help="The keys to average, from 0."),
    ],
    error: Error = 0.01,
    family: FamilyName = "dual",
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a query that reads some keys alike and, but for the error, no other."""
    import regard.design as designs

    wish = partial(designs.average, subset=subset, error=error, family=family)
    _answer(keys, wish, out=out, seed=seed, as_json=as_json)


@app.command(
    short_help="A query that reads the keys with given weights.",
    epilog=example("regard design mix --keys keys.npy --weights 0.2,0.3,0.5"),
)
def mix(
    keys: Keys,
    weights: Annotated[
        str, typer.Option("--weights", metavar="W,...|FILE", help="One weight a key: typed, or in a file.")
    ],
    error: Error = 0.01,
    family: FamilyName = "dual",
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a query that reads the keys with given weights: exactly, or to the error where some are zero."""
    import regard.design as designs
    from regard.cli.wishes import typed_weights

    require_outputs(out, inputs=(weights,))
    wish = partial(designs.mix, weights=typed_weights(weights), error=error, family=family)
    _answer(keys, wish, out=out, seed=seed, as_json=as_json)


@app.command(
    short_help="Queries of least expected error under noise.",
    epilog=example("regard design robust --keys keys.toml --target 0,1 --heads 2"),
)
def robust(
    keys: Keys,
    target: Annotated[
        KeyIndices | None,
        typer.Option(
            "--target",
            parser=KeyIndices.parse,
            metavar="I,J,...",
            help="Come close to the average of these keys' values.",
        ),
    ] = None,
    target_weights: Annotated[
        str | None, typer.Option("--target-weights", metavar="W,...|FILE", help="Or to this mix: one weight a key.")
    ] = None,
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="FILE",
            help=f"One value row a key: {ARRAY_FORMATS}. Else those of the .toml, or orthonormal ones.",
        ),
    ] = None,
    heads: Annotated[int, typer.Option("--heads", min=1, help="How many queries to average over.")] = 1,
    bound: Annotated[float, typer.Option("--bound", help="The greatest length of a query.")] = 60.0,
    out: Out = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the query, or the heads, of least expected squared error when keys are noisy.

    Nothing is random: the same keys and wishes give the same queries.
    """
    if (target is None) == (target_weights is None):
        raise typer.BadParameter("give one of the two", param_hint="'--target', '--target-weights'")
    import numpy as np

    from regard.cli.design_report import print_robust
    from regard.cli.inputs import read_rows
    from regard.cli.key_file import read_keys
    from regard.cli.wishes import wanted_mix
    from regard.design.robust_queries import robust as robust_design

    require_outputs(out, inputs=(keys, values, target_weights))
    described = read_keys(keys)
    n_keys = described.keys.n_keys
    wanted = wanted_mix(subset=target, weights=target_weights, n_keys=n_keys)
    rows = described.values if values is None else read_rows(values, n_rows=n_keys)
    rows = np.eye(n_keys) if rows is None else rows
    with at_work("searching"):
        design = robust_design(described.keys, rows, wanted @ rows, heads=heads, bound=bound)
    save_array(design.queries, out)
    print_robust(design, wanted, out, as_json=as_json)


def _answer(keys: str, wish: Callable[..., Any], *, out: Path | None, seed: int, as_json: bool) -> None:
    """Read the keys, make the wish, show what came of it."""
    from regard.cli.design_report import print_design, print_unreachable
    from regard.cli.key_file import read_keys
    from regard.cli.wishes import under_noise

    require_outputs(out, inputs=(keys,))
    described = read_keys(keys)
    try:
        design = wish(described.keys.mean)
    except UnreachableError as error:
        if as_json:
            print_unreachable(error)
        raise
    effect = under_noise(described, design.query, design.wanted > 0, seed=seed)
    save_array(design.query, out)
    print_design(design, effect, out, as_json=as_json)
