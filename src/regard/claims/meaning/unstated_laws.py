"""Random letters to which a claim gives no law: Var(X + Y) = Var(X) + Var(Y), E[a^T x] = a^T E[x].

A letter that only ever stands in E, Var, Cov or P is random. So that as little as possible is taken for granted, such
letters get any means, share some of their noise unless the claim calls them independent, and numbers are not normal
unless it says so:

    numbers    X = m + u ξ + w (ξ ζ + ζ²)      m, u, w any numbers, ξ and ζ standard normal and common to all
    vectors    x = m + U ξ                      U any matrix; u ∘ ξ where the X_i are called independent
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from regard.claims.syntax.letters import GREEK_NAMES
from regard.claims.syntax.tree import Binary, Call, Claim, Node, Number, OneOf, Relation, Symbol, children, walk

MOMENTS = frozenset({"E", "Var", "Cov", "Std", "Corr", "probability", "given"})
FIXED = frozenset({"e", "pi", "infinity", "I", "ones"})
CONSTANT_LETTERS = frozenset({*"abcdtnmijlABC", "alpha", "beta", "lambda", "mu", "rho", "sigma", "tau"})
"""Letters that nobody takes for random ones, wherever they stand."""
SEVERAL = frozenset("XYZ")
"""Letters of random numbers of which there may be several: X_i."""
_NORMAL = re.compile(r"normal|[Gg]aussian")
_INDEPENDENT = re.compile(r"independen|i\.?i\.?d")


def with_unstated_laws(claim: Claim, *, as_vectors: bool) -> Claim | None:
    """The claim with a law for each letter that is random by its use; None where it has none, or states laws itself."""
    parts = (claim, *claim.more)
    relations = [relation for part in parts for relation in (*part.relations, *part.context)]
    names = _random_letters(relations)
    as_vectors = as_vectors or bool(names & _indexed(relations))
    if not names or any(relation.comparison == "~" for relation in relations):
        return None
    laws = _laws(names, claim.text, as_vectors=as_vectors)
    words = f"{', '.join(sorted(names))}: random, with any means and variances"
    words += ", independent" if _INDEPENDENT.search(claim.text) else ""
    changed = [replace(part, premises=(*laws, *part.premises), notes=(*part.notes, words), more=()) for part in parts]
    return replace(changed[0], more=tuple(changed[1:]))


def _random_letters(relations: list[Relation]) -> set[str]:
    inside: set[str] = set()
    outside: set[str] = set()
    for relation in relations:
        for side in (relation.left, relation.right):
            _sort(side, inside, outside, is_inside=False)
    found = inside - outside - FIXED - CONSTANT_LETTERS
    found = {name for name in found if name.isupper()} or found
    is_odd = any(len(name) > 1 or (name in _indexed(relations) and name not in SEVERAL) for name in found)
    return set() if is_odd else found


def _indexed(relations: list[Relation]) -> set[str]:
    """Letters with an index."""
    nodes = [node for one in relations for node in walk(one)]
    return {node.name for node in nodes if isinstance(node, Symbol) and node.subscripts and len(node.name) == 1}


def _sort(node: Node, inside: set[str], outside: set[str], *, is_inside: bool) -> None:
    if isinstance(node, Symbol):
        (inside if is_inside else outside).add(node.name)
    is_moment = isinstance(node, Call) and node.function in MOMENTS
    parts = children(node)
    if isinstance(node, OneOf):
        with_moment = [one for one in parts if any(isinstance(n, Call) and n.function in MOMENTS for n in walk(one))]
        parts = tuple(with_moment[:1]) or (parts[1:] if _is_run(parts[0]) else parts)  # XY is X times Y
    for child in parts:
        _sort(child, inside, outside, is_inside=is_inside or is_moment)


def _is_run(node: Node) -> bool:
    """Whether this is a name of several letters that nobody knows, alone or transposed."""
    while isinstance(node, Call) and node.arguments:
        node = node.arguments[0]
    node = node.left if isinstance(node, Binary) and node.operator == "^" else node
    return isinstance(node, Symbol) and len(node.name) > 1 and node.name.split("_")[0] not in GREEK_NAMES


def _laws(names: set[str], text: str, *, as_vectors: bool) -> tuple[Relation, ...]:
    is_independent = bool(_INDEPENDENT.search(text))
    is_entrywise = is_independent and as_vectors and re.search(r"(?<![A-Za-z])[XYZ]_", text) is not None
    found: list[Relation] = []
    for name in sorted(names):
        label = (name.upper(),)
        noise = Symbol("xi", label if is_independent else ())
        second = Symbol("zeta", label if is_independent else ())
        spread = Symbol("I") if as_vectors else Number(Fraction(1))
        for one in (noise,) if as_vectors or _NORMAL.search(text) else (noise, second):
            law = Relation("~", one, Call("N", (Number(Fraction(0)), spread)))
            found += [law] if law not in found else []
        scale = Symbol("U" if as_vectors and not is_entrywise else "u", label)
        body: Node = Binary("∘" if is_entrywise else "*", scale, noise)
        if not as_vectors and not _NORMAL.search(text):
            bent = Binary("+", Binary("*", noise, second), Binary("^", second, Number(Fraction(2))))
            body = Binary("+", body, Binary("*", Symbol("w", label), bent))
        found.append(Relation("=", Symbol(name), Binary("+", Symbol("m", label), body)))
    return tuple(found)
