"""LaTeX tables that mean something: cases, and matrices and vectors that are written out.

f = \\begin{cases} a & x > 0 \\\\ b & x \\le 0 \\end{cases}      f = a if x > 0; f = b if x ≤ 0
\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}              ([[a, b], [c, d]])
"""

from __future__ import annotations

import re

from regard.errors import NotUnderstood

_CASES = re.compile(
    r"(?P<left>[^=;\n]*)=\s*(?:\\left\s*\\\{)?\s*\\begin\{cases\}(?P<rows>.*?)\\end\{cases\}", re.DOTALL
)
_CHI_SQUARE = re.compile(
    r"(?:χ|\\chi)(?:²|\^\{?2\}?)(?:_\{(?P<braces>[^{}]+)\}|_(?P<below>\w)|\s*\(\s*(?P<bracket>[^()]+)\))"
    r"|(?:χ|\\chi)_\{?(?P<first>\w)\}?(?:²|\^\{?2\}?)"
)
"""χ²_d, χ²(d) and χ_d²."""
_LIMIT = re.compile(r"(?<![A-Za-z\\])lim(?=_)")
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
    text = _LIMIT.sub("\\\\lim", text)
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
    for row in _rows(found["rows"]):
        if len(row) != 2:
            raise NotUnderstood("a case needs a value and a condition", span=found.span(), expected="value & condition")
        value, condition = row[0].strip(" ,"), re.sub(r"\\(?:text|mathrm|mbox)\{\s*(?:if|when|for)\s*\}", "", row[1])
        condition = re.sub(r"^\s*(?:if|when|for)\s", "", condition).strip(" ,.")
        if any(word in condition for word in OTHERWISE):
            condition = _opposite(before, found.span())
        before = condition
        statements.append(f"{found['left'].strip()} = {value} if {condition}{tail}")
    return " ; ".join(statements)


def _opposite(condition: str, span: tuple[int, int]) -> str:
    """i ≠ j for i = j: what `otherwise` means after one condition."""
    signs = _COMPARISON.findall(condition)
    if len(signs) != 1:
        raise NotUnderstood("'otherwise' is read after one plain condition", span=span, expected="a condition")
    return _COMPARISON.sub(f" {_OPPOSITE[signs[0]]} ", condition).replace("  ", " ")
