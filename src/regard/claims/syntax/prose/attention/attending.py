"""What attention does: it returns a value, averages two, puts weight on a key; a key gets weight.

What it returns is said of the output, and what it puts on a key of a weight. In a limit it is approached: a head
returns v_a as C → ∞.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.attention.hulls import in_hull
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, THIS, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import say_uniform
from regard.claims.syntax.prose.phrases import RETURNS, Clause, Thing, claim

_SIGNS: tuple[tuple[str, str], ...] = (
    ("≥", "at least"),
    ("≥", "no less/smaller than"),
    ("≥", "not less/smaller than"),
    ("≤", "at most"),
    ("≤", "no more/larger than"),
    ("≤", "not more/larger than"),
    (">", "strictly? more/larger/greater/bigger than"),
    ("<", "strictly? less/smaller than"),
    ("≈", "approximately/roughly/about/nearly/almost/≈"),
    ("≈", "close to"),
    ("→", "tending/converging/going/approaching to?"),
    ("→", "that/which tends/goes/converges to"),
    (RETURNS, "precisely/equal? to?"),
)
"""How a number is compared that something gets or returns."""


def _output_is(sign: str, what: Thing) -> Clause:
    if what.signs in (OUTPUT_LETTER, "c"):
        raise Unreadable
    return claim(f"{OUTPUT_LETTER} {sign} {what.signs}", of=Thing(OUTPUT_LETTER), given=what.given)


def _weight(index: Thing, sign: str, share: Thing) -> Clause:
    return claim(
        f"{WEIGHTS}_{{{index.signs}}} {sign} {share.signs}", of=Thing(f"{WEIGHTS}_{{{index.signs}}}"), given=share.given
    )


def equal_weights(first: Thing, second: Thing, share: Thing | None = None) -> Clause:
    """Two weights are equal, or each is a number."""
    names = [f"{WEIGHTS}_{{{one.signs}}}" for one in (first, second)]
    if share is not None:
        return claim(*(f"{name} {RETURNS} {share.signs}" for name in names))
    return claim(f"{names[0]} = {names[1]}")


def _weight_relation(rel: str) -> Clause:
    """The weight on key a → 1, where the formula begins with the index.

    Raises: Unreadable.
    """
    found = re.fullmatch(r"\s*(\w)\s*((?:→|->|\\to\b|=|≈|≥|≤|>|<|\\approx|\\geq?\b|\\leq?\b).*)", rel)
    if found is None or found[1] in "cqvk":
        raise Unreadable
    return claim(f"{WEIGHTS}_{{{found[1]}}} {found[2]}", of=Thing(f"{WEIGHTS}_{{{found[1]}}}"))


_A = "the/a/an/this/that/one/our? single/finite/suitable/large/long?"
_HEADS = "attention/head/query"
_GET = "gets/get/receives/receive/has/have/obtains/carries/carry/gains/attains"
_PUT = "puts/put/places/place/assigns/assign/gives/give/concentrates/concentrate/spends"
_MASS = "a/an/the? attention/total/softmax/same? weight/weights/mass/attention of?"

HEADS: tuple[Rule, ...] = (
    Rule(
        "attending",
        f"{_A} softmax/dot-product/unscaled/plain/attention/self-attention? "
        f"attention/head/query/layer/mechanism <sym>?",
        lambda _: None,
    ),
    Rule("attending", "softmax/dot-product/plain/unscaled? attention", lambda: None),
    Rule("attending", "it/this/one", lambda: None),
    Rule("attending", "any/every/each single? query vector?", lambda: None),
    Rule("attending", "a/the/an? single? attention/head head? with the? query? <rel>", lambda rel: rel),
    Rule("attending", f"{_A} query vector? <rel>", lambda rel: rel),
    Rule("attending", "<rel>", lambda rel: rel),
    *(Rule("share_sign", words, lambda sign=sign: sign) for sign, words in _SIGNS),
    Rule("returning", "returns/return/outputs/output/produces/computes/retrieves/copies/copy/yields", lambda: None),
    Rule("returning", "gives/give back?", lambda: None),
    Rule("returning", "just/simply reads/read off/out", lambda: None),
    Rule("returning", "can copy/return/output/give", lambda: None),
    Rule("returning", "reads/picks/selects out?", lambda: None),
    Rule(
        "clause",
        "<attending> will? <returning> <share_sign>? <np>",
        lambda rel, _, sign, x: _given_query(rel, _output_is(sign or RETURNS, x)),
    ),
    Rule(
        "clause",
        "<attending> will? averages/average all? of? the? values/value vectors? uniformly/equally?",
        lambda rel: _given_query(rel, _output_is(RETURNS, Thing("(1/n) \\sum_i v_i"))),
    ),
    Rule(
        "clause",
        "<attending> will? averages/average <np> and <np>",
        lambda rel, a, b: _given_query(rel, _output_is(RETURNS, Thing(f"({a.signs} + {b.signs})/2"))),
    ),
    Rule(
        "clause",
        "<attending> attends/looks/focuses only/entirely/exclusively? to/at/on only? <index>",
        lambda rel, i: _given_query(rel, _weight(i, RETURNS, Thing("1"))),
    ),
    Rule(
        "clause",
        "<attending> attends/looks equally/uniformly to/at/over all/every/each of? the? "
        "keys/key/positions/position/values/tokens",
        lambda rel: _given_query(rel, claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    ),
    Rule(
        "clause",
        "<attending> attends to all the? keys/positions/values/tokens equally/uniformly",
        lambda rel: _given_query(rel, claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    ),
    Rule(
        "clause",
        "<attending> attends equally to <index> and to? <index>",
        lambda rel, a, b: _given_query(rel, equal_weights(a, b)),
    ),
    Rule("clause", "<attending> ignores <index>", lambda rel, i: _given_query(rel, _weight(i, RETURNS, Thing("0")))),
    Rule(
        "clause",
        f"<attending> {_PUT} {_MASS} <share_sign>? <np> to/on <index>",
        lambda rel, sign, x, i: _given_query(rel, _weight(i, sign or RETURNS, x)),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} {_MASS} <np> to/on each/both? of? <index> and on/to? <index>",
        lambda rel, x, a, b: _given_query(rel, equal_weights(a, b, x)),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} <index> and <index> {_MASS} <np> each?",
        lambda rel, a, b, x: _given_query(rel, equal_weights(a, b, x)),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} <index> {_MASS} <share_sign>? <np>",
        lambda rel, i, sign, x: _given_query(rel, _weight(i, sign or RETURNS, x)),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} all of? its/the? weight/attention/mass on/to <index>",
        lambda rel, i: _given_query(rel, _weight(i, RETURNS, Thing("1"))),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} all of? its/the? weight/attention/mass on/to <index> and on/to? <index>",
        lambda rel, a, b: _given_query(rel, claim(f"{WEIGHTS}_{{{a.signs}}} + {WEIGHTS}_{{{b.signs}}} {RETURNS} 1")),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} <index> <expr> of all? the? total? weight/attention/mass",
        lambda rel, i, x: _given_query(rel, _weight(i, RETURNS, x)),
    ),
    Rule(
        "body",
        f"if/when/whenever <pair_fact> ,? then? <both_keys> {_GET} the? same/equal/identical attention? weight/weights",
        lambda said, _: _two_keys(*said),
    ),
    Rule("both_keys", "they/both/the? two? keys?", lambda: None),
    Rule(
        "clause",
        f"every/each/any/all other? key/keys other than <index> {_GET} {_MASS} <share_sign>? <np>",
        lambda i, sign, x: claim(f"{WEIGHTS}_i {sign or RETURNS} {x.signs} for i ≠ {i.signs}", given=x.given),
    ),
    Rule("pair_fact", "<rel>", lambda rel: ("k_1 = k_2", rel)),
    Rule(
        "clause",
        "<index> and <index> have the? same/equal score/scores",
        lambda a, b: claim(f"k_{a.signs}^T q = k_{b.signs}^T q"),
    ),
    Rule(
        "clause",
        "<index> and <index> have the? same/equal norm/norms/length/lengths",
        lambda a, b: claim(f"‖k_{a.signs}‖ = ‖k_{b.signs}‖"),
    ),
    Rule(
        "clause",
        f"<index> {_GET} <np> of all? the? total? weight/attention/mass",
        lambda i, x: _weight(i, RETURNS, x),
    ),
    Rule(
        "clause",
        "all of? the? total? weight/attention/mass goes/moves/concentrates/tends to/on <index>",
        lambda i: _weight(i, RETURNS, Thing("1")),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} zero/no weight/attention on/to <index>",
        lambda rel, i: _given_query(rel, _weight(i, RETURNS, Thing("0"))),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} the? same/equal/identical weight/weights on/to <index> and <index>",
        lambda rel, a, b: _given_query(rel, equal_weights(a, b)),
    ),
    Rule(
        "clause",
        f"<attending> {_PUT} the/an? same/equal/identical/uniform weight/weights 1/n? on/to "
        f"all/every/each of? the? keys/key/values/value/positions/position",
        lambda rel: _given_query(rel, claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    ),
    Rule("clause", "attention is uniform", lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    Rule("clause", "attention becomes uniform", lambda: claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
)


def _given_query(rel: str | tuple[str, ...] | None, clause: Clause) -> Clause:
    """The query q = k_a returns v_a: under what the query is."""
    if rel is None:
        return clause
    if isinstance(rel, tuple):
        return clause.under(*rel)
    if not re.match(r"\s*q\s*=", rel):
        raise Unreadable
    return clause.under(rel)


def _two_keys(signs: str, rel: str | None) -> Clause:
    """Two keys are equal, and so get equal weights: k_1 and k_2, or those that are named.

    Raises: Unreadable where what is named is no equation of two keys.
    """
    found = re.fullmatch(r"\s*k_\{?(\w)\}?\s*=\s*k_\{?(\w)\}?\s*", rel) if rel is not None else None
    if rel is not None and (found is None or signs != "k_1 = k_2"):
        raise Unreadable
    first, second = found.groups() if found is not None else ("1", "2")
    given = signs.replace("k_1", f"k_{first}").replace("k_2", f"k_{second}")
    return claim(f"{WEIGHTS}_{{{first}}} = {WEIGHTS}_{{{second}}}", given=(given,))


KEYS: tuple[Rule, ...] = (
    Rule("two_keys", "two keys are <all_equal>", lambda _: "k_1 = k_2"),
    Rule("two_keys", "two keys coincide/agree", lambda: "k_1 = k_2"),
    Rule("two_keys", "two keys are orthogonal to? each? other?", lambda: "k_1^T k_2 = 0"),
    Rule("two_keys", "two keys have the same norm/length", lambda: "‖k_1‖ = ‖k_2‖"),
    Rule("two_keys", "two keys have the same score/logit", lambda: "k_1^T q = k_2^T q"),
    Rule("twin_keys", "two/any keys that/which are <all_equal>", lambda _: "k_1 = k_2"),
    Rule("twin_keys", "two/any equal/identical/coinciding keys", lambda: "k_1 = k_2"),
    Rule("twin_keys", "two keys with/of the same/equal score/scores", lambda: "k_1^T q = k_2^T q"),
    Rule("twin_keys", "two keys with/of the same/equal norm/length/norms/lengths", lambda: "‖k_1‖ = ‖k_2‖"),
    Rule("twin_keys", "two orthogonal keys", lambda: "k_1^T k_2 = 0"),
    Rule(
        "clause",
        f"<twin_keys> {_GET} the? same/equal/identical attention? weight/weights",
        lambda signs: _two_keys(signs, None),
    ),
    Rule(
        "body",
        f"if/when/whenever <two_keys> ,? <rel>? ,? then? they/both? {_GET} the? same/equal/identical "
        "attention? weight/weights",
        _two_keys,
    ),
    Rule("clause", f"<index> {_GET} {_MASS} <share_sign>? <np>", lambda i, sign, x: _weight(i, sign or RETURNS, x)),
    Rule("clause", f"<index> {_GET} all of? the? weight/attention", lambda i: _weight(i, RETURNS, Thing("1"))),
    Rule("clause", f"<index> {_GET} no/zero weight/attention", lambda i: _weight(i, RETURNS, Thing("0"))),
    Rule(
        "clause",
        f"<index> {_GET} the largest/highest/most attention? weight",
        lambda i: claim(f"{WEIGHTS}_i ≤ {WEIGHTS}_{{{i.signs}}}"),
    ),
    Rule(
        "clause",
        f"<index> is given/assigned {_MASS} <share_sign>? <np>",
        lambda i, sign, x: _weight(i, sign or RETURNS, x),
    ),
    Rule("clause", f"<index> and <index> {_GET} the? same/equal/identical attention? weight/weights", equal_weights),
    Rule("clause", f"<index> and <index> each/both? {_GET} {_MASS} <np>", equal_weights),
    Rule(
        "every_key",
        "every/each/all/any of? the? single? key/keys/value/values/position/positions/token/tokens",
        lambda: None,
    ),
    Rule(
        "clause",
        f"<every_key> {_GET} the/an? same/equal/identical attention? weight/weights",
        lambda _: claim(f"{WEIGHTS}_i {RETURNS} 1/n"),
    ),
    Rule(
        "clause",
        f"<every_key> {_GET} {_MASS} <share_sign>? <np>",
        lambda _, sign, x: claim(f"{WEIGHTS}_i {sign or RETURNS} {x.signs}"),
    ),
    Rule("clause", "<every_key> is/are weighted equally/uniformly", lambda _: claim(f"{WEIGHTS}_i {RETURNS} 1/n")),
    Rule(
        "clause",
        "the? <weight_words>? weight on/of/for/at the? key/value/position <rel>",
        lambda _, rel: _weight_relation(rel),
    ),
    Rule(
        "other_keys",
        "every/each/any/all/the of? the? other/remaining key/keys/value/values/position/positions",
        lambda: None,
    ),
    Rule("other_keys", "all/the? others", lambda: None),
    Rule(
        "clause",
        "the? <weight_words>? weight/weights of/on/for/at <other_keys> <vps>",
        lambda _, __, vps: _of_others(vps),
    ),
    Rule(
        "clause",
        "every/each/any/all/the other/remaining <weight_words>? weight/weights <vps>",
        lambda _, vps: _of_others(vps),
    ),
    Rule(
        "clause",
        f"<other_keys> {_GET} {_MASS} <share_sign>? <np>",
        lambda _, sign, x: _of_others(lambda y: claim(f"{y.signs} {sign or RETURNS} {x.signs}")),
    ),
    Rule(
        "clause",
        "<other_keys> gets/get/has/have score/scores/logit/logits <expr>",
        lambda _, x: claim(f"k_i^T q = {x.signs} for i ≠ {THIS}"),
    ),
    Rule(
        "clause",
        "the? largest <weight_words>? weight belongs/goes to the? key/position/token with the "
        "largest/highest score/logit",
        lambda _: claim(f"{WEIGHTS}_i ≤ {WEIGHTS}_j iff s_i ≤ s_j"),
    ),
    Rule(
        "clause",
        "the? key/position/token with the largest/highest score/logit always? gets/receives/has "
        "the largest/highest <weight_words>? weight",
        lambda _: claim(f"{WEIGHTS}_i ≤ {WEIGHTS}_j iff s_i ≤ s_j"),
    ),
    Rule("longest_key", "a/the longest key", lambda: None),
    Rule("longest_key", "a/the key with the largest/greatest norm/length", lambda: None),
    Rule(
        "clause",
        f"<longest_key> always? {_GET} the largest/highest/most <weight_words>? weight",
        lambda *_: claim(f"{WEIGHTS}_i ≤ {WEIGHTS}_j iff ‖k_i‖ ≤ ‖k_j‖"),
    ),
    Rule(
        "clause",
        "a/the key that is closest to the? query? q? in euclidean distance gets/receives/has the "
        "largest <weight_words>? weight",
        lambda _: claim(f"{WEIGHTS}_i ≤ {WEIGHTS}_j iff ‖k_i - q‖ ≥ ‖k_j - q‖"),
    ),
)


def _of_others(predicate: Callable[[Thing], Clause]) -> Clause:
    """Of every weight but that of the one key that the text speaks of."""
    found = predicate(Thing(f"{WEIGHTS}_i"))
    return replace(found, claims=tuple(f"{one} for i ≠ {THIS}" for one in found.claims), subject=None)


WEIGHT_FACTS: tuple[Rule, ...] = (
    Rule(
        "vp",
        "are/is/become/becomes/remain/remains/stay all? equal to? each? other?",
        lambda: _uniform,
    ),
    Rule("vp", "are/is/remain/remains/stay all? uniform", lambda: _is_uniform),
    Rule("vp", "become/becomes all? uniform", lambda: _spread),
    Rule("vp", "are/is/become/becomes all? the same/identical", lambda: _uniform),
    Rule("vp", "are/is/become/becomes all? identical", lambda: _uniform),
    Rule("vp", "are/is all? equal to <np>", lambda y: lambda x: claim(f"{x.signs} = {y.signs}", of=x, given=y.given)),
    Rule(
        "vp",
        "converge/converges/tend/tends/approach/approaches to? the? uniform/equal weights/ones/distribution?",
        lambda: lambda x: _spread(x, "→"),
    ),
    Rule(
        "vp",
        "converge/converges/tend/tends/collapse/collapses to a/some one-hot vector/distribution?",
        lambda: _one_hot,
    ),
    Rule(
        "vp",
        "is/are never/not longer than the longest of? the? value/values vector/vectors?",
        lambda: lambda x: claim(f"‖{x.signs}‖ ≤ max_i ‖v_i‖", of=x),
    ),
    Rule(
        "vp",
        "can never/not be longer than the longest of? the? value/values vector/vectors?",
        lambda: lambda x: claim(f"‖{x.signs}‖ ≤ max_i ‖v_i‖", of=x),
    ),
    Rule(
        "vp",
        "is/are at most as long as the longest of? the? value/values vector/vectors?",
        lambda: lambda x: claim(f"‖{x.signs}‖ ≤ max_i ‖v_i‖", of=x),
    ),
    Rule(
        "vp",
        "is/are at least as long as the shortest of? the? value/values vector/vectors?",
        lambda: lambda x: claim(f"‖{x.signs}‖ ≥ min_i ‖v_i‖", of=x),
    ),
    Rule(
        "vp",
        "is/are never/not shorter than the shortest of? the? value/values vector/vectors?",
        lambda: lambda x: claim(f"‖{x.signs}‖ ≥ min_i ‖v_i‖", of=x),
    ),
    Rule("vp", "is/are all? strictly? positive", lambda: lambda x: claim(f"{x.signs} > 0", of=x)),
    Rule("vp", "is/are all? nonnegative/non-negative", lambda: lambda x: claim(f"{x.signs} ≥ 0", of=x)),
    Rule("vp", "become/becomes one-hot", lambda: _one_hot),
    Rule(
        "vp",
        "always? lies/lie/is/are in the? linear? span of the? <count>? values/value vectors? <syms>?",
        lambda *_: in_hull("v_i"),
    ),
)


def _uniform(thing: Thing) -> Clause:
    """All weights are equal.

    Raises: Unreadable for what does not sum to one.
    """
    if not thing.kind.startswith("weights"):
        raise Unreadable
    return _spread(thing)


def _is_uniform(thing: Thing) -> Clause:
    return _spread(thing) if thing.kind.startswith("weights") else say_uniform(thing)


def _spread(thing: Thing, sign: str = RETURNS) -> Clause:
    """A distribution is uniform, or becomes so."""
    signs = thing.signs
    if thing.kind.startswith("weights") and not signs.endswith("_i"):
        signs = f"{signs}_i"
    return claim(f"{signs} {sign} 1/n", of=Thing(signs, thing.given, thing.kind))


def _one_hot(thing: Thing) -> Clause:
    if not thing.kind.startswith("weights"):
        raise Unreadable
    return claim(f"max_i {thing.signs.removesuffix('_i')}_i → 1", of=thing)


RULES: tuple[Rule, ...] = (*HEADS, *KEYS, *WEIGHT_FACTS)
