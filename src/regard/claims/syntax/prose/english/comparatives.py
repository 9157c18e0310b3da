"""What is said of a thing beside another: it exceeds it by 3, is twice as large, depends on nothing else of z.

s_a exceeds s_b by ln 2                    s_a = s_b + ln 2
α_a is twice as large as α_b               α_a = 2 α_b
at most the rank of either factor          at most each of the two ranks
p_i/p_j depends only on z_i − z_j          where another z' has the same z_i − z_j, it has the same p_i/p_j
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.phrases import EITHER, Clause, Thing, claim, fill, merged
from regard.claims.syntax.prose.signs import substitute, symbols_in


def _differs(template: str) -> Callable[[Thing, Thing], Predicate]:
    """x is y and some more: {0} is the thing, {1} the other and {2} what is between them."""

    def meaning(other: Thing, by: Thing) -> Predicate:
        if by.kind == "factor":
            raise Unreadable  # larger by the factor 3: three times as large
        return lambda x: claim(fill(template, x, other, by), of=x, given=merged(other, by))

    return meaning


_MULTIPLES: tuple[tuple[str, str], ...] = (
    ("twice/double", "2"),
    ("thrice", "3"),
    ("half", "(1/2)"),
)
_SIZED = "large/big/great/high/long/much/likely/probable"

AMOUNTS: tuple[Rule, ...] = (
    Rule("vp", "exceeds/exceed <np> by exactly? <np>", _differs("{0} = {1} + {2}")),
    Rule("vp", "exceeds/exceed <np> by at least <np>", _differs("{0} ≥ {1} + {2}")),
    Rule("vp", "exceeds/exceed <np> by at most <np>", _differs("{0} ≤ {1} + {2}")),
    Rule("pred", "larger/higher/greater/bigger/more than <np> by exactly? <np>", _differs("{0} = {1} + {2}")),
    Rule("pred", "larger/higher/greater/bigger/more than <np> by at least <np>", _differs("{0} ≥ {1} + {2}")),
    Rule("pred", "smaller/lower/less than <np> by exactly? <np>", _differs("{0} = {1} - {2}")),
    Rule("pred", "<np> larger/higher/greater/bigger/more than <np>", lambda by, y: _differs("{0} = {1} + {2}")(y, by)),
    Rule("pred", "<np> smaller/lower/less than <np>", lambda by, y: _differs("{0} = {1} - {2}")(y, by)),
    Rule("pred", "at least <np> larger/higher/greater than <np>", lambda by, y: _differs("{0} ≥ {1} + {2}")(y, by)),
    *(noun(f"{word} as {_SIZED} as <np>", f"{factor} {{0}}") for word, factor in _MULTIPLES),
    noun(f"<expr> times as {_SIZED} as <np>", "{0} {1}"),
    noun("<expr> times larger/bigger/higher/greater than <np>", "{0} {1}"),
)
"""A difference or a factor between two things."""


_OTHERS = "every/each/any/all of? the? other/remaining/others <kind_of_number>?"


def _than_others(sign: str) -> Callable[[Thing | None], Predicate]:
    """s_j exceeds every other score by at least D: s_j ≥ s_m + D for all m ≠ j."""

    def meaning(by: Thing | None) -> Predicate:
        def predicate(thing: Thing) -> Clause:
            found = re.fullmatch(r"(?P<name>\\?[A-Za-zα-ω]+)_\{?(?P<place>[a-z\d])\}?", thing.signs)
            if found is None or found["place"] == "m":
                raise Unreadable
            more = f" + {by.factor}" if by is not None else ""
            given = by.given if by is not None else ()
            return claim(f"{thing.signs} {sign} {found['name']}_m{more} for all m ≠ {found['place']}", given=given)

        return predicate

    return meaning


_MORE = "larger/higher/greater/bigger/more"
OTHERS: tuple[Rule, ...] = (
    Rule(
        "kind_of_number",
        "score/scores/logit/logits/entry/entries/component/components/probability/probabilities/ones/one",
        lambda: None,
    ),
    Rule("vp", f"exceeds/exceed {_OTHERS} by at least <np>", lambda _, by: _than_others("≥")(by)),
    Rule("vp", f"exceeds/exceed {_OTHERS} by more than <np>", lambda _, by: _than_others(">")(by)),
    Rule("vp", f"exceeds/exceed {_OTHERS}", lambda _: _than_others(">")(None)),
    Rule("pred", f"strictly? {_MORE} than {_OTHERS}", lambda _: _than_others(">")(None)),
    Rule("pred", f"{_MORE} than {_OTHERS} by at least <np>", lambda _, by: _than_others("≥")(by)),
    Rule("pred", f"{_MORE} than {_OTHERS} by more than <np>", lambda _, by: _than_others(">")(by)),
    Rule("pred", f"at least as large/big/high/great as {_OTHERS}", lambda _: _than_others("≥")(None)),
)
"""A thing beside all others of its kind."""


_FACTORS = "factor/factors/matrix/matrices/summand/summands/term/terms/vector/vectors/variable/variables/part/parts/one"
EACH: tuple[Rule, ...] = (
    Rule("base", f"either {_FACTORS}", lambda: Thing(EITHER)),
    Rule("base", f"either/each of the/its/these/those? two? {_FACTORS}", lambda: Thing(EITHER)),
    Rule("base", "either/each of them/these/those/both", lambda: Thing(EITHER)),
)
"""Either of two things: what is said is said of each."""


_COUNTING = "ijlmnNd"
"""Letters of indices and sizes."""
_ONLY, _ON = "⟨only⟩", "⟨on⟩"


def _depends_only(*things: Thing) -> Predicate:
    """x depends only on y: the same y gives the same x."""
    return lambda x: claim(
        f"{_ONLY} {x.signs} {_ON} {f' {_ON} '.join(y.signs for y in things)}", of=x, given=merged(*things)
    )


def as_function(claimed: str, conditions: list[str]) -> tuple[list[str], str]:
    """The statement that x depends only on y, with another z' of the same y for which x is the same.

    Raises: Unreadable where x and y have no letter of a vector or number in common.
    """
    if _ONLY not in claimed:
        return conditions, claimed
    if not claimed.startswith(_ONLY):
        raise Unreadable
    thing, *others = (part.strip() for part in claimed.removeprefix(_ONLY).split(_ON))
    thing = _written_out(thing, others, conditions)
    shared = [one for one in symbols_in(thing) if all(one in symbols_in(other) for other in others)]
    letters = [one for one in dict.fromkeys(shared) if one not in _COUNTING]
    if len(letters) != 1 or any(_moves(one, letters[0]) for one in conditions):
        raise Unreadable
    new = fresh("vector")
    fixed = set(_FREE.findall(thing))
    thing, *others = (_at_fixed_places(one, fixed) for one in (thing, *others))
    given = [f"{substitute(other, letters[0], new)} - ({other}) = 0" for other in others]
    about = [one for one in conditions if letters[0] in symbols_in(one)]
    if any(_defined(one) in symbols_in(thing) for one in about):
        raise Unreadable
    alike = [substitute(one, letters[0], new) for one in about if not _defined(one)]
    return [*conditions, *alike, *given], f"{substitute(thing, letters[0], new)} = {thing}"


def _at_fixed_places(signs: str, fixed: set[str]) -> str:
    """p_a for p_i: of one place, where a condition on z_i would be one on all of them.

    Raises: Unreadable where such a place has a name already.
    """
    if not fixed:
        return signs
    if re.search(r"_\{?[ab]", signs):
        raise Unreadable
    return _FREE.sub(lambda found: f"_{_PLACES[found[1]]}" if found[1] in fixed else found.group(), signs)


_PLACES = dict(zip("ijkl", "abcd", strict=True))
_FREE = re.compile(r"_\{?([ijkl])\}?(?![A-Za-z\d])")


def _defined(condition: str) -> str:
    """The letter that an equation says what it is; empty for other conditions."""
    found = re.match(r"(\\?[^\W\d_]\u0302?)\s*:?=(?!=)", condition)
    return found[1] if found is not None else ""


def _moves(condition: str, letter: str) -> bool:
    """Whether a condition says what the letter is, so that no other may stand for it."""
    return re.match(rf"\s*{re.escape(letter)}\s*(?::?=(?!=)|~|∼|\\sim|→|->)", condition) is not None


def _written_out(thing: str, others: list[str], conditions: list[str]) -> str:
    """p_i/p_j with softmax(z) for p, where z is what it is said to depend on."""
    wanted = {letter for other in others for letter in symbols_in(other)} - set(_COUNTING)
    for one in conditions:
        name, equals, body = (part.strip() for part in one.partition("="))
        is_defined = equals and re.fullmatch(r"\\?[^\W\d_]\u0302?", name) and name in symbols_in(thing)
        if is_defined and wanted & set(symbols_in(body)) and not wanted & set(symbols_in(thing)):
            return substitute(thing, name, f"({body})" if not re.fullmatch(r"\w+\([^()]*\)", body) else body)
    return thing


_THROUGH = "only/solely/exclusively on/through/via"
DEPENDENCE: tuple[Rule, ...] = (
    Rule("vp", f"depends/depend {_THROUGH} <np>", _depends_only),
    Rule("vp", f"depends/depend {_THROUGH} <np> and <np>", _depends_only),
    Rule("vp", "is/are a function of <np> alone/only", _depends_only),
    Rule("vp", "is/are determined by <np> alone?", _depends_only),
)


def _scales(of: Thing) -> Predicate:
    """x scales with ‖q‖²: where q becomes t q, x grows by the factor by which ‖q‖² does."""

    def meaning(thing: Thing) -> Clause:
        shared = [one for one in dict.fromkeys(symbols_in(of.signs)) if one in symbols_in(thing.signs)]
        if len(shared) != 1:
            raise Unreadable
        if "‖" not in of.signs:
            return claim(f"∂/∂{shared[0]} (({thing.signs})/{of.factor}) = 0", of=thing, given=of.given)
        factor = fresh("number")
        after, more = (substitute(one, shared[0], f"({factor} {shared[0]})") for one in (thing.signs, of.signs))
        given = (*of.given, f"{factor} > 0")
        return claim(f"({after}) {of.factor} = ({thing.signs}) ({more})", of=thing, given=given)

    return meaning


_SCALES = "scales/grows/increases/scale/grow/increase"
SCALES: tuple[Rule, ...] = (
    Rule("vp", f"{_SCALES} linearly with/in <np>", _scales),
    Rule("vp", f"{_SCALES} quadratically with/in <np>", lambda of: _scales(Thing(f"{of.factor}^2", of.given))),
    Rule("vp", "scales/scale with/like/as <np>", _scales),
    Rule("vp", "grows/grow like/as <np>", _scales),
    Rule("vp", "behaves/behave like <np>", lambda of: lambda x: claim(f"{x.factor} / {of.factor} → 1", of=x)),
)


def _in_other_order(thing: Thing) -> Clause:
    """tr(A B) is tr(B A).

    Raises: Unreadable where there is no product of two things.
    """
    names = thing.about.signs.split(", ") if thing.about is not None else []
    product = " ".join(names)
    if len(names) != 2 or product not in thing.signs:
        raise Unreadable
    return claim(f"{thing.signs} = {thing.signs.replace(product, ' '.join(reversed(names)))}", of=thing)


_FACTOR_ORDER = "the? order of the? two? factors/matrices/product"
ORDER: tuple[Rule, ...] = (
    Rule("vp", f"does/do not depend on {_FACTOR_ORDER}", lambda: _in_other_order),
    Rule("vp", f"is/are independent of {_FACTOR_ORDER}", lambda: _in_other_order),
    Rule("vp", f"depends/depend on {_FACTOR_ORDER}", lambda: lambda x: negated(_in_other_order(x))),
)


RULES: tuple[Rule, ...] = (*ORDER, *OTHERS, *AMOUNTS, *EACH, *DEPENDENCE)
