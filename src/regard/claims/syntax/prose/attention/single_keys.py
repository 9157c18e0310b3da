"""A key that has no letter, two keys that are alike, a query of zero, a query that grows: what is given of them.

a key orthogonal to the query has score zero        k_m^T q = 0 given, and claimed of its score
two keys of equal length get equal weights          ‖k_1‖ = ‖k_2‖ given
a zero query gives uniform weights                  q = 0 given
when the query is scaled up without bound           C → ∞ in softmax(C s)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.attention.attending import equal_weights
from regard.claims.syntax.prose.attention.weights import GROWTH, OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import ITS, RETURNS, Clause, Thing, claim

_KEY = "k_m"
_SCORE = f"{_KEY}^T q"
_ORTHOGONAL = "orthogonal/perpendicular to the/its? query vector? <sym>?"
_DOT = "dot/inner/scalar? product/score/logit"

_ONE_KEY: tuple[tuple[str, str], ...] = (
    (f"that/which? is? {_ORTHOGONAL}", f"{_SCORE} = 0"),
    ("that/which is zero", f"{_KEY} = 0"),
    ("that/which is the zero vector", f"{_KEY} = 0"),
    ("with/of the? <extreme> score/logit", f"{_SCORE} = {{0}} k_i^T q"),
    ("whose score/logit is <extreme>", f"{_SCORE} = {{0}} k_i^T q"),
    (f"with the? <extreme> {_DOT} with the query", f"{_SCORE} = {{0}} k_i^T q"),
    ("that/which has the? <extreme> score/logit", f"{_SCORE} = {{0}} k_i^T q"),
    ("with/of a? score/logit of? <np>", f"{_SCORE} = {{0}}"),
    ("whose score/logit is/equals <np>", f"{_SCORE} = {{0}}"),
    ("that/which has a? score/logit of? <np>", f"{_SCORE} = {{0}}"),
    (f"whose {_DOT} with the query is/equals <np>", f"{_SCORE} = {{0}}"),
)
"""What restricts a key, and the condition that it is."""


def _key(template: str) -> Callable[..., Thing]:
    def meaning(*things: Thing | None) -> Thing:
        named = [thing for thing in things if thing is not None]
        if template.count("{0}") != len(named) and any(one.signs != "q" for one in named):
            raise Unreadable
        said = template.replace("{0}", named[0].signs) if "{0}" in template else template
        return Thing(_KEY, (said,), "key")

    return meaning


def _score_of(key: Thing) -> Thing:
    return Thing(f"{key.signs}^T q", key.given, "score")


def _weight_of(key: Thing) -> Thing:
    return Thing(f"{WEIGHTS}_m", key.given, "weight")


def _has(make: Callable[[Thing], Thing], sign: str) -> Callable[[Thing], Callable[[Thing], Clause]]:
    def meaning(value: Thing) -> Callable[[Thing], Clause]:
        def say(key: Thing) -> Clause:
            part = make(key)
            return claim(f"{part.signs} {sign} {value.signs}", of=part, given=value.given)

        return say

    return meaning


_GET = "has/have/gets/get/receives/receive/obtains"
_WEIGHT = "a/an/the? attention/softmax? weight of?"
ONE_KEY: tuple[Rule, ...] = (
    Rule("extreme", "largest/highest/greatest/biggest/maximal/maximum", lambda: Thing("max_i")),
    Rule("extreme", "smallest/lowest/least/minimal/minimum", lambda: Thing("min_i")),
    *(Rule("one_key", f"a/any/every/each/the/one/some key {words}", _key(said)) for words, said in _ONE_KEY),
    Rule("one_key", "the best/best-matching key", _key(f"{_SCORE} = max_i k_i^T q")),
    Rule("one_key", "a/any/every zero key", _key(f"{_KEY} = 0")),
    Rule("base", "<one_key>", lambda key: key),
    Rule("clause", "<one_key> <key_vp>", lambda key, say: say(key)),
    Rule("base", "the/its? attention/softmax/raw? score/logit of/on/for <one_key>", _score_of),
    Rule("base", "the/its? attention/softmax? weight of/on/for <one_key>", _weight_of),
    Rule("base", "its/the attention/raw? score/logit of? that/this? key?", lambda: Thing(f"{ITS}^T q", (), "score")),
    Rule("key_vp", f"{_GET} a/the? score/logit of? <np>", _has(_score_of, "=")),
    Rule("key_vp", f"{_GET} {_WEIGHT} <np>", _has(_weight_of, RETURNS)),
    Rule("key_vp", f"{_GET} {_WEIGHT} at least <np>", _has(_weight_of, "≥")),
    Rule("key_vp", f"{_GET} {_WEIGHT} at most <np>", _has(_weight_of, "≤")),
    Rule("key_vp", f"{_GET} {_WEIGHT} more/larger/greater than <np>", _has(_weight_of, ">")),
    Rule("key_vp", f"{_GET} {_WEIGHT} less/smaller than <np>", _has(_weight_of, "<")),
    Rule("key_vp", f"{_GET} no/zero weight/attention", lambda: _has(_weight_of, RETURNS)(Thing("0"))),
    Rule("key_vp", f"{_GET} all the? weight/attention", lambda: _has(_weight_of, RETURNS)(Thing("1"))),
    Rule("clause", f"a/the/one/some key is {_ORTHOGONAL}", lambda _: claim(f"{_SCORE} = 0", of=Thing(_KEY, (), "key"))),
    Rule("clause", "a/the/one/some key is zero", lambda: claim(f"{_KEY} = 0", of=Thing(_KEY, (), "key"))),
    Rule(
        "clause",
        "a/the/one/some key has the? <extreme> score/logit",
        lambda end: claim(f"{_SCORE} = {end.signs} k_i^T q", of=Thing(_KEY, (), "key")),
    ),
)
"""One key, without a letter."""

_SAME = "the? same/equal/identical"
_ALIKE: tuple[tuple[str, str], ...] = (
    ("that/which are equal/identical/the? same?", "k_1 = k_2"),
    ("that/which coincide", "k_1 = k_2"),
    ("that/which are orthogonal to? each? other?", "k_1^T k_2 = 0"),
    ("of/with the? equal/same/identical length/norm/norms/lengths", "‖k_1‖ = ‖k_2‖"),
    ("that/which have the? equal/same length/norm/norms/lengths", "‖k_1‖ = ‖k_2‖"),
    (f"with/of {_SAME} score/scores/logit/logits", "k_1^T q = k_2^T q"),
    (f"that/which have {_SAME} score/scores/logit/logits", "k_1^T q = k_2^T q"),
    (f"with/having {_SAME} dot/inner/scalar product/products with the query", "k_1^T q = k_2^T q"),
    ("that/which are orthogonal to the query", "k_1^T q = 0; k_2^T q = 0"),
)
"""What two keys have in common."""
_TWO_GET: tuple[tuple[str, str], ...] = (
    (f"{_GET} {_SAME} attention/softmax? weight/weights", f"{WEIGHTS}_1 = {WEIGHTS}_2"),
    (f"{_GET} {_SAME} score/scores/logit/logits", "k_1^T q = k_2^T q"),
    (f"{_GET} different/unequal attention/softmax? weight/weights", f"{WEIGHTS}_1 = {WEIGHTS}_2 does not hold"),
    ("are weighted equally", f"{WEIGHTS}_1 = {WEIGHTS}_2"),
    ("share the? same weight", f"{WEIGHTS}_1 = {WEIGHTS}_2"),
)
"""What two keys get."""


def _two(given: str, said: str) -> Clause:
    return claim(said, given=tuple(given.split("; ")))


TWO_KEYS: tuple[Rule, ...] = (
    *(Rule("alike_keys", f"any/all? two/the? keys {words}", lambda said=said: said) for words, said in _ALIKE),
    Rule("alike_keys", "any? two/the? equal/identical keys", lambda: "k_1 = k_2"),
    Rule("alike_keys", "any? two/the? equally long keys", lambda: "‖k_1‖ = ‖k_2‖"),
    Rule(
        "two_keys",
        "two keys have the? same/equal dot/inner/scalar product/products with the query",
        lambda: "k_1^T q = k_2^T q",
    ),
    Rule("two_keys", "two keys are equally long", lambda: "‖k_1‖ = ‖k_2‖"),
    *(
        Rule("clause", f"<alike_keys> always? {words}", lambda given, said=said: _two(given, said))
        for words, said in _TWO_GET
    ),
    *(
        Rule(
            "body",
            f"if/when/whenever <two_keys> ,? then? they/both {words}",
            lambda given, said=said: _two(given, said),
        )
        for words, said in _TWO_GET
    ),
)
"""Two keys, without letters."""


def _keys_named(names: tuple[str, ...]) -> tuple[Thing, Thing]:
    """Keys a and b.

    Raises: Unreadable for more than two, or other letters.
    """
    if len(names) != 2 or not all(re.fullmatch(r"[a-jl-pr-z]|\d", name) for name in names):
        raise Unreadable
    return Thing(names[0]), Thing(names[1])


def _share(names: tuple[str, ...], value: Thing | None) -> Clause:
    return equal_weights(*_keys_named(names), value)


def _compared(first: Thing, times: str, second: Thing) -> Clause:
    return claim(f"{WEIGHTS}_{{{first.signs}}} = {times} {WEIGHTS}_{{{second.signs}}}")


_TIMES: tuple[tuple[str, str], ...] = (
    ("twice/double", "2"),
    ("half", "(1/2)"),
    ("three times", "3"),
    ("<expr> times", ""),
)
NAMED_KEYS: tuple[Rule, ...] = (
    Rule("clause", f"keys <syms> {_GET} {_SAME} attention? weight/weights", lambda names: _share(names, None)),
    Rule("clause", f"keys <syms> each/both {_GET} {_WEIGHT} <np>", _share),
    Rule("clause", f"keys <syms> {_GET} {_WEIGHT} <np> each", _share),
    *(
        Rule(
            "clause",
            f"<index> {_GET} {words} the attention? weight of <index>",
            (lambda i, j, times=times: _compared(i, times, j))
            if times
            else (lambda i, x, j: _compared(i, x.factor, j)),
        )
        for words, times in _TIMES
    ),
    *(
        Rule(
            "clause",
            f"<index> {_GET} {words} as much attention? weight as <index>",
            (lambda i, j, times=times: _compared(i, times, j))
            if times
            else (lambda i, x, j: _compared(i, x.factor, j)),
        )
        for words, times in _TIMES
    ),
)
"""Keys with letters."""


def _given_first(said: tuple[str, ...], main: Clause) -> Clause:
    return main.under(*said)


_CAUSES = "gives/yields/produces/leads/results/makes/means/implies to/in?"
QUERIES: tuple[Rule, ...] = (
    Rule("the_query", "a/the/any? zero/null query vector?", lambda: ("q = 0",)),
    Rule("the_query", "a/the? query vector? of/equal? to? zero", lambda: ("q = 0",)),
    Rule(
        "the_query",
        "a/any query vector? that/which is? orthogonal/perpendicular to all/every of? the? keys/key",
        lambda: ("k_m^T q = 0 for all m",),
    ),
    Rule("the_query", "a/any query vector? that/which is? <of_query>", lambda said: said),
    Rule("verbless", "<the_query>", lambda said: claim(*said)),
    Rule("clause", f"<the_query> {_CAUSES} <caused>", _given_first),
    Rule(
        "caused", "the? uniform attention? weights/attention/distribution", lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n")
    ),
    Rule("caused", "equal attention? weights", lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    Rule(
        "caused",
        "the? same attention? weight to/for/on all/every/each the? keys/key",
        lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n"),
    ),
    Rule("caused", "all the? attention? weights equal", lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    Rule(
        "caused",
        "an/the? attention? output of/equal to? <np>",
        lambda x: claim(f"{OUTPUT_LETTER} {RETURNS} {x.signs}", given=x.given),
    ),
    Rule(
        "caused",
        "<np> as the? attention? output",
        lambda x: claim(f"{OUTPUT_LETTER} {RETURNS} {x.signs}", given=x.given),
    ),
    Rule(
        "attending",
        "a/an/the attention/softmax? attention/head/layer/mechanism whose query vector? is <of_query>",
        lambda said: said[0],
    ),
)
"""Queries without a letter, and what they cause."""


def _all_on(end: Thing) -> Clause:
    """Σ α_i s_i is the largest score only where all weight is on it.

    Raises: Unreadable for the smallest.
    """
    if end.signs != "max_i":
        raise Unreadable
    return claim(f"max_i {WEIGHTS}_i → 1", f"\\sum_i {WEIGHTS}_i s_i - max_i s_i → 0")


_GROWS = "grows/increases without bound/limit?"
GROWTHS: tuple[Rule, ...] = (
    *(
        Rule("limit", f"as/when/if/once {words}", lambda *_: f"{GROWTH} → ∞")
        for words in (
            "the query vector? is scaled up more? and? more? without? bound? indefinitely?",
            "the query vector? is scaled up by? an? arbitrarily/ever large/larger factor",
            "the query vector? is made/gets/becomes longer and longer",
            "the query vector? is made/gets/becomes arbitrarily/infinitely/very long/large",
            f"the query vector? {_GROWS}",
            f"the norm/length of the query vector? {_GROWS}",
            "the norm/length of the query vector? goes/tends/grows to infinity",
            "the query vector? is multiplied by larger and larger factors/numbers",
            "the query vector? is multiplied by a/an growing/increasing factor/number/constant",
        )
    ),
    Rule("limit", "for an? arbitrarily/very/extremely? long/large query vector?", lambda: f"{GROWTH} → ∞"),
    Rule(
        "clause",
        "all/nearly/almost? all? of? the? attention? weight/attention goes/moves/concentrates to/on the key with the "
        "<extreme> score/logit",
        _all_on,
    ),
    Rule(
        "clause",
        "all/nearly/almost? all? of? the? attention? weight/attention goes/moves/concentrates to/on one/a single? key",
        lambda: claim(f"max_i {WEIGHTS}_i → 1"),
    ),
)
"""A query that grows, so that the largest score wins."""


RULES: tuple[Rule, ...] = (*ONE_KEY, *TWO_KEYS, *NAMED_KEYS, *QUERIES, *GROWTHS)
