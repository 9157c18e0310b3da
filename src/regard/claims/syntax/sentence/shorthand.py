"""Shorthand of formulas, written out before they are read: limits over arrows, conditions in brackets, signs as words.

c \\xrightarrow[C\\to\\infty]{} v_a     c \\to v_a, C\\to\\infty
p_t > 0   (t = 1..M)                p_t > 0   ,t = 1..M
y in {0,1}^n                        where y ∘ y = y
"""

from __future__ import annotations

import re

from regard.claims.syntax.spelled_signs import with_signs

_TO = r"(?:→|->|\\to(?![a-z])|\\rightarrow(?![a-z]))"
_BRACED = r"(?:[^{}]|\{[^{}]*\})*"
_ARROW = re.compile(
    rf"\\xrightarrow\s*(?:\[(?P<below>[^\[\]]*)\])?\s*\{{(?P<above>{_BRACED})\}}"
    rf"|\\(?:under|over)set\s*\{{(?P<beside>{_BRACED})\}}\s*\{{?\s*\\(?:long)?(?:to|rightarrow)(?![a-z])\s*\}}?"
)
"""An arrow with what goes where below or above it."""
_END = re.compile(r"[,;\n]|\.\s*$|\\q?quad(?![a-z])|⇒|=>|⟹|\\(?:Long)?[rR]ightarrow(?![a-z])|\\implies(?![a-z])|$")
"""Where the statement with the arrow ends."""
_CONDITION = re.compile(
    r"(?<=[\w)}\]²³½∞√'])\s+\((?P<inside>(?:[^()]|\([^()]*\))*?(?:→|->|\\to(?![a-z])|=|≤|≥|<|>|∈|≠|\\(?:le|ge|in|ne)(?![a-z]))"
    r"(?:[^()]|\([^()]*\))*)\)(?=\s*(?:$|[,;.:]|⇒|=>|⟹|⟺|\\(?:Long)?[rR]ightarrow|\\implies|\\q?quad))"
)
_OPERATORS = re.compile(r"(?:[-+*/·=<>≤≥→]|(?:^|[^A-Za-z])(?:P|Pr|E|Var|exp|ln|log|max|min))\s*$")
"""What a bracket behind it belongs to: P (X < 1)."""
_DEFINITION = re.compile(r"\s{2,}\[(?P<inside>[^\[\]]*=[^\[\]]*)\]\s*$")
_UP_TO = re.compile(r"(?P<index>[i-mt](?:\s*,\s*[i-mt])*)\s*(?:≤|<=|\\le(?:q)?(?![a-z]))\s*(?P<last>[nNmMV])\s*$")
_BITS = re.compile(
    r"(?<![\w\\])(?P<name>\\?[A-Za-zα-ωŷ]+)\s*(?:∈|\\in(?![a-z])|in)\s*\\?\{\s*0\s*,\s*1\s*\\?\}\s*\^\s*(?:\w|\{\w+\})"
)
_ONE_HOT = re.compile(
    _BITS.pattern
    + r"\s*[,;]\s*(?:\\[ ,;]\s*)*(?:Σ|∑|\\sum|sum)(?:_?\{?\w\}?|[ᵢⱼₖ])\s*(?P=name)(?:_\{?\w\}?|[ᵢⱼₖ])\s*=\s*1(?!\d|/)"
)
_BY_ENTRY = re.compile(r"(?<=[\w)\]}])\s*\.\*\s*(?=[\w(\[{\\])")


def write_out(text: str) -> str:
    """The text with its shorthand written out.

    >>> write_out("c \\\\xrightarrow[C\\\\to\\\\infty]{} v_a, n > 1"), write_out("p_t > 0 (t = 1..M), M > 1")
    ('c \\\\to v_a, C\\\\to\\\\infty, n > 1', 'p_t > 0 ,t = 1..M , M > 1')
    """
    text = _DEFINITION.sub(lambda found: f", where {found['inside']}", _limits_behind(with_signs(text)))
    text = _CONDITION.sub(_without_brackets, text)
    text = _BITS.sub(r"where \g<name> ∘ \g<name> = \g<name>", _ONE_HOT.sub(r"where \g<name> onehot", text))
    return _BY_ENTRY.sub(" ∘ ", text).replace("″", "''")


def _limits_behind(text: str) -> str:
    """What goes where, below or above an arrow, as a statement behind the one with the arrow.

    Convergence in probability, \\xrightarrow{P}, is another thing and stays as it is.
    """
    at = 0
    while found := _ARROW.search(text, at):
        said = next((part for part in (found["below"], found["above"], found["beside"]) if part and part.strip()), "")
        others = [part for part in (found["below"], found["above"]) if part and part.strip()]
        at = found.end()
        if not re.search(_TO, said) or len(others) > 1:
            continue
        end = _END.search(text, found.end())
        place = end.start() if end is not None else len(text)
        text = f"{text[: found.start()]}\\to {text[found.end() : place].strip()}, {said.strip()}{text[place:]}"
        at = found.start()
    return text


def _without_brackets(found: re.Match[str]) -> str:
    """A condition in brackets behind a statement, as the next statement; the bracket of a function stays."""
    if _OPERATORS.search(found.string[: found.start()]):
        return found[0]
    inside = _UP_TO.sub(lambda one: f"{one['index']} = 1, …, {one['last']}", found["inside"])
    return f" ,{inside} "
