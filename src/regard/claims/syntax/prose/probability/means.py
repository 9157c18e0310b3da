"""Means of positive numbers: arithmetic, geometric, harmonic, quadratic; of two letters, or of any many numbers."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Thing, join_things, theirs

MEANS: tuple[tuple[str, str], ...] = (
    ("arithmetic mean/average", "arithmetic mean"),
    ("geometric mean/average", "geometric mean"),
    ("harmonic mean/average", "harmonic mean"),
    ("quadratic mean/average", "quadratic mean"),
    ("root mean square", "quadratic mean"),
)


def _numbers(names: tuple[str, ...] | None, sign: str) -> Thing:
    """Positive numbers: a, b, a family x_i, or a vector where they have no letters."""
    if names is None:
        name = fresh("vector")
        return Thing(f"{name}_i", (f"{name} {sign} 0",), "list")
    stems = tuple(name.removesuffix("_i") for name in names)
    return Thing(", ".join(names), tuple(f"{stem} {sign} 0" for stem in stems), "list")


def _two_numbers(names: tuple[str, ...] | None, sign: str) -> Thing:
    """Raises: Unreadable for two numbers with more letters."""
    names = names or (fresh("number"), fresh("number"))
    if len(names) != 2:
        raise Unreadable
    return Thing(", ".join(names), tuple(f"{name} {sign} 0" for name in names), "list")


def _mean(what: str, numbers: Thing) -> Thing:
    return Thing(join_things(what, numbers.signs.split(", ")), numbers.given, "", numbers)


RULES: tuple[Rule, ...] = (
    *(
        rule
        for words, what in MEANS
        for rule in (
            Rule("base", f"the? {words} of/between <numbers>", lambda numbers, what=what: _mean(what, numbers)),
            Rule("base", f"their/the {words}", lambda what=what: Thing(theirs(what))),
            Rule("base", f"the {words} of the same/these numbers", lambda what=what: Thing(theirs(what))),
        )
    ),
    Rule("numbers", "any/some/the/all/several? <signed> real? numbers <syms>?", lambda s, n: _numbers(n, s)),
    Rule("numbers", "<sym> <signed> real? numbers", lambda _, s: _numbers(None, s)),
    Rule("numbers", "any/some/the? two <signed> real? numbers <syms>?", lambda s, n: _two_numbers(n, s)),
    Rule("signed", "strictly? positive", lambda: ">"),
    Rule("signed", "nonnegative/non-negative", lambda: "≥"),
)
