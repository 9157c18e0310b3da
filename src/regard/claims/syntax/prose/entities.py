"""Things that a claim introduces, with a letter or without: a symmetric matrix A, two vectors, a random vector."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Thing

DETERMINER = "the/a/an/any/every/each/its/their/this/that?"
"""Words before a noun."""

_FRESH = itertools.count()


LETTERS = {
    "matrix": "ABMSGQRW",
    "vector": "xyuwzabv",
    "random": "XYZUW",
    "random vector": "xyuwz",
    "distribution": "pqruw",
    "number": "cabtmr",
    "logits": "zxsu",
}
"""Letters for what a claim gives no name, by kind."""


def fresh(kind: str) -> str:
    """A place for a letter that the claim does not use itself."""
    return f"⟨{kind}:{next(_FRESH)}⟩"


TYPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "matrix": ("matrix", ("{x} is a matrix",)),
    "matrices": ("matrix", ("{x} is a matrix",)),
    "vector": ("vector", ("{x} is a vector",)),
    "vectors": ("vector", ("{x} is a vector",)),
    "number": ("number", ("{x} is a scalar",)),
    "numbers": ("number", ("{x} is a scalar",)),
    "scalar": ("number", ("{x} is a scalar",)),
    "scalars": ("number", ("{x} is a scalar",)),
    "constant": ("number", ("{x} is a scalar",)),
    "standard normal vectors": ("random vector", ("{x} ~ N(0, I_d)",)),
    "label": ("vector", ()),
    "target": ("vector", ()),
    "random vector": ("random vector", ()),
    "random vectors": ("random vector", ()),
    "random variable": ("random", ()),
    "random variables": ("random", ()),
    "distribution": ("distribution", ("{x} is a distribution",)),
    "distributions": ("distribution", ("{x} is a distribution",)),
    "covariance": ("matrix", ("{x} is positive semidefinite",)),
    "projection": ("matrix", ("{x} is a projection",)),
    "projections": ("matrix", ("{x} is a projection",)),
    "projector": ("matrix", ("{x} is a projection",)),
    "projectors": ("matrix", ("{x} is a projection",)),
}
"""Nouns of things that may have a letter, and what they say of it."""


ADJECTIVES: dict[str, str | None] = {
    "symmetric": "{x} is symmetric",
    "antisymmetric": "{x} is antisymmetric",
    "orthogonal": "{x} is orthogonal",
    "invertible": "{x} is invertible",
    "nonsingular": "{x} is invertible",
    "idempotent": "{x} is idempotent",
    "square": "{x} is square",
    "unit": "{x} is unit",
    "one-hot": "{x} is onehot",
    "nonzero": "{x} is nonzero",
    "non-zero": "{x} is nonzero",
    "positive-definite": "{x} is positive definite",
    "positive-semidefinite": "{x} is positive semidefinite",
    "positive": "{x} > 0",
    "negative": "{x} < 0",
    "nonnegative": "{x} ≥ 0",
    "probability": "{x} is a distribution",
    "uniform": "{x}_r = {x}_t",
    "permutation": "{x} is a permutation",
    **dict.fromkeys(
        ("real", "fixed", "given", "arbitrary", "two", "column", "row", "same", "finite", "constant", "other")
    ),
    **dict.fromkeys(("independent", "different", "uncorrelated-with", "scalar-valued", "common")),
    **dict.fromkeys(("general", "single", "certain", "particular", "three", "all", "both", "discrete", "conformable")),
}
"""Words before such nouns; None where they say nothing that the signs do not say."""


_SPECIAL = {("orthogonal", "projection"): (), ("orthogonal", "projections"): (), ("orthogonal", "projector"): ()} | {
    ("orthogonal", "projectors"): ()
}


def introduce(adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None, size: str | None = None) -> Thing:
    """A thing with its letters, or a new one, and what adjectives, type and size say of them.

    Raises: Unreadable where they do not fit: a positive matrix may have positive entries or eigenvalues.
    """
    kind, said = TYPES[type_]
    names = names or (fresh(kind),)
    said_of = list(said)
    for adjective in adjectives:
        if (adjective, type_) in _SPECIAL:
            continue
        words = ADJECTIVES[adjective]
        if words is not None:
            if words.endswith(("> 0", "< 0", "≥ 0")) and kind == "vector":
                words = f"{{x}} is {adjective}"
            elif words.endswith(("> 0", "< 0", "≥ 0")) and kind != "number":
                raise Unreadable
            said_of.append(words)
    given = [one.replace("{x}", name) for name in names for one in said_of]
    if size is not None:
        given = [f"{name} ∈ R^{{{size}}}" for name in names] + [one for one in given if not one.endswith("is a matrix")]
    return Thing(
        names[0] if len(names) == 1 else ", ".join(names), tuple(given), kind if len(names) == 1 else f"{kind} list"
    )


def _with_relations(adjectives: tuple[str, ...], type_: str, relations: tuple[str, ...]) -> Thing:
    """Vectors x, y ∈ ℝ^n: the relations are given beside what the words say."""
    names = tuple(re.split(r"[∈~∼<>≤≥≠]|\\(?:in|sim|ge|gt|le)", one)[0].strip() for one in relations)
    thing = introduce(adjectives, type_, names)
    types = tuple(one for one in thing.given if not one.endswith("is a matrix"))
    return Thing(thing.signs, (*relations, *types), thing.kind)


def _with_names(adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None) -> Thing:
    return introduce(adjectives, type_, names)


def _sized(size: Thing, adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None) -> Thing:
    if "×" not in size.signs and "\\times" not in size.signs and not re.fullmatch(r"\w+ ?x ?\w+", size.signs):
        raise Unreadable
    return introduce(adjectives, type_, names, re.sub(r"\s*(?:×|\\times|(?<=\w) ?x ?(?=\w))\s*", "×", size.signs))


def _must_be_d(size: Thing) -> None:
    if size.signs != "d":
        raise Unreadable


def dimension(space: Thing) -> str:
    """d of ℝ^d, or of `in d dimensions`."""
    found = re.fullmatch(r"(?:ℝ|R|\\mathbb\s*\{?R\}?)\^?\{?(\w|ᵈ|ⁿ)\}?|(\w)", space.signs)
    if found is None:
        raise Unreadable
    return {"ᵈ": "d", "ⁿ": "n"}.get(found[1] or found[2], found[1] or found[2])


def _standard(symbol: Thing | None) -> Thing:
    name = symbol.signs if symbol is not None else fresh("random vector")
    return Thing(name, (f"{name} ~ N(0, I_d)",), "random vector")


def _with_tail(thing: Thing, tail: Callable[[Thing], tuple[str, ...]]) -> Thing:
    return Thing(thing.signs, (*thing.given, *tail(thing)), thing.kind)


def _adjective_names(adjectives: tuple[str, ...], names: tuple[str, ...]) -> Thing:
    given = [str(ADJECTIVES[one]).replace("{x}", name) for name in names for one in adjectives if ADJECTIVES[one]]
    if not given and not {"real", "fixed", "given", "all"} & set(adjectives):
        raise Unreadable
    return Thing(", ".join(names), tuple(given), "list" if len(names) > 1 else "")


def state_moments(thing: Thing, mean: Thing, spread: Thing) -> tuple[str, ...]:
    """Mean and variance, or covariance, of each of some random letters.

    Raises: Unreadable where they are not random.
    """
    if not thing.kind.startswith("random"):
        raise Unreadable
    measure = "Cov" if "vector" in thing.kind else "Var"
    return tuple(
        said
        for name in thing.signs.split(", ")
        for said in (f"E[{name}] = {mean.signs}", f"{measure}({name}) = {spread.signs}")
    )


def _in_space(thing: Thing, space: Thing) -> tuple[str, ...]:
    if not re.match(r"(?:ℝ|R\^|\\mathbb|\\R|R\d)", space.signs):
        raise Unreadable
    if thing.kind.startswith("matrix"):
        return ()
    return tuple(f"{name} ∈ {space.signs}" for name in thing.signs.split(", "))


_OUTCOMES = "outcomes/classes/symbols/entries/components/elements/points/states/categories/values/events/words"


def _on_outcomes(thing: Thing, count: str) -> tuple[str, ...]:
    """A distribution on n ≥ 2 outcomes has n entries."""
    found = re.match(r"\s*(\w+)\s*(?:$|[≥>])", count)
    if found is None:
        raise Unreadable
    more = () if found[1] == count.strip() else (count,)
    return (*(f"{name} ∈ R^{{{found[1]}}}" for name in thing.signs.split(", ")), *more)


ENTITIES: tuple[Rule, ...] = (
    Rule("entity", "a/the? d-dimensional standard normal/gaussian random? vector <sym>?", _standard),
    Rule(
        "entity",
        "all/the? <adjs> <syms> <entity_tail>",
        lambda adjs, names, tail: _with_tail(_adjective_names(adjs, names), tail),
    ),
    Rule(
        "entity",
        "a/the? standard gaussian/normal random? vector <sym>",
        lambda x: Thing(x.signs, (f"{x.signs} ~ N(0, I)",), "random vector"),
    ),
    Rule(
        "entity",
        "a/the? standard gaussian/normal random? vector <sym> in <expr> dimensions?",
        lambda x, d: Thing(x.signs, (f"{x.signs} ~ N(0, I_{dimension(d)})",), "random vector"),
    ),
    Rule(
        "entity",
        "a/the? standard gaussian/normal random? variable <sym>",
        lambda x: Thing(x.signs, (f"{x.signs} ~ N(0, 1)",), "random"),
    ),
    Rule("entity", "a/the/any/every? fixed? query <syms>?", lambda names: Thing(names[0] if names else "q")),
    Rule("adjs", "<adj> <adjs>", lambda first, rest: (first, *rest)),
    Rule("adjs", "<adj> and/, <adjs>", lambda first, rest: (first, *rest)),
    Rule("adjs", "<adj>", lambda first: (first,)),
    *(Rule("adj", word, lambda word=word: word) for word in ADJECTIVES),
    Rule("adj", "positive definite", lambda: "positive-definite"),
    Rule("adj", "positive semidefinite/semi-definite", lambda: "positive-semidefinite"),
    Rule("adj", "symmetric positive definite", lambda: "positive-definite"),
    Rule("type", "standard normal/gaussian random? vectors", lambda: "standard normal vectors"),
    Rule("in_dimension", "in/of <expr> dimensions", _must_be_d),
    Rule("in_dimension", "in/of dimension <expr>", _must_be_d),
    Rule("type", "probability vector/vectors", lambda: "distribution"),
    Rule("type", "probability distribution/distributions", lambda: "distribution"),
    Rule("type", "projection/projector matrix/matrices", lambda: "projection"),
    Rule("type", "positive? semi-definite/semidefinite/definite? covariance matrix", lambda: "covariance"),
    *(Rule("type", word, lambda word=word: word) for word in TYPES),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <type> <syms>?",
        lambda adjs, type_, names: _with_names(adjs or (), type_, names),
    ),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <expr> <adjs>? <type> <syms>?",
        lambda a, size, b, t, n: _sized(size, (*(a or ()), *(b or ())), t, n),
    ),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <type> <symrel>",
        lambda adjs, type_, rels: _with_relations(adjs or (), type_, rels),
    ),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <type> <typed>",
        lambda adjs, type_, typed: _with_relations(adjs or (), type_, (typed[1],)),
    ),
    Rule("entity", "all/the? <adjs> <syms>", _adjective_names),
    Rule(
        "entity",
        "<entity1> <entity_tail>",
        lambda thing, tail: Thing(thing.signs, (*thing.given, *tail(thing)), thing.kind),
    ),
)

TAILS: tuple[Rule, ...] = (
    Rule(
        "entity1",
        f"{DETERMINER} <adjs>? <type> <syms>?",
        lambda adjs, type_, names: _with_names(adjs or (), type_, names),
    ),
    Rule(
        "entity1",
        f"{DETERMINER} <adjs>? <expr> <adjs>? <type> <syms>?",
        lambda a, size, b, t, n: _sized(size, (*(a or ()), *(b or ())), t, n),
    ),
    Rule("entity_tail", "of the same size/length/shape/dimension/dimensions", lambda: lambda x: ()),
    Rule("entity_tail", "of equal/conformable size/length/shape/sizes", lambda: lambda x: ()),
    Rule("entity_tail", "in/on/of <expr>", lambda space: lambda x: _in_space(x, space)),
    Rule("entity_tail", "with orthonormal columns", lambda: lambda x: (f"{x.signs}^T {x.signs} = I",)),
    Rule(
        "entity_tail", "with linearly independent columns", lambda: lambda x: (f"{x.signs}^T {x.signs} is invertible",)
    ),
    Rule("entity_tail", "of/with full column? rank", lambda: lambda x: (f"{x.signs}^T {x.signs} is invertible",)),
    Rule("entity_tail", "of rank <rel>", lambda rel: lambda x: (f"rank({x.signs}) = {rel.split()[0]}", rel)),
    Rule("entity_tail", "of rank <expr>", lambda r: lambda x: (f"rank({x.signs}) = {r.signs}",)),
    Rule(
        "entity_tail",
        "with mean <expr> and variance/covariance matrix? <expr>",
        lambda m, v: lambda x: state_moments(x, m, v),
    ),
    Rule("entity_tail", "with zero mean and unit variance", lambda: lambda x: state_moments(x, Thing("0"), Thing("1"))),
    Rule(
        "entity_tail",
        "with zero mean and variance/covariance matrix? <expr>",
        lambda v: lambda x: state_moments(x, Thing("0"), v),
    ),
    Rule("entity_tail", "with/of finite variance/variances/entropy/entropies/mean/means/moments", lambda: lambda x: ()),
    Rule("entity_tail", "with covariance matrix? <expr>", lambda v: lambda x: (f"Cov({x.signs}) = {v.signs}",)),
    Rule("entity_tail", "with mean <expr>", lambda v: lambda x: (f"E[{x.signs}] = {v.signs}",)),
    Rule("entity_tail", "whose columns are orthonormal", lambda: lambda x: (f"{x.signs}^T {x.signs} = I",)),
    Rule(
        "entity_tail",
        "whose columns are linearly independent",
        lambda: lambda x: (f"{x.signs}^T {x.signs} is invertible",),
    ),
    Rule("entity_tail", "that is/are not assumed symmetric/square", lambda: lambda x: ()),
    Rule("entity_tail", "of length/dimension <expr>", lambda d: lambda x: (f"{x.signs} ∈ R^{{{d.signs}}}",)),
    Rule("entity_tail", "of equal size/sizes", lambda: lambda x: ()),
    Rule("entity_tail", "satisfying/with/obeying <rel>", lambda rel: lambda x: (rel,)),
    Rule("entity_tail", "in <expr> dimensions", lambda d: lambda x: (f"{x.signs} ∈ R^{{{d.signs}}}",)),
    Rule(
        "entity_tail",
        "of <expr> real? numbers/entries/components",
        lambda d: lambda x: (f"{x.signs} ∈ R^{{{d.signs}}}",),
    ),
    Rule("entity_tail", "that need not be <adjs>", lambda _: lambda x: ()),
    Rule("entity_tail", "<entity_tail1> <entity_tail>", lambda first, rest: lambda x: (*first(x), *rest(x))),
    Rule("entity_tail1", "with <rel> and?", lambda rel: lambda x: (rel,)),
    Rule("entity_tail1", "in <expr>", lambda space: lambda x: _in_space(x, space)),
    Rule("entity_tail", "with <rel>", lambda rel: lambda x: (rel,)),
    Rule(
        "entity_tail", f"on/over/with a/the? set? of? <expr> {_OUTCOMES}", lambda n: lambda x: _on_outcomes(x, n.signs)
    ),
    Rule("entity_tail", f"on/over/with a/the? set? of? <rel> {_OUTCOMES}", lambda n: lambda x: _on_outcomes(x, n)),
    Rule("entity_tail", f"on/over a/the? finite/given/fixed number of {_OUTCOMES}", lambda: lambda x: ()),
    Rule("entity_tail", f"on/over the/a? same? finite? set/alphabet/space/{_OUTCOMES}", lambda: lambda x: ()),
    Rule("entity_tail", "on/over the? same finite? set/alphabet/outcomes", lambda: lambda x: ()),
    Rule("entity_tail", "on/over a/any finite set/alphabet", lambda: lambda x: ()),
)
