"""A tree as LaTeX, or as MathML for a page; see `printer` for the walk and for plain text."""

# ruff: noqa: D102 - the methods of a notation are named after what they write
from __future__ import annotations

from fractions import Fraction
from html import escape

from regard.claims.syntax.letters import GREEK_NAMES, MOMENTS
from regard.claims.syntax.printer import (
    LETTERS,
    Plain,
    decimal_text,
    index_text,
    join_arguments,
    looks_otherwise,
    name_and_marks,
    needs_sign,
    split_labels,
    write_tree,
)
from regard.claims.syntax.tree import Claim, Node, Relation, SumOver, Symbol

LATEX_RELATIONS = {
    "≈": "\\approx",
    "→": "\\to",
    "≤": "\\le",
    "≥": "\\ge",
    "≪": "\\ll",
    "≫": "\\gg",
    "≠": "\\ne",
    "~": "\\sim",
    "∝": "\\propto",
    "∈": "\\in",
    "is": "\\text{ is }",
}
LATEX_FUNCTIONS = frozenset({"exp", "log", "tanh", "max", "min", "det"})


def as_latex(tree: Claim | Relation | Node) -> str:
    """LaTeX, without dollar signs.

    >>> from regard.claims.syntax.grammar import parse
    >>> as_latex(parse("c ≈ 1/2 (v_a + v_b)"))
    'c \\\\approx \\\\frac{1}{2} (v_{a} + v_{b})'
    """
    return write_tree(tree, LATEX)


def as_mathml(tree: Claim | Relation | Node) -> str:
    """One <math> element; every name in it is escaped."""
    return f"<math>{write_tree(tree, MATHML)}</math>"


class Latex(Plain):
    """LaTeX, without dollar signs."""

    has_layers = True

    def number(self, value: Fraction) -> str:
        written = decimal_text(value)
        return f"\\tfrac{{{value.numerator}}}{{{value.denominator}}}" if "/" in written else written

    def symbol(self, node: Symbol) -> str:
        base, marks = name_and_marks(node.name)
        text = self.name(base)
        for mark in marks:
            text = f"\\{mark}{{{text}}}"
        below, above = split_labels(node)
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
            return f"{left} \\times {right}" if needs_sign(left, right) else f"{left} {right}"
        sign = {"·": "\\cdot", "∘": "\\odot"}.get(operator, operator)
        return f"{left} {sign} {right}"

    def negative(self, text: str) -> str:
        return f"-{text}"

    def quotient(self, top: str, below: str) -> str:
        return f"\\frac{{{top}}}{{{below}}}"

    def power(self, base: str, exponent: str, node: Node) -> str:
        return f"{base}^{{({exponent})}}" if looks_otherwise(node) else f"{base}^{{{exponent}}}"

    def script(self, base: str, kind: str) -> str:
        return base + ("^{\\top}" if kind == "transpose" else "^{-1}")

    def entry(self, base: str, indices: list[str]) -> str:
        return f"{base}_{{{', '.join(indices)}}}"

    def log(self, base: str, argument: str) -> str:
        return f"\\log_{{{base}}}{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        if name == "given":
            return f"| {' = '.join(arguments)}"
        inner = join_arguments(arguments)
        if name in ("norm", "abs", "norm_1", "norm_inf"):
            bar = "vert" if name == "abs" else "Vert"
            below = {"norm_1": "_{1}", "norm_inf": "_{\\infty}"}.get(name, "")
            return f"\\l{bar} {inner} \\r{bar}{below}"
        if name == "sqrt":
            return f"\\sqrt{{{inner}}}"
        if name == "sigmoid_derivative":
            return f"\\sigma'({inner})"
        if name == "normal_cdf":
            return f"\\Phi({inner})"
        if name == "chisq":
            return f"\\chi^2({inner})"
        if name == "vector":
            return f"[{inner}]"
        if name == "probability":
            return f"\\Pr({arguments[0]} > {arguments[1]})"
        if name == "E":
            return f"\\mathbb{{E}}[{inner}]"
        command = f"\\{name}" if name in LATEX_FUNCTIONS else f"\\operatorname{{{name}}}"
        return f"{command}[{inner}]" if name in MOMENTS else f"{command}{self.bracket(inner)}"

    def space(self, sizes: list[str]) -> str:
        above = " \\times ".join(sizes)
        return f"\\mathbb{{R}}^{{{above}}}" if sizes else "\\mathbb{R}"

    def derivative(self, of: str, by: str) -> str:
        return f"\\frac{{\\partial {of}}}{{\\partial {by}}}"

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        below = index_text(node, first, " \\ne ")
        above = "" if last is None else f"^{{{last}}}"
        sign = {"+": "\\sum", "*": "\\prod", "argmax": "\\arg\\max", "argmin": "\\arg\\min"}
        return f"{sign.get(node.operator, f'{chr(92)}{node.operator}')}_{{{below}}}{above} {body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"{left} {LATEX_RELATIONS.get(comparison, comparison)} {right}"

    def statements(self, texts: list[str]) -> str:
        return ";\\; ".join(texts)

    def word(self, text: str) -> str:
        return f" \\text{{ {text} }} "


class MathML(Latex):
    """The inside of a <math> element."""

    is_read_back = False

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
        below, above = split_labels(node)
        if below:
            text = f"<msub>{text}{self.row(_comma_list([self.name(word) for word in below]))}</msub>"
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
        return f"<msub>{base}{self.row(_comma_list(indices))}</msub>"

    def log(self, base: str, argument: str) -> str:
        return f"<msub><mi>log</mi>{self.row(base)}</msub>{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        inner = _comma_list(arguments)
        if name in ("norm", "abs", "norm_1", "norm_inf"):
            bar = f"<mo>{'|' if name == 'abs' else '‖'}</mo>"
            below = {"norm_1": "<mn>1</mn>", "norm_inf": "<mi>∞</mi>"}.get(name)
            row = f"<mrow>{bar}{inner}{bar}</mrow>"
            return f"<msub>{row}{below}</msub>" if below else row
        if name == "sqrt":
            return f"<msqrt>{inner}</msqrt>"
        if name == "vector":
            return f"<mrow><mo>[</mo>{inner}<mo>]</mo></mrow>"
        if name == "probability":
            return f"<mi>P</mi>{self.bracket(f'{arguments[0]}<mo>&gt;</mo>{arguments[1]}')}"
        shown = {
            "E": "𝔼",
            "sigmoid": "σ",
            "sigmoid_derivative": "σ′",
            "trace": "tr",
            "normal_cdf": "Φ",
            "chisq": "χ²",
        }.get(name, name)
        brackets = "[]" if name in MOMENTS else "()"
        return f"<mi>{escape(shown)}</mi><mrow><mo>{brackets[0]}</mo>{inner}<mo>{brackets[1]}</mo></mrow>"

    def space(self, sizes: list[str]) -> str:
        above = "<mo>×</mo>".join(sizes)
        return f"<msup><mi>ℝ</mi>{self.row(above)}</msup>" if sizes else "<mi>ℝ</mi>"

    def derivative(self, of: str, by: str) -> str:
        return self.quotient(f"<mo>∂</mo>{of}", f"<mo>∂</mo>{by}")

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        sign = f"<mo>{({'+': '∑', '*': '∏'}).get(node.operator, node.operator)}</mo>"
        below = self.name(node.index) + ("" if first is None else f"<mo>=</mo>{first}")
        if node.excluded:
            below += ("" if first is None else f"<mo>,</mo>{self.name(node.index)}") + "<mo>≠</mo>"
            below += _comma_list([self.name(word) for word in node.excluded])
        if last is None:
            return f"<munder>{sign}{self.row(below)}</munder>{body}"
        return f"<munderover>{sign}{self.row(below)}{self.row(last)}</munderover>{body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"<mrow>{left}</mrow><mo>{escape(comparison)}</mo><mrow>{right}</mrow>"

    def statements(self, texts: list[str]) -> str:
        return "<mo>;</mo><mspace width='1em'/>".join(texts)

    def word(self, text: str) -> str:
        return f"<mtext>&#160;{escape(text)}&#160;</mtext>"


def _comma_list(texts: list[str]) -> str:
    return "<mo>,</mo>".join(texts)


LATEX, MATHML = Latex(), MathML()
