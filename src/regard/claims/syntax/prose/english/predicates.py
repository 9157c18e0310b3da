"""Verb phrases: what is said of a thing, is at most 1, tends to zero, has rank one, does not depend on q."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import (
    VANISH,
    Clause,
    Thing,
    as_variance,
    both,
    claim,
    claim_in_signs,
    fill,
    is_open,
)
from regard.claims.syntax.prose.signs import symbols_in

Predicate = Callable[[Thing], Clause]

COMPARISONS: tuple[tuple[str, str], ...] = (
    ("≤", "at most"),
    ("≤", "no more/larger/greater/bigger/higher than"),
    ("≤", "not more/larger/greater/bigger/higher than"),
    ("≤", "never more/larger/greater/bigger/higher than"),
    ("≤", "bounded above? by"),
    ("≤", "bounded from above by"),
    ("≤", "less/smaller than or equal to"),
    ("≤", "never above"),
    ("≥", "at least"),
    ("≥", "no less/smaller/lower/fewer than"),
    ("≥", "not less/smaller/lower than"),
    ("≥", "never less/smaller/lower than"),
    ("≥", "never below"),
    ("≥", "bounded below by"),
    ("≥", "bounded from below by"),
    ("≥", "greater/larger than or equal to"),
    ("<", "strictly? less/smaller/lower/below than?"),
    (">", "strictly? greater/larger/more/bigger/higher/above than?"),
    ("≈", "approximately/roughly/about equal? to?"),
    ("≈", "close to"),
    ("∝", "proportional to"),
    ("=", "equal/identical to/with"),
    ("=", "the very? same as"),
    ("=", "the same vector/matrix/number/thing/value? as"),
    ("=", "given by"),
    ("=", "nothing but/else but/than?"),
    ("=", ""),
)
_IS = "is/are/be/was/were/equals"


def compare(sign: str) -> Callable[[Thing], Predicate]:
    """Is at most x: a relation with something that is named or known.

    Raises: Unreadable for what only has a kind, as in `is a matrix`.
    """

    def meaning(right: Thing) -> Predicate:
        if (
            right.signs.startswith("⟨")
            and right.signs.endswith("⟩")
            and right.signs.count("⟨") == 1
            and not is_open(right.signs)
            and right.kind != "part"  # of a network, which has a letter of its own
        ):
            raise Unreadable  # is a matrix: no equation
        if right.kind == "defined":  # is α_j = 1/n: an equation that is claimed
            return lambda left: claim(f"{left.signs} {sign} {right.signs}", *right.given, of=left)
        return lambda left: _compared(left, sign, right)

    return meaning


_OPERATOR = re.compile(r"[⊙∘⊗⊕×·*∇∂]|\\(?:odot|circ|otimes|oplus|times|cdot|nabla|partial)")


def _is_of_own_letter(slope: Thing, other: Thing) -> bool:
    """Whether one thing is the derivative of a function without a letter, and the other has letters, but not x."""
    is_slope = slope.kind == "derivative" and slope.about is not None and slope.about.kind == "function"
    letters = [one for one in symbols_in(other.signs) if one not in ("σ", "\\sigma", "e")]
    return is_slope and "∂/∂x " in slope.signs and bool(letters) and "x" not in letters


def _compared(left: Thing, sign: str, right: Thing) -> Clause:
    """A relation of two things; `⊙ is the product of u and v` is none, but says what a sign means.

    Raises: Unreadable.
    """
    if _OPERATOR.fullmatch(left.signs.strip()) or "row" in (left.kind, right.kind):
        raise Unreadable  # of each row only the sum is written
    if any(_is_of_own_letter(one, other) for one, other in ((left, right), (right, left))):
        raise Unreadable  # the derivative of the sigmoid is h(1 − h), of an h that is not told
    return claim(f"{left.signs} {sign} {right.signs}", of=left, given=right.given)


def _relation_rules() -> list[Rule]:
    """is …, are …, can be … and other verbs before each comparison."""
    found = []
    for sign, words in COMPARISONS:
        found.append(Rule("pred", f"{words} <np>", compare(sign)))
    for sign, verbs in (
        ("=", "equals/equal/becomes/reads"),
        ("=", "reduces/simplifies/amounts to"),
        ("=", "coincides/agrees with"),
        ("=", "has/have/takes the? value"),
        ("≤", "does/do/can/could/will not exceed"),
        ("≤", "never exceeds"),
        ("≤", "can never exceed"),
        ("≤", "can not/never be larger/greater/bigger/more than"),
        ("≤", "can be at most"),
        ("≥", "can not/never be smaller/less/lower than"),
        ("≥", "can not/never fall/drop/go below"),
        ("≥", "never falls/drops/goes below"),
        ("≥", "can not/never be/lie below/under"),
        ("≤", "can not/never be/lie above/over"),
        (">", "exceeds/exceed"),
        ("=", "comes/come out as"),
        ("=", "denotes/denote"),
        ("=", "collapses/collapse to"),
        ("=", "comes/come to"),
        ("=", "works/work out to/as/at"),
        ("=", "evaluates/evaluate to"),
        ("=", "turns/turn out to? be/as?"),
        ("=", "stays/stay/remains/remain equal/identical to/with"),
        ("<", "stays/stay/remains/remain/lies/lie strictly? below/under"),
        (">", "stays/stay/remains/remain/lies/lie strictly? above/over"),
        ("→", "tends/tend/goes/go/converges/converge/approaches/approach to?"),
        ("→", "converges/tends pointwise to"),
    ):
        found.append(Rule("vp", f"{verbs} <np>", compare(sign)))
    return found


def said(category: str, pattern: str, *templates: str) -> Rule:
    """A predicate that writes its thing into {0}, and what else it names into {1}, {2}."""

    def meaning(*things: Thing | None) -> Predicate:
        return lambda subject: claim(
            *(fill(one, subject, *things) for one in templates),
            of=subject,
            given=tuple(given for thing in things if thing is not None for given in thing.given),
        )

    return Rule(category, pattern, meaning)


PROPERTIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("antisymmetric/skew-symmetric", ("[0] is antisymmetric",)),
    ("invertible/nonsingular/non-singular", ("[0] is invertible",)),
    ("singular", ("det([0]) = 0",)),
    ("never invertible/nonsingular", ("det([0]) = 0",)),
    ("idempotent", ("[0] is idempotent",)),
    ("positive definite", ("[0] is positive definite",)),
    ("symmetric positive definite", ("[0] is positive definite",)),
    ("symmetric positive semidefinite", ("[0] is positive semidefinite",)),
    ("positive semidefinite/semi-definite", ("[0] is positive semidefinite",)),
    ("a/an? orthogonal? projection/projector matrix?", ("[0] is a projection",)),
    ("an? orthogonal matrix", ("[0] is orthogonal",)),
    ("positive", ("[0] > 0",)),
    ("strictly positive", ("[0] > 0",)),
    ("negative", ("[0] < 0",)),
    ("strictly negative", ("[0] < 0",)),
    ("nonnegative/non-negative", ("[0] ≥ 0",)),
    ("never negative", ("[0] ≥ 0",)),
    ("never positive", ("[0] ≤ 0",)),
    ("a? one-hot vector?", ("[0] is onehot",)),
    ("a? unit vector", ("[0] is unit",)),
    ("a? probability? distribution", ("[0] is a distribution",)),
    ("a? probability vector", ("[0] is a distribution",)),
    ("fixed/finite/arbitrary/constant/real", ()),
    ("infinite/unbounded", (f"[0] {VANISH} ∞",)),
    ("large", ("[0] → ∞",)),
    ("small", ("[0] → 0",)),
    ("nonzero/non-zero", ("[0] is nonzero",)),
    ("square", ("[0] is square",)),
    ("diagonal", ("[0] = diag(diag([0]))",)),
    ("random", ()),
    ("a softmax vector/output/distribution?", ("[0] is a distribution", "[0] > 0")),
    ("differentiable/continuous/smooth/well-defined", ()),
)


def read_law(law: Thing) -> str:
    """A normal law.

    Raises: Unreadable for anything else.
    """
    if not re.match(r"\s*(?:\\mathcal\s*\{?\s*N\}?|N|𝒩)\s*(?:\\left)?\(", law.signs):
        raise Unreadable
    return law.signs


def _law(law: Thing) -> Predicate:
    signs = read_law(law)
    return lambda x: claim(f"{x.signs} ~ {signs}", of=x)


def name_sign(thing: Thing) -> Clause:
    """σ is the sigmoid, ‖·‖ the norm: a name for what the signs mean anyway."""
    if not re.fullmatch(
        r"σ|\\sigma|sigma|Phi|∘|⊙|\\odot|\\?\|*‖?\s*[·⋅]?\s*(?:\\cdot)?\s*‖?\|*(?:_\{?\w\}?|[₂₁])?|Φ|\\Phi", thing.signs
    ):
        raise Unreadable
    return Clause((), (), thing)


def _rank(thing: Thing, relation: str) -> Clause:
    """A has rank r ≥ 1: rank(A) = r, of which r ≥ 1."""
    found = re.match(r"\s*(\w)\s*(?:[≥>≤<=]|\\[gl]eq?)", relation)
    if found is None:
        raise Unreadable
    return claim(f"rank({thing.signs}) = {found[1]}", relation, of=thing)


def negated(clause: Clause) -> Clause:
    """Not so in general; of one statement.

    Raises: Unreadable for more than one, or one that is negated already.
    """
    if len(clause.claims) != 1:
        raise Unreadable
    only = clause.claims[0]
    if only.endswith("does not hold"):
        raise Unreadable
    return replace(clause, claims=(f"{only} does not hold",))


def _joined(first: Predicate, second: Predicate) -> Predicate:
    return lambda x: both(first(x), replace(second(x), subject=x))


def _sums(thing: Thing, total: Thing) -> Clause:
    """The entries sum to a number; a row is written as its sum.

    Raises: Unreadable for several things, which may sum to something themselves.
    """
    if ", " in thing.signs and thing.kind.endswith("list"):
        raise Unreadable
    whole = thing.signs if thing.kind == "row" else f"sum({thing.signs.removesuffix('_i')})"
    return claim(f"{whole} = {total.signs}", of=thing, given=total.given)


def _symmetric(thing: Thing) -> Clause:
    """A matrix is its transpose; a measure of two distributions does not care for their order."""
    found = re.fullmatch(r"(KL|H|D|I)\((\w)\s*(\|\||‖|,|;)\s*(\w)\)", thing.signs)
    if found is None:
        return claim(f"{thing.signs} is symmetric", of=thing)
    name, first, between, second = found.groups()
    return claim(f"{thing.signs} = {name}({second} {between} {first})", of=thing)


def _orthogonal(thing: Thing) -> Clause:
    """A matrix is orthogonal; a vector is so only to another.

    Raises: Unreadable for a letter of a vector.
    """
    if re.fullmatch(r"\\?[a-zα-ω](?:_\{?\w\}?)?|⟨(?:unit |random )?vector:\d+⟩", thing.signs):
        raise Unreadable
    return claim(f"{thing.signs} is orthogonal", of=thing)


def say_uniform(thing: Thing) -> Clause:
    """Any two entries are equal; α_i are the entries of α."""
    whole = thing.signs.removesuffix("_i")
    if "_" in whole:
        raise Unreadable
    return claim(f"{whole}_r = {whole}_t", of=thing)


def _in_signs(relation: str) -> Predicate:
    return lambda x: claim_in_signs(relation, x)


_GIVING = ("query", "queries", "key", "keys", "head", "value", "values", "input")


def _comes_to(right: Thing) -> Predicate:
    """The sum of x and y gives z: an equation, but not of a query, which gives an output.

    Raises: Unreadable.
    """

    def meaning(left: Thing) -> Clause:
        if left.kind in _GIVING or right.kind.startswith(("output", "weight")):
            raise Unreadable
        return compare("=")(right)(left)

    return meaning


def _gives(relation: str) -> Predicate:
    """The query q = C k_a gives A.

    Raises: Unreadable for x < 1 gives A, which is no thing.
    """

    def meaning(thing: Thing) -> Clause:
        if any(re.match(rf"{re.escape(thing.signs)}\s*[<>≤≥≠]", one) for one in thing.given):
            raise Unreadable
        return claim_in_signs(relation, thing)

    return meaning


def _either(thing: Thing, first: Thing, second: Thing) -> Clause:
    return claim(f"{thing.signs} = {first.signs} or {thing.signs} = {second.signs}", of=thing)


def _state_also(relation: str) -> Predicate:
    """A relation at the end of a list of what is said of a thing: J is symmetric, …, and J 1 = 0."""
    return lambda x: claim(relation, of=x)


def _not(predicate: Predicate) -> Predicate:
    return lambda x: negated(predicate(x))


MEASURES: tuple[tuple[str, str], ...] = (
    ("rank", "rank([0])"),
    ("trace", "tr([0])"),
    ("determinant", "det([0])"),
    ("mean", "E[[0]]"),
    ("expectation", "E[[0]]"),
    ("expected value", "E[[0]]"),
    ("variance", "Var([0])"),
    ("standard deviation", "Std([0])"),
    ("covariance matrix?", "Cov([0])"),
    ("euclidean? norm/length", "‖[0]‖"),
    ("entropy", "H([0])"),
)
"""What something may have: P has rank n."""


def _has_rules() -> list[Rule]:
    found = []
    for words, template in MEASURES:
        found.append(said("having", f"a/the? {words} <np>", f"{template} = [1]"))
        found.append(said("having", f"{words} at most <np>", f"{template} ≤ [1]"))
        found.append(said("having", f"{words} at least <np>", f"{template} ≥ [1]"))
        found.append(said("having", f"a/an? {words} equal to <np>", f"{template} = [1]"))
        found.append(said("having", f"a/an {words} of <np>", f"{template} = [1]"))
        found.append(said("having", f"{words} larger/greater/more than <np>", f"{template} > [1]"))
        found.append(said("having", f"{words} smaller/less than <np>", f"{template} < [1]"))
        found.append(said("having", f"a/an? strictly? positive {words}", f"{template} > 0"))
        found.append(said("having", f"a/an? strictly? negative {words}", f"{template} < 0"))
        found.append(said("having", f"a/an? nonnegative/non-negative {words}", f"{template} ≥ 0"))
        found.append(said("having", f"a/an? nonzero/non-zero {words}", f"{template} ≠ 0"))
        found.append(said("having", f"zero {words}", f"{template} = 0"))
        found.append(
            said("having", f"a/the? {words} either? <expr> or <expr>", f"{template} = [1] or {template} = [2]")
        )
        found.append(said("having", f"unit {words}", f"{template} = 1"))
        found.append(
            Rule(
                "vp",
                f"has/have the same {words} as <np>",
                lambda other, template=template: (
                    lambda x: claim(f"{fill(template, x)} = {fill(template, other)}", of=x, given=other.given)
                ),
            )
        )
    return found


def _is_standard(thing: Thing) -> Clause:
    return claim(f"{thing.signs} ~ N(0, {'I' if 'vector' in thing.kind else '1'})", of=thing)


def _is_gaussian(mean: Thing, spread: Thing) -> Predicate:
    signs = spread.signs
    if re.fullmatch(r"[\d./½¼\s]+|\\[dt]?frac.*", signs) and signs not in ("0", "1"):
        signs = f"sqrt({signs})^2"  # called a variance, which a bare number in N(0, 1/2) may not be
    return lambda x: claim(f"{x.signs} ~ N({mean.signs}, {as_variance(signs)})", of=x)


def written_as(right: Thing) -> Predicate:
    """A matrix of rank one can be written as uvᵀ, with some u and v.

    Raises: Unreadable for such a thing without a letter.
    """

    def meaning(thing: Thing) -> Clause:
        if thing.signs.startswith("⟨"):
            raise Unreadable
        return claim(f"{thing.signs} = {right.signs}", of=thing, given=right.given)

    return meaning


def _has_size(thing: Thing, size: Thing) -> Clause:
    """A vector has n entries, which is how many it has anyway; that it has two is given.

    Raises: Unreadable for more than one vector, or a size that is neither a letter nor a number.
    """
    if re.fullmatch("[nmdKN]", size.signs):
        return Clause((), (), thing)
    if not re.fullmatch(r"\w", thing.signs) or not size.signs.isdigit():
        raise Unreadable
    return claim(f"{thing.signs} ∈ R^{size.signs}", of=thing)


SHAPES: tuple[Rule, ...] = (
    said("pred", "its/their own inverse", "{0} {0} = I"),
    said("pred", "its/their own transpose", "{0}^T = {0}"),
    said("vp", "has/have no negative eigenvalue/eigenvalues", "eigmin([0]) ≥ 0"),
    Rule("vp", "gives/give/yields/yield <rel>", _gives),
    Rule("vp", "gives/yields <np>", _comes_to),
    Rule(
        "vp",
        "denotes/is the? usual? logistic? sigmoid/logistic/frobenius/spectral/euclidean/elementwise/entrywise "
        "function/norm/product?",
        lambda: name_sign,
    ),
    *(
        Rule(
            "vp",
            f"has/have {words} <on_diagonal>",
            lambda _, relation=relation: lambda x: claim(f"diag({x.signs}) {relation}", of=x),
        )
        for words, relation in (
            ("only? strictly? positive", "> 0"),
            ("only? strictly? negative", "< 0"),
            ("only? nonnegative/non-negative", "≥ 0"),
            ("only? zeros/zero", "= 0"),
            ("only? ones/unit", "= 1"),
        )
    ),
    Rule("on_diagonal", "diagonal entries/elements", lambda: None),
    Rule("on_diagonal", "diagonal", lambda: None),
    Rule("on_diagonal", "entries/elements? on the/its/their main? diagonal", lambda: None),
    Rule("having", "rank <rel>", lambda rel: lambda x: _rank(x, rel)),
    Rule(
        "vp",
        "can never/not have a? euclidean? norm larger/greater than <np>",
        lambda y: lambda x: claim(f"‖{x.signs}‖ ≤ {y.signs}", of=x),
    ),
    Rule("vp", "follows/has a/an/the? <expr> distribution", _law),
    Rule("vp", "has/have <expr> components/entries/elements/coordinates", lambda n: lambda x: _has_size(x, n)),
    Rule(
        "vp",
        "has/have a unique largest/maximal/maximum entry/element/component",
        lambda: lambda x: claim(f"{x.signs} uniquemax", of=x),
    ),
    Rule("vp", "has/have orthonormal columns", lambda: lambda x: claim(f"{x.factor}^T {x.factor} = I", of=x)),
    Rule("vp", "has/have orthonormal rows", lambda: lambda x: claim(f"{x.factor} {x.factor}^T = I", of=x)),
    Rule(
        "vp",
        "has/have linearly ,? independent columns",
        lambda: lambda x: claim(f"{x.factor}^T {x.factor} is invertible", of=x),
    ),
    Rule(
        "vp",
        "has/have linearly independent ,? but? not necessarily? orthonormal ,? columns",
        lambda: lambda x: claim(f"{x.factor}^T {x.factor} is invertible", of=x),
    ),
    Rule("vp", "has/have full column rank", lambda: lambda x: claim(f"{x.factor}^T {x.factor} is invertible", of=x)),
    Rule(
        "vp",
        "decomposes/factorises/factorizes/splits/expands as/into <rel>",
        _in_signs,
    ),
    Rule("vp", "can be written/expressed as <rel>", _in_signs),
    Rule("vp", "can be written/expressed as <expr>", written_as),
    Rule(
        "vp",
        "satisfies/satisfy/obey/obeys the <qualifiers>? <theorem_name>? <kind_of_relation> ,? <rel>",
        lambda *parts: _in_signs(parts[-1]),
    ),
    Rule("kind_of_relation", "inequality/identity/relation/bound/equation", lambda: None),
    Rule("theorem_name", "triangle/pythagorean/parseval/cauchy-schwarz/cauchy–schwarz", lambda: None),
    Rule("vp", "corresponds to <np>", lambda right: lambda x: claim(f"{x.signs} = {right.signs}", of=x)),
)


LAWS: tuple[Rule, ...] = (
    Rule(
        "pred",
        "again? gaussian/normal/normally ,? distributed? with mean <np> and variance/covariance matrix? <np>",
        _is_gaussian,
    ),
    Rule("pred", "distributed as <expr>", _law),
    Rule("pred", "<expr> distributed", _law),
    Rule("vp", "has/have/follows the? distribution <expr>", _law),
    Rule("pred", "standard normal/gaussian", lambda: _is_standard),
)

RULES: tuple[Rule, ...] = (
    *(said("prop", words, *templates) for words, templates in PROPERTIES),
    Rule("prop", "symmetric", lambda: _symmetric),
    Rule("prop", "uniform", lambda: say_uniform),
    Rule("prop", "orthogonal", lambda: _orthogonal),
    *SHAPES,
    *LAWS,
    said("prop", "of rank <np>", "rank([0]) = [1]"),
    said("prop", "of trace <np>", "tr([0]) = [1]"),
    said("prop", "of unit length/norm", "‖[0]‖ = 1"),
    Rule("props", "<prop> but <prop>", _joined),
    Rule("props", "<prop> , <prop> ,? and <prop>", lambda a, b, c: _joined(_joined(a, b), c)),
    Rule("props", "<prop> and <prop>", _joined),
    Rule("props", "real/square/again/also <props>", lambda a: a),
    Rule("props", "both? <prop>", lambda a: a),
    Rule("pred", "<props>", lambda a: a),
    *_relation_rules(),
    *_has_rules(),
    Rule("havings", "<having> ,? and <having>", _joined),
    Rule("havings", "<having>", lambda a: a),
    Rule("vp", "has/have <havings>", lambda a: a),
    Rule("vp", "has/have the? entries/components/elements <rel>", lambda rel: lambda x: claim(rel, of=x)),
    said("vp", "lies/lie/is/are strictly between <np> and <np>", "[1] < [0] < [2]"),
    said("vp", "lies/lie/is/are always? between <np> and <np>", "[1] ≤ [0] ≤ [2]"),
    said("vp", "tends/tend/goes/converges/converge/approaches to? the? uniform distribution", "[0] → 1/n"),
    Rule(
        "vp",
        "is/are a? convex combination/combinations of the? values/value vectors?",
        lambda: lambda x: Clause((), x.given, x),
    ),
    said("vp", "vanishes/vanish", f"[0] {VANISH} 0"),
    Rule("vp", "sums/sum/add/adds up? to <np>", lambda total: lambda x: _sums(x, total)),
    said("vp", "has/have entries/components/elements that sum to <np>", "sum([0]) = [1]"),
    Rule("vp", f"{_IS} <pred> and <pred>", _joined),
    Rule("vp", f"{_IS} <pred>", lambda a: a),
    Rule("vp", f"{_IS} either? <expr> or <expr>", lambda a, b: lambda x: _either(x, a, b)),
    Rule("vp", f"{_IS} not <props>", _not),
    Rule("vp", f"{_IS} not equal to <np>", lambda y: lambda x: negated(compare("=")(y)(x))),
    Rule("vp", "need not be <props>", _not),
    Rule("vp", "must/will/would be <pred>", lambda a: a),
    Rule("vp", f"{_IS} then/therefore/thus/hence/still/even/also <pred>", lambda a: a),
    Rule("vp", "satisfies/satisfy/obeys/obey/fulfils/fulfills/fulfil/has/have <rel>", _in_signs),
    Rule("vps", "<vp> ,? and <vp> ,? and <vp>", lambda a, b, c: _joined(_joined(a, b), c)),
    Rule("vps", "<vp> , <vp> ,? and <vp>", lambda a, b, c: _joined(_joined(a, b), c)),
    Rule("vps", f"{_IS} <prop> , <prop> ,? and <vp>", lambda a, b, c: _joined(_joined(a, b), c)),
    Rule("vps", f"{_IS} <prop> , <vp> ,? and <vp>", lambda a, b, c: _joined(_joined(a, b), c)),
    Rule("vps", f"{_IS} <prop> , <prop> ,? and <rel>", lambda a, b, rel: _joined(_joined(a, b), _state_also(rel))),
    Rule("vps", f"{_IS} <props> , <vp>", _joined),
    Rule("vps", "<vp> ,? and/but therefore/hence/thus/also/even? <vp>", _joined),
    Rule("vps", "<vp>", lambda a: a),
)
