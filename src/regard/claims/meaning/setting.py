"""What a claim stands in: symbols with shapes and laws, what it may define, and what its definitions are judged by.

A setting is data, read from TOML (see `setting_file`), for Regard's own settings and for a user's alike:

    name = "orthonormal-keys"           goal = 'c \\approx \\frac12(v_a + v_b)'
    [[symbols]]                         one table a symbol
    name = "k"
    over = "n"                          one member a key: k_i
    shape = ["d", 1]
    law = "orthonormal"                 how it is drawn (see `laws`), or else
    definition = '...'                  how it follows from others, written as a claim would be
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Size: TypeAlias = int | str
"""A size of a shape: 1, or a letter such as n."""


@dataclass(frozen=True)
class SymbolSpec:
    """One symbol of a setting.

    `shape`: rows and columns; a number is (1, 1), a vector is a column (d, 1).
    `over`: it is a family, with one member for each of n; `shape` is that of a member.
    `law` or `definition`: how it is drawn, or how it follows from others. With `each`, the definition gives the member
    or entry of that index; `special` gives single ones another. `rows_of`: the matrix whose rows are a family;
    `columns_of`: the family of a matrix's columns.
    `group`: orthonormal symbols of one group are orthogonal to each other too.
    `written`: how it may be written, beside its name; with `indexed`, only with an index.
    `open`: a claim may define it. `any_shape`: with any shape.
    `random`: drawn anew in every sample; E and Var run over it.
    `limit`: "large" or "small" for a number that an approximation may send to ∞ or to 0.
    """

    name: str
    shape: tuple[Size, Size]
    meaning: str
    over: str | None = None
    law: str | None = None
    group: str | None = None
    definition: str | None = None
    each: str | None = None
    special: tuple[tuple[str, str], ...] = ()
    rows_of: str | None = None
    columns_of: str | None = None
    written: tuple[str, ...] = ()
    indexed: bool = False
    open: bool = False
    any_shape: bool = False
    random: bool = False
    limit: str | None = None
    hidden: bool = False

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way to write its name."""
        return self.written or (self.name,)


@dataclass(frozen=True, eq=False)
class Setting:
    """A named setting.

    `sizes`: rows of sizes to try, smallest first; a counterexample is looked for in this order, and the last row is
    the one that rates are told for. `marked`: indices with names, such as a and b, all different. `counts`: what an
    index without any other hint counts. `free_large`: whether another letter may stand for a large number.
    `others`: what definitions may reach instead of the goal; `answer`: definitions that reach it.
    `weights`: softmax weights and the logits they are of, (("alpha", "s"),), for the laws of `noise`.
    `width`: the size of an identity matrix that nothing else tells.
    """

    name: str
    summary: str
    symbols: tuple[SymbolSpec, ...]
    sizes: tuple[dict[str, int], ...]
    goal: str | None = None
    others: tuple[str, ...] = ()
    answer: str | None = None
    marked: tuple[str, ...] = ()
    counts: str = "n"
    width: str = "d"
    free_large: bool = False
    weights: tuple[tuple[str, str], ...] = ()

    def symbol(self, name: str) -> SymbolSpec:
        """The symbol of that name."""
        return next(spec for spec in self.symbols if spec.name == name)

    @property
    def size_names(self) -> tuple[str, ...]:
        """The letters of its sizes."""
        return tuple(self.sizes[0])

    @property
    def is_random(self) -> bool:
        """Whether anything in it is drawn anew in every sample."""
        return any(spec.random for spec in self.symbols)
