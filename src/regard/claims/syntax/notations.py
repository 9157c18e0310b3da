"""The three ways to write a tree: LaTeX, MathML, plain Unicode. Each turns written parts into a whole."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from html import escape
from typing import TypeAlias

from regard.claims.syntax.forms import INDICES
from regard.claims.syntax.letters import GREEK, GREEK_NAMES, MARKS, MAYBE_FUNCTIONS
from regard.claims.syntax.tree import Call, Node, Number, SumOver, Symbol

LETTERS = {name: letter for letter, name in reversed(GREEK.items())} | {"infinity": "∞", "ones": "𝟏"}
COMBINING = {name: mark for mark, name in reversed(MARKS.items())}
VULGAR = {Fraction(unicodedata.numeric(c)).limit_denominator(10): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
LATEX_RELATIONS = {
    "≈": "\\approx",
    "→": "\\to",
    "≤": "\\le",
    "≥": "\\ge",
    "≪": "\\ll",
    "≫": "\\gg",
    "≠": "\\ne",
    "~": "\\sim",
}
BRACKETED = frozenset({"E", "Var", "Cov", "Std"})
LATEX_FUNCTIONS = frozenset({"exp", "log", "tanh", "max", "min", "det"})


def decimal_text(value: Fraction) -> str:
    """The number as one writes it: whole, as a decimal where it ends, otherwise as a fraction.

    >>> [decimal_text(Fraction(1, n)) for n in (8, 1, 3, 10**30)]
    ['0.125', '1', '1/3', '1e-30']
    """
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
        if places > 400:
            return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator)
    sign = "-" if value < 0 else ""
    if max(len(digits), places) > 20:
        short = digits.rstrip("0") or "0"
        return f"{sign}{short}e{len(digits) - len(short) - places}".removesuffix("e0")
    if places == 0:
        return sign + digits
    digits = digits.zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def name_and_marks(name: str) -> tuple[str, list[str]]:
    """y_hat is y with a hat; any other underscore belongs to the name."""
    base, *marks = name.split("_")
    return (base, marks) if all(mark in COMBINING for mark in marks) else (name, [])


def _labels(node: Symbol) -> tuple[list[str], list[str]]:
    """Subscripts, and those of them that are written above: α_a^{(1)}."""
    return (
        [word for word in node.subscripts if not word.startswith("(")],
        [word for word in node.subscripts if word.startswith("(")],
    )


def _looks_otherwise(node: Node) -> bool:
    """Whether an exponent would be taken for a transpose or an inverse."""
    is_one = isinstance(node, Call) and node.function == "negative" and node.arguments[0] == Number(Fraction(1))
    return is_one or node == Symbol("T")


class _Latex:
    has_layers = True  # fractions and exponents need no brackets

    def number(self, value: Fraction) -> str:
        written = decimal_text(value)
        return f"\\tfrac{{{value.numerator}}}{{{value.denominator}}}" if "/" in written else written

    def symbol(self, node: Symbol) -> str:
        base, marks = name_and_marks(node.name)
        text = self.name(base)
        for mark in marks:
            text = f"\\{mark}{{{text}}}"
        below, above = _labels(node)
        text += f"_{{{', '.join(self.name(word) for word in below)}}}" if below else ""
        return text + "".join(f"^{{{word}}}" for word in above)

    def name(self, name: str) -> str:
        if name in GREEK_NAMES:
            return f"\\{name}" if name != "omicron" else "o"
        special = {"infinity": "\\infty", "ones": "\\mathbf{1}", "ell": "\\ell"}
        plain = len(name) == 1 or not name.isalpha()
        return special.get(name, name if plain else f"\\mathrm{{{name}}}")

    def bracket(self, text: str) -> str:
        is_tall = "\\frac" in text or "\\sum" in text or "\\prod" in text
        return f"\\left({text}\\right)" if is_tall else f"({text})"

    def join(self, operator: str, left: str, right: str) -> str:
        if operator == "*":
            return f"{left} \\times {right}" if _needs_sign(left, right) else f"{left} {right}"
        sign = {"·": "\\cdot", "∘": "\\odot"}.get(operator, operator)
        return f"{left} {sign} {right}"

    def negative(self, text: str) -> str:
        return f"-{text}"

    def quotient(self, top: str, below: str) -> str:
        return f"\\frac{{{top}}}{{{below}}}"

    def power(self, base: str, exponent: str, node: Node) -> str:
        return f"{base}^{{({exponent})}}" if _looks_otherwise(node) else f"{base}^{{{exponent}}}"

    def script(self, base: str, kind: str) -> str:
        return base + ("^{\\top}" if kind == "transpose" else "^{-1}")

    def entry(self, base: str, indices: list[str]) -> str:
        return f"{base}_{{{', '.join(indices)}}}"

    def log(self, base: str, argument: str) -> str:
        return f"\\log_{{{base}}}{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        inner = ", ".join(arguments)
        if name in ("norm", "abs"):
            bar = "Vert" if name == "norm" else "vert"
            return f"\\l{bar} {inner} \\r{bar}"
        if name == "sqrt":
            return f"\\sqrt{{{inner}}}"
        if name == "sigmoid_derivative":
            return f"\\sigma'({inner})"
        if name == "E":
            return f"\\mathbb{{E}}[{inner}]"
        command = f"\\{name}" if name in LATEX_FUNCTIONS else f"\\operatorname{{{name}}}"
        return f"{command}[{inner}]" if name in BRACKETED else f"{command}{self.bracket(inner)}"

    def derivative(self, of: str, by: str) -> str:
        return f"\\frac{{\\partial {of}}}{{\\partial {by}}}"

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        below = _below(node, first, " \\ne ")
        above = "" if last is None else f"^{{{last}}}"
        return f"\\{'sum' if node.operator == '+' else 'prod'}_{{{below}}}{above} {body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"{left} {LATEX_RELATIONS.get(comparison, comparison)} {right}"

    def statements(self, texts: list[str]) -> str:
        return ";\\; ".join(texts)


def _below(node: SumOver, first: str | None, unequal: str) -> str:
    start = node.index if first is None else f"{node.index} = {first}"
    if not node.excluded:
        return start
    return f"{start}{unequal if first is None else f', {node.index}{unequal}'}{', '.join(node.excluded)}"


def _needs_sign(left: str, right: str) -> bool:
    """Whether two factors side by side would be read as a call, or as one number."""
    if right[:1].isdigit() or right[:1] in VULGAR.values():
        return left[-1:].isdigit() or left[-1:] in VULGAR.values()
    last = re.split("[ ∂]", left)[-1].lstrip("\\(").removeprefix("left(").removeprefix("mathrm{").rstrip("}")
    callable_names = {*MAYBE_FUNCTIONS, "σ"}
    return right.lstrip("\\").removeprefix("left")[:1] in ("(", "[") and last in callable_names


class _Plain(_Latex):
    has_layers = False

    def number(self, value: Fraction) -> str:
        return VULGAR.get(value) or decimal_text(value)

    def symbol(self, node: Symbol) -> str:
        base, marks = name_and_marks(node.name)
        below, above = _labels(node)
        is_sum_like = base == "Sigma" and below and (len(below) > 1 or below[0] in INDICES or len(below[0]) > 1)
        text = base if is_sum_like else self.name(base)
        text = unicodedata.normalize("NFC", text + "".join(COMBINING[mark] for mark in marks))
        if below:
            is_short = len(below) == 1 and (len(self.name(below[0])) == 1 or below[0].isdecimal())
            inner = ",".join(map(self.name, below))
            text += f"_{inner}" if is_short else f"_{{{inner}}}"
        return text + "".join(f"^{{{word}}}" for word in above)

    def name(self, name: str) -> str:
        return LETTERS.get(name, name)

    def bracket(self, text: str) -> str:
        return f"({text})"

    def join(self, operator: str, left: str, right: str) -> str:
        if operator == "*":
            return f"{left} * {right}" if _needs_sign(left, right) else f"{left} {right}"
        return f"{left}/{right}" if operator == "/" else f"{left} {operator} {right}"

    def negative(self, text: str) -> str:
        return f"−{text}"

    def power(self, base: str, exponent: str, node: Node) -> str:
        is_short = isinstance(node, Number) or (isinstance(node, Symbol) and not node.subscripts and len(exponent) == 1)
        return f"{base}^{exponent}" if is_short and not _looks_otherwise(node) else f"{base}^({exponent})"

    def script(self, base: str, kind: str) -> str:
        return f"{base}{'ᵀ' if kind == 'transpose' else '⁻¹'}"

    def entry(self, base: str, indices: list[str]) -> str:
        return f"{base}_{{{','.join(indices)}}}"

    def log(self, base: str, argument: str) -> str:
        return f"log_{{{base}}}{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        inner = ", ".join(arguments)
        bar = {"norm": "‖", "abs": "|"}.get(name, "")
        if bar and bar not in inner:
            return f"{bar}{inner}{bar}"
        if name == "sigmoid_derivative":
            return f"σ'({inner})"
        return f"{name}[{inner}]" if name in BRACKETED else f"{name}({inner})"

    def derivative(self, of: str, by: str) -> str:
        return f"∂{of}/∂{by}"

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        above = "" if last is None else f"^{{{last}}}"
        return f"{'∑' if node.operator == '+' else '∏'}_{{{_below(node, first, '≠')}}}{above} {body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"{left} {comparison} {right}"

    def statements(self, texts: list[str]) -> str:
        return "; ".join(texts)


class _MathML(_Latex):
    def number(self, value: Fraction) -> str:
        written = decimal_text(value)
        if "/" in written:
            return self.quotient(f"<mn>{value.numerator}</mn>", f"<mn>{value.denominator}</mn>")
        return f"<mn>{written}</mn>"

    def symbol(self, node: Symbol) -> str:
        base, marks = name_and_marks(node.name)
        text = self.name(base)
        for mark in marks:
            sign = {"hat": "^", "bar": "¯", "tilde": "~"}[mark]
            text = f'<mover accent="true">{text}<mo>{sign}</mo></mover>'
        below, above = _labels(node)
        if below:
            text = f"<msub>{text}{self.row(_list_of([self.name(word) for word in below]))}</msub>"
        for word in above:
            text = f"<msup>{text}<mtext>{escape(word)}</mtext></msup>"
        return text

    def name(self, name: str) -> str:
        if name.isdecimal():
            return f"<mn>{name}</mn>"
        return f"<mi>{escape(LETTERS.get(name, name))}</mi>"

    def row(self, text: str) -> str:
        return f"<mrow>{text}</mrow>"

    def bracket(self, text: str) -> str:
        return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>"

    def join(self, operator: str, left: str, right: str) -> str:
        sign = {"*": "&#x2062;", "∘": "⊙", "-": "−"}.get(operator, operator)  # the invisible times sign
        return f"{left}<mo>{sign}</mo>{right}"

    def negative(self, text: str) -> str:
        return f"<mo>−</mo>{text}"

    def quotient(self, top: str, below: str) -> str:
        return f"<mfrac>{self.row(top)}{self.row(below)}</mfrac>"

    def power(self, base: str, exponent: str, node: Node) -> str:
        return f"<msup>{self.row(base)}{self.row(exponent)}</msup>"

    def script(self, base: str, kind: str) -> str:
        mark = "<mo>⊤</mo>" if kind == "transpose" else "<mrow><mo>−</mo><mn>1</mn></mrow>"
        return f"<msup>{self.row(base)}{mark}</msup>"

    def entry(self, base: str, indices: list[str]) -> str:
        return f"<msub>{base}{self.row(_list_of(indices))}</msub>"

    def log(self, base: str, argument: str) -> str:
        return f"<msub><mi>log</mi>{self.row(base)}</msub>{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        inner = _list_of(arguments)
        if name in ("norm", "abs"):
            bar = f"<mo>{'‖' if name == 'norm' else '|'}</mo>"
            return f"<mrow>{bar}{inner}{bar}</mrow>"
        if name == "sqrt":
            return f"<msqrt>{inner}</msqrt>"
        shown = {"E": "𝔼", "sigmoid": "σ", "sigmoid_derivative": "σ′", "trace": "tr"}.get(name, name)
        brackets = "[]" if name in BRACKETED else "()"
        return f"<mi>{escape(shown)}</mi><mrow><mo>{brackets[0]}</mo>{inner}<mo>{brackets[1]}</mo></mrow>"

    def derivative(self, of: str, by: str) -> str:
        return self.quotient(f"<mo>∂</mo>{of}", f"<mo>∂</mo>{by}")

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        sign = f"<mo>{'∑' if node.operator == '+' else '∏'}</mo>"
        below = self.name(node.index) + ("" if first is None else f"<mo>=</mo>{first}")
        if node.excluded:
            below += ("" if first is None else f"<mo>,</mo>{self.name(node.index)}") + "<mo>≠</mo>"
            below += _list_of([self.name(word) for word in node.excluded])
        if last is None:
            return f"<munder>{sign}{self.row(below)}</munder>{body}"
        return f"<munderover>{sign}{self.row(below)}{self.row(last)}</munderover>{body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"<mrow>{left}</mrow><mo>{escape(comparison)}</mo><mrow>{right}</mrow>"

    def statements(self, texts: list[str]) -> str:
        return "<mo>;</mo><mspace width='1em'/>".join(texts)


def _list_of(texts: list[str]) -> str:
    return "<mo>,</mo>".join(texts)


Notation: TypeAlias = _Latex
LATEX, PLAIN, MATHML = _Latex(), _Plain(), _MathML()
