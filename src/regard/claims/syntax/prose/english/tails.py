"""What stands behind a clause: conditions, limits, for all x, with equality iff, unless."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import check_space, checked_space, describe, iff, last_side
from regard.claims.syntax.prose.english.conditions import FIXED, KEPT, fix
from regard.claims.syntax.prose.english.predicates import name_sign
from regard.claims.syntax.prose.phrases import EQUALITY, IT, Clause, Thing, bind, both, claim, given_by
from regard.claims.syntax.prose.signs import together


def _main_if(main: Clause, condition: Clause) -> Clause:
    condition = bind(condition, main.subject)
    return Clause(main.claims, (*main.given, *given_by(condition)), main.subject, main.unread)


def even_if(main: Clause, condition: Clause) -> Clause:
    """A, even if B: A, and under the condition B as well, which may be none that one would take for granted.

    Raises: Unreadable for a statement that has a condition of its own.
    """
    condition = bind(condition, main.subject)
    if condition.claims and not condition.given and all(_NOT_OF_MATRIX.fullmatch(one) for one in condition.claims):
        return main  # even though A B need not be symmetric
    if any(one.endswith("does not hold") for one in condition.claims):
        raise Unreadable
    if condition.unread or any(re.search(r" iff | if | for | does not hold", one) for one in main.claims):
        raise Unreadable
    said = " and ".join(
        one for one in condition.claims if not one.endswith(("is a vector", "is a matrix", "is a scalar"))
    )
    if condition.given or not said:
        return replace(main, given=(*main.given, *condition.given))
    return replace(main, claims=(*main.claims, *(f"{one} if {said}" for one in main.claims)))


_NOT_OF_MATRIX = re.compile(r".+ is (?:symmetric|invertible|square|orthogonal|idempotent|diagonal) does not hold")


def _with_equality(main: Clause, condition: Clause) -> Clause:
    """A ≤ B with equality iff C: beside the inequality, A = B iff C."""
    return both(main, iff(claim(EQUALITY, of=main.subject), condition))


def _unless(main: Clause, condition: Clause) -> Clause:
    """A unless x = 0: A where x ≠ 0."""
    said = given_by(condition)
    if len(said) != 1 or said[0].count("=") != 1 or any(sign in said[0] for sign in "≤≥<>≠"):
        raise Unreadable
    return main.under(said[0].replace("=", "≠"))


def _for(main: Clause, thing: Thing) -> Clause:
    """For all x, y; for every unit vector u: what is said of the letters is given."""
    return main.under(*thing.given)


def _only_if(main: Clause, condition: Clause) -> Clause:
    """A only if B: where A is given, B is claimed."""
    condition = bind(condition, main.subject)
    if main.unread or condition.unread or not condition.claims:
        raise Unreadable
    return Clause(condition.claims, (*main.given, *main.claims, *condition.given), main.subject)


def _at_place(main: Clause, what: tuple[Thing, Thing]) -> Clause:
    """With the 1 in position k."""
    if main.subject is None:
        raise Unreadable
    return both(main, claim(f"{main.subject.signs}_{what[1].signs} = {what[0].signs}"))


def _for_all(main: Clause, letters: str) -> Clause:
    return replace(main, claims=tuple(f"{one} for all {letters}" for one in main.claims))


def _in_space(main: Clause, space: Thing) -> Clause:
    check_space(space)
    names = main.subject.signs.split(", ") if main.subject is not None else []
    if not names or not all(f"E[{name}] = " in " ".join(main.claims) for name in names):
        return main
    # x and y be independent random vectors with mean zero in R^d
    return main.under(*(f"{name} ∈ {space.signs}" for name in names))


def _the_number(symbol: Thing) -> Thing:
    if symbol.signs != "n":
        raise Unreadable
    return symbol


def _fixed(letter: Thing) -> tuple[str, Clause]:
    """For a fixed C, while C is held fixed: of a letter that goes nowhere."""
    return "if", fix(letter)


Tails = tuple[tuple[str, object], ...]

_TAILS: dict[str, Callable[[Clause, Any], Clause]] = {
    "if": _main_if,
    "iff": iff,
    "only": _only_if,
    "unless": _unless,
    "even": even_if,
    "equality": _with_equality,
    "at": _at_place,
    "for": _for,
    "forall": _for_all,
    "some": lambda main, x: replace(main, claims=tuple(f"{one} for some {x.signs}" for one in main.claims)),
    "space": _in_space,
    "claim": lambda main, predicate: both(main, predicate(main.subject or Thing(IT))),
    "limit": lambda main, limit: main.under(limit),
    "ignored": lambda main, _: main,
}
"""What each kind of tail makes of the clause before it."""


def with_tails(main: Clause, tails: tuple[tuple[str, object], ...]) -> Clause:
    """A clause with all that stands behind it: conditions, limits, for all x."""
    for kind, what in tails:
        main = _TAILS[kind](main, what)
    return main


def _which(one: Clause, before: Tails | None, predicate: Callable[[Thing], Clause], after: Tails | None) -> Clause:
    """The Hessian is H with p = softmax(z), which is positive definite: said of the right side of the statement."""
    return with_tails(both(with_tails(one, before or ()), predicate(last_side(one))), after or ())


def _of_no_output(condition: Clause) -> Clause:
    """What stands behind `for` or `with`: in `A for all i and the output is B`, the output is claimed.

    Raises: Unreadable.
    """
    if any(one.startswith((WEIGHTS, OUTPUT_LETTER)) for one in condition.claims):
        raise Unreadable
    return condition


_PROPERTY = re.compile(
    r"(?P<name>[A-Z])\^T (?P=name) = I|\S+ (?:is )?orthonormal|the keys be orthonormal|‖[\w{}]+‖ = 1"
    r"|[A-Z] is (?:a projection|symmetric|orthogonal|idempotent|invertible|positive (?:semi)?definite|antisymmetric)"
)
"""What a letter is, which nobody derives from anything: it is given, also behind `because`."""


def _because(condition: Clause) -> tuple[str, Clause | None]:
    """AᵀA is the identity because A has orthonormal columns: what a letter is is given, a calculation says nothing."""
    said = (*condition.claims, *condition.given)
    is_given = bool(said) and not condition.unread and all(_PROPERTY.fullmatch(one) for one in said)
    return ("if", condition) if is_given else ("ignored", None)


def _as_it_is(condition: Clause) -> tuple[str, Clause | None]:
    """As A has orthonormal columns.

    Raises: Unreadable for anything else: as x → 0, where … begins with a limit.
    """
    kind, given = _because(condition)
    if kind != "if":
        raise Unreadable
    return kind, given


def _other_than(_: Thing | None, index: Thing, other: Thing) -> tuple[str, str]:
    return "forall", f"{index.signs} ≠ {other.signs}"


RULES: tuple[Rule, ...] = (
    Rule("main", "<clause> <tails>?", lambda main, tails: with_tails(main, tails or ())),
    Rule("main", "<clause1> <tails>? , which ie?/also? <vps> <tails>?", _which),
    Rule("tails", "<tail>", lambda first: (first,)),
    Rule("tails", "<tail> <tails>", lambda first, rest: (first, *rest)),
    Rule("tail", ",? where it <vps>", lambda vps: ("claim", vps)),
    Rule("tail", ",? where its/the slope/value/derivative <vps>", lambda vps: ("claim", vps)),
    Rule("tail", "there", lambda: ("ignored", None)),
    Rule("tail", "( here <condition> )", lambda condition: ("if", condition)),
    Rule("tail", "only if/when/for/at <condition>", lambda condition: ("only", condition)),
    Rule("tail", "with the? <expr> in position <sym>", lambda one, k: ("at", (one, k))),
    Rule("tail", ",? in dimension <sym>", lambda _: ("ignored", None)),
    Rule("tail", "in every/any dimension <sym>", lambda _: ("ignored", None)),
    Rule("tail", f",? for/with/at {FIXED} <sym>", _fixed),
    Rule("tail", f",? for/with/while/where/when <sym> {KEPT}", _fixed),
    Rule("tail", ",? while/and? keeping/holding/leaving <sym> fixed/constant/finite", _fixed),
    Rule("tail", ",? <if> <condition>", lambda _, condition: ("if", condition)),
    Rule("tail", ",? <with> <condition>", lambda _, condition: ("if", _of_no_output(condition))),
    Rule("tail", ",? iff <condition>", lambda condition: ("iff", condition)),
    Rule("tail", ",? <limit>", lambda limit: ("limit", limit)),
    Rule("tail", ",? <limit> and <rel>", lambda limit, rel: ("if", claim(*together(limit, rel)))),
    Rule("tail", ",? for all/every/each/any <entity>", lambda thing: ("for", thing)),
    Rule("tail", ",? for/∀? all/every/each/any? <range>", lambda index: ("forall", index)),
    Rule("tail", ",? for all/every/each/any <rel>", lambda rel: ("forall", rel)),
    Rule(
        "tail",
        ",? valid? for all/every/each/any real? <syms> in <expr>",
        lambda names, space: ("if", claim(*(f"{name} ∈ {checked_space(space)}" for name in names))),
    ),
    Rule("tail", ",? valid for all/every/each/any? real? <syms>", lambda names: ("forall", ", ".join(names))),
    Rule("tail", ",? for all/every/each/any real? <syms>", lambda names: ("forall", ", ".join(names))),
    Rule("tail", ", <entity>", lambda thing: ("for", thing)),
    Rule("tail", ", <syms> <entity>", lambda names, thing: ("if", describe(names, thing))),
    Rule("tail", ",? for all/every/each/any <in_spaces>", lambda rels: ("if", claim(*rels))),
    Rule("in_spaces", "<typed> , and? <in_spaces>", lambda typed, rest: (typed[1], *rest)),
    Rule("in_spaces", "<typed> and <in_spaces>", lambda typed, rest: (typed[1], *rest)),
    Rule("in_spaces", "<typed>", lambda typed: (typed[1],)),
    Rule("tail", ",? for all/every/each/any <input_word> <syms> and <input_word> <syms>", lambda *_: ("ignored", None)),
    Rule("input_word", "input/inputs/label/labels/target/targets/vector/vectors/example", lambda: None),
    Rule("tail", ",? with the? logistic/usual/standard sigmoid? function? <expr>", lambda x: ("ignored", name_sign(x))),
    Rule("tail", ",? in/on <expr>", lambda space: ("space", space)),
    Rule("tail", ",? with equality iff <condition>", lambda condition: ("equality", condition)),
    Rule("tail", ",? with equality only? if/when <condition>", lambda condition: ("equality", condition)),
    Rule("tail", ",? unless <condition>", lambda condition: ("unless", condition)),
    Rule("tail", "at a/any/every? point? <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", "for two different indices <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", ",? for some real? scalar/constant/number/vector? <sym>", lambda x: ("some", x)),
    Rule("tail", ",? even if/when/though <condition>", lambda condition: ("even", condition)),
    Rule("tail", ",? for all/every/each/any <rel> and all/every/each/any <syms>", lambda rel, _: ("if", claim(rel))),
    Rule("tail", "in the same shape as <np>", lambda _: ("ignored", None)),
    Rule("tail", ",? for/over all/every/any? <entity>", lambda thing: ("for", thing)),
    Rule("tail", "( <syms> does/need/do not have? to? be <props> )", lambda *_: ("ignored", None)),
    Rule("tail", "at every point?", lambda: ("ignored", None)),
    Rule("tail", "at every/each/any/all <entity>", lambda thing: ("for", thing)),
    Rule("tail", "at every/each/any <rel>", lambda rel: ("if", claim(rel))),
    Rule("tail", ",? <ignored>", lambda _: ("ignored", None)),
    Rule("tail", ",? where? <sym> is? the/a? usual? logistic/sigmoid function?", lambda x: ("ignored", name_sign(x))),
    Rule("tail", ",? where? <sym> is? the standard? normal/gaussian cdf", lambda x: ("ignored", name_sign(x))),
    Rule("tail", ",? where? n is? the number of keys", lambda: ("ignored", None)),
    Rule("tail", ",? where? <sym> is? the number of keys", lambda x: ("ignored", _the_number(x))),
    Rule("tail", ", <naming>", lambda _: ("ignored", None)),
    Rule("tail", "( not gaussian/normal )", lambda: ("ignored", None)),
    Rule("tail", ",? because/since <condition>", _because),
    Rule("tail", ",? as <condition>", _as_it_is),
    Rule("tail", "( <condition> )", lambda condition: ("if", condition)),
    Rule(
        "tail", "( assume/assuming/with/where/if/when/for/provided/let/given that? <condition> )", lambda a: ("if", a)
    ),
    Rule("tail", ",? and any/every/each/all fixed? <typed>", lambda typed: ("if", claim(typed[1]))),
    Rule("tail", ",? for every/all/any/each <label>? <sym> other than <sym>", _other_than),
    Rule("tail", ",? in <sym> dimensions", lambda _: ("ignored", None)),
    Rule("tail", ",? with/having <sym> entries/components/classes/elements", lambda _: ("ignored", None)),
    Rule("tail", ",? with the? <function> applied/acting/taken <entry_by_entry>?", lambda *_: ("ignored", None)),
    Rule("tail", ",? applied/acting/taken/computed <entry_by_entry>?", lambda _: ("ignored", None)),
    Rule("entry_by_entry", "to/on each/every/all entry/component/entries/components", lambda: None),
    Rule("entry_by_entry", "entry by entry", lambda: None),
)
