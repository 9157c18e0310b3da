"""What follows from what: A implies B, A is enough for B, there is no x > 0 with A, under the assumption A, B.

x > 0 is enough for log(1 + x) < x          given x > 0, log(1 + x) < x is claimed
x > 0 is necessary for √x > 0               given √x > 0, x > 0 is claimed
there is no x > 0 with log(1 + x) ≥ x       given x > 0, log(1 + x) < x is claimed
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import Clause, bind, claim, given_by

_OPPOSITE = {"≤": ">", "≥": "<", "<": "≥", ">": "≤", "=": "≠", "≠": "="}
_SIGN = re.compile(r"\\(?:leq?|geq?|lt|gt|neq?)(?![a-z])|<=|>=|!=|[<>≤≥=≠≈→∝∈~∼≡]")
_PLAIN = {"\\le": "≤", "\\leq": "≤", "<=": "≤", "\\ge": "≥", "\\geq": "≥", ">=": "≥", "\\lt": "<", "\\gt": ">"}
_PLAIN |= {"\\ne": "≠", "\\neq": "≠", "!=": "≠"}


def follows(condition: Clause, main: Clause) -> Clause:
    """The second, where the first is given.

    Raises: Unreadable where one of them claims nothing.
    """
    main = bind(main, condition.subject)
    if not condition.claims or not main.claims:
        raise Unreadable
    return Clause(main.claims, (*given_by(condition), *main.given), main.subject, main.unread)


def opposite(relation: str) -> str:
    """The relation that holds where this one does not.

    >>> opposite("log(1 + x) ≥ x")
    'log(1 + x) < x'

    Raises: Unreadable for a chain, and for a relation that has no opposite.
    """
    signs = list(_SIGN.finditer(relation))
    sign = _PLAIN.get(signs[0].group(), signs[0].group()) if len(signs) == 1 else ""
    if sign not in _OPPOSITE:
        raise Unreadable
    return f"{relation[: signs[0].start()].rstrip()} {_OPPOSITE[sign]} {relation[signs[0].end() :].lstrip()}"


def _of_none(introduced: str, relation: str) -> Clause:
    """There is no x > 0 with A: where x > 0, the opposite of A.

    Raises: Unreadable where the first says more than of one letter.
    """
    name = _SIGN.split(introduced)[0].strip()
    if not SYMBOL.fullmatch(name) or name not in relation:
        raise Unreadable
    return claim(opposite(relation), given=(introduced,))


def _enough(main: Clause, condition: Clause) -> Clause:
    return follows(condition, main)


_ENOUGH = "is/are already/also? enough/sufficient"
_FOR = "for/to/that ensure/guarantee/get/have/conclude?"
_WITH = "with/satisfying/fulfilling/where/st"

RULES: tuple[Rule, ...] = (
    Rule(
        "body", "that? <condition> implies/imply/forces/force/ensures/ensure/guarantees/guarantee that? <body>", follows
    ),
    Rule("body", f"that? <condition> {_ENOUGH} {_FOR} <main>", follows),
    Rule("body", f"that? <condition> suffices/suffice {_FOR} <main>", follows),
    Rule("body", "for/that <clause> ,? it is already/also? enough/sufficient that/if/to? have? <condition>", _enough),
    Rule("body", "for/that <clause> ,? it suffices that/if/to? have? <condition>", _enough),
    Rule("body", "in order that/for <clause> ,? it suffices that/if/to? have? <condition>", _enough),
    Rule("body", "it is enough/sufficient for <clause> that/if <condition>", _enough),
    Rule("body", "it suffices for <clause> that/if <condition>", _enough),
    Rule("body", "that? <clause> is necessary for <clause>", lambda needed, main: follows(main, needed)),
    Rule("body", "for <clause> ,? it is necessary that <clause>", follows),
    Rule(
        "body",
        "under/on the assumption/assumptions/condition/conditions/hypothesis/premise/proviso that? <condition> ,? "
        "<lead>? <body>",
        lambda condition, _, body: follows(condition, body),
    ),
    Rule(
        "if", "under/on the assumption/assumptions/condition/conditions/hypothesis/premise/proviso that?", lambda: None
    ),
    Rule("body", f"there is/exists no real? number? <rel> {_WITH} <rel>", _of_none),
    Rule("body", "there is/exists no real? number? <rel> for which <rel>", _of_none),
    Rule("body", "no real? number? <rel> satisfies/fulfils/fulfills/has/gives <rel>", _of_none),
)
