"""Queries by what they are made of: one of the keys, C times the sum of two of them, a growing multiple of minus a key.

A key that is named by nothing but `one of the keys` gets an index at the end, which the text does not use.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from regard.claims.syntax.prose.attention.choices import chosen
from regard.claims.syntax.prose.attention.keys import number_of
from regard.claims.syntax.prose.attention.weights import FIRST_KEY, OUTPUT_LETTER, SECOND_KEY, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import state
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import RETURNS, Clause, Thing, claim
from regard.claims.syntax.prose.signs import has_relation, substitute, symbols_in

Given = tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """What a query is, in signs, and what is given of the keys that it is made of and of its factor."""

    signs: str
    given: Given = ()

    def times(self, factor: str, *given: str) -> Made:
        """A multiple of it."""
        return Made(f"{factor} {Thing(self.signs).factor}", (*self.given, *given))


def _one_key(count: object, adjective: Given | None, index: str = FIRST_KEY) -> Made:
    return Made(f"k_{index}", (*(adjective or ()), *(number_of(count) if count is not None else ())))


def _two_keys(count: object = None, adjective: Given | None = None) -> Made:
    given = _one_key(count, adjective).given
    return Made(f"k_{FIRST_KEY} + k_{SECOND_KEY}", (*given, f"{FIRST_KEY} ≠ {SECOND_KEY}"))


def _scaled(made: Made, factor: Thing) -> Made:
    """The key times ln n.

    Raises: Unreadable for a factor that is no number.
    """
    if has_relation(factor.signs) or set(symbols_in(factor.signs)) & {"k", "q", "v", "K", "V"}:
        raise Unreadable
    return made.times(factor.factor, *factor.given)


def _by_factor(sign: str, *given: str) -> Callable[..., Made]:
    return lambda made: made.times(f"{sign}C", *given)


def _equation(made: Made) -> Given:
    return (f"q = {made.signs}", *made.given)


_EVER = "ever/ever-growing/steadily/increasingly/arbitrarily/sufficiently/very?"
_GROWING = (
    f"a/an {_EVER} growing/increasing/ever-growing positive? multiple of",
    f"a/an {_EVER} large/larger/huge positive? multiple of",
    "larger and larger positive? multiples of",
    "a larger and larger positive? multiple of",
    "a multiple of",
    "growing/increasing/large multiples of",
)
_KEYS = "keys/them/these/those key? vectors?"

MULTIPLES: tuple[Rule, ...] = (
    Rule("key_sum", "<index>", lambda i: Made(f"k_{i.signs}")),
    Rule("key_sum", f"exactly? one of the/its/our? <key_count>? <key_adjective>? {_KEYS}", _one_key),
    Rule("key_sum", "the? first of the/its/our? <key_count>? <key_adjective>? keys", lambda n, a: _one_key(n, a, "1")),
    Rule("key_sum", "one/a/some/any single/fixed/given? key vector?", lambda: _one_key(None, None)),
    Rule(
        "key_sum",
        f"the sum of two different/distinct? of the/its/our? <key_count>? <key_adjective>? {_KEYS}",
        _two_keys,
    ),
    Rule("key_sum", "the sum of two different/distinct? <key_adjective>? keys", lambda a: _two_keys(None, a)),
    Rule("key_sum", "the sum of <index> and <index>", lambda a, b: Made(f"k_{a.signs} + k_{b.signs}")),
    Rule("key_sum", "the sum of all? the? <key_adjective>? keys", lambda a: Made("\\sum_i k_i", a or ())),
    Rule("made", "<key_sum>", lambda made: made),
    Rule("made", "minus <key_sum>", lambda made: Made(f"-({made.signs})", made.given)),
    Rule("made", "the negative of <key_sum>", lambda made: Made(f"-({made.signs})", made.given)),
    Rule("made", "<key_sum> ,? times/multiplied by? <np>", _scaled),
    Rule("made", "<key_sum> ,? scaled by <np>", _scaled),
    Rule("made", "<expr> times <key_sum>", lambda factor, made: _scaled(made, factor)),
    *(
        Rule("made", f"{words} {minus} <key_sum>", _by_factor(sign, *(("C → ∞",) if words != "a multiple of" else ())))
        for words in _GROWING
        for minus, sign in (("minus", "-"), ("the negative of", "-"), ("", ""))
    ),
    Rule("made", "a positive multiple of <key_sum>", _by_factor("", "C > 0")),
    Rule("made", "a negative multiple of <key_sum>", _by_factor("-", "C > 0")),
)


def _uniform(given: str | Given | None) -> Clause:
    said = claim(f"{WEIGHTS}_i {RETURNS} 1/n")
    return said if given is None else said.under(*((given,) if isinstance(given, str) else given))


def _approached(main: Clause, _: None, limit: str) -> Clause:
    """c ≈ v_a, and the error vanishes as C grows: said of the limit.

    Raises: Unreadable where nothing is approximate.
    """
    if not main.claims or not re.search(r"≈|\\approx", main.claims[-1]):
        raise Unreadable
    return main.under(limit)


def _no_query(made: Given) -> Clause:
    return Clause(made, (), Thing("q"))


_THAT = "that/which? is/are/equals?"

QUERIES: tuple[Rule, ...] = (
    Rule("query_is", "<made>", _equation),
    Rule("query_is", "the? zero vector?", lambda: ("q = 0",)),
    Rule(
        "query_is",
        "orthogonal/perpendicular to all/every/each/any of? the? other? keys/key",
        lambda: ("k_m^T q = 0 for all m",),
    ),
    Rule("query_is", "orthogonal/perpendicular to <index>", lambda i: (f"k_{i.signs}^T q = 0",)),
    Rule(
        "key_fact",
        "the/a/this/our query vector? q? is/be/equals equal? to? <made>",
        lambda made: _no_query(_equation(made)),
    ),
    Rule("made_query", "a/any/every/the query vector? that/which is/equals equal? to? <query_is>", lambda given: given),
    Rule(
        "made_query",
        "a/any/every/the query vector? orthogonal/perpendicular to all/every/each/any of? the? keys/key",
        lambda: ("k_m^T q = 0 for all m",),
    ),
    Rule(
        "made_query",
        "a/any/every/the query vector? orthogonal/perpendicular to <index>",
        lambda i: (f"k_{i.signs}^T q = 0",),
    ),
    Rule("made_query", "the/a zero query vector?", lambda: ("q = 0",)),
    Rule("made_query", "a/the query of zero", lambda: ("q = 0",)),
    Rule("attending", "<made_query>", lambda given: given),
    Rule("choice", "<made_query>", _no_query),
    Rule("choice1", "<made_query>", _no_query),
    Rule(
        "clause",
        "<attending> gives/yields/produces/leads/has to? uniform/equal attention? weights",
        _uniform,
    ),
    Rule("body", "<main> ,? and/where/with the? error/gap/difference <vanishing> <limit>", _approached),
    Rule(
        "body",
        "<main> ,? and/which this/that/it? becomes exact <limit>",
        lambda main, limit: _approached(main, None, limit),
    ),
    Rule("vanishing", "vanishes/vanishing/disappears", lambda: None),
    Rule("vanishing", "goes/tends/going/tending to zero/0", lambda: None),
    Rule("vp", "all/each/both <vp>", lambda vp: vp),
    Rule("body", "for/with/given/at <made_query> ,? <lead>? <body>", lambda given, _, body: body.under(*given)),
    Rule("tail", ",? for/with <made_query>", lambda given: ("if", claim(*given))),
)


def _of_query(family: str) -> Callable[..., Thing]:
    """The output for the query 2q: with another query in place of q."""

    def meaning(*parts: object) -> Thing:
        query = parts[-1]
        if not isinstance(query, Thing) or not re.search(r"q|k_|\\sum", query.signs) or has_relation(query.signs):
            raise Unreadable
        signs = "softmax(K {0})_i" if family == WEIGHTS else "V^T softmax(K {0})"
        return Thing(
            signs.replace("{0}", query.factor), query.given, f"{'weights' if family == WEIGHTS else 'output'} of query"
        )

    return meaning


_HEAD = "attention/softmax/single? head/heads"
_FOR = "for/of/at/under/with/from the? query/queries vector?"


def _largest(given: str | Given | None, index: Thing, sign: str = ">") -> Clause:
    """More weight on one key than on any other."""
    said = claim(f"{WEIGHTS}_{{{index.signs}}} {sign} {WEIGHTS}_i for i ≠ {index.signs}")
    return said if given is None else said.under(*((given,) if isinstance(given, str) else given))


_OTHERS = "any/every/all/each of? the? other/others/another/else key/keys?"
COMPARED: tuple[Rule, ...] = (
    Rule("clause", f"<attending> gives/assigns <index> more weight than to? {_OTHERS}", _largest),
    Rule("clause", f"<attending> puts/places more weight on <index> than on {_OTHERS}", _largest),
    Rule("clause", f"<index> gets/receives/has/carries more weight than {_OTHERS}", lambda i: _largest(None, i)),
    Rule(
        "clause",
        "<index> gets/receives/has/carries more weight than <index>",
        lambda a, b: claim(f"{WEIGHTS}_{{{a.signs}}} > {WEIGHTS}_{{{b.signs}}}"),
    ),
)

OF_QUERIES: tuple[Rule, ...] = (
    Rule(
        "base",
        "the/all/its? <weight_words>? weights/weight belonging? to/for/of/at/under/with the? query <expr>",
        _of_query(WEIGHTS),
    ),
    Rule("base", f"the/its? <head_words>? output {_FOR} <expr>", _of_query(OUTPUT_LETTER)),
    Rule(
        "base",
        f"the/its? <head_words>? output of a/one/the? {_HEAD} with/that/using/for uses? the/a? query? <other_query>",
        _of_query(OUTPUT_LETTER),
    ),
    Rule(
        "base",
        f"a/one/the? single? {_HEAD} with/that/using/for uses? the? query? <other_query>",
        _of_query(OUTPUT_LETTER),
    ),
    Rule("base", "the/its? <head_words>? output/outputs for <expr>", _of_query(OUTPUT_LETTER)),
    Rule("base", "the/all/its? <weight_words>? weights for <expr>", _of_query(WEIGHTS)),
    Rule(
        "base",
        "the? sum of the? <head_words>? outputs for <expr> and <expr>",
        lambda _, a, b: Thing(f"{_of_query(OUTPUT_LETTER)(a).signs} + {_of_query(OUTPUT_LETTER)(b).signs}"),
    ),
    noun("the? negative of <np>", "-{0}"),
    Rule("other_query", "<expr>", lambda query: query),
    noun("the output of attention", OUTPUT_LETTER, "output"),
    noun(
        "the? mean/average/midpoint of/between the? two? corresponding/associated two? values",
        f"(v_{FIRST_KEY} + v_{SECOND_KEY})/2",
    ),
    noun(
        "the? mean/average/midpoint of/between the/their two? values of/at these/those/both/the two? keys",
        f"(v_{FIRST_KEY} + v_{SECOND_KEY})/2",
    ),
    noun("the? mean/average/midpoint of/between their two? values", f"(v_{FIRST_KEY} + v_{SECOND_KEY})/2"),
    noun("the? sum of the/their two? corresponding values", f"v_{FIRST_KEY} + v_{SECOND_KEY}"),
)


def _index_letter(symbol: Thing) -> Clause:
    """Fix j: an index, of which nothing is said.

    Raises: Unreadable for another letter.
    """
    if symbol.signs not in ("a", "b", "i", "j", "l", "m", "r"):
        raise Unreadable
    return Clause()


def _of_indices(thing: Thing, rel: str, predicate: Callable[[Thing], Clause]) -> Clause:
    """The variance of A with i ≠ j is B.

    Raises: Unreadable where something else is given of the thing.
    """
    if not re.fullmatch(r"\s*[a-mr]\s*(?:≠|\\neq?(?![a-z])|!=)\s*[a-mr]\s*", rel):
        raise Unreadable
    return predicate(thing).under(rel)


def _of_one(rel: str, index: Thing) -> Clause:
    """α_a = 1/2 for one key a.

    Raises: Unreadable where the relation does not have the index.
    """
    if not re.search(rf"_\{{?{re.escape(index.signs)}(?![A-Za-z])", rel):
        raise Unreadable
    return state(rel)


def _distribution(relations: tuple[str, ...]) -> Clause:
    """p_1, …, p_n > 0 sum to 1.

    Raises: Unreadable for other relations.
    """
    found = re.match(r"\s*(p|w|π)(?:_|[₀-₉])\S*\s*(>|≥)\s*0\s*$", relations[-1])
    if found is None:
        raise Unreadable
    return claim(f"{found[1]} is a distribution", f"{found[1]}_i {found[2]} 0")


def _orthogonal_to(other: Thing) -> Callable[[Thing], Given]:
    return lambda thing: tuple(f"{name}^T {other.factor} = 0" for name in thing.signs.split(", "))


CHOSEN: tuple[Rule, ...] = (
    Rule("declaration", "<sym>", _index_letter),
    Rule("body", "<choice> ,? <lead>? <body>", lambda choice, _, body: chosen(choice, body)),
    Rule(
        "body",
        "<choice> ,? <lead>? we/one/you? get/gets/obtain/obtains/have/has? <np> as/for the/an? output/result",
        lambda choice, _, x: chosen(choice, claim(f"{OUTPUT_LETTER} {RETURNS} {x.signs}", given=x.given)),
    ),
    Rule("clause", "<np> with/for <rel> <vps>", _of_indices),
    Rule("entity_tail1", "orthogonal/perpendicular to <expr>", _orthogonal_to),
    Rule("vp", "has/have/needs/need to necessarily? be <pred>", lambda predicate: predicate),
    Rule("vp", "must necessarily? be <pred>", lambda predicate: predicate),
    Rule(
        "clause",
        "uniform/equal weights are only/just? possible/obtained/reached only? for/with/by/if/when <made_query>",
        lambda given: Clause((given[0],), (f"{WEIGHTS}_i = 1/n",)) if len(given) == 1 else _refuse(),
    ),
    Rule("condition", "<rel> for one/some key/index/position <sym>", _of_one),
    Rule("declaration", "<rel> for one/some key/index/position <sym>", _of_one),
    Rule("condition", "<sym> of unit/norm length/norm/one", lambda x: claim(f"‖{x.signs}‖ = 1")),
    Rule("condition", "<sym> of norm/length one/1", lambda x: claim(f"‖{x.signs}‖ = 1")),
    Rule(
        "body",
        "for any/every/all <rel> and any/every/all values/value vectors? <syms>? ,? <lead>? <body>",
        lambda rel, *rest: rest[-1].under(rel),
    ),
    Rule("declaration", "<symrel> sum to one/1", _distribution),
    Rule("ignored1", ", not merely/only/just in the/a limit", lambda: None),
)


def _refuse() -> Clause:
    raise Unreadable


_ANY_SIGN = re.compile(
    r"(?:every|all|any|each)\s+(?:real|negative)\s+(?:number|scalar|factor)?\s*\$?(?P<one>[A-Za-zβλ])(?![A-Za-z])"
    r"|(?<![A-Za-z])(?P<two>[A-Z]|β|λ)\s*(?:∈|\\in)\s*(?:ℝ|R(?![\^A-Za-z])|\\mathbb\s*\{?R\}?(?!\s*\^))"
)
"""A factor that may be negative, too: for every real C."""


def with_negative_factor(written: str, text: str) -> tuple[str, ...]:
    """Beside a statement for q = C k_a those for q = −C k_a and q = 0 k_a, where a text speaks of every real C."""
    said = _ANY_SIGN.search(text)
    query = re.search(r"Let q = (?P<made>[^.]*)\. ", written)
    letter = (said["one"] or said["two"]) if said is not None else ""
    is_bounded = re.search(rf"Let {letter} (?!is fixed)", written) is not None
    if query is None or letter not in symbols_in(query["made"]) or is_bounded:
        return (written,)
    has_zero = re.search(r"≠|\\neq?(?![a-z])|!=|non-?zero", text) is None
    values = (f"(-{letter})", "0") if has_zero else (f"(-{letter})",)
    return written, *(_at_factor(written, query["made"], letter, value) for value in values)


def _at_factor(written: str, made: str, letter: str, value: str) -> str:
    """A statement with another value for a factor of its query, and of what is claimed of it."""
    head, then, claimed = written.replace(f"Let {letter} is fixed. ", "").rpartition("Then ")
    head = head.replace(made, substitute(made, letter, value))
    if letter in symbols_in(claimed.partition(" for all ")[0]):
        claimed = substitute(claimed, letter, value)
    return f"{head}{then}{claimed.replace(f' for all {value}', '')}"


COUNTS: tuple[Rule, ...] = (
    Rule("key_count", "at least <expr>", lambda n: f"n ≥ {n.signs}"),
    Rule("key_count", "<expr> or more", lambda n: f"n ≥ {n.signs}"),
    Rule("key_count", "more than <expr>", lambda n: f"n > {n.signs}"),
    Rule(
        "growing_keys",
        "as/when/if/while <the_number> of <key_adjective> keys <grows>",
        lambda _, said, __: ("n → ∞", *said),
    ),
    Rule(
        "growing_keys",
        "as/when/if/while <the_number> of keys <grows> while/but/and <they_stay> <key_adjective>",
        lambda _, __, ___, said: ("n → ∞", *said),
    ),
    Rule("growing_keys", "for/with more and more <key_adjective>? keys", lambda said: ("n → ∞", *(said or ()))),
    Rule("they_stay", "they/the keys? stay/remain/are/being", lambda: None),
    Rule("the_number", "the? number n?", lambda: None),
    Rule("grows", "grows/increases without? bound/limit?", lambda: None),
    Rule("grows", "goes/tends/grows to infinity/∞", lambda: None),
    Rule("condition", "<grown_keys> ,? and <condition>", lambda given, more: more.under(*given)),
    Rule(
        "grown_keys",
        "<the_number> of keys <grows> while/but/and <they_stay> <key_adjective>",
        lambda _, __, ___, said: ("n → ∞", *said),
    ),
    Rule("body", "<growing_keys> ,? <lead>? <body>", lambda given, _, body: body.under(*given)),
    Rule("tail", ",? <growing_keys>", lambda given: ("if", claim(*given))),
)

RULES: tuple[Rule, ...] = (*MULTIPLES, *QUERIES, *COMPARED, *OF_QUERIES, *CHOSEN, *COUNTS)
