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
    "coordinates": "cgheuw",
    "coefficients": "abcuvw",
    "random": "XYZUW",
    "random vector": "xyuwz",
    "distribution": "pqruw",
    "number": "tcabmr",
    "logits": "zxsu",
    "noise": "ξζηε",
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
    "constants": ("number", ("{x} is a scalar",)),
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


_ROLES = ("target", "true", "predicted", "model", "data", "reference", "empirical", "predictive", "categorical")
"""What a distribution is of."""
ADJECTIVES: dict[str, str | None] = {
    "symmetric": "{x} is symmetric",
    "antisymmetric": "{x} is antisymmetric",
    "orthogonal": "{x} is orthogonal",
    "orthonormal": "{x} is orthonormal",
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
    **dict.fromkeys(_ROLES),
}
"""Words before such nouns; None where they say nothing that the signs do not say."""


_SPECIAL = {("orthogonal", "projection"): (), ("orthogonal", "projections"): (), ("orthogonal", "projector"): ()} | {
    ("orthogonal", "projectors"): ()
}


_COUNTS = {"two": 2, "three": 3}


_PRODUCT = re.compile(r"(?:[A-Za-z]{2,}|.*[( ].*) is a (?:vector|matrix|scalar)$")
"""The kind of Ax, which follows from what A and x are."""


def introduce(adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None, size: str | None = None) -> Thing:
    """A thing with its letters, or a new one, and what adjectives, type and size say of them.

    Raises: Unreadable where they do not fit: a positive matrix may have positive entries or eigenvalues.
    """
    kind, said = TYPES[type_]
    n_things = next((n for word, n in _COUNTS.items() if word in adjectives), 1)
    if type_ == "vectors" and {"orthogonal", "orthonormal"} & set(adjectives):
        n_things = max(n_things, 2)
    names = names or tuple(fresh(kind) for _ in range(n_things))
    said_of, apart = list(said), list[str]()
    if kind != "distribution" and any(one in _ROLES for one in adjectives):
        raise Unreadable  # a target vector need not sum to one
    for adjective in adjectives:
        if (adjective, type_) in _SPECIAL:
            continue
        words = ADJECTIVES[adjective]
        if adjective == "constant" and kind == "vector":
            words = "{x}_r = {x}_u"  # all entries alike
        if adjective in ("orthogonal", "orthonormal") and kind.endswith("vector"):
            if len(names) < 2:
                raise Unreadable
            apart += [f"{name} is unit" for name in names if adjective == "orthonormal"]
            apart += [f"{a}^T {b} = 0" for place, a in enumerate(names) for b in names[place + 1 :]]
        elif adjective == "orthonormal":
            raise Unreadable
        elif words is not None:
            if words.endswith(("> 0", "< 0", "≥ 0")) and kind in ("vector", "distribution"):
                words = f"{{x}} is {adjective}"
            elif words.endswith(("> 0", "< 0", "≥ 0")) and kind not in ("number", "random"):
                raise Unreadable
            said_of.append(words)
    given = [*(one.replace("{x}", name) for name in names for one in said_of), *apart]
    given = [one for one in given if not _PRODUCT.match(one)]
    if size is not None:
        given = [f"{name} ∈ R^{{{size}}}" for name in names] + [one for one in given if not one.endswith("is a matrix")]
    return Thing(
        names[0] if len(names) == 1 else ", ".join(names), tuple(given), kind if len(names) == 1 else f"{kind} list"
    )


def _with_relations(adjectives: tuple[str, ...], type_: str, relations: tuple[str, ...]) -> Thing:
    """Vectors x, y ∈ ℝ^n: the relations are given beside what the words say."""
    names = tuple(re.split(r"[∈~∼<>≤≥≠]|\\(?:in|sim|ge|gt|le)", one)[0].strip() for one in relations)
    if type_.startswith("random") and len({name[0].isupper() for name in names}) > 1:
        raise Unreadable  # a random variable X and a > 0
    thing = introduce(adjectives, type_, names)
    types = tuple(one for one in thing.given if not one.endswith("is a matrix"))
    return Thing(thing.signs, (*relations, *types), thing.kind)


def introduce_named(adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None) -> Thing:
    """A thing whose size is not said."""
    return introduce(adjectives, type_, names)


def introduce_sized(size: Thing, adjectives: tuple[str, ...], type_: str, names: tuple[str, ...] | None) -> Thing:
    """An n×n matrix.

    Raises: Unreadable for what is no size.
    """
    if "×" not in size.signs and "\\times" not in size.signs and not re.fullmatch(r"\w+ ?x ?\w+", size.signs):
        raise Unreadable
    return introduce(adjectives, type_, names, re.sub(r"\s*(?:×|\\times|(?<=\w) ?x ?(?=\w))\s*", "×", size.signs))


def dimension(space: Thing) -> str:
    """d of ℝ^d, or of `in d dimensions`."""
    found = re.fullmatch(r"(?:ℝ|R|\\mathbb\s*\{?R\}?)\^?\{?(\w|ᵈ|ⁿ)\}?|([a-zDMN\d])", space.signs)
    if found is None:
        raise Unreadable
    return {"ᵈ": "d", "ⁿ": "n"}.get(found[1] or found[2], found[1] or found[2])


def _standard(symbol: Thing | None) -> Thing:
    name = symbol.signs if symbol is not None else fresh("random vector")
    return Thing(name, (f"{name} ~ N(0, I_d)",), "random vector")


def with_tail(thing: Thing, tail: Callable[[Thing], tuple[str, ...]]) -> Thing:
    """The thing, of which more is given."""
    return Thing(thing.signs, (*thing.given, *tail(thing)), thing.kind)


def _adjective_names(adjectives: tuple[str, ...], names: tuple[str, ...]) -> Thing:
    if "probability" in adjectives and any("_" in name for name in names):
        raise Unreadable  # the probability p_i is a number
    if "all" in adjectives and set(names) <= set("ijlm"):
        raise Unreadable  # for all i: of a letter that only counts
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


ENTITIES: tuple[Rule, ...] = (
    Rule("entity", "a/the? d-dimensional standard normal/gaussian random? vector <sym>?", _standard),
    Rule(
        "entity",
        "all/the? <adjs> <syms> <entity_tail>",
        lambda adjs, names, tail: with_tail(_adjective_names(adjs, names), tail),
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
    Rule(
        "entity",
        "a/the/any bernoulli random? variable/distribution with? the? parameter/probability? <sym>",
        lambda x: Thing(x.signs, (f"{x.signs} ∈ [0, 1]",), "letter"),
    ),
    Rule("adjs", "<adj> <adjs>", lambda first, rest: (first, *rest)),
    Rule("adjs", "<adj> and/, <adjs>", lambda first, rest: (first, *rest)),
    Rule("adjs", "<adj>", lambda first: (first,)),
    *(Rule("adj", word, lambda word=word: word) for word in ADJECTIVES),
    Rule("adj", "strictly positive", lambda: "positive"),
    Rule("adj", "positive definite", lambda: "positive-definite"),
    Rule("adj", "positive semidefinite/semi-definite", lambda: "positive-semidefinite"),
    Rule("adj", "symmetric positive definite", lambda: "positive-definite"),
    Rule("type", "standard normal/gaussian random? vectors", lambda: "standard normal vectors"),
    Rule("size", "<sym> by <sym>", lambda rows, columns: Thing(f"{rows.signs}×{columns.signs}")),
    Rule("size", "<expr>", lambda size: size),
    Rule("type", "probability vector/vectors", lambda: "distribution"),
    Rule("type", "probability distribution/distributions", lambda: "distribution"),
    Rule("type", "projection/projector matrix/matrices", lambda: "projection"),
    *(Rule("type", word, lambda word=word: word) for word in TYPES if word != "covariance"),
    Rule(
        "entity",
        "a/an/any/every/each/the <adjs>? positive? semi-definite/semidefinite/definite? covariance matrix <syms>?",
        lambda adjs, names: introduce_named(adjs or (), "covariance", names),
    ),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <type> <syms>?",
        lambda adjs, type_, names: introduce_named(adjs or (), type_, names),
    ),
    Rule(
        "entity",
        f"{DETERMINER} <adjs>? <size> <adjs>? <type> <syms>?",
        lambda a, size, b, t, n: introduce_sized(size, (*(a or ()), *(b or ())), t, n),
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
    Rule(
        "entity",
        "a/an/any/every/each/all/the <adjs>? coefficient/parameter/input/feature/auxiliary vector/vectors <syms>",
        lambda adjs, names: introduce_named(adjs or (), "vector", names),
    ),
    Rule("entity", "all/the/a/an? <adjs> <syms>", _adjective_names),
    Rule(
        "entity",
        "<entity1> <entity_tail>",
        lambda thing, tail: Thing(thing.signs, (*thing.given, *tail(thing)), thing.kind),
    ),
)
