"""Shorthand of formulas, written out before they are read: what the grammar of formulas has no rule for.

Limits over arrows, conditions in brackets, signs that are typed as words, LaTeX tables that mean something:

c \\xrightarrow[C\\to\\infty]{} v_a     c \\to v_a, C\\to\\infty
p_t > 0   (t = 1..M)                p_t > 0   ,t = 1..M
y in {0,1}^n                        where y ∘ y = y
A in R^(d x m)                      A ∈ R^{d×m}
k_i^T k_j = δ_ij (i, j = 1..n)      k_i^T k_j = δ_ij
f = \\begin{cases} a & x > 0 \\\\ b & x \\le 0 \\end{cases}      f = a if x > 0; f = b if x ≤ 0
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}              ([[a, b], [c, d]])
"""

from __future__ import annotations

import re

from regard.claims.syntax.latex_words import over_outcomes, with_plain_words
from regard.errors import NotUnderstood

_TO = r"(?:→|->|\\to(?![a-z])|\\rightarrow(?![a-z]))"
_BRACED = r"(?:[^{}]|\{[^{}]*\})*"
_ARROW = re.compile(
    rf"\\xrightarrow\s*(?:\[(?P<below>[^\[\]]*)\])?\s*\{{(?P<above>{_BRACED})\}}"
    rf"|\\(?:under|over)set\s*\{{(?P<beside>{_BRACED})\}}\s*\{{?\s*\\(?:long)?(?:to|rightarrow)(?![a-z])\s*\}}?"
)
"""An arrow with what goes where below or above it."""
_END = re.compile(r"[,;\n]|\.\s*$|\\q?quad(?![a-z])|⇒|=>|⟹|\\(?:Long)?[rR]ightarrow(?![a-z])|\\implies(?![a-z])|$")
"""Where the statement with the arrow ends."""
_SPACE = r"(?:\s|\\[,;:! ]|\\q?quad(?![a-z]))"
_AFTER = (
    r"(?:$|\$\s*[.,]?\s*$|\\\]|[,;.:]|⇒|=>|⟹|⟺|\\(?:Long)?[rR]ightarrow|\\implies|\\q?quad)"  # the end, or what follows
)
_CONDITION = re.compile(
    rf"(?<=[\w)}}\]²³½∞√']){_SPACE}+\((?P<inside>(?:[^()]|\([^()]*\))*?"
    r"(?:→|->|\\to(?![a-z])|=|≤|≥|<|>|∈|≠|\\(?:le|ge|in|ne)(?![a-z]))"
    rf"(?:[^()]|\([^()]*\))*)\)(?={_SPACE}*{_AFTER})"
)
_QUANTIFIED = re.compile(r",?\s+\((?:for\s+)?(?P<inside>(?:all|any|every|each)\s[^()]*)\)(?=[\s.$]*$)")
"""What a claim is said of, in brackets behind it: (for all i)."""
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


def write_out(text: str) -> str:
    """The text with its shorthand written out.

    >>> write_out("c \\\\xrightarrow[C\\\\to\\\\infty]{} v_a, n > 1"), write_out("p_t > 0 (t = 1..M), M > 1")
    ('c \\\\to v_a, C\\\\to\\\\infty, n > 1', 'p_t > 0 ,t = 1..M , M > 1')
    """
    text = over_outcomes(with_signs(text))
    text = _DEFINITION.sub(lambda found: f", where {found['inside']}", _limits_behind(text))
    text = _QUANTIFIED.sub(r" for \g<inside>", _CONDITION.sub(_without_brackets, text))
    return _BITS.sub(r"where \g<name> ∘ \g<name> = \g<name>", _ONE_HOT.sub(r"where \g<name> onehot", text))


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
    is_last = _CLOSED.match(found.string, found.end()) is not None and not _IS_RANGE.match(inside)
    return f" , where {inside} " if is_last else f" ,{inside} "


_CLOSED = re.compile(r"[\s.$]*(?:\\\])?[\s.$]*$")
_IS_RANGE = re.compile(rf"\s*[a-z](?:\s*,\s*[a-z])*\s*=\s*1|.*{_TO}")
"""What says itself that it is no claim: i = 1..n, C → ∞."""


_IN = re.compile(r"(?<![A-Za-z\\])(?P<name>\\?[A-Za-zα-ω](?:_\{?\w+\}?)?) in (?=RR?(?:\^|\b))")
_SIZES = re.compile(r"(?<=R\^)\((?P<rows>\w+) ?(?:x|×|\*) ?(?P<columns>\w+)\)")
_WHOLE_RANGE = re.compile(
    r",?\s*\((?:for )?[a-z](?:\s*,\s*[a-z])?\s*=\s*1\s*(?:\.\.\.?|,\s*(?:…|\.\.\.?|\\[lc]?dots)\s*,)\s*n\)"
)


def with_signs(text: str) -> str:
    """The text with ∈ for the word, and without a range of indices that is all of them.

    >>> with_signs("A in R^(d x m), k_i^T k_j = δ_ij (i, j = 1..n)")
    'A ∈ R^{d×m}, k_i^T k_j = δ_ij'
    """
    text = with_plain_words(text)
    text = _SIZES.sub(lambda found: f"{{{found['rows']}×{found['columns']}}}", _IN.sub(r"\g<name> ∈ ", text))
    return _WHOLE_RANGE.sub("", text)


_CASES = re.compile(
    r"(?P<left>[^=;\n]*)=\s*(?:\\left\s*\\\{)?\s*\\begin\{cases\}(?P<rows>.*?)\\end\{cases\}", re.DOTALL
)
_CHI_SQUARE = re.compile(
    r"(?:χ|\\chi)(?:²|\^\{?2\}?)(?:_\{(?P<braces>[^{}]+)\}|_(?P<below>\w)|\s*\(\s*(?P<bracket>[^()]+)\))"
    r"|(?:χ|\\chi)_\{?(?P<first>\w)\}?(?:²|\^\{?2\}?)"
)
"""χ²_d, χ²(d) and χ_d²."""
_MATRIX = re.compile(r"\\begin\{(?P<kind>[pbvB]?(?:small)?matrix)\}(?P<rows>.*?)\\end\{(?P=kind)\}", re.DOTALL)
_ROW_END = re.compile(r"\\\\\s*")
_OPPOSITE = {"=": "≠", "≠": "=", ">": "≤", "<": "≥", "≥": "<", "≤": ">", "\\ne": "=", "\\neq": "=", "\\ge": "<"}
_OPPOSITE |= {"\\geq": "<", "\\le": ">", "\\leq": ">"}
_COMPARISON = re.compile(r"\\(?:neq?|geq?|leq?)(?![a-z])|[=≠><≥≤]")
_TAIL = re.compile(
    r"\s*,?\s*(?:\\(?:text|mathrm)\{\s*)?(?:with|where|for|if|when|given)\b[^;\n]*?(?=\.?\s*(?:[;\n]|$))"
)
"""A condition after all cases, which each of them has."""
OTHERWISE = ("otherwise", "else")


def expand_layouts(text: str) -> str:
    """The text with cases as statements with conditions, and matrices in brackets; anything else is left as it is.

    >>> expand_layouts(r"x = \\begin{cases} 1 & i = j \\\\ 0 & \\text{otherwise} \\end{cases}")
    'x = 1 if i = j ; x = 0 if  i ≠ j'

    Raises: NotUnderstood for cases that cannot be read.
    """
    text = _CHI_SQUARE.sub(lambda found: f"chisq({next(one for one in found.groups() if one)})", text)
    text = _MATRIX.sub(_matrix, text)
    while found := _CASES.search(text):
        tail = _TAIL.match(text, found.end())
        end = tail.end() if tail is not None else found.end()
        text = text[: found.start()] + _cases(found, tail[0] if tail is not None else "") + text[end:]
    if "\\begin{cases}" in text:
        start = text.index("\\begin{cases}")
        raise NotUnderstood(
            "cases are read after '=' only", span=(start, start + 13), expected="f = \\begin{cases} … \\end{cases}"
        )
    return text


def _rows(text: str) -> list[list[str]]:
    return [row.split("&") for row in _ROW_END.split(text.strip()) if row.strip()]


def _matrix(found: re.Match[str]) -> str:
    if found["kind"] == "vmatrix":
        raise NotUnderstood("a determinant is written det(A)", span=found.span(), expected="det(A)")
    rows = _rows(found["rows"])
    if all(len(row) == 1 for row in rows):
        return f"([{', '.join(row[0].strip() for row in rows)}])"
    return f"([{', '.join(f'[{chr(44).join(row)}]' for row in rows)}])"


def _cases(found: re.Match[str], tail: str) -> str:
    statements, before = [], ""
    head, left = _split_left(found["left"])
    for row in _rows(found["rows"]):
        if len(row) != 2:
            raise NotUnderstood("a case needs a value and a condition", span=found.span(), expected="value & condition")
        value, condition = row[0].strip(" ,"), re.sub(r"\\(?:text|mathrm|mbox)\{\s*(?:if|when|for)\s*\}", "", row[1])
        condition = re.sub(r"^\s*(?:if|when|for)\s", "", condition).strip(" ,.")
        if any(word in condition for word in OTHERWISE):
            condition = _opposite(before, found.span())
        before = condition
        statements.append(f"{left.strip()} = {value} if {condition}{tail}")
    return head + " ; ".join(statements)


_LEADS = re.compile(r"⇒|=>|⟹|\\(?:Rightarrow|implies|Longrightarrow|q?quad)(?![a-z])|[:,](?=\s|\\)|\bthen\b|\$")


def _split_left(text: str) -> tuple[str, str]:
    """What stands before cases, parted into conditions and what is equal to one of them."""
    for lead in reversed(list(_LEADS.finditer(text))):
        rest = text[lead.end() :]
        if all(rest.count(opening) == rest.count(closing) for opening, closing in ("()", "[]", "{}")):
            return text[: lead.end()] + " ", rest
    return "", text


def _opposite(condition: str, span: tuple[int, int]) -> str:
    """i ≠ j for i = j: what `otherwise` means after one condition."""
    signs = _COMPARISON.findall(condition)
    if len(signs) != 1:
        raise NotUnderstood("'otherwise' is read after one plain condition", span=span, expected="a condition")
    return _COMPARISON.sub(f" {_OPPOSITE[signs[0]]} ", condition).replace("  ", " ")
