"""What restricts a thing that a claim introduces: of rank r, with orthonormal columns, whose entries are positive."""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import (
    ADJECTIVES,
    DETERMINER,
    introduce_named,
    introduce_sized,
    state_moments,
    with_tail,
)
from regard.claims.syntax.prose.phrases import FELLOW, Clause, Thing, put_it


def of_each(*templates: str) -> Callable[[Thing], tuple[str, ...]]:
    """What is said of each of some letters, written in the place of {x}."""
    return lambda thing: tuple(
        template.replace("{x}", name) for name in thing.signs.split(", ") for template in templates
    )


def _in_space(thing: Thing, space: Thing) -> tuple[str, ...]:
    if not re.match(r"(?:ℝ|R\^|\\mathbb|\\R|R\d)", space.signs):
        raise Unreadable
    if thing.kind.startswith("matrix"):
        return ()
    return tuple(f"{name} ∈ {space.signs}" for name in thing.signs.split(", "))


_PARTS = (
    ("diagonal entries/elements", "diag({x})"),
    ("eigenvalues", "eigreal({x})"),
    ("trace", "tr({x})"),
    ("determinant", "det({x})"),
    ("entries/elements/components", "min({x})"),
)
_SIGNS = (("positive", "> 0"), ("nonnegative/non-negative", "≥ 0"))


def _adjective_tail(adjectives: tuple[str, ...]) -> Callable[[Thing], tuple[str, ...]]:
    said = tuple(words for one in adjectives if (words := ADJECTIVES[one]) is not None)
    return of_each(*said)


def _predicate_tail(predicate: Callable[[Thing], Clause]) -> Callable[[Thing], tuple[str, ...]]:
    """With trace zero: what is said of each of the letters."""
    return lambda thing: tuple(
        one
        for name in thing.signs.split(", ")
        for clause in (predicate(Thing(name)),)
        for one in (*clause.given, *clause.claims)
    )


def _kind_of(names: tuple[str, ...]) -> str:
    return "list" if len(names) > 1 else "letter"


def _sum_is(relation: str) -> Callable[[Thing], tuple[str, ...]]:
    """With sum S = Σ y_i: what the relation says of the letter.

    Raises: Unreadable for a relation that is no equation of a letter.
    """
    name = relation.partition("=")[0].strip()
    if not re.fullmatch(r"\w", name):
        raise Unreadable
    return of_each(f"{name} = sum({{x}})")


def _equal_to(other: Thing) -> Callable[[Thing], tuple[str, ...]]:
    return lambda thing: (*other.given, put_it(f"{thing.signs} = {other.signs}", thing))


_OUTCOMES = "outcomes/classes/symbols/entries/components/elements/points/states/categories/values/events/words"


def _on_outcomes(thing: Thing, count: str) -> tuple[str, ...]:
    """A distribution on n ≥ 2 outcomes has n entries."""
    found = re.match(r"\s*(\w+)\s*(?:$|[≥>])", count)
    if found is None:
        raise Unreadable
    more = () if found[1] == count.strip() else (count,)
    return (*(f"{name} ∈ R^{{{found[1]}}}" for name in thing.signs.split(", ")), *more)


_INDEPENDENT = "{x}^T {x} is invertible"
_MEET_IN_ZERO = "rank(proj({0}) + proj({1})) = rank({0}) + rank({1})"


def _of_spaces(template: str) -> Callable[[Thing], tuple[str, ...]]:
    """What is said of the column spaces of two matrices."""

    def meaning(matrices: Thing) -> tuple[str, ...]:
        names = matrices.signs.split(", ")
        if len(names) == 1 and names[0].startswith("⟨"):  # let A and B be matrices whose …
            names.append(FELLOW)
        if len(names) != 2:
            raise Unreadable
        return (template.replace("{0}", names[0]).replace("{1}", names[1]),)

    return meaning


def _orthogonal(thing: Thing) -> tuple[str, ...]:
    """Vectors x, y that are orthogonal to each other.

    Raises: Unreadable for a single letter, and for matrices.
    """
    names = thing.signs.split(", ")
    if len(names) < 2 or thing.kind.startswith("matrix"):
        raise Unreadable
    return tuple(f"{a}^T {b} = 0" for place, a in enumerate(names) for b in names[place + 1 :])


def _product_is(thing: Thing, value: Thing) -> tuple[str, ...]:
    """Two vectors whose inner product is a number.

    Raises: Unreadable for any other number of letters.
    """
    names = thing.signs.split(", ")
    if len(names) != 2 or thing.kind.startswith("matrix"):
        raise Unreadable
    return (*value.given, f"{names[0]}^T {names[1]} = {value.signs}")


TAILS: tuple[Rule, ...] = (
    Rule(
        "entity1",
        f"{DETERMINER} <adjs>? <type> <syms>?",
        lambda adjs, type_, names: introduce_named(adjs or (), type_, names),
    ),
    Rule(
        "entity1",
        f"{DETERMINER} <adjs>? <size> <adjs>? <type> <syms>?",
        lambda a, size, b, t, n: introduce_sized(size, (*(a or ()), *(b or ())), t, n),
    ),
    Rule("entity_tail1", "of the same size/length/shape/dimension/dimensions", lambda: lambda x: ()),
    Rule(
        "entity_tail1",
        "of equal/conformable/matching/compatible/suitable/one/any size/length/shape/sizes/shapes",
        lambda: lambda x: (),
    ),
    Rule(
        "entity_tail1",
        "of the? right/appropriate/matching/compatible size/length/shape/sizes/shapes",
        lambda: lambda x: (),
    ),
    Rule("entity_tail1", "with/of equal/compatible/conformable/matching sizes/shapes/dimensions", lambda: lambda x: ()),
    Rule("entity_tail1", "with real entries", lambda: lambda x: ()),
    Rule("entity_tail1", ",? whose entries/components need/do not sum to <np> ,?", lambda _: lambda x: ()),
    Rule(
        "entity_tail1", "with only? strictly? positive entries/components/probabilities", lambda: of_each("{x}_i > 0")
    ),
    Rule("entity_tail1", "with inverse <sym>", lambda b: of_each(f"{b.signs} = {{x}}^{{-1}}")),
    Rule("entity_tail1", "with transpose <sym>", lambda b: of_each(f"{b.signs} = {{x}}^T")),
    Rule("entity_tail1", "with full support", lambda: of_each("{x}_i > 0")),
    Rule("entity_tail1", "that/which has/have full support", lambda: of_each("{x}_i > 0")),
    Rule("entity_tail1", "with sum <rel>", lambda rel: lambda x: (rel, *_sum_is(rel)(x))),
    Rule("entity_tail1", "that/which is/are equal to <np>", _equal_to),
    Rule("entity_tail1", "that is/are <adjs>", _adjective_tail),
    Rule("entity_tail1", "which is/are <adjs>", _adjective_tail),
    Rule("entity_tail1", "that/which has/have <havings>", _predicate_tail),
    Rule("entity_tail1", "that/which is/are not the identity matrix?", lambda: of_each("{x} ≠ I")),
    Rule("entity_tail1", "other than the identity matrix?", lambda: of_each("{x} ≠ I")),
    Rule("entity_tail1", "different/distinct from the identity matrix?", lambda: of_each("{x} ≠ I")),
    Rule("entity_tail1", "with largest/maximal eigenvalue <expr>", lambda v: of_each(f"{v.signs} = eigmax({{x}})")),
    Rule("entity_tail1", "with smallest/minimal eigenvalue <expr>", lambda v: of_each(f"{v.signs} = eigmin({{x}})")),
    Rule("entity_tail1", "with <havings>", _predicate_tail),
    Rule("entity_tail1", "whose <of_entity>", lambda said: said),
    Rule("entity_tail1", "all of whose <of_entity>", lambda said: said),
    Rule("of_entity", "<of_entity1> and whose? <of_entity>", lambda a, b: lambda x: (*a(x), *b(x))),
    Rule("of_entity", "<of_entity1>", lambda a: a),
    *(
        Rule("of_entity1", f"all? {words} is/are all? strictly? {adjective}", lambda said=said: of_each(said))
        for words, template in _PARTS
        for adjective, relation in _SIGNS
        for said in (f"{template} {relation}",)
    ),
    Rule("of_entity1", "trace is zero/0", lambda: of_each("tr({x}) = 0")),
    Rule("of_entity1", "determinant is zero/0", lambda: of_each("det({x}) = 0")),
    Rule("of_entity1", "determinant is not zero/0", lambda: of_each("det({x}) ≠ 0")),
    Rule("of_entity1", "columns/rows are all? linearly? independent", lambda: of_each("{x}^T {x} is invertible")),
    Rule(
        "entity",
        "<syms> <letter_tail>",
        lambda names, tail: with_tail(Thing(", ".join(names), (), _kind_of(names)), tail),
    ),
    Rule("letter_tail", "of/with full column? rank", lambda: of_each("{x}^T {x} is invertible")),
    Rule("letter_tail", "with linearly? independent columns", lambda: of_each("{x}^T {x} is invertible")),
    Rule("letter_tail", "with orthonormal columns", lambda: of_each("{x}^T {x} = I")),
    Rule("letter_tail", "with orthonormal rows", lambda: of_each("{x} {x}^T = I")),
    Rule("entity_tail1", "with/whose? orthonormal rows", lambda: of_each("{x} {x}^T = I")),
    Rule("entity_tail1", "whose rows are orthonormal", lambda: of_each("{x} {x}^T = I")),
    Rule("entity_tail1", "with linearly? independent rows", lambda: of_each("{x} {x}^T is invertible")),
    Rule("entity_tail1", "in/on/of <expr>", lambda space: lambda x: _in_space(x, space)),
    Rule("entity_tail1", "with orthonormal columns", lambda: of_each("{x}^T {x} = I")),
    Rule("entity_tail1", "with linearly independent columns", lambda: of_each("{x}^T {x} is invertible")),
    Rule("entity_tail1", "of/with full column? rank", lambda: of_each("{x}^T {x} is invertible")),
    Rule("entity_tail1", "of rank <rel>", lambda rel: lambda x: (*of_each(f"rank({{x}}) = {rel.split()[0]}")(x), rel)),
    Rule("entity_tail1", "of rank <expr>", lambda r: of_each(f"rank({{x}}) = {r.signs}")),
    Rule(
        "entity_tail1",
        "with mean <expr> and variance/covariance matrix? <expr>",
        lambda m, v: lambda x: state_moments(x, m, v),
    ),
    Rule(
        "entity_tail1", "with zero mean and unit variance", lambda: lambda x: state_moments(x, Thing("0"), Thing("1"))
    ),
    Rule(
        "entity_tail1",
        "with zero mean and variance/covariance matrix? <expr>",
        lambda v: lambda x: state_moments(x, Thing("0"), v),
    ),
    Rule(
        "entity_tail1", "with/of finite variance/variances/entropy/entropies/mean/means/moments", lambda: lambda x: ()
    ),
    Rule("entity_tail1", "with covariance matrix? <expr>", lambda v: of_each(f"Cov({{x}}) = {v.signs}")),
    Rule("entity_tail1", "with mean <expr>", lambda v: of_each(f"E[{{x}}] = {v.signs}")),
    Rule("entity_tail1", "whose columns are orthonormal", lambda: of_each("{x}^T {x} = I")),
    Rule(
        "entity_tail1",
        "whose columns are linearly independent",
        lambda: of_each("{x}^T {x} is invertible"),
    ),
    Rule("entity_tail1", "that is/are not assumed symmetric/square", lambda: lambda x: ()),
    Rule("entity_tail1", "of length/dimension <expr>", lambda d: of_each(f"{{x}} ∈ R^{{{d.signs}}}")),
    Rule("entity_tail1", "of equal size/sizes", lambda: lambda x: ()),
    Rule("entity_tail1", "of logits/scores/numbers/probabilities/parameters/targets/labels", lambda: lambda x: ()),
    Rule(
        "entity_tail1",
        "that/which? are mutually/pairwise? orthogonal/perpendicular to? each/one? other/another?",
        lambda: _orthogonal,
    ),
    Rule("entity_tail1", "for/of which <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "such that <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "st <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "with the property that? <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "whose inner/dot/scalar product is/equals <np>", lambda y: lambda x: _product_is(x, y)),
    Rule("entity_tail1", "satisfying/with/obeying <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "in <expr> dimensions", lambda d: of_each(f"{{x}} ∈ R^{{{d.signs}}}")),
    Rule(
        "entity_tail1",
        "of <expr> real? numbers/entries/components",
        lambda d: of_each(f"{{x}} ∈ R^{{{d.signs}}}"),
    ),
    Rule("entity_tail1", "that/which is/are equal to its/their own? <own>", of_each),
    Rule("entity_tail1", "that/which equals/equal its/their own? <own>", of_each),
    Rule("own", "square", lambda: "{x} {x} = {x}"),
    Rule("own", "transpose", lambda: "{x}^T = {x}"),
    Rule("own", "inverse", lambda: "{x} {x} = I"),
    Rule("entity_tail1", "whose <their_spaces>", lambda tail: tail),
    *(
        Rule("their_spaces", f"column/two? spaces/ranges/spans/images are {words}", lambda t=template: _of_spaces(t))
        for words, template in (
            ("orthogonal/perpendicular", "{0}^T {1} = 0"),
            ("orthogonal/perpendicular to each/one other/another", "{0}^T {1} = 0"),
            ("mutually orthogonal", "{0}^T {1} = 0"),
            ("equal/identical", "proj({0}) = proj({1})"),
        )
    ),
    *(
        Rule("their_spaces", f"column/two? spaces/ranges/spans/images {words}", lambda: _of_spaces(_MEET_IN_ZERO))
        for words in (
            "meet/intersect only in the? zero/origin/0 vector?",
            "intersect/meet trivially",
            "have trivial intersection",
            "have only the? zero/0 vector? in common",
        )
    ),
    Rule("entity_tail1", "with linearly independent ,? but? not orthonormal ,? columns", lambda: of_each(_INDEPENDENT)),
    Rule("entity_tail1", "that need not be <adjs>", lambda _: lambda x: ()),
    Rule("entity_tail", "<entity_tail1> ,? and? <entity_tail>", lambda first, rest: lambda x: (*first(x), *rest(x))),
    Rule("entity_tail", "<entity_tail1>", lambda only: only),
    Rule("entity_tail1", "in <expr>", lambda space: lambda x: _in_space(x, space)),
    Rule("entity_tail1", "with <rel>", lambda rel: lambda x: (rel,)),
    Rule(
        "entity_tail1", f"on/over/with a/the? set? of? <expr> {_OUTCOMES}", lambda n: lambda x: _on_outcomes(x, n.signs)
    ),
    Rule("entity_tail1", f"on/over/with a/the? set? of? <rel> {_OUTCOMES}", lambda n: lambda x: _on_outcomes(x, n)),
    Rule("entity_tail1", f"on/over a/the? finite/given/fixed number of {_OUTCOMES}", lambda: lambda x: ()),
    Rule("entity_tail1", f"on/over the/a? same? finite? set/alphabet/space/{_OUTCOMES}", lambda: lambda x: ()),
    Rule("entity_tail1", "on/over the? same finite? set/alphabet/outcomes", lambda: lambda x: ()),
    Rule("entity_tail1", "on/over a/any finite set/alphabet", lambda: lambda x: ()),
)
