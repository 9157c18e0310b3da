"""A claim as it is tried: what the stages before hand to those that draw numbers."""

from __future__ import annotations

from dataclasses import dataclass

from regard.claims.meaning.resolved import Definition, Dim, FreeScalar, Statement
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.settings import Compiled
from regard.claims.syntax.tree import Node


@dataclass(frozen=True, eq=False)
class Task:
    """A claim ready to be tried.

    `trees`: what the claim defines, as it was written. `free`: indices that stand for any key or entry, and what they
    count; `apart`: pairs of indices that differ. `above`: numbers that free letters are larger than.
    `rows`: which sizes of the setting are meant. `toward`: letters that the claim itself sends to a limit.
    `spread`: how Var of a vector was read: 0 for a matrix, then its trace, then its diagonal.
    """

    compiled: Compiled
    definitions: dict[str, Definition]
    families: frozenset[str]
    random: frozenset[str]
    statements: tuple[Statement, ...]
    scalars: dict[str, FreeScalar]
    free: dict[str, Dim]
    apart: frozenset[tuple[str, str]]
    above: dict[str, float]
    rows: tuple[int, ...]
    trees: dict[str, Node]
    told: tuple[str, ...]
    toward: frozenset[str] = frozenset()
    spread: int | None = None
    is_goal: bool = False

    @property
    def setting(self) -> Setting:
        """The setting it stands in."""
        return self.compiled.setting
