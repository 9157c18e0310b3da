"""Independence and correlation of two things, claimed or given."""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.descriptions import Description, describe_names
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import IT, Clause, Thing, both, claim
from regard.claims.syntax.prose.probability.laws import INDEPENDENT, UNCORRELATED, listed, split_list


def _together(word: str) -> Predicate:
    """(X, Y) are independent: of things that are a list, or a family."""

    def meaning(thing: Thing) -> Clause:
        is_list = len(split_list(thing.signs)) > 1 or thing.signs.endswith("_i") or IT in thing.signs
        if not is_list:
            raise Unreadable
        return claim(f"({thing.signs}){word}", of=thing)

    return meaning


def _of_two(word: str) -> Callable[[Thing, Thing], Clause]:
    return lambda a, b: Clause((f"({a.signs}, {b.signs}){word}",), (*a.given, *b.given), Thing(f"{a.signs}, {b.signs}"))


_RANDOM = re.compile(r"[UVWXYZqkxyzεξ](?:_\w|[₀-₉])?|\\(?:varepsilon|epsilon|xi)")


def _apart(first: Thing, second: Thing) -> Clause:
    """X is independent of Y, where the second is a random letter or something made of such."""
    is_letter = SYMBOL.fullmatch(second.signs.strip()) is not None
    is_random = _RANDOM.fullmatch(second.signs) is not None
    if is_letter and not (is_random and (second.signs[0].isupper() or SYMBOL.fullmatch(first.signs.strip()))):
        raise Unreadable
    return _of_two(INDEPENDENT)(first, second)


def _implied(given: str, claimed: str, said: Description | None = None) -> Clause:
    """Zero covariance implies independence, of any two letters or of such as are described."""
    names = (fresh("random"), fresh("random"))
    return Clause((listed(names, claimed),), (*describe_names(names, said or Description()), listed(names, given)))


def _drawn_apart(relations: tuple[str, ...]) -> Clause:
    """X, Y ~ N(0, 1) are independent: each has the law of the last."""
    names = tuple(re.split(r"\s*(?:[~∼]|\\sim(?![a-z]))", one)[0] for one in relations)
    if names == relations:
        raise Unreadable
    return claim(*relations, listed(names, INDEPENDENT), of=Thing(", ".join(names)))


RULES: tuple[Rule, ...] = (
    Rule("clause", "<symrel> are/be? both/all/mutually? independent of? each? other?", _drawn_apart),
    Rule("clause", "<np> and/, <np> <together>", lambda a, b, said: said(a, b)),
    Rule(
        "together",
        "are uncorrelated but/and not independent",
        lambda: lambda a, b: both(_of_two(UNCORRELATED)(a, b), negated(_of_two(INDEPENDENT)(a, b))),
    ),
    Rule("together", "are/be? mutually/also? independent of? each? other?", lambda: _of_two(INDEPENDENT)),
    Rule("together", "must/will be independent", lambda: _of_two(INDEPENDENT)),
    Rule("together", "are/be? also? uncorrelated", lambda: _of_two(UNCORRELATED)),
    Rule("together", "must/will be uncorrelated", lambda: _of_two(UNCORRELATED)),
    Rule("together", "<is_not> independent", lambda _: lambda a, b: negated(_of_two(INDEPENDENT)(a, b))),
    Rule("together", "are/may/can be? dependent", lambda: lambda a, b: negated(_of_two(INDEPENDENT)(a, b))),
    Rule("together", "<is_not> uncorrelated", lambda _: lambda a, b: negated(_of_two(UNCORRELATED)(a, b))),
    Rule("is_not", "are/is not", lambda: None),
    Rule("is_not", "need/may not be", lambda: None),
    Rule("is_not", "do/does not need/have to be", lambda: None),
    Rule("clause", "<np> is/are/be independent of <np>", _apart),
    Rule("clause", "<np> is/are not independent of <np>", lambda a, b: negated(_apart(a, b))),
    Rule(
        "clause", "<randoms> independent", lambda names: claim(listed(names, INDEPENDENT), of=Thing(", ".join(names)))
    ),
    Rule(
        "clause", "<randoms> uncorrelated", lambda names: claim(listed(names, UNCORRELATED), of=Thing(", ".join(names)))
    ),
    Rule(
        "vp",
        "are uncorrelated but/and not independent",
        lambda: lambda x: both(_together(UNCORRELATED)(x), negated(_together(INDEPENDENT)(x))),
    ),
    Rule("pred", "also/mutually? independent of? each? other?", lambda: _together(INDEPENDENT)),
    Rule("pred", "also? uncorrelated", lambda: _together(UNCORRELATED)),
    Rule("vp", "<is_not> independent", lambda _: lambda x: negated(_together(INDEPENDENT)(x))),
    Rule("vp", "<is_not> uncorrelated", lambda _: lambda x: negated(_together(UNCORRELATED)(x))),
    Rule("vp", "are dependent", lambda: lambda x: negated(_together(INDEPENDENT)(x))),
    Rule("vp", "have/has zero covariance/correlation", lambda: _together(UNCORRELATED)),
    Rule("body", "<abstract> implies/means/guarantees/gives <abstract>", _implied),
    Rule("body", "<abstract> does not imply/mean/guarantee <abstract>", lambda a, b: negated(_implied(a, b))),
    Rule(
        "body",
        "for/of <quals> random? variables/vectors ,? <abstract> implies/means <abstract>",
        lambda said, a, b: _implied(a, b, said),
    ),
    Rule(
        "body",
        "<abstract> implies/means <abstract> for/of <quals> random? variables/vectors",
        _implied,
    ),
    Rule("abstract", "independence", lambda: INDEPENDENT),
    Rule("abstract", "uncorrelatedness", lambda: UNCORRELATED),
    Rule("abstract", "zero/vanishing covariance/correlation", lambda: UNCORRELATED),
    Rule("abstract", "being? uncorrelated", lambda: UNCORRELATED),
    Rule("abstract", "being? independent", lambda: INDEPENDENT),
)
