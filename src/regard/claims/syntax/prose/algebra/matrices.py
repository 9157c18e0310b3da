"""Numbers that belong to one matrix, sizes, and what preserves lengths and angles."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import ITS, Clause, Thing, both, claim, fill

NUMBERS: tuple[tuple[str, str], ...] = (
    ("spectral radius", "max(eigmoduli([0]))"),
    ("largest absolute eigenvalue", "max(eigmoduli([0]))"),
    ("largest <modulus> of its/the/an/any/all? eigenvalues/eigenvalue", "max(eigmoduli([0]))"),
    ("largest <modulus> among its/the/all? eigenvalues", "max(eigmoduli([0]))"),
    ("largest eigenvalue in <modulus>", "max(eigmoduli([0]))"),
    ("smallest/minimal/minimum singular value", "min(singularvalues([0]))"),
    ("sum of all? the/its/all? eigenvalues", "sum(eigreal([0]))"),
    ("product of all? the/its/all? eigenvalues", "eigprod([0])"),
    ("sum of all? the/its/all? singular values", "sum(singularvalues([0]))"),
    ("sum of the/its? squared singular values", "‖singularvalues([0])‖²"),
    ("sum of the/its? squares of the/its? singular values", "‖singularvalues([0])‖²"),
    ("sum of the/its? squared <moduli> of the/its? eigenvalues", "‖eigmoduli([0])‖²"),
    ("sum of the/its? <moduli> of the/its? eigenvalues", "sum(eigmoduli([0]))"),
    ("sum of the/its? squares of the/its? eigenvalues", "(eigreal([0])^T eigreal([0]) - eigimag([0])^T eigimag([0]))"),
    ("sum of the/its? squared eigenvalues", "(eigreal([0])^T eigreal([0]) - eigimag([0])^T eigimag([0]))"),
    ("number of nonzero singular values", "rank([0])"),
    ("nullity", "rank(I - proj({0}^T))"),
    ("condition number", "(max(singularvalues([0])) / min(singularvalues([0])))"),
    ("nuclear norm", "sum(singularvalues([0]))"),
    ("number of linearly? independent columns/rows", "rank([0])"),
    ("sum of the/its? diagonal entries/elements", "tr([0])"),
    ("sum of the/its? entries/elements on the/its? diagonal", "tr([0])"),
    ("sum of the? squares of the/its/all? entries/elements", "‖[0]‖_F²"),
    ("sum of the/its/all? squared entries/elements", "‖[0]‖_F²"),
    ("square root of the sum of the? squares of the/its/all? entries/elements", "‖[0]‖_F"),
    ("square root of the sum of the/its/all? squared entries/elements", "‖[0]‖_F"),
    ("symmetric part", "(({0} + {0}^T)/2)"),
    ("antisymmetric/skew-symmetric part", "(({0} - {0}^T)/2)"),
    ("gram matrix", "{0}^T {0}"),
)
"""Numbers and matrices that belong to one matrix."""


def of_or_its(pattern: str, template: str) -> list[Rule]:
    """X of A, its X, and `the X` alone after something that was named."""
    its = Thing(fill(template, Thing(ITS)), (), "", Thing(ITS))
    return [
        Rule("base", f"the? {pattern} of <np>", lambda *parts: _belonging(template, parts[-1])),
        Rule("base", f"its/the {pattern}", lambda *_: its),
    ]


def _belonging(template: str, owner: Thing) -> Thing:
    return Thing(fill(template, owner), owner.given, "", owner.about or owner)


_NO_MATRICES = ("measure", "score", "number", "function", "softmax", "loss", "entry")


def _kept(what: str) -> Predicate:
    """An orthogonal matrix preserves norms, inner products, distances.

    Raises: Unreadable for what is no matrix: an entropy that decreases shortens nothing.
    """

    def meaning(matrix: Thing) -> Clause:
        if matrix.kind in _NO_MATRICES or matrix.signs in ("PP", "CE", "H_2"):
            raise Unreadable
        x, y = fresh("vector"), fresh("vector")
        templates = {
            "norm": f"‖{{0}} {x}‖ = ‖{x}‖",
            "inner": f"({{0}} {x})^T ({{0}} {y}) = {x}^T {y}",
            "distance": f"‖{{0}} {x} - {{0}} {y}‖ = ‖{x} - {y}‖",
            "longer": f"‖{{0}} {x}‖ ≤ ‖{x}‖",
            "shorter": f"‖{{0}} {x}‖ ≥ ‖{x}‖",
        }
        return claim(fill(templates[what], matrix), of=matrix)

    return meaning


_KEPT: tuple[tuple[str, str], ...] = (
    ("the? euclidean? norms/norm/lengths/length <of_vectors>?", "norm"),
    ("the? angles/inner/dot/scalar products/product? <of_vectors>?", "inner"),
    ("the? euclidean? distances/distance <of_vectors>?", "distance"),
)


def _kept_rules() -> list[Rule]:
    found = []
    for words, what in _KEPT:
        found.append(Rule("kept", words, lambda *_, what=what: _kept(what)))
    for verb in ("preserves/preserve", "keeps/keep", "leaves/leave"):
        end = "" if verb.startswith("pres") else " unchanged/invariant/fixed"
        found.append(Rule("vp", f"{verb} <kept>{end}", lambda kept: kept))
        found.append(Rule("vp", f"{verb} <kept> and <kept>{end}", lambda a, b: lambda x: both(a(x), b(x))))
    found.append(Rule("vp", "does/do not change/alter <kept>", lambda kept: kept))
    found.append(Rule("vp", "never lengthens/increases/stretches <lengthened>", lambda _: _kept("longer")))
    found.append(Rule("vp", "does/can not lengthen/increase/stretch <lengthened>", lambda _: _kept("longer")))
    for never in ("never makes", "can never make", "can/does/do not make"):
        found.append(Rule("vp", f"{never} a/any/vectors? vector? longer", lambda: _kept("longer")))
        found.append(Rule("vp", f"{never} a/any/vectors? vector? shorter", lambda: _kept("shorter")))
    found.append(Rule("vp", "never increase/lengthen/stretch <lengthened>", lambda _: _kept("longer")))
    found.append(Rule("vp", "can never increase/lengthen/stretch <lengthened>", lambda _: _kept("longer")))
    found.append(Rule("vp", "never shortens/decreases <lengthened>", lambda _: _kept("shorter")))
    found.append(Rule("vp", "shortens/decreases <lengthened>", lambda _: _kept("longer")))
    return found


def _times(matrix: Thing, vector: Thing) -> Thing:
    return Thing(f"{matrix.factor} {vector.factor}", (*vector.given, *matrix.given), "", vector)


def _effect(new: Thing, kept: str) -> Clause:
    """Multiplying x by Q does not change its length."""
    if new.about is None:
        raise Unreadable
    old = new.about
    template = {"norm": "‖{0}‖ = ‖{1}‖", "longer": "‖{0}‖ ≤ ‖{1}‖", "same": "[0] = [1]"}[kept]
    return claim(fill(template.replace("‖{0}‖", "‖[0]‖").replace("‖{1}‖", "‖[1]‖"), new, old), of=new, given=new.given)


def _sized(names: tuple[str, ...], size: Thing) -> Clause:
    """A is n×n.

    Raises: Unreadable where there is no size.
    """
    written = re.sub(r"\s*(?:×|\\times|(?<=\w) ?x ?(?=\w))\s*", "×", size.signs)
    if not re.fullmatch(r"\(?\w+×\w+\)?", written):
        raise Unreadable
    given = tuple(f"{name} ∈ R^{{{written.strip('()')}}}" for name in names)
    return Clause((), given, Thing(", ".join(names), (), "matrix list" if len(names) > 1 else "matrix"))


_ANAPHORA: tuple[tuple[str, str], ...] = (
    ("trace", "tr([0])"),
    ("rank", "rank([0])"),
    ("determinant", "det([0])"),
    ("inverse", "{0}^{-1}"),
    ("transpose", "{0}^T"),
    ("spectral/operator norm", "sqrt(eigmax({0}^T {0}))"),
    ("frobenius norm", "sqrt(tr({0}^T {0}))"),
    ("squared frobenius norm", "tr({0}^T {0})"),
    ("largest/maximal/maximum eigenvalue", "eigmax([0])"),
    ("smallest/minimal/minimum eigenvalue", "eigmin([0])"),
    ("largest/maximal/maximum singular value", "sqrt(eigmax({0}^T {0}))"),
)
"""What `the rank` alone is: that of what was named before."""

_TWICE = Thing(ITS)

RULES: tuple[Rule, ...] = (
    Rule("clause", "<syms> is/are/be real? <size> real?", _sized),
    Rule("clause", "<syms> is/are/be a? real? <size> matrix/matrices", _sized),
    *(
        Rule("base", f"the {words}", lambda template=template: Thing(fill(template, _TWICE), (), "", _TWICE))
        for words, template in _ANAPHORA
    ),
    *(rule for words, template in NUMBERS for rule in of_or_its(words, template)),
    *_kept_rules(),
    Rule("of_vectors", "of all/every/any/a? two? vectors/vector", lambda: None),
    Rule("of_vectors", "between all/every/any/a? two? vectors", lambda: None),
    Rule("of_vectors", "between vectors/points", lambda: None),
    Rule("lengthened", "the? length/norm of a/any vector", lambda: None),
    Rule("lengthened", "lengths/norms", lambda: None),
    Rule("lengthened", "a/any/vectors? vector?", lambda: None),
    Rule("multiplied", "multiplying/multiplication of? <np> by/with <np>", lambda x, a: _times(a, x)),
    Rule(
        "multiplied",
        "multiplication by <np>",
        lambda a: Thing(f"{a.factor} {(x := fresh('vector'))}", a.given, "", Thing(x)),
    ),
    Rule("multiplied", "applying <np> to <np>", _times),
    Rule("clause", "<multiplied> does/do not/never change/changes/alter <length>", lambda new, _: _effect(new, "norm")),
    Rule("clause", "<multiplied> never changes/alters <length>", lambda new, _: _effect(new, "norm")),
    Rule("clause", "<multiplied> preserves/keeps <length>", lambda new, _: _effect(new, "norm")),
    Rule("clause", "<multiplied> leaves <length> unchanged/invariant/alone", lambda new, _: _effect(new, "norm")),
    Rule("clause", "<multiplied> never increases <length>", lambda new, _: _effect(new, "longer")),
    Rule("clause", "<multiplied> can/does not increase <length>", lambda new, _: _effect(new, "longer")),
    Rule("length", "its/the euclidean? length/norm <of_vectors>?", lambda _: None),
    Rule("length", "the euclidean? length/norm of it/<np>", lambda *_: None),
)
