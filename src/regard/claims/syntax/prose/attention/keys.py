"""What is said of keys, queries, values and scores: orthonormal keys, a query of zero, equal values, two keys only.

Such phrases stand as whole sentences, as conditions, and without a verb in front of a claim: n orthonormal keys, q = 0:
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import orthonormal, state
from regard.claims.syntax.prose.phrases import Clause, Thing, both, claim
from regard.claims.syntax.prose.signs import is_limit

_OF_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mutually/pairwise/exactly? orthonormal vectors?", ("the keys be orthonormal",)),
    ("an orthonormal set/system/family/basis", ("the keys be orthonormal",)),
    ("mutually/pairwise? orthogonal/perpendicular to? each? other? vectors?", ("k_m^T k_l = 0 for all m ≠ l",)),
    (
        "mutually/pairwise? orthogonal unit vectors?",
        ("the keys be orthonormal",),
    ),
    ("pairwise/mutually/all? orthogonal and? ,? each? normalised/normalized", ("the keys be orthonormal",)),
    ("pairwise/mutually/all? orthogonal and? ,? each? <unit>", ("the keys be orthonormal",)),
    (
        "pairwise/mutually/all? orthogonal and? ,? each? of/with norm/length/norms/lengths <expr>",
        ("k_m^T k_l = 0 for all m ≠ l", "‖k_m‖ = {0}"),
    ),
    ("all? unit vectors", ("‖k_m‖ = 1",)),
    ("all? normalised/normalized", ("‖k_m‖ = 1",)),
    ("all? <unit>", ("‖k_m‖ = 1",)),
    ("all? of the same norm/length", ("‖k_r‖ = ‖k_u‖",)),
    ("all? of equal norm/length", ("‖k_r‖ = ‖k_u‖",)),
    ("all? pairwise/mutually? distinct/different", ("k_m ≠ k_l for all m ≠ l",)),
    ("pairwise/mutually? distinct/different unit vectors", ("k_m ≠ k_l for all m ≠ l", "‖k_m‖ = 1")),
    ("all? linearly independent", ("K K^T is invertible",)),
    ("all? nonzero/non-zero", ("‖k_m‖ > 0",)),
    ("all? pairwise/mutually? distinct/different unit vectors", ("‖k_m‖ = 1", "k_m ≠ k_l for all m ≠ l")),
    ("all? <all_equal>", ("k_r = k_u",)),
    ("all? equal/identical to the? same? vector? <expr>", ("k_i = {0}",)),
)
"""What keys may be, and what is given of them then."""

_OF_VALUES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("all? <all_equal>", ("v_r = v_u",)),
    ("all? equal/identical to the/some/a? same? single? vector? <expr>", ("v_i = {0}",)),
    ("all? linearly independent", ("V V^T is invertible",)),
    ("mutually/pairwise? orthonormal vectors?", ("V V^T = I",)),
    ("all? unit vectors", ("‖v_i‖ = 1",)),
    ("all? <unit>", ("‖v_i‖ = 1",)),
    ("all? zero", ("v_i = 0",)),
    ("arbitrary/fixed/given/any", ()),
)
_OF_SCORES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("all? <all_equal>", ("k_r^T q = k_u^T q",)),
    ("all? equal/identical to <expr>", ("k_m^T q = {0}",)),
    ("all? zero", ("k_m^T q = 0",)),
    ("not all <all_equal>", ("max_i s_i > min_i s_i",)),
    ("fixed/arbitrary/finite/given", ()),
)
_OF_QUERY: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("the? zero vector?", ("q = 0",)),
    ("the? null vector?", ("q = 0",)),
    ("equal to <expr>", ("q = {0}",)),
    ("chosen/taken as/to? be? <expr>", ("q = {0}",)),
    ("set to <expr>", ("q = {0}",)),
    ("<expr>", ("q = {0}",)),
    ("a/some multiple <expr> of <index>", ("q = {0}",)),
    ("a? very/large/big/huge/sufficiently? large/big/huge multiple of the? key? <index>", ("q = C k_{0}", "C → ∞")),
    ("orthogonal/perpendicular to all/every/each/any of? the? other? keys/key", ("k_m^T q = 0 for all m",)),
    ("orthogonal/perpendicular to the? <index>", ("k_{0}^T q = 0",)),
    ("fixed/arbitrary/given/any/random/not random", ()),
)


def _of(category: str, table: tuple[tuple[str, tuple[str, ...]], ...]) -> list[Rule]:
    def meaning(signs: tuple[str, ...]) -> Callable[..., tuple[str, ...]]:
        def write(*things: Thing | None) -> tuple[str, ...]:
            named = [thing.signs for thing in things if thing is not None]
            return tuple(one.replace("{0}", named[0]) if "{0}" in one else one for one in signs)

        return write

    return [Rule(category, pattern, meaning(signs)) for pattern, signs in table]


_KEY_LIST = re.compile(r"\s*(?:k_|k[₀-₉ᵢⱼ]|\\mathbf\s*\{?k\}?_)")


def _check_keys(names: object) -> None:
    """Refuses letters that are no keys.

    Raises: Unreadable.
    """
    first = names[0] if isinstance(names, tuple) and names else getattr(names, "signs", names)
    if isinstance(first, str) and not _KEY_LIST.match(first):
        raise Unreadable


def number_of(count: object) -> tuple[str, ...]:
    """n = 4 of `four keys`, n ≥ 2 of `n ≥ 2 keys`, n = m of `m keys`; nothing of `n keys`."""
    if isinstance(count, str):
        return (count,) if re.match(r"\s*n\s", count) else _refuse()
    signs = count.signs if isinstance(count, Thing) else "n"
    if signs == "n":
        return ()
    return (f"n = {signs}",) if signs.isdigit() or signs in ("m", "N", "T", "L", "M") else _refuse()


def _refuse() -> tuple[str, ...]:
    raise Unreadable


def _said(signs: tuple[str, ...], of: str = "") -> Clause:
    return claim(*signs, of=Thing(of) if of else None)


def _keys_are(count: object, names: object, signs: tuple[str, ...]) -> Clause:
    if names is not None:
        _check_keys(names)
    return _said((*signs, *(number_of(count) if count is not None else ())))


def _query_is(name: Thing | None, signs: tuple[str, ...]) -> Clause:
    if name is not None and name.signs != "q":
        signs = tuple(re.sub(r"\bq\b", name.signs, one) for one in signs)
    return _said(signs, name.signs if name is not None else "q")


_ALL = "all/the/our/these/every/each? the/of? the?"
_BE = "are/is/be/being/were"


def _query_relation(rel: str) -> Clause:
    """The query q = C k_a.

    Raises: Unreadable where the relation is of no query.
    """
    if not re.match(r"\s*q(?:_\{?\w\}?|[₀-₉])?\s*:?=", rel) or is_limit(rel):
        raise Unreadable
    return state(rel)


CONDITIONS: tuple[Rule, ...] = (
    Rule("unit", "of unit norm/length", lambda: None),
    Rule("unit", "of norm/length one", lambda: None),
    Rule("unit", "of norm/length <expr>", lambda x: None if x.signs == "1" else _refuse()),
    Rule("all_equal", "equal/identical to? each? other?", lambda: None),
    Rule(
        "key_fact",
        f"{_ALL} values/value vectors/vector? happen? to? coincide/agree",
        lambda: _said(("v_r = v_u",)),
    ),
    Rule("key_fact", f"{_ALL} values/value vectors/vector? happen to be <of_values>", _said),
    Rule("key_fact", f"{_ALL} keys/key vectors/vector? happen? to? coincide/agree", lambda: _said(("k_r = k_u",))),
    Rule("all_equal", "the? same/identical vector/value/number/key?", lambda: None),
    Rule("coincide", "happen? to? coincide/agree", lambda: None),
    Rule("coincide", "happen to be <all_equal>", lambda _: None),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys/key vectors/vector? <key_list>? <coincide>",
        lambda n, names, _: _keys_are(n, names, ("k_r = k_u",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? values/value vectors/vector? <syms>? <coincide>",
        lambda *_: _said(("v_r = v_u",)),
    ),
    Rule(
        "key_fact", f"{_ALL} attention/raw? scores/logits <syms>? <coincide>", lambda *_: _said(("k_r^T q = k_u^T q",))
    ),
    Rule("key_list", "<syms>", lambda names: names),
    Rule("key_list", "<rel>", lambda rel: rel if "∈" in rel or "\\in" in rel else _refuse()),
    Rule("key_count", "<rel>", lambda rel: rel),
    Rule("key_count", "<expr>", lambda count: count),
    Rule("key_count", "at least <expr>", lambda count: f"n ≥ {count.signs}"),
    Rule("key_count", "<expr> or more", lambda count: f"n ≥ {count.signs}"),
    Rule("key_count", "more than <expr>", lambda count: f"n > {count.signs}"),
    Rule("key_count", "<expr> ( <rel> )", lambda _, rel: rel),
    *_of("of_keys", _OF_KEYS),
    *_of("of_values", _OF_VALUES),
    *_of("of_scores", _OF_SCORES),
    *_of("of_query", _OF_QUERY),
    Rule("of_keys_list", "<of_keys> ,? and/, also? <of_keys_list>", lambda a, b: (*a, *b)),
    Rule("of_keys_list", "<of_keys> ,? but/though not necessarily <of_keys>", lambda a, _: a),
    Rule("of_keys_list", "<of_keys> ( not necessarily <of_keys> )", lambda a, _: a),
    Rule("of_keys_list", "<of_keys>", lambda a: a),
    Rule("key_fact", f"{_ALL} <key_count>? keys/key vectors/vector? <key_list>? {_BE} <of_keys_list>", _keys_are),
    Rule(
        "key_fact",
        f"<key_list> {_BE} the/our? <key_adjective> keys/vectors",
        lambda names, said: _keys_are(None, names, said),
    ),
    Rule("key_fact", f"<key_list> {_BE} <of_keys_list>", lambda names, said: _keys_are(None, names, said)),
    Rule(
        "key_fact",
        "we/you/one choose/chooses/take/takes/use/uses/pick/set/consider the/a? query? vector? <rel>",
        _query_relation,
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys/key have/has unit norm/norms/length",
        lambda n: _keys_are(n, None, ("‖k_m‖ = 1",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys/key have/has norm/length one",
        lambda n: _keys_are(n, None, ("‖k_m‖ = 1",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys/key have/has norm/length <expr>",
        lambda n, x: _keys_are(n, None, (f"‖k_m‖ = {x.signs}",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys have the same norm/length",
        lambda n: _keys_are(n, None, ("‖k_r‖ = ‖k_u‖",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? keys have equal norm/length/norms/lengths",
        lambda n: _keys_are(n, None, ("‖k_r‖ = ‖k_u‖",)),
    ),
    Rule(
        "key_fact",
        f"{_ALL} <key_count>? values/value vectors/vector? <syms>? {_BE} <of_values>",
        lambda n, _, said: _said(said),
    ),
    Rule("key_fact", f"{_ALL} attention/raw? scores/logits <syms>? {_BE} <of_scores>", lambda _, said: _said(said)),
    Rule("key_fact", f"the/a/this/our query vector? <sym>? {_BE} <of_query>", _query_is),
    Rule(
        "key_fact",
        "the/a/this/our query vector? points in the direction of <index>",
        lambda i: _said((f"q = C k_{i.signs}", "C > 0"), "q"),
    ),
    Rule(
        "key_fact",
        "<expr> is orthogonal/perpendicular to all/every/each of? the? keys/key <syms>?",
        lambda x, _: claim(f"k_m^T {x.factor} = 0 for all m", of=x),
    ),
    Rule(
        "key_fact",
        "<expr> is orthogonal/perpendicular to all/every/each of? the? values/value vectors/vector? <syms>?",
        lambda x, _: claim(f"v_m^T {x.factor} = 0 for all m", of=x),
    ),
    Rule(
        "key_fact",
        "<expr> is orthogonal/perpendicular to all/every/each of? the? key? difference/differences <expr>?",
        lambda x, _: claim(f"(k_m - k_l)^T {x.factor} = 0 for all m, l", of=x),
    ),
    Rule(
        "key_fact",
        "<index> is <mean_of_keys>",
        lambda i, signs: claim(f"k_{i.signs} = {signs}", of=Thing(f"k_{i.signs}")),
    ),
    Rule("key_fact", "a/one/some key is <mean_of_two_keys>", lambda signs: claim(f"k_3 = {signs}", of=Thing("k_3"))),
    Rule("key_fact", "a/one/some key lies <mean_of_two_keys>", lambda signs: claim(f"k_3 = {signs}", of=Thing("k_3"))),
    Rule("mean_of_keys", "the exact? midpoint/mean/average of the first two keys?", lambda: "(k_1 + k_2)/2"),
    Rule(
        "mean_of_keys",
        "the exact? midpoint/mean/average of/between <np> and <np>",
        lambda a, b: f"({a.signs} + {b.signs})/2",
    ),
    Rule(
        "mean_of_two_keys",
        "the midpoint/mean/average of/between two other/different/distinct? keys",
        lambda: "(k_1 + k_2)/2",
    ),
    Rule("mean_of_two_keys", "halfway/midway between two other/different/distinct? keys", lambda: "(k_1 + k_2)/2"),
    Rule("key_fact", "<verbless>", lambda a: a),
    Rule("clause", "<key_fact>", lambda a: a),
)

_ADJECTIVES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("orthonormal", ("the keys be orthonormal",)),
    ("mutually/pairwise? orthogonal", ("k_m^T k_l = 0 for all m ≠ l",)),
    ("mutually/pairwise? orthogonal unit", ("the keys be orthonormal",)),
    ("identical/equal", ("k_r = k_u",)),
    ("linearly independent", ("K K^T is invertible",)),
    ("unit/unit-norm/normalised/normalized", ("‖k_m‖ = 1",)),
    ("distinct/different", ("k_m ≠ k_l for all m ≠ l",)),
    ("arbitrary/given/fixed/any", ()),
)


def _orthonormal(names: tuple[str, ...]) -> Clause:
    return claim(*(one if one != "\\mu_i orthonormal" else "μ_i orthonormal" for one in orthonormal(names)))


def _set_letter(rel: str) -> Clause:
    """q = …, a ≠ b, n ≥ 2 before orthonormal keys: given like these.

    Raises: Unreadable.
    """
    if not re.match(r"\s*(?:q(?:_\w|[₀-₉])?\s*:?=|k_\{?\w\}?\s*=|n\s*[=≥>]|[a-z]\s*≠)", rel):
        raise Unreadable
    return state(rel)


VERBLESS: tuple[Rule, ...] = (
    *_of("key_adjective", _ADJECTIVES),
    Rule("there", "there are", lambda: None),
    Rule("there", "we/you have", lambda: None),
    Rule("there", "there are only/exactly/just", lambda: None),
    Rule("there", "consider", lambda: None),
    Rule(
        "verbless",
        "<there>? the/a/some/any? set? of? <key_count>? <key_adjective> keys/key vectors? "
        "<key_list>? <key_count>? only?",
        lambda _, n, said, names, m: _keys_are(n or m, names, said),
    ),
    Rule(
        "verbless", "<there>? only/exactly/just? <key_count> keys only?", lambda _, n: _said(number_of(n) or _refuse())
    ),
    Rule(
        "verbless",
        "<there>? only/exactly/just? <key_count> keys and values only?",
        lambda _, n: _said(number_of(n) or _refuse()),
    ),
    Rule(
        "verbless",
        "<there>? only/exactly/just? <key_count> key-value/key–value pairs only?",
        lambda _, n: _said(number_of(n)),
    ),
    Rule(
        "verbless",
        "<there>? only/exactly/just? <key_count> keys ,? <key_list>? ,? <which_are> all? <of_keys_list>",
        lambda _, n, names, __, said: _keys_are(n, names, said),
    ),
    Rule("which_are", "and/that/which they/these? are", lambda: None),
    Rule(
        "verbless",
        "<there>? only/exactly/just? <key_count> keys , <key_list> ,?",
        lambda _, n, names: _keys_are(n, names, ()),
    ),
    Rule("verbless", "keys <key_list>? <of_keys>", lambda names, said: _keys_are(None, names, said)),
    Rule("verbless", "the keys <key_list>? <of_keys>", lambda names, said: _keys_are(None, names, said)),
    Rule("verbless", "keys <key_list>? <of_keys> , <expr> of them", lambda names, said, n: _keys_are(n, names, said)),
    Rule("verbless", "all keys <key_list>? <of_keys>", lambda names, said: _keys_are(None, names, said)),
    Rule("verbless", "the/a/some/one? single/large/long? query vector? <rel>", _query_relation),
    Rule("verbless", "the? values <of_values>", _said),
    Rule("verbless", "<sym> the number of keys", lambda n: Clause() if n.signs == "n" else _refuse_clause()),
    Rule("verbless", "no/without a/any? noise/scaling/temperature", Clause),
    Rule("verbless", "no/without a/any? noise/scaling/temperature and/or no? noise/scaling/temperature", Clause),
    Rule("verbless", "noise-free/noiseless/fixed keys", Clause),
    Rule("start", "<verbless>", lambda a: a),
    Rule("start", "orthonormal keys again/still?", lambda: claim("the keys be orthonormal")),
    Rule("fragment", "<start> ( <more> ) <more_after>?", lambda a, b, c: both(both(a, b), c or Clause())),
    Rule("fragment", "<start> <more_after>", both),
    Rule("fragment", "<start>", lambda a: a),
    Rule("fragment", "<setting> ,? and? <fragment>", both),
    Rule("setting", "<rel>", _set_letter),
    Rule("more_after", ",? and/with/, with? <more>", lambda a: a),
    Rule("more_after", ": <more>", lambda a: a),
    Rule("more", "<more1> ,? and/with/where/, with/and? <more>", both),
    Rule("more", "<more1>", lambda a: a),
    Rule("more1", "<verbless>", lambda a: a),
    Rule("more1", "<rel>", state),
    Rule("more1", "independent/independently", Clause),
    Rule("more1", "<syms> fixed/given/arbitrary", lambda _: Clause()),
    Rule("more1", "<syms> orthonormal", _orthonormal),
    Rule("sentence", "<fragment>", lambda a: Clause((), (*a.given, *a.claims), a.subject)),
    Rule("body", "<fragment> ,/: <lead>? <body>", lambda a, _, body: body.under(*a.given, *a.claims)),
)


def _refuse_clause() -> Clause:
    raise Unreadable


RULES: tuple[Rule, ...] = (*CONDITIONS, *VERBLESS)
