"""What some query can reach and no query can: one can choose q such that α_a = 1, no weight is ever zero.

That no weight is 0 or 1 for any query is known, so that `there is a query with α_a = 1` is the opposite of α_a < 1 for
all queries, keys and indices.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.attention.attention import OUTPUT
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import RETURNS, Clause, Thing, claim

_WEIGHT = rf"(?P<left>(?:{WEIGHTS}|α|\\alpha)_(?:\w|\{{\w\}}))"
_AT_BOUND = re.compile(rf"{_WEIGHT} (?:=|{RETURNS}) (?P<right>[01])")
_ORDER = re.compile(r"(?P<left>[^=<>≤≥≈→]+?) (?P<sign>[<>≤≥]) (?P<right>[^=<>≤≥≈→]+)")
_OPPOSITE = {"<": "≥", ">": "≤", "≤": ">", "≥": "<"}
_WITHIN = {"0": ">", "1": "<"}


def _single(said: Clause) -> str:
    """The one statement of a clause.

    Raises: Unreadable where it makes more than one, or a part was not read.
    """
    if len(said.claims) != 1 or said.unread:
        raise Unreadable
    return re.sub(r"\s+", " ", said.claims[0])


def _never(said: Clause) -> Clause:
    """That no query makes it so: the opposite, of all queries."""
    statement = _single(said)
    bound = _AT_BOUND.fullmatch(statement)
    if bound is not None:
        return claim(f"{bound['left']} {_WITHIN[bound['right']]} {bound['right']}", given=said.given)
    order = _ORDER.fullmatch(statement)
    if order is None or "for " in statement:
        raise Unreadable
    return claim(f"{order['left']} {_OPPOSITE[order['sign']]} {order['right']}", given=said.given)


def _some_query(said: Clause) -> Clause:
    """There is a query such that; of a weight that is 0 or 1, that it is not so for every query that it is between."""
    statement = _single(said)
    if statement.endswith(" does not hold"):
        return said  # already of some query
    bound = _AT_BOUND.fullmatch(statement)
    if bound is not None:
        index = bound["left"].partition("_")[2]
        opposite = f"softmax(K q)_{index} {_WITHIN[bound['right']]} {bound['right']}"
        return replace(said, claims=(f"{opposite} does not hold",))
    order = _ORDER.fullmatch(statement)
    if any(re.match(r"\s*q\s*(?:=|→)", one) for one in said.given):
        raise Unreadable
    found = f"there is q such that {statement}"
    if order is None:
        return replace(said, claims=(found,))
    opposite = f"{order['left']} {_OPPOSITE[order['sign']]} {order['right']}"
    return replace(said, claims=(f"{opposite} does not hold", found))


def _some_key(sign: str, share: Thing) -> Clause:
    """Some key gets at least 1/n: the largest weight is as large.

    Raises: Unreadable for what is no bound from below.
    """
    if sign not in ("≥", ">"):
        raise Unreadable
    return claim(f"max_i {WEIGHTS}_i {sign} {share.signs}", given=share.given)


def _some_exactly(share: Thing) -> Clause:
    """Some key gets a weight of 1.

    Raises: Unreadable for any other number.
    """
    if share.signs not in _WITHIN:
        raise Unreadable
    return claim(f"{WEIGHTS}_i = {share.signs}", given=share.given)


def _no_weight(predicate: Callable[[Thing], Clause]) -> Clause:
    return _never(predicate(Thing(f"{WEIGHTS}_i")))


_GET = "gets/get/receives/receive/has/have/obtains/obtain/carries/carry/gains/attains"
_MASS = "a/an/the? attention/total/softmax? weight/weights/mass/attention of?"
_SOME = "some/one/any/a/at least? one? of? the? attention? weight/weights/entry"
_QUERY = "a/an/some/any/the? suitable/finite/clever/certain/appropriate/nonzero/fixed/single? query vector?"
_SUCH = "such/for/with/so that/which/where/under?"

_LONGER = f"‖{OUTPUT}‖ ≤ max_i ‖v_i‖ does not hold"
_OUTSIDE = f"u^T ({OUTPUT}) ≤ max_i u^T v_i does not hold"


def _can(said: str) -> Callable[[Thing], Clause]:
    """What some query makes of the output.

    Raises: Unreadable for anything else than the output.
    """

    def meaning(thing: Thing) -> Clause:
        if thing.signs not in (OUTPUT_LETTER, "c", "o"):
            raise Unreadable
        return claim(said, of=thing)

    return meaning


RULES: tuple[Rule, ...] = (
    Rule("clause", "no/never a/any? <weight_words>? weight ever? <vps>", lambda _, vps: _no_weight(vps)),
    Rule("clause", "no/none of? the? <weight_words>? weights ever? <vps>", lambda _, vps: _no_weight(vps)),
    Rule("clause", "none of the? <weight_words>? weights is/are ever? <pred>", lambda _, pred: _no_weight(pred)),
    Rule("clause", "no <weight_words>? weight can ever? be <pred>", lambda _, pred: _no_weight(pred)),
    Rule("clause", "no <weight_words>? weight is ever <pred>", lambda _, pred: _no_weight(pred)),
    Rule("clause", f"no key ever? {_GET} {_MASS} <share_sign>? <np>", lambda sign, x: _never(_exactly_or(sign, x))),
    Rule("clause", f"no key can ever? {_GET} {_MASS} <share_sign>? <np>", lambda sign, x: _never(_exactly_or(sign, x))),
    Rule("clause", f"some/one/at least? one? key {_GET} {_MASS} <bound> <np>", _some_key),
    Rule("bound", "of? at least", lambda: "≥"),
    Rule("bound", "of? more/larger/greater/bigger than", lambda: ">"),
    Rule("bound", "above", lambda: ">"),
    Rule("some_reached", f"some/one/a key {_GET} {_MASS} <np>", _some_exactly),
    Rule(
        "some_reached",
        "some/one/a/any of? the? <weight_words>? weight/weights is/equals/be equal? to? <np>",
        lambda _, x: _some_exactly(x),
    ),
    Rule("reached", "<some_reached>", lambda a: a),
    Rule("reached", "<clause>", lambda a: a),
    Rule("can_choose", "one/we/you can/could/may always? choose/find/pick/take/construct/design", lambda: None),
    Rule("can_choose", "it is possible to choose/find/pick/construct/design", lambda: None),
    Rule("can_choose", "there is/exists/are always?", lambda: None),
    Rule("such", "such/so that", lambda: None),
    Rule("such", "for/under/with which", lambda: None),
    Rule("such", "that/which makes/gives/satisfies/has/achieves", lambda: None),
    Rule("such", "with/satisfying/st", lambda: None),
    Rule("such_query", f"{_QUERY} <space>? <such>", lambda *_: None),
    Rule("such_query", "q such/so that", lambda: None),
    Rule("space", "q", lambda: None),
    Rule("space", "<sym>", lambda x: None if x.signs == "q" else _refuse()),
    Rule("space", "<rel>", lambda rel: None if re.fullmatch(r"\s*q\s*(?:∈|\\in)\s*[^=<>]+", rel) else _refuse()),
    Rule("such_query", "<q> <such>", lambda *_: None),
    Rule("q", "<sym>", lambda x: None if x.signs == "q" else _refuse()),
    Rule("clause", "<can_choose> <such_query> <reached>", lambda _, __, said: _some_query(said)),
    Rule("clause", "for some/suitable finite/suitable? query <space>? ,? <reached>", lambda _, said: _some_query(said)),
    Rule(
        "body",
        "with/for/by a/some suitable/suitably/appropriate/appropriately/clever chosen/finite? query ,? <reached>",
        _some_query,
    ),
    Rule("made_so", "makes/make/gives/give/puts/put/drives/assigns/forces/leads to?", lambda: None),
    Rule(
        "clause",
        "no finite/single? query can? ever? gives/give/assigns/assign any/a/some key <mass> <np>",
        lambda _, x: _never(_some_exactly(x)),
    ),
    Rule(
        "clause",
        "no finite/single? query can? ever? makes/make <some_weight> equal? to? <np>",
        lambda _, x: _never(_some_exactly(x)),
    ),
    Rule("vp", "can be longer than the longest of? the? value/values vector/vectors?", lambda: _can(_LONGER)),
    Rule("vp", "can be longer than any/every/each/all of? the? value/values vector/vectors?", lambda: _can(_LONGER)),
    Rule("vp", "can leave <the_hull>", lambda _: _can(_OUTSIDE)),
    Rule("vp", "can lie/be/fall/point outside of? <the_hull>", lambda _: _can(_OUTSIDE)),
    Rule("the_hull", "the convex hull of the value/values vectors?", lambda: None),
    Rule(
        "clause",
        "a/some <long>? query can? makes/make <some_weight> equal? to? <np>",
        lambda _, __, x: _some_query(_some_exactly(x)),
    ),
    Rule("long", "sufficiently/very/suitably? long/large/suitable/chosen/finite/strong", lambda: None),
    Rule("some_weight", "some/one/a/an/any of? the? <weight_words>? weight/weights", lambda _: None),
    Rule("body", "if the query is long/large enough , <lead>? <body>", lambda _, said: _some_query(said)),
    Rule("clause", "it is impossible to choose/find/pick <such_query> <reached>", lambda _, said: _never(said)),
    Rule("clause", "a/an/any <weight_words>? weight can never/not be <pred>", lambda _, pred: _no_weight(pred)),
    Rule(
        "clause",
        "at? least? one/some of the? <weight_words>? weights is <bound> <np>",
        lambda _, sign, x: _some_key(sign, x),
    ),
    Rule(
        "orthogonal_key", "a/any/every/each key that/which is orthogonal/perpendicular to the? query q?", lambda: None
    ),
    Rule("orthogonal_key", "a/any/every/each key orthogonal/perpendicular to the? query q?", lambda: None),
    Rule(
        "clause",
        f"<orthogonal_key> {_GET} {_MASS} <np>",
        lambda _, x: claim(f"{WEIGHTS}_1 = {x.signs}", given=("k_1^T q = 0",)),
    ),
    Rule(
        "clause",
        f"<orthogonal_key> {_GET} no/zero attention? weight/attention",
        lambda _: claim(f"{WEIGHTS}_1 = 0", given=("k_1^T q = 0",)),
    ),
    Rule("mass", _MASS, lambda: None),
)


def _exactly_or(sign: str | None, share: Thing) -> Clause:
    return claim(f"{WEIGHTS}_i {sign or '='} {share.signs}", given=share.given)


def _refuse() -> None:
    raise Unreadable
