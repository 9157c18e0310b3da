"""Sizes that a claim speaks of itself: n ≥ 1, n = 7, for all n.

A setting is tried at a few sizes, from two keys on. A claim that says `for n ≥ 1` or `for all n` is about one key, too,
and one with n = 7 about seven: these sizes are added to the rows of the setting.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from regard.claims.meaning.conditions import ClaimStatements
from regard.claims.meaning.definitions import CompiledSetting
from regard.claims.meaning.setting import MAX_SIZE, Setting
from regard.claims.meaning.shapes import UnknownName, known_size
from regard.claims.meaning.symbols import SymbolReader
from regard.claims.meaning.terms import Statement
from regard.claims.syntax.tree import Claim, Symbol, walk

TESTS = {"<": Fraction.__lt__, "≤": Fraction.__le__, ">": Fraction.__gt__, "≥": Fraction.__ge__}
TESTS |= {"=": Fraction.__eq__, "≠": Fraction.__ne__}


def with_stated_sizes(compiled: CompiledSetting, parts: ClaimStatements, claim: Claim) -> CompiledSetting:
    """The setting with rows for sizes that the claim names and the setting does not try."""
    setting = compiled.setting
    rows = list(setting.sizes)
    smallest = with_one(setting, claim) if setting.counts in sizes_from_one(parts, claim) else None
    rows = [smallest, *rows] if smallest is not None else rows
    for name, comparison, number in parts.sizes:
        is_new = comparison == "=" and all(row[name] != number for row in rows)
        if is_new and number.denominator == 1 and 1 < number <= MAX_SIZE and name == setting.counts:
            rows.append(_at(setting, name, int(number)))
    return (
        compiled if len(rows) == len(setting.sizes) else replace(compiled, setting=replace(setting, sizes=tuple(rows)))
    )


def sizes_from_one(parts: ClaimStatements, claim: Claim) -> set[str]:
    """Sizes of which the claim says that they may be 1: n ≥ 1, n > 0, n = 1, for all n."""
    bounds = {name for name, comparison, _ in parts.sizes if comparison in "=≥>"} | set(claim.universal)
    return {
        name
        for name in bounds
        if all(TESTS[comparison](Fraction(1), number) for size, comparison, number in parts.sizes if size == name)
    }


def with_one(setting: Setting, claim: Claim) -> dict[str, int] | None:
    """The smallest row of a setting with one key or class; None where it has that, or the claim speaks of two."""
    counts = setting.counts
    nodes = [node for one in (*claim.relations, *claim.context) for node in walk(one)]
    words = {word for node in nodes if isinstance(node, Symbol) for word in (node.name, *node.subscripts)}
    has_two = words & set(setting.marked[1:]) or any(word.isdecimal() and int(word) > 1 for word in words)
    is_fixed = any(counts != name and counts in name for name in setting.size_names)  # N = N_1 + N_2
    if has_two or is_fixed or any(row[counts] == 1 for row in setting.sizes):
        return None
    return _at(setting, counts, 1)


def _at(setting: Setting, name: str, size: int) -> dict[str, int]:
    """A row with this size; orthonormal vectors need at least as many dimensions."""
    base = setting.sizes[0] if size == 1 else setting.sizes[-1]
    width = setting.width if setting.width in base and setting.width != name else None
    wider = {width: max(base[width], size)} if width is not None else {}
    return {**base, **wider, name: size}


def rows_to_try(
    setting: Setting, parts: ClaimStatements, statement: Statement, reader: SymbolReader
) -> tuple[int, ...]:
    """The rows of sizes that meet all conditions and have the numbered entries that are spoken of.

    Raises: UnknownName where there is none.
    """
    rows = tuple(
        row
        for row, sizes in enumerate(setting.sizes)
        if all(TESTS[comparison](Fraction(sizes[size]), number) for size, comparison, number in parts.sizes)
        and all(sizes.get(str(known_size(size)), least) >= least for size, least in reader.least_sizes)
        and all(sizes.get(str(known_size(size)), exact) == exact for size, exact in reader.exact_sizes)
    )
    if not rows:
        raise UnknownName("no instance that can be tried has such sizes", statement.span)
    return rows
