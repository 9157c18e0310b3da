"""What follows from a query: q = C k_a gives c → v_a, choosing q = 0 makes weights equal; and what is said twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.attention.attending import equal_weights
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, THIS, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import state
from regard.claims.syntax.prose.phrases import Clause, Thing, bind, both, claim, given_by


def chosen(choice: Clause, main: Clause) -> Clause:
    """What follows from a choice of the query."""
    main = bind(main, choice.subject)
    return Clause(main.claims, (*given_by(choice), *main.given), main.subject, main.unread)


def _others(first: Clause, sign: str, share: Thing) -> Clause:
    """α_a → 1 and all other weights → 0: of every i ≠ a."""
    found = re.match(rf"(?:{WEIGHTS}|α|\\alpha)_\{{?(\w)\}}?\s", first.claims[-1]) if first.claims else None
    if found is None:
        raise Unreadable
    other = "i" if found[1] != "i" else "j"
    second = f"{WEIGHTS}_{other} {sign} {share.signs} for {other} ≠ {found[1]}"
    return replace(first, claims=(*first.claims, second))


def _restated(main: Clause, rel: str) -> Clause:
    """The output tends to the mean, c → …: what was said once more in signs.

    Raises: Unreadable where the signs are of another thing.
    """
    left = re.split(r"\s*(?:=|≈|→|->|≤|≥|<|>|\\(?:to|approx|leq?|geq?)\b)", rel)[0].strip()
    subject = main.subject.signs if main.subject is not None else ""
    known = {OUTPUT_LETTER: ("c", "o"), f"{WEIGHTS}_i": ("α_i", "\\alpha_i", "α_j", "a_i")}.get(subject, (subject,))
    if left not in known and left.replace("{", "").replace("}", "") not in known:
        raise Unreadable
    return both(main, claim(rel))


def _each(first: Thing, second: Thing, predicate: Callable[[Thing], Clause]) -> Clause:
    return replace(both(predicate(first), predicate(second)), subject=None)


def _weight_thing(index: Thing) -> Thing:
    return Thing(f"{WEIGHTS}_{{{index.signs}}}")


def _query(rel: str) -> Clause:
    if not re.match(r"\s*q(?:_\w|[₀-₉])?\s*:?=", rel):
        raise Unreadable
    return state(rel)


def _other(rel: str) -> tuple[str, Thing]:
    found = re.fullmatch(r"\s*(?:α|\\alpha)_\{?\w\}?\s*(→|->|\\to|=)\s*(.+)", rel)
    if found is None:
        raise Unreadable
    return found[1], Thing(found[2])


def _each_of(names: tuple[str, ...], predicate: Callable[[Thing], Clause]) -> Clause:
    """Each of α_a, α_b, α_c equals a number."""
    found = predicate(Thing(names[0]))
    for name in names[1:]:
        found = both(found, predicate(Thing(name)))
    return replace(found, subject=None)


def _shared_value(condition: Clause, thing: Thing) -> Clause:
    """Where all values are equal, `that vector` is each of them.

    Raises: Unreadable where something else is given.
    """
    if given_by(condition) != ("v_r = v_u",):
        raise Unreadable
    return claim(f"{thing.signs} = v_1", of=thing, given=given_by(condition))


def _zero_too(condition: Clause, thing: Thing) -> Clause:
    """If q = 0, then so is the output; if all values are unit vectors, then so is the output.

    Raises: Unreadable where something else is given.
    """
    given = given_by(condition)
    if given not in (("q = 0",), ("v_i = 0",), ("‖v_i‖ = 1",)):
        raise Unreadable
    said = given[0].replace("v_i", thing.signs).replace("q", thing.signs)
    return claim(said, of=thing, given=(*given, *thing.given))


_TAKE = "takes/take/chooses/choose/sets/set/picks/pick/uses/use"
_REACH = "get/obtain/have/reach/achieve/realise/realize"

RULES: tuple[Rule, ...] = (
    Rule(
        "body",
        f"to {_REACH} <aim> ,? one/we/you? can/could/may? simply? {_TAKE} <choice>",
        lambda aim, choice: chosen(choice, aim),
    ),
    Rule(
        "body",
        f"in order to {_REACH} <aim> ,? one/we/you? can/could/may? simply? {_TAKE} <choice>",
        lambda aim, choice: chosen(choice, aim),
    ),
    Rule("aim", "<clause> and <clause>", both),
    Rule("aim", "<clause>", lambda said: said),
    Rule("clause", "each/all of <syms> <vps>", _each_of),
    Rule(
        "clause",
        "all/every/each/the other/remaining raw/attention? score/scores/logit/logits are/is/be/equals/equal <expr>",
        lambda x: claim(f"k_i^T q = {x.signs} for i ≠ {THIS}"),
    ),
    Rule(
        "body",
        "if/when/whenever <condition> ,? then? <np> is/equals/stays/remains just/simply? "
        "that/this/the same/common/single/one? common? vector/value",
        _shared_value,
    ),
    Rule(
        "body",
        "if/when/whenever <condition> ,? then? <np> is/equals just/simply? "
        "that/this/the same/common/single/one? common? vector/value ,? <ignored>",
        lambda condition, thing, _: _shared_value(condition, thing),
    ),
    Rule(
        "body",
        "if/when/whenever <condition> ,? then? <attending> <returning> <shared> <ignored>?",
        lambda condition, *_: _shared_value(condition, Thing(OUTPUT_LETTER)),
    ),
    Rule("shared", "that/this/the same/common/single? vector/value", lambda: None),
    Rule("body", "if/when/whenever <condition> ,? then? so is/are <np>", _zero_too),
    Rule("choice", "choosing/taking/setting/using/picking/letting the/a? query? vector? <rel>", state),
    Rule("choice", "the/a/any/this query vector? <rel>", _query),
    Rule("choice", "<rel>", _query),
    Rule("choice", "<choice1> with <condition>", both),
    Rule("choice1", "the/a/any/this? query? <rel>", _query),
    Rule("choice1", "any/the/a query? <sym>", lambda q: Clause((), (), q)),
    Rule(
        "leads_to",
        "gives/give/yields/yield/makes/make/ensures/forces/guarantees/implies/produces/leads/results to/in/that? "
        "approximately?",
        lambda: None,
    ),
    Rule("body", "<choice> ,? <leads_to> <main>", lambda choice, _, main: chosen(choice, main)),
    Rule(
        "clause",
        "<choice> sends/drives/pushes/brings/moves <np> to/towards <np>",
        lambda choice, x, y: chosen(choice, claim(f"{x.signs} → {y.signs}", of=x)),
    ),
    Rule(
        "clause",
        "<limit> drives/sends/pushes/brings <np> to/towards <np>",
        lambda limit, x, y: claim(f"{x.signs} → {y.signs}", of=x).under(limit),
    ),
    Rule(
        "main",
        "<clause> and/while all/the/every? of? the? other/others/rest/remaining weights/ones/keys? "
        "tend/tends/go/goes/converge/→ to? <np>",
        lambda first, x: _others(first, "→", x),
    ),
    Rule(
        "main",
        "<clause> and/while all/the/every? of? the? other/others/rest/remaining weights/ones/keys? <other_rel>",
        lambda first, found: _others(first, *found),
    ),
    Rule(
        "clause", "the/both? <weight_words>? weights <sym> and <sym> each? <vps>", lambda _, a, b, vps: _each(a, b, vps)
    ),
    Rule(
        "clause",
        "the/both? <weight_words>? weights on/of/for/at <index> and on/of/for/at? <index> each? <vps>",
        lambda _, a, b, vps: _each(_weight_thing(a), _weight_thing(b), vps),
    ),
    Rule(
        "clause",
        "the/both? <weight_words>? weights on/of/for/at <index> and on/of/for/at? <index> "
        "are/become equal/identical/the same?",
        lambda _, a, b: equal_weights(a, b),
    ),
    Rule("clause", "<sym> and <sym> each <vps>", _each),
    Rule(
        "clause",
        "<sym> and <sym> tend/go/converge to? <np>",
        lambda a, b, x: _each(a, b, lambda y: claim(f"{y.signs} → {x.signs}", of=y)),
    ),
    Rule("other_rel", "<rel>", _other),
    Rule("other_rel", "vanish/vanishes", lambda: ("→", Thing("0"))),
    Rule("body", "<main> ,/: <rel>", _restated),
)
