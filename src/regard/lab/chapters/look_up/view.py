"""What chapter 1 asks of the package: are these the weights, what scale copies a key, and which key never wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.arrays import attention_weights
from regard.design import HullBound, copy, hull_bound, smallest_scale
from regard.lab.page import array_code
from regard.lab.widgets.attention_plane import SCALES
from regard.lab.widgets.colours import to_rgb
from regard.shapes import Float

ERRORS = (0.1, 0.01, 0.001)
AIM_LENGTH = 1.5
"""How far from the origin a query is put that was computed: inside the plane, its scale does the rest."""


@dataclass(frozen=True, eq=False)
class Situation:
    """What the plane shows: keys, values, query and scale, the chosen key, and the numbers the browser computed."""

    keys: Float[np.ndarray, "key 2"]
    values: Float[np.ndarray, "key 3"]
    query: Float[np.ndarray, " 2"]
    scale: float
    chosen: int
    shown_weights: Float[np.ndarray, " key"]
    shown_output: Float[np.ndarray, " 3"]
    shown_bounds: Float[np.ndarray, " key"]


@dataclass(frozen=True, eq=False)
class Confirmation:
    """What Python finds for the numbers in the page, and the largest difference: weights, output, chosen key's bound.

    The other bounds would take longer than the next move of the hand.
    """

    weights: Float[np.ndarray, " key"]
    output: Float[np.ndarray, " 3"]
    bound: HullBound | None
    largest_difference: float


@dataclass(frozen=True)
class CopyNeed:
    """For a wanted error: the scale along the query as it points now (None: no scale does), and the shortest query."""

    error: float
    scale: float | None
    shortest: float


def read_situation(state: Mapping[str, Any]) -> Situation | None:
    """The plane's state as arrays; None until the browser has told its numbers."""
    n_keys = len(state["points"])
    if not (len(state["weights"]) == len(state["bounds"]) == len(state["colours"]) == n_keys and state["output"]):
        return None
    return Situation(
        keys=np.array(state["points"], dtype=float),
        values=to_rgb(state["colours"]),
        query=np.array(state["query"], dtype=float),
        scale=float(state["scale"]),
        chosen=min(max(int(state["chosen"]), 0), n_keys - 1),
        shown_weights=np.array(state["weights"], dtype=float),
        shown_output=np.array(state["output"], dtype=float),
        shown_bounds=np.array(state["bounds"], dtype=float),
    )


def confirm(now: Situation) -> Confirmation:
    """The weights, output and bound computed afresh, and how far the browser's are from them."""
    weights = attention_weights(now.query[None, :], now.keys, scale=now.scale)[0]
    output = weights @ now.values
    bound = hull_bound(now.keys, now.chosen)
    differences = (
        float(np.abs(weights - now.shown_weights).max()),
        float(np.abs(output - now.shown_output).max()),
        abs((1.0 if bound is None else bound.bound) - float(now.shown_bounds[now.chosen])),
    )
    return Confirmation(weights, output, bound, max(differences))


def copy_needs(now: Situation) -> list[CopyNeed]:
    """What copying the chosen key takes, for each of the errors; the key must not lie inside the hull."""
    others = np.arange(len(now.keys)) != now.chosen
    gaps = (now.keys[now.chosen] - now.keys[others]) @ now.query
    is_leading = bool((gaps > 0).all())
    return [
        CopyNeed(
            error=error,
            scale=smallest_scale(np.zeros(len(gaps)), gaps, error=error) if is_leading else None,
            shortest=copy(now.keys, now.chosen, error=error, family="margin").norm,
        )
        for error in ERRORS
    ]


def aim_query(now: Situation, bound: HullBound | None, *, error: float = 0.01) -> dict[str, Any]:
    """The query and scale that copy the chosen key, or that give a key inside the hull as much as it can have."""
    query = bound.query if bound is not None else copy(now.keys, now.chosen, error=error, family="margin").query
    if query is None:  # on the rim: approached only, by ever longer queries
        return {}
    length = float(np.abs(query).max())
    if length == 0:
        return {"query": [0.0, 0.0]}
    scale = float(np.clip(length / AIM_LENGTH, *SCALES))
    return {"query": [float(part) for part in query / scale], "scale": scale}


def python_for(now: Situation) -> str:
    """Code that gives the same numbers."""
    return f"""
import numpy as np
import regard

keys = {array_code(now.keys)}
values = {array_code(now.values.round(6))}  # red, green, blue
query = {array_code(now.query)}

weights = regard.attention_weights(query[None], keys, scale={now.scale!r})[0]
output = weights @ values
bound = regard.hull_bound(keys, {now.chosen})  # None: some query reads key {now.chosen} almost alone
print(weights, output, bound)
if bound is None:
    print(regard.copy(keys, {now.chosen}, error=0.01, family="margin").query)
"""


def link_values(now: Situation) -> dict[str, Any]:
    """What the address bar keeps."""
    return {"keys": now.keys.tolist(), "query": [now.query.tolist()], "scale": now.scale, "key": now.chosen}


def agreement_text(confirmation: Confirmation) -> str:
    """How far browser and package are apart, in Markdown."""
    return (
        f"Python agrees: its weights, output and bound differ from the browser's by at most "
        f"**{confirmation.largest_difference:.1e}**."
    )


def answer_text(now: Situation, confirmation: Confirmation) -> str:
    """What the chosen key can have and what that takes, in Markdown."""
    if confirmation.bound is not None:
        return f"## Key {now.chosen} can never win\n\n{bound_text(confirmation.bound)}"
    return (
        f"## Copying key {now.chosen}\n\nClick a key to choose it. To read this key almost alone, a query needs:\n\n"
        + needs_table(copy_needs(now))
    )


def needs_table(needs: list[CopyNeed]) -> str:
    """The needs as a table in Markdown."""
    rows = [
        f"| {100 * need.error:g} % | {'no scale is enough' if need.scale is None else f'{need.scale:.4g}'} "
        f"| {need.shortest:.4g} |"
        for need in needs
    ]
    heading = (
        "| weight left to other keys | scale C of your query | length of the shortest query |\n| ---: | ---: | ---: |"
    )
    return "\n".join([heading, *rows])


def bound_text(bound: HullBound) -> str:
    """Why this key never wins, in Markdown."""
    mix = " + ".join(f"{share:.3g} k_{{{index}}}" for index, share in enumerate(bound.combination) if share >= 5e-4)
    return (
        f"It is a mix of other keys: $k_{{{bound.index}}} = {mix}$. The most even such mix, which this is, has the "
        f"entropy $H = {bound.entropy_nats:.4g}$ nats, and no query gives the key more weight than "
        f"$1/(1 + e^H) = {bound.bound:.4g}$."
        + ("" if bound.query is not None else " Ever longer queries come close to this weight, but none reaches it.")
    )
