"""Odd moments, rotations of Gaussian vectors and their limits in high dimension.

all odd central moments of a normal distribution are zero      E[(X − E[X])^k] = 0 for k = 1, 3, 5
x ~ N(0, I_d), ‖x‖/√d → 1 as d → ∞                             E[(‖x‖²/d − 1)²] → 0
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import IT, Clause, Thing, claim

_ODD = (1, 3, 5)


def _odd(form: str) -> Callable[[Thing], Clause]:
    return lambda x: claim(*(f"E[{form.format(x.factor)}^{k}] = 0" for k in _ODD), of=x)


def _drawn(law: str) -> Thing:
    name = fresh("random")
    return Thing(name, (f"{name} ~ {law}",), "random")


_VANISH = "vanish/disappear"

RULES: tuple[Rule, ...] = (
    Rule("odd_moments", "all/the? of? the? odd moments", lambda: _odd("{0}")),
    Rule("odd_moments", "all/the? of? the? odd central/centred/centered moments", lambda: _odd("({0} - E[{0}])")),
    Rule("odd_moments", "every/each/any odd moment", lambda: _odd("{0}")),
    Rule("odd_moments", "every/each/any odd central/centred/centered moment", lambda: _odd("({0} - E[{0}])")),
    Rule("gaussian", "a/any/every/the standard normal/gaussian distribution/law", lambda: _drawn("N(0, 1)")),
    Rule("gaussian", "a/any/every/the centred/centered normal/gaussian distribution/law", lambda: _drawn("N(0, σ²)")),
    Rule(
        "gaussian",
        "a/any/every/the zero-mean/mean-zero normal/gaussian distribution/law",
        lambda: _drawn("N(0, σ²)"),
    ),
    Rule("gaussian", "a/any/every/the normal/gaussian distribution/law", lambda: _drawn("N(μ, σ²)")),
    Rule("gaussian", "<np>", lambda x: x),
    Rule("zero_each", _VANISH, lambda: None),
    Rule("zero_each", "is/are all? always? zero/0", lambda: None),
    Rule("zero_each", "is/are equal to zero/0", lambda: None),
    Rule("zero_each", "vanishes", lambda: None),
    Rule("clause", "<odd_moments> of <gaussian> <zero_each>", lambda said, x, _: said(x)),
    Rule("clause", "<odd_moments> <zero_each>", lambda said, _: said(Thing(IT))),
)


_GROWING = re.compile(r"(?P<size>[ndNmp])\s*(?:→|->|\\to|\\rightarrow)\s*\+?(?:∞|\\infty|inf)")
_VECTOR = re.compile(r"(?P<name>\w)\s*(?:~|∼|\\sim)\s*(?:N|\\mathcal\s*\{?N\}?|𝒩)\(0,\s*I_\{?(?P<size>\w)\}?\)")
_TO = re.compile(r"(?P<left>[^→]+?)\s*(?:→|\\to(?![a-z])|->)\s*(?P<right>[\w./]+)\s*")
_LENGTH = re.compile(
    r"(?:‖|\|\||\\\|)\s*(?P<name>\w)\s*(?:‖|\|\||\\\|)\s*/\s*(?:√|\\sqrt|sqrt)\s*[\s({]?\s*(?P<size>\w)\s*[)}]?"
)


def in_mean_square(conditions: list[str], claimed: str) -> str:
    """A limit of what is made of a Gaussian vector whose dimension grows: of its mean squared distance.

    At each dimension another vector is drawn, so that the claim is one of convergence in probability.

    Raises: Unreadable for what is no polynomial in the vector.
    """
    growing = {found["size"] for one in conditions if (found := _GROWING.fullmatch(one.strip()))}
    vectors = {found["name"] for one in conditions if (found := _VECTOR.fullmatch(one)) and found["size"] in growing}
    found = _TO.fullmatch(claimed)
    if found is None or not vectors or not any(re.search(rf"(?<![A-Za-z\\]){x}(?![A-Za-z])", claimed) for x in vectors):
        return claimed
    left, right = found["left"], found["right"]
    if re.search(r"(?<![A-Za-z])(?:E(?![a-z])|𝔼)|\\mathbb|Var|P\(|Cov|Std", left):
        return claimed
    length = _LENGTH.fullmatch(left)
    if length is not None and length["name"] in vectors and length["size"] in growing:
        left, right = f"‖{length['name']}‖²/{length['size']}", f"({right})^2"
    elif not re.fullmatch(r"[^/]*/\s*\w", left):
        raise Unreadable
    return f"E[({left} - {right})^2] → 0"
