"""Where the output lies: in the convex hull of the values, as a weighted average of them, at one of them.

In the hull is what is, in every direction u, between the smallest and the largest uᵀv_i.
"""

from __future__ import annotations

from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import RETURNS, Clause, Thing, claim

_OUTPUTS = (OUTPUT_LETTER, "c", "o")


def _check_output(thing: Thing) -> None:
    """Raises: Unreadable for anything but the output of attention."""
    if thing.signs not in _OUTPUTS:
        raise Unreadable


def in_hull(family: str) -> Predicate:
    """In every direction the output is between the smallest and the largest of a family."""

    def meaning(thing: Thing) -> Clause:
        _check_output(thing)
        out = thing.signs
        return claim(f"min_i u^T {family} ≤ u^T {out}", f"u^T {out} ≤ max_i u^T {family}", of=thing)

    return meaning


def _with_weights(family: str, weights: Thing | None) -> Predicate:
    """A weighted average of the values; with the weights α, the one that attention is."""
    if weights is None:
        return in_hull(family)
    name = weights.signs.removesuffix("_i")
    if name not in ("α", "\\alpha", WEIGHTS):
        raise Unreadable

    def meaning(thing: Thing) -> Clause:
        _check_output(thing)
        return claim(f"{thing.signs} = \\sum_i {name}_i {family}", of=thing)

    return meaning


def _sum(family: str) -> Predicate:
    """A weighted sum of the values, with the weights that attention gives them."""
    return _with_weights(family, Thing(WEIGHTS))


def _one_of(family: str, sign: str) -> Predicate:
    """Nothing is between the output and the nearest of the values."""

    def meaning(thing: Thing) -> Clause:
        _check_output(thing)
        return claim(f"min_i ‖{thing.signs} - {family}‖ {sign} 0", of=thing)

    return meaning


def _family(names: tuple[str, ...]) -> str:
    """v_i or k_i.

    Raises: Unreadable for other letters.
    """
    if names not in (("v_i",), ("k_i",)):
        raise Unreadable
    return names[0]


_AVERAGE = "combination/combinations/average/averages/mean/mixture/mixtures"
_STAYS = "lies/lie/is/are/stays/stay/remains/remain/falls/sits/ends lying/located/up?"
_ALWAYS = "always/ever/still?"

RULES: tuple[Rule, ...] = (
    Rule("family", "the/all/its/these/those/my? the? <count>? values/value vectors/vector? <syms>?", lambda *_: "v_i"),
    Rule("family", "the/all? the? keys/key vectors/vector? <syms>?", lambda _: "k_i"),
    Rule("family", "the/all? the? <syms>", _family),
    Rule("hull", "the? convex hull of <family>", lambda family: family),
    Rule("hull", "the? convex hull spanned by <family>", lambda family: family),
    Rule("hull", "the? simplex/polytope spanned by <family>", lambda family: family),
    Rule("vp", f"{_ALWAYS} {_STAYS} {_ALWAYS} a? point? of/in/inside/within/to <hull>", in_hull),
    Rule("vp", "belongs/belong to <hull>", in_hull),
    Rule("vp", "is/are always? a/some? point/element/member/vector of/in <hull>", in_hull),
    Rule("vp", "is/are always? contained in <hull>", in_hull),
    Rule("vp", "never leaves/leave/exits/escapes <hull>", in_hull),
    Rule("vp", "can/could/will/does/do not/never leave/exit/escape <hull>", in_hull),
    Rule("vp", "never lies/lie/is/falls/goes/lands outside of? <hull>", in_hull),
    Rule("vp", "can/could/will/does/do not/never lie/be/fall/go/land/end up? outside of? <hull>", in_hull),
    Rule("vp", f"is/are always? a/an/some? convex {_AVERAGE} of <family> <by_weights>?", _with_weights),
    Rule("vp", f"is/are always? a/an/some? weighted {_AVERAGE} of <family> <by_weights>?", _with_weights),
    Rule("vp", f"is/are always? a/an/some? convex weighted? {_AVERAGE} of <family> <by_weights>?", _with_weights),
    Rule("vp", "is/are always? a/an/some/the? weighted sum of <family> <by_weights>", _with_weights),
    Rule("vp", "is/are always? a/an/some/the? weighted sum of <family>", _sum),
    Rule("by_weights", ",? with weights <sym>", lambda name: name),
    Rule("by_weights", ",? with the? weights <sym>", lambda name: name),
    Rule("by_weights", ",? weighted by/with the? attention? weights? <sym>", lambda name: name),
    Rule("by_weights", ",? weighted by the? attention? weights", lambda: Thing(WEIGHTS)),
    Rule("by_weights", ",? with the? attention weights as weights/coefficients", lambda: Thing(WEIGHTS)),
    Rule(
        "vp",
        "is/are/equals/equal/returns always? exactly? equal? to? one/some of <family>",
        lambda family: _one_of(family, RETURNS),
    ),
    Rule("vp", "is always a/some single? value/values vector?", lambda: _one_of("v_i", RETURNS)),
    Rule(
        "vp",
        "tends/tend/goes/go/converges/converge/approaches/approach to? one/some/a single? of <family>",
        lambda family: _one_of(family, "→"),
    ),
    Rule("vp", "is/are/comes close/arbitrarily close? to one of <family>", lambda family: _one_of(family, "≈")),
)
