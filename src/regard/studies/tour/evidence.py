"""How the tour's answers get their evidence: numbers stamped with their origin, claims tried by check, drawings."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from regard import __version__
from regard.claims.check import check
from regard.errors import MissingExtraError
from regard.progress import Progress
from regard.report.tour.answers import Answer, Drawing, Number, Question, TriedClaim

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VECTOR_SETTINGS = {"svg.hashsalt": "regard"}
"""Names inside the SVG are the same in every run."""


@dataclass(frozen=True)
class Config:
    """What a run is asked for: everything that its numbers depend on, but for the data found on the machine."""

    quick: bool = False
    seed: int = 0


Answering: TypeAlias = Callable[[Question, Config, Progress], Answer]
"""Finds the answer to a question."""


@dataclass(frozen=True)
class Origin:
    """Where numbers come from: the seed, and the data by name and sha256 where there are any."""

    seed: int = 0
    data: str = ""
    digest: str = ""

    def number(self, name: str, value: int | float, *, error: float | None = None, how: str = "exact") -> Number:
        """A number with its stamp."""
        return Number(
            name,
            float(value),
            None if error is None else float(error),
            how,
            self.seed,
            self.data,
            self.digest,
            __version__,
        )


def try_claims(*claims: tuple[str, str] | tuple[str, str, str]) -> tuple[TriedClaim, ...]:
    """The verdict of check on each claim, given as (claim, setting) or (claim, setting, goal)."""
    return tuple(try_claim(*each) for each in claims)


def try_claim(claim: str, setting: str, goal: str = "") -> TriedClaim:
    """The verdict of check on one claim.

    >>> try_claim("M = A^T", "two-subspaces").verdict
    'fails'
    """
    found = check(claim, setting=setting, goal=goal or None)
    assert found.verdict != "not-understood", f"{claim}: {found.reason}"
    return TriedClaim(claim, setting, goal, found.verdict, found.reason, found.nearest or "")


def draw(caption: str, make: Callable[[], Figure]) -> tuple[Drawing, ...]:
    """The figure that `make` draws, as SVG; nothing where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
    except ImportError:
        return ()
    try:
        with rc_context(VECTOR_SETTINGS):
            file = io.BytesIO()
            make().savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    except MissingExtraError:
        return ()
    svg = file.getvalue().decode()
    return (Drawing(caption, svg[svg.index("<svg") :]),)
