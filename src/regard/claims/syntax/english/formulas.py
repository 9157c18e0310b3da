"""Where a formula in a sentence begins and ends: what stands before a verb, and what follows it."""

from __future__ import annotations

import re

_SPOKEN = frozenset(
    {"log", "ln", "exp", "max", "min", "det", "tr", "Tr", "sin", "cos", "tanh", "softmax", "diag", "Var", "Cov", "rank"}
    | {"sum", "prod", "arg", "lim", "sgn", "sign", "proj", "Pr", "KL", "CE", "sqrt", "dim"}
)
"""Words that are part of formulas."""
_WORD = re.compile(r"[A-Za-z]?[a-z]+(?:['’-][a-z]+)*\.?")
_SPACE = re.compile(r"\s+")
_AFTER_LETTERS = frozenset(
    {"and", "or", "is", "are", "be", "has", "have", "with", "of", "for", "if", "then", "when", "where", "equals", "as"}
    | {"such", "whose", "by", "in", "to", "does", "satisfies", "iff", "must", "can", "cannot", "on", "onto"}
)
"""Words that an article does not stand before."""
OPENING, CLOSING = "([{", ")]}"


def is_word(token: str) -> bool:
    """Whether this is English: `the`, `has` and `matrix` are, `x`, `softmax(z)`, `AB` and `2n` are not.

    >>> [is_word(one) for one in ("has", "x", "exp", "Each", "AB", "μ_i")]
    [True, False, False, True, False, False]
    """
    bare = token.strip(".,;:")
    return len(bare) > 1 and _WORD.fullmatch(bare) is not None and bare not in _SPOKEN


def formula_before(text: str, end: int) -> int:
    """Where the formula begins that ends here; `end` itself where a word stands before.

    >>> formula_before("if each logit k_i^T q has", 21)
    14
    """
    start = end
    depth = 0
    for found in reversed(list(re.finditer(r"\S+", text[:end]))):
        token = found[0]
        if depth == 0 and (
            is_word(token)
            or token[-1] in ",;:"
            or (token[-1] == "." and start != end)
            or _is_article(token, text, found.end())
        ):
            break
        depth += sum(token.count(one) for one in CLOSING) - sum(token.count(one) for one in OPENING)
        if depth < 0:
            break
        start = found.start()
    return start


def formula_after(text: str, start: int) -> int:
    """Where the formula ends that begins here, without the mark after it.

    >>> formula_after("is 2 n, so", 3)
    6
    """
    end = start
    depth = 0
    for found in re.finditer(r"\S+", text[start:]):
        token = found[0]
        if depth == 0 and (is_word(token) or _is_article(token, text, start + found.end())):
            break
        depth += sum(token.count(one) for one in OPENING) - sum(token.count(one) for one in CLOSING)
        end = start + found.end()
        if depth <= 0 and token[-1] in ",;:.":
            return end - 1
        if depth < 0:
            return end - 1
    return end


def _is_article(token: str, text: str, end: int) -> bool:
    """Whether this a stands before a word."""
    following = _SPACE.sub(" ", text[end:]).strip().split(" ")[0]
    return token in ("a", "A") and is_word(following) and following not in _AFTER_LETTERS


def wrap(formula: str) -> str:
    """A formula in brackets, unless it is one name.

    >>> wrap("x + y"), wrap("x_1")
    ('(x + y)', 'x_1')
    """
    formula = formula.strip()
    return formula if re.fullmatch(r"\\?[A-Za-zα-ωΑ-Ω]+(?:_\w|_\{\w+\})?", formula) else f"({formula})"


def join(before: str, claim: str, after: str) -> str:
    """A claim put in its place, after a comma where a formula stands before it.

    >>> join("As C → ∞ ", "E[x] → 0", "."), join("then ", "x = 1", "")
    ('As C → ∞, E[x] → 0.', 'then x = 1')
    """
    lead = before.rstrip()
    if not lead:
        return claim + after
    comma = "" if is_word(lead.split()[-1]) or lead[-1] in ",;:.(" else ","
    return f"{lead}{comma} {claim}{after}"
