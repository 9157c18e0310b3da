"""How `regard design` shows what it found: facts and a table, or one JSON object."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from regard.cli.output import Cell, jsonable, print_facts, print_json, print_table, vector
from regard.cli.wishes import NoiseEffect, weight_sd
from regard.design import QueryDesign
from regard.design.robust_queries import RobustDesign
from regard.errors import UnreachableError
from regard.shapes import Float

MOST_SHOWN = 8
"""Numbers of a query to print; --json and --out have them all."""


def print_design(design: QueryDesign, effect: NoiseEffect | None, out: Path | None, *, as_json: bool) -> None:
    """The query, what it costs, and the weights it gives to the wanted keys, with and without noise."""
    if as_json:
        print_json({"reachable": True, **jsonable(design), "noise": effect, "out": out})
        return
    facts: dict[str, Cell] = {
        "query": vector(design.query.tolist(), most=MOST_SHOWN),
        "norm": design.norm,
        "scale": design.scale,
        "error": design.error,
        "family": design.family,
        "note": design.note,
    }
    if effect is not None:
        facts["noise"] = f"leaves {effect.wanted_mean:.6g} ± {effect.wanted_sd:.6g} on the wanted keys"
    print_facts(facts | _saved(out))
    print()
    columns = ["key", "wanted", "weight"] + ([] if effect is None else ["mean under noise", "sd"])
    print_table(columns, [_weight_row(design, effect, key) for key in np.flatnonzero(design.wanted).tolist()])


def _weight_row(design: QueryDesign, effect: NoiseEffect | None, key: int) -> list[Cell]:
    row: list[Cell] = [key, float(design.wanted[key]), float(design.weights[key])]
    return row if effect is None else [*row, float(effect.weight_mean[key]), float(effect.weight_sd[key])]


def print_unreachable(error: UnreachableError) -> None:
    """The certificate, for programs; people read the same in the error line."""
    kind = type(error.certificate).__name__
    print_json({"reachable": False, "reason": str(error), "certificate_kind": kind, "certificate": error.certificate})


def print_robust(design: RobustDesign, wanted: Float[np.ndarray, " key"], out: Path | None, *, as_json: bool) -> None:
    """The queries found, how near they come on average, and the law of the weights they give."""
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
        facts[f"query {head}"] = vector(query, most=MOST_SHOWN)
    print_facts(facts | _saved(out))
    print()
    rows: list[list[Cell]] = []
    for head, moments in enumerate(design.law.heads):
        mean, sd = moments.weight_mean.tolist(), weight_sd(moments).tolist()
        rows += [
            [head, norms[head], key, float(wanted[key]), mean[key], sd[key]] for key in np.flatnonzero(wanted).tolist()
        ]
    print_table(["head", "norm", "key", "target", "mean weight", "sd"], rows)


def _robust_record(
    design: RobustDesign, wanted: Float[np.ndarray, " key"], norms: list[float], out: Path | None
) -> dict[str, object]:
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


def _saved(out: Path | None) -> dict[str, Cell]:
    return {} if out is None else {"saved": str(out)}
