"""What a sentence says of a formula: it has variance 2, AB and BA have the same trace, it is at most one half.

each logit k_i^T q has variance α‖q‖²       Var(k_i^T q) = α‖q‖²
AᵀA and AAᵀ have the same nonzero eigenvalues    their powers have the same traces
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.formulas import formula_after, formula_before

_FUNCTIONS: tuple[tuple[str, str], ...] = (
    (r"standard\s+deviation", "Std({})"),
    (r"variance", "Var({})"),
    (r"expected\s+value|expectation|mean", "E[{}]"),
    (r"covariance(?:\s+matrix)?", "Cov({})"),
    (r"(?:full\s+)?rank", "rank({})"),
    (r"trace", "tr({})"),
    (r"determinant", "det({})"),
    (r"(?:Euclidean\s+|Frobenius\s+)?(?:norm|length)", "||{}||"),
    (r"entropy", "H({})"),
    (r"(?:largest|maximum|maximal)\s+eigenvalue", "eigmax({})"),
    (r"(?:smallest|minimum|minimal)\s+eigenvalue", "eigmin({})"),
    (r"inverse", "({})^{{-1}}"),
    (r"transpose", "({})^T"),
)
_NAMES = "|".join(name for name, _ in _FUNCTIONS)
_SAID = r"(?P<sign>\s+(?:at\s+most|at\s+least|exactly|equal\s+to|greater\s+than|less\s+than|larger\s+than|of))?"
_SIGNS = {"at most": "≤", "at least": "≥", "greater than": ">", "larger than": ">", "less than": "<"}
_HAS = re.compile(
    rf"\s+(?:always\s+)?(?:has|have)\s+(?:always\s+)?(?:an?\s+|the\s+)?(?P<name>{_NAMES}){_SAID}\s+(?=\S)"
)
_SUBJECT = re.compile(
    r"\b(?:each|every|the|any|all)\s+(?:logits?|scores?|random\s+variable|variable|vector|matrix|number|output|weight|sum)\s+$",
    re.IGNORECASE,
)
_VALUES = {
    "zero": "0",
    "one": "1",
    "two": "2",
    "one half": "1/2",
    "one quarter": "1/4",
    "one third": "1/3",
    "unit": "1",
}


def state_values(text: str) -> str:
    """`X has variance v` as Var(X) = v, and again for what is joined by `and`.

    >>> state_values("If x = 1, then each logit k_i^T q has variance α‖q‖.")
    'If x = 1, then Var(k_i^T q) = α‖q‖.'
    """
    for _ in range(4):
        found = _HAS.search(text)
        if found is None:
            return text
        if re.match(r"(?:about|roughly|approximately|nearly)\b", text[found.end() :]):
            return text
        start = formula_before(text, found.start())
        thing = text[start : found.start()].strip()
        end = formula_after(text, found.end())
        value = text[found.end() : end].strip()
        word = re.match(r"(?:one\s+(?:half|quarter|third)|zero|one|two)\b", text[found.end() :])
        if word and not value:
            value, end = _VALUES[" ".join(word[0].split())], found.end() + word.end()
        if not thing or not value or re.search(r"[=<>≤≥~→]", thing):
            return text
        before = _SUBJECT.sub("", text[:start])
        sign = _SIGNS.get(" ".join((found["sign"] or "").split()), "=")
        claim = f"{_apply(found['name'], thing)} {sign} {value}"
        more = re.match(rf"\s+and\s+(?P<name>{_NAMES})\s+(?=\S)", text[end:])
        last = formula_after(text, end + more.end()) if more else end
        if more and not text[end + more.end() : last].strip():
            return text
        if more:
            claim += f" and {_apply(more['name'], thing)} = {text[end + more.end() : last].strip()}"
            end = last
        text = f"{before}{claim}{text[end:]}"
    return text


def _apply(name: str, thing: str) -> str:
    return next(form for words, form in _FUNCTIONS if re.fullmatch(words, name)).format(thing)


_SAME = re.compile(
    rf"\s+(?:always\s+)?(?:have|has|share)\s+(?:always\s+)?(?:the\s+same|equal)\s+(?P<names>(?:(?:{_NAMES}|(?P<nonzero>non-?zero\s+)?eigenvalues|characteristic\s+polynomial|singular\s+values)"
    r"(?:\s*,\s*|\s+and\s+)?)+)(?P<as>\s+as\s+)?"
)


def state_sameness(text: str) -> str:
    """`AB and BA have the same trace` as tr(AB) = tr(BA); the same eigenvalues as the same traces of powers.

    >>> state_sameness("AB and BA have the same trace.")
    'tr(AB) = tr(BA).'
    """
    found = _SAME.search(text)
    if found is None:
        return text
    last = formula_before(text, found.start())
    one, other, start, end = "", "", last, found.end()
    if found["as"]:
        end = formula_after(text, found.end())
        one, other = text[last : found.start()].strip(), text[found.end() : end].strip()
    else:
        joined = re.search(r"\s+and\s+$", text[:last])
        if joined is None:
            return text
        start = formula_before(text, joined.start())
        one, other = text[start : joined.start()].strip(), text[last : found.start()].strip()
    if not one or not other:
        return text
    claims = [
        _same(name.strip(), one, other)
        for name in re.split(r"\s*,\s*|\s+and\s+", found["names"].strip())
        if name.strip()
    ]
    return f"{text[:start]}{' and '.join(claims)}{text[end:]}"


def _same(name: str, one: str, other: str) -> str:
    if re.search(r"eigenvalues|polynomial|singular", name):
        if "singular" in name:
            one, other = f"({one})^T ({one})", f"({other})^T ({other})"
        powers = [f"tr(({one})^{power}) = tr(({other})^{power})" for power in (1, 2, 3)]
        whole = [] if name.startswith("non") or "singular" in name else [f"det({one}) = det({other})"]
        return " and ".join(powers + whole)
    return f"{_apply(name, one)} = {_apply(name, other)}"


_CONDITION = re.compile(
    r"\s*\((?P<said>\s*[A-Za-zα-ω]\s*(?:≠|\\neq?|!=|<=?|>=?|≤|≥)\s*[\w.]+(?:\s*,\s*[A-Za-zα-ω]\s*(?:≠|\\neq?|!=|<=?|>=?|≤|≥)\s*[\w.]+)*)\s*\)(?=\s*(?:[.;,]|$))"
)


def open_conditions(text: str) -> str:
    """Conditions in brackets after a claim: x = y (a ≠ b, C > 0) as x = y for a ≠ b, C > 0.

    >>> open_conditions("x = y (b ≠ a, C > 0).")
    'x = y for b ≠ a, C > 0.'
    """
    return _CONDITION.sub(r" for \g<said>", text)


_EITHER = re.compile(
    r"(?P<left>(?:det|tr|rank|E|Var|Std)[(\[][^()\[\]]*[)\]]|(?<![A-Za-z])[a-zλμσ](?:_\w)?)\s*(?:=|\bis\b)\s*(?:either\s+)?(?P<one>[−+-]?\d+(?:/\d+)?)\s+or\s+"
    r"(?P<other>[−+-]?\d+(?:/\d+)?)(?![\w.]*\d)"
)


def state_either(text: str) -> str:
    """`det(Q) = 1 or −1` as two equations, of which one holds.

    >>> state_either("det(Q) = 1 or −1.")
    'det(Q) = 1 or det(Q) = −1.'
    """
    return _EITHER.sub(r"\g<left> = \g<one> or \g<left> = \g<other>", text)


REWRITERS: tuple[Callable[[str], str], ...] = (open_conditions, state_sameness, state_values, state_either)
