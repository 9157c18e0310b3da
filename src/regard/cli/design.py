"""`regard design`: queries that copy, average, mix or withstand noise, and what is out of reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from regard.cli.app import ARRAY_FORMATS, KEY_FORMATS, Debug, Json, KeyIndices, Seed, example, new_app, writable
from regard.cli.output import (
    jsonable,
    print_facts,
    print_json,
    print_table,
    require_outputs,
    save_array,
    show_activity,
    vector,
)
from regard.display import Cell
from regard.errors import UnreachableError

if TYPE_CHECKING:
    from regard.design import QueryDesign
    from regard.design.robust_queries import RobustDesign
    from regard.shapes import Array
    from regard.studies.attention.key_files import NoiseEffect

MAX_SHOWN = 8
"""Numbers of a query to print; --json and --out have them all."""

app = new_app(
    "A query, or several heads, for a wanted result: the scale it needs, and what is out of reach.",
    epilog=example("regard design copy --keys keys.npy --index 3"),
)

Family = Literal["dual", "margin", "pull", "push"]
"""Those of regard.design, spelt out so that help pages load no mathematics; a test compares the two."""

Keys = Annotated[str, typer.Option("--keys", metavar="FILE", help=f"One key a row: {KEY_FORMATS}.")]
Error = Annotated[float, typer.Option("--error", help="Weight that the unwanted keys may have together.")]
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
    typer.Option(
        "--out", metavar="FILE.npy", callback=writable(".npy"), help="Save the query here; several heads as rows."
    ),
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
    """Print a query that gives one key all the weight, up to the error."""
    import regard.design as designs

    make = partial(designs.copy, index=index, error=error, family=family)
    _design_and_print(keys, make, out=out, seed=seed, as_json=as_json)


@app.command(
    short_help="A query that reads some keys with equal weights.",
    epilog=example("regard design average --keys keys.toml --subset 0,1 --out query.npy"),
)
def average(
    keys: Keys,
    subset: Annotated[
        KeyIndices,
        typer.Option(
            "--subset", parser=KeyIndices.parse, metavar="I,J,...", help="The keys to average, counted from 0."
        ),
    ],
    error: Error = 0.01,
    family: FamilyName = "dual",
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a query that gives some keys equal weights, and the others no more than the error."""
    import regard.design as designs

    make = partial(designs.average, subset=subset, error=error, family=family)
    _design_and_print(keys, make, out=out, seed=seed, as_json=as_json)


@app.command(
    short_help="A query that reads the keys with given weights.",
    epilog=example("regard design mix --keys keys.npy --weights 0.2,0.3,0.5"),
)
def mix(
    keys: Keys,
    weights: Annotated[
        str, typer.Option("--weights", metavar="W,...|FILE", help="One weight for each key, typed or in a file.")
    ],
    error: Error = 0.01,
    family: FamilyName = "dual",
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print a query that gives the keys these weights: exactly, or up to the error where some are zero."""
    import regard.design as designs

    require_outputs(out, inputs=(weights,))
    make = partial(designs.mix, weights=_read_weights(weights), error=error, family=family)
    _design_and_print(keys, make, out=out, seed=seed, as_json=as_json)


Target = Annotated[
    KeyIndices | None,
    typer.Option(
        "--target",
        parser=KeyIndices.parse,
        metavar="I,J,...",
        help="Aim at the average of these keys' values.",
    ),
]
TargetWeights = Annotated[
    str | None,
    typer.Option(
        "--target-weights", metavar="W,...|FILE", help="Or aim at this mix of the values: one weight for each key."
    ),
]
Values = Annotated[
    str | None,
    typer.Option(
        "--values",
        metavar="FILE",
        help=f"One value row a key: {ARRAY_FORMATS}. [default: those of the .toml, else orthonormal ones]",
    ),
]


@app.command(
    short_help="Queries with the least expected error under noise.",
    epilog=example("regard design robust --keys keys.toml --target 0,1 --heads 2"),
)
def robust(
    keys: Keys,
    target: Target = None,
    target_weights: TargetWeights = None,
    values: Values = None,
    heads: Annotated[int, typer.Option("--heads", min=1, help="Average the outputs of this many queries.")] = 1,
    bound: Annotated[float, typer.Option("--bound", help="Longest query allowed.")] = 60.0,
    out: Out = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print the query, or the heads, with the least expected squared error when keys are noisy.

    Nothing is random: the same arguments give the same queries.
    """
    if (target is None) == (target_weights is None):
        raise typer.BadParameter(
            "expected one of them, not both or none",
            param_hint="'--target', '--target-weights'",
        )
    import numpy as np

    from regard.design.robust_queries import robust as robust_design
    from regard.studies.attention.array_files import read_rows
    from regard.studies.attention.key_files import read_keys

    require_outputs(out, inputs=(keys, values, target_weights))
    described = read_keys(keys)
    n_keys = described.keys.n_keys
    wanted = _target_mix(subset=target, weights=target_weights, n_keys=n_keys)
    rows = described.values if values is None else read_rows(values, n_rows=n_keys)
    rows = np.eye(n_keys) if rows is None else rows
    with show_activity("searching"):
        design = robust_design(described.keys, rows, wanted @ rows, heads=heads, bound=bound)
    save_array(design.queries, out)
    print_robust(design, wanted, out, as_json=as_json)


def _design_and_print(
    keys: str, make: Callable[..., QueryDesign], *, out: Path | None, seed: int, as_json: bool
) -> None:
    """Read the keys, design the query, show it with what noise does to it."""
    from regard.studies.attention.key_files import noise_effect, read_keys

    require_outputs(out, inputs=(keys,))
    described = read_keys(keys)
    try:
        design = make(described.keys.mean)
    except UnreachableError as error:
        if as_json:
            print_unreachable(error)
        raise
    effect = None
    if described.is_noisy:
        effect = noise_effect(described.keys, design.query, design.wanted > 0, seed=seed)
    save_array(design.query, out)
    print_design(design, effect, out, as_json=as_json)


def _read_weights(text: str) -> Array:
    """Weights typed with commas between, 0.2,0.3,0.5, or in a file."""
    import numpy as np

    from regard.studies.attention.array_files import read_array

    try:
        return np.array([float(part) for part in text.split(",")])
    except ValueError:
        return read_array(text)


def _target_mix(*, subset: list[int] | None, weights: str | None, n_keys: int) -> Array:
    """The weights to come close to: equal ones over a subset, or those typed or in a file."""
    import numpy as np

    from regard.design.inputs import check_subset, check_weights

    if weights is not None:
        return check_weights(_read_weights(weights), n_keys=n_keys)
    places = check_subset(subset or [], n_keys=n_keys)
    wanted = np.zeros(n_keys)
    wanted[places] = 1 / len(places)
    return wanted


def print_design(design: QueryDesign, effect: NoiseEffect | None, out: Path | None, *, as_json: bool) -> None:
    """The query, what it costs, and the weights it gives to the wanted keys, with and without noise."""
    if as_json:
        print_json({"reachable": True, **jsonable(design), "noise": effect, "out": out})
        return
    import numpy as np

    facts: dict[str, Cell] = {
        "query": vector(design.query.tolist(), most=MAX_SHOWN),
        "norm": design.norm,
        "scale": design.scale,
        "error": design.error,
        "family": design.family,
        "note": design.note,
    }
    if effect is not None:
        facts["noise"] = f"leaves {effect.wanted_mean:.6g} ± {effect.wanted_sd:.6g} on the wanted keys"
    print_facts(facts | _saved_fact(out))
    print()
    columns = ["key", "wanted", "weight"] + ([] if effect is None else ["mean under noise", "sd"])
    print_table(columns, [_weight_row(design, effect, key) for key in np.flatnonzero(design.wanted).tolist()])


def _weight_row(design: QueryDesign, effect: NoiseEffect | None, key: int) -> list[Cell]:
    row: list[Cell] = [key, float(design.wanted[key]), float(design.weights[key])]
    return row if effect is None else [*row, float(effect.weight_mean[key]), float(effect.weight_sd[key])]


def print_unreachable(error: UnreachableError) -> None:
    """Print, for programs, the certificate that the error line gives to people."""
    kind = type(error.certificate).__name__
    print_json({"reachable": False, "reason": str(error), "certificate_kind": kind, "certificate": error.certificate})


def print_robust(design: RobustDesign, wanted: Array, out: Path | None, *, as_json: bool) -> None:
    """The queries found, how near they come on average, and the law of the weights they give."""
    import numpy as np

    from regard.studies.attention.key_files import weight_sd

    norms = np.linalg.norm(design.queries, axis=1).tolist()
    if as_json:
        print_json(_robust_record(design, wanted, norms, out))
        return
    facts: dict[str, Cell] = {
        "mean squared error": design.mean_squared_error,
        "of which variance": design.law.variance,
        "method": design.law.method,
        "method's error": design.law.error,
    }
    for head, query in enumerate(design.queries.tolist()):
        facts[f"query {head}"] = vector(query, most=MAX_SHOWN)
    print_facts(facts | _saved_fact(out))
    print()
    rows: list[list[Cell]] = []
    for head, moments in enumerate(design.law.heads):
        mean, sd = moments.weight_mean.tolist(), weight_sd(moments).tolist()
        rows += [
            [head, norms[head], key, float(wanted[key]), mean[key], sd[key]] for key in np.flatnonzero(wanted).tolist()
        ]
    print_table(["head", "norm", "key", "target", "mean weight", "sd"], rows)


def _robust_record(design: RobustDesign, wanted: Array, norms: list[float], out: Path | None) -> dict[str, object]:
    from regard.studies.attention.key_files import weight_sd

    heads = [
        {"norm": norm, "weight_mean": moments.weight_mean, "weight_sd": weight_sd(moments)}
        for norm, moments in zip(norms, design.law.heads, strict=True)
    ]
    return {
        "queries": design.queries,
        "mean_squared_error": design.mean_squared_error,
        "variance": design.law.variance,
        "method": design.law.method,
        "method_error": design.law.error,
        "target_weights": wanted,
        "heads": heads,
        "starts": design.starts,
        "out": out,
    }


def _saved_fact(out: Path | None) -> dict[str, Cell]:
    return {} if out is None else {"saved": str(out)}
