"""Convex and concave functions: f that is only called convex, Jensen's inequality in words.

f convex                                            f(t) = t², e^t, 1 − 3t, e^(−2t): each is tried
the logarithm of an average is at least the         log((1/n) Σ x_i) ≥ (1/n) Σ log(x_i), x > 0
average of the logarithms
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_CONVEX = ("t^2", "exp(t)", "exp(-2 t)")
_STRAIGHT = ("1 - 3 t",)
FAMILIES: dict[str, tuple[str, ...]] = {
    "convex": (*_CONVEX, *_STRAIGHT),
    "strictly convex": _CONVEX,
    "concave": tuple(f"-({one})" for one in (*_CONVEX, *_STRAIGHT)),
    "strictly concave": tuple(f"-({one})" for one in _CONVEX),
    "linear": ("1 - 3 t - 1", "2 t"),
}
"""Functions of which what is said of every convex function has to hold; straight lines are both."""
_LETTERS = frozenset(("f", "g", "h", "φ", "ψ", "\\phi", "\\psi", "\\varphi"))
_MARK = re.compile(r"Let (?P<name>\S+) is ⟨(?P<kind>[a-z ]+) function⟩\. ")


def _declare(name: Thing, kind: str) -> Thing:
    """Raises: Unreadable for a letter that stands for no function."""
    if name.signs not in _LETTERS:
        raise Unreadable
    return Thing(name.signs, (f"{name.signs} is ⟨{kind} function⟩",), "function")


def name_functions(written: str) -> tuple[str, ...]:
    """A statement for each function that a letter may stand for.

    Raises: Unreadable where the claim is about the function itself.
    """
    found = _MARK.search(written)
    if found is None:
        return (written,)
    name, kind = re.escape(found["name"]), found["kind"]
    rest = written[: found.start()] + written[found.end() :]
    if re.search(rf"(?<![A-Za-z\\]){name}(?![A-Za-z(\s]|\s*\()", rest) or not re.search(rf"{name}\s*\(", rest):
        raise Unreadable
    each = (written.replace(found.group(), f"Let {found['name']}(t) = {body}. ", 1) for body in FAMILIES[kind])
    return tuple(one for text in each for one in name_functions(text))


_KINDS = tuple(FAMILIES)
_NOUN = "real? real-valued/scalar/differentiable/smooth? function"

FUNCTIONS: tuple[tuple[str, str, str, bool], ...] = (
    ("natural? logarithm/log", "natural? logarithms/logs", "log({})", True),
    ("exponential", "exponentials", "exp({})", False),
    ("square root", "square? roots", "sqrt({})", True),
    ("square", "squares", "({})^2", False),
    ("reciprocal/inverse", "reciprocals/inverses", "1/({})", True),
    ("absolute value", "absolute values", "|{}|", False),
)
"""A function of one number, of many numbers, in signs, and whether it is one of positive numbers."""
ORDERS: tuple[tuple[str, str], ...] = (
    ("≤", "is/are always? at most"),
    ("≤", "is/are never/not/no larger/greater/more/bigger/higher than"),
    ("≤", "is/are always? less/smaller than or equal to"),
    ("≤", "is/are bounded above? by"),
    ("≤", "never exceeds"),
    ("≤", "does/can not exceed"),
    ("≥", "is/are always? at least"),
    ("≥", "is/are never/not/no smaller/less/lower than"),
    ("≥", "is/are always? greater/larger than or equal to"),
    ("=", "is/are/equals always? equal? to?"),
    ("=", "is the same as"),
)
"""How one number is said to be beside another."""


def _side(template: str, *, is_inside: bool, is_positive: bool) -> tuple[str, bool]:
    inner = "(1/n) \\sum_{i=1}^n ⟨numbers⟩_i" if is_inside else "⟨numbers⟩_i"
    value = template.format(inner)
    return (value if is_inside else f"(1/n) \\sum_{{i=1}}^n {value}"), is_positive


def _compare(first: tuple[str, bool], sign: str, second: tuple[str, bool]) -> Clause:
    name = fresh("vector")
    given = (f"{name} > 0",) if first[1] or second[1] else (f"{name} is a vector",)
    return claim(f"{first[0]} {sign} {second[0]}".replace("⟨numbers⟩", name), given=given)


def _average_rules() -> list[Rule]:
    found = []
    for one, many, template, is_positive in FUNCTIONS:
        outer = _side(template, is_inside=True, is_positive=is_positive)
        inner = _side(template, is_inside=False, is_positive=is_positive)
        found.append(Rule("of_average", f"the? {one} of <an_average>", lambda _, side=outer: side))
        found.append(Rule("average_of", f"<an_average_of> the? {many} <of_them>?", lambda *_, side=inner: side))
    found += [Rule("order", words, lambda sign=sign: sign) for sign, words in ORDERS]
    return found


RULES: tuple[Rule, ...] = (
    *(
        rule
        for kind in _KINDS
        for rule in (
            Rule("entity", f"a/an/any/every/each/all/the? {kind} {_NOUN} <sym>", lambda x, k=kind: _declare(x, k)),
            Rule("entity", f"{kind} <sym>", lambda x, k=kind: _declare(x, k)),
            Rule("clause", f"<sym> is/be a/an/any? {kind} {_NOUN}", lambda x, k=kind: claim(of=_declare(x, k))),
            Rule("clause", f"the? function <sym> is/be {kind}", lambda x, k=kind: claim(of=_declare(x, k))),
            Rule("clause", f"<sym> is/be {kind}", lambda x, k=kind: claim(of=_declare(x, k))),
        )
    ),
    *_average_rules(),
    Rule("an_average", "a/an/the arithmetic? average/mean <of_them>?", lambda _: None),
    Rule("an_average", "averages/means", lambda: None),
    Rule("an_average_of", "a/an/the? arithmetic? average/mean of", lambda: None),
    Rule("of_them", "of positive? real? numbers", lambda: None),
    Rule("of_them", "of the/some? positive? numbers/values", lambda: None),
    Rule("clause", "<of_average> <order> <average_of>", _compare),
    Rule("clause", "<average_of> <order> <of_average>", _compare),
)
