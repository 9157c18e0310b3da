"""A tree as one line of plain Unicode, and the walk that writes a tree in any notation, brackets only where needed.

What is written here can be read back: `parse` gives the same tree again. Of an ambiguous part one reading is shown.
`typeset` adds LaTeX and MathML. `point_at` shows a place in a text that a message is about.
"""

# ruff: noqa: D102 - the methods of a notation are named after what they write
from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from regard.claims.syntax.letters import GREEK, MARKS, MAYBE_FUNCTIONS, MOMENTS, WORDS
from regard.claims.syntax.sums import INDICES
from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Derivative,
    Node,
    Number,
    OneOf,
    Relation,
    Span,
    SumOver,
    Symbol,
)
from regard.display import one_line

WINDOW = 76
"""Characters of a long line that are shown around the place."""
LETTERS = {name: letter for letter, name in reversed(GREEK.items())} | {"infinity": "∞", "ones": "𝟏"}
COMBINING = {name: mark for mark, name in reversed(MARKS.items())}
VULGAR = {Fraction(unicodedata.numeric(c)).limit_denominator(10): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
# How tightly a node holds together; a part is bracketed where its place asks for more.
SUM, PRODUCT, FACTOR, SCRIPTED, ATOM = range(5)


def point_at(text: str, where: Span, *, window: int = WINDOW) -> tuple[str, str]:
    """The line of the text in which the place begins, and a line of carets under it.

    Of a line longer than `window`, so many characters around the place are shown.

    >>> print("\\n".join(point_at("q = k_a + * k_b", Span(10, 11))))
    q = k_a + * k_b
              ^
    """
    start = text.rfind("\n", 0, where.start) + 1
    end = text.find("\n", where.start)
    line, at = text[start : end if end >= 0 else None], where.start - start
    first = max(0, at - window // 2) if len(line) > window else 0
    shown = make_visible(line[first : first + window])
    length = min(max(where.end - where.start, 1), max(len(shown) - (at - first), 1))
    return shown, " " * (at - first) + "^" * length


def make_visible(text: str) -> str:
    """The text on one line, with a dot for every character that cannot be seen or that would move others.

    >>> make_visible("a\\x1b[31m\\tb")
    'a·[31m b'
    """
    return one_line(text, mark="·")


def shorten(text: str, most: int = 100) -> str:
    """What can be seen of a text, and no more than so many characters.

    >>> shorten("abcdef", 4)
    'abc…'
    """
    return one_line(text, max_length=most, mark="·")


def as_plain(tree: Claim | Relation | Node) -> str:
    """One line of Unicode.

    >>> from regard.claims.syntax.grammar import parse
    >>> as_plain(parse(r"\\alpha_i = k_i^\\top q / \\sqrt{d}"))
    'α_i = k_iᵀ q/sqrt(d)'
    """
    return write_tree(tree, PLAIN)


def write_tree(tree: Claim | Relation | Node, notation: Plain) -> str:
    """The tree in a notation."""
    if isinstance(tree, Claim):
        return notation.statements([_write_claim(one, notation) for one in (tree, *tree.more)])
    walk = _Walk(notation)
    if isinstance(tree, Relation):
        return notation.relation(tree.comparison, walk.at(SUM, tree.left), walk.at(SUM, tree.right))
    return walk.at(SUM, tree)


def _write_claim(claim: Claim, notation: Plain) -> str:
    """What is claimed, whether it is denied, and what is given."""
    claimed = notation.statements([write_tree(one, notation) for one in claim.statements])
    given = notation.word("and").join(write_tree(one, notation) for one in claim.premises)
    if claim.negated:
        claimed += notation.word("does not hold")
    for symbol in claim.some:
        claimed += notation.word("for some") + write_tree(symbol, notation)
    if not given:
        return claimed
    return f"{claimed}{notation.word('given')}{given}" if claimed else f"{notation.word('let').lstrip()}{given}"


class _Walk:
    """Writes a tree in one notation."""

    def __init__(self, notation: Plain) -> None:
        self.to = notation

    def at(self, needed: int, node: Node, *, is_last: bool = True) -> str:
        """The node for a place that asks for this much holding together; `is_last` where no factor follows."""
        text, level = self.text(node, is_last=is_last)
        is_open_sum = isinstance(node, SumOver) and not is_last
        return self.to.bracket(text) if level < needed or is_open_sum else text

    def text(self, node: Node, *, is_last: bool) -> tuple[str, int]:
        """The node, and how tightly it holds together."""
        match node:
            case Number():
                return self.to.number(node.value), ATOM if node.value >= 0 else SUM
            case Symbol():
                return self.to.symbol(node), ATOM if not any(s.startswith("(") for s in node.subscripts) else SCRIPTED
            case Call():
                return self.call(node)
            case Binary():
                return self.binary(node, is_last=is_last)
            case SumOver():
                return self.sum(node), FACTOR
            case Derivative():
                of = self.at(ATOM, node.of)
                return self.to.derivative(of, self.at(SUM, node.by)), SCRIPTED
            case OneOf():
                return self.text(choose_reading(node), is_last=is_last)

    def call(self, node: Call) -> tuple[str, int]:
        """Functions with a notation of their own, then all the others."""
        if node.function == "shape":
            return self.to.space([self.at(SUM, size) for size in node.arguments]), ATOM
        first = node.arguments[0]
        if node.function == "negative":
            return self.to.negative(self.at(PRODUCT, first)), SUM
        if node.function in ("transpose", "inverse"):
            return self.to.script(self.at(ATOM, first), node.function), SCRIPTED
        if node.function == "exp" and self.to.has_layers:
            return self.to.power(self.to.symbol(Symbol("e")), self.at(SUM, first), first), SCRIPTED
        if node.function == "entry":
            indices = [self.at(SUM, index) for index in node.arguments[1:]]
            return self.to.entry(self.to.bracket(self.at(SUM, first)), indices), ATOM
        if node.function == "log" and len(node.arguments) == 2:
            return self.to.log(self.at(SUM, node.arguments[1]), self.to.bracket(self.at(SUM, first))), ATOM
        return self.to.call(node.function, [self.at(SUM, argument) for argument in node.arguments]), ATOM

    def binary(self, node: Binary, *, is_last: bool) -> tuple[str, int]:
        """Two operands; operations of one level group from the left."""
        left, right = node.left, node.right
        if node.operator in "+-":
            return self.to.join(node.operator, self.at(SUM, left), self.at(PRODUCT, right)), SUM
        if node.operator == "^":
            return self.to.power(self.at(ATOM, left), self.at(SUM, right), right), SCRIPTED
        if node.operator == "/" and self.to.has_layers:
            return self.to.quotient(self.at(SUM, left), self.at(SUM, right)), SCRIPTED
        before = self.at(PRODUCT, left, is_last=False)
        if node.operator == "*" and self.is_ambiguous_before_factor(left):
            before = self.to.bracket(before)
        is_chain = not self.to.is_read_back and node.operator == "*" and self.is_product(right)
        after = self.at(PRODUCT if is_chain else FACTOR, right, is_last=is_last and node.operator == "*")
        if "/∂" in before and after.startswith("∂"):  # else the second would be read as a part of the first's ∂x∂y
            after = self.to.bracket(after)
        return self.to.join(node.operator, before, after), PRODUCT

    def is_product(self, node: Node) -> bool:
        """Whether a node is a plain product, whose brackets after another factor change nothing: 2(ab) is 2ab."""
        chosen = choose_reading(node) if isinstance(node, OneOf) else node
        return isinstance(chosen, Binary) and chosen.operator == "*"

    def is_ambiguous_before_factor(self, left: Node) -> bool:
        """Whether a factor that follows could belong to the right operand alone: a/b c, a ∘ b C."""
        if not isinstance(left, Binary):
            return False
        is_plain_half = isinstance(left.right, Number) and left.right.value.denominator == 1
        return left.operator == "∘" or (left.operator == "/" and not self.to.has_layers and not is_plain_half)

    def sum(self, node: SumOver) -> str:
        """Σ with what is written below and above it, and its body."""
        first = None if node.first is None else self.at(SUM, node.first)
        last = None if node.last is None else self.at(SUM, node.last)
        return self.to.sum(node, first, last, self.at(PRODUCT, node.body))


def choose_reading(node: OneOf) -> Node:
    """The reading to show: the first, unless it takes several letters for a name that nobody knows."""
    first = node.readings[0]
    inner: Node = first
    while isinstance(inner, Call | Binary):
        inner = inner.arguments[0] if isinstance(inner, Call) else inner.left
    is_unknown = isinstance(inner, Symbol) and len(inner.name) > 1 and inner.name.split("_")[0] not in WORDS
    is_run = is_unknown and inner.span.start == node.span.start and len(node.readings) == 2
    return node.readings[1] if is_run and _is_product(node.readings[1]) else first


def _is_product(node: Node) -> bool:
    return isinstance(node, Binary) and node.operator == "*"


class Plain:
    """One line of Unicode."""

    is_read_back = True  # whether what is written may be read again, as the tree that it was
    has_layers = False  # whether fractions and exponents need no brackets, since they stand on a level of their own

    def number(self, value: Fraction) -> str:
        return VULGAR.get(value) or decimal_text(value)

    def symbol(self, node: Symbol) -> str:
        base, marks = name_and_marks(node.name)
        below, above = split_labels(node)
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
            return f"{left} * {right}" if needs_sign(left, right) else f"{left} {right}"
        return self.quotient(left, right) if operator == "/" else f"{left} {operator} {right}"

    def quotient(self, top: str, below: str) -> str:
        return f"{top}/{below}"

    def negative(self, text: str) -> str:
        return f"−{text}"

    def power(self, base: str, exponent: str, node: Node) -> str:
        is_short = isinstance(node, Number) or (isinstance(node, Symbol) and not node.subscripts and len(exponent) == 1)
        return f"{base}^{exponent}" if is_short and not looks_otherwise(node) else f"{base}^({exponent})"

    def script(self, base: str, kind: str) -> str:
        return f"{base}{'ᵀ' if kind == 'transpose' else '⁻¹'}"

    def entry(self, base: str, indices: list[str]) -> str:
        return f"{base}_{{{','.join(indices)}}}"

    def log(self, base: str, argument: str) -> str:
        return f"log_{{{base}}}{argument}"

    def call(self, name: str, arguments: list[str]) -> str:
        if name == "given":
            return f"| {' = '.join(arguments)}"
        inner = join_arguments(arguments)
        bar = {"norm": "‖", "abs": "|", "norm_1": "‖", "norm_inf": "‖"}.get(name, "")
        if bar and (bar not in inner or name in ("norm_1", "norm_inf")):
            return f"{bar}{inner}{bar}{ {'norm_1': '_1', 'norm_inf': '_∞'}.get(name, '') }"
        if name == "sigmoid_derivative":
            return f"σ'({inner})"
        if name == "normal_cdf":
            return f"Φ({inner})"
        if name == "chisq":
            return f"χ²({inner})"
        if name == "vector":
            return f"[{inner}]"
        if name == "probability":
            return f"P({arguments[0]} > {arguments[1]})"
        return f"{name}[{inner}]" if name in MOMENTS else f"{name}({inner})"

    def space(self, sizes: list[str]) -> str:
        return f"ℝ^{{{'×'.join(sizes)}}}" if sizes else "ℝ"

    def derivative(self, of: str, by: str) -> str:
        return f"∂{of}/∂{by}"

    def sum(self, node: SumOver, first: str | None, last: str | None, body: str) -> str:
        above = "" if last is None else f"^{{{last}}}"
        sign = {"+": "∑", "*": "∏"}.get(node.operator, node.operator)
        return f"{sign}_{{{index_text(node, first, '≠')}}}{above} {body}"

    def relation(self, comparison: str, left: str, right: str) -> str:
        return f"{left} {comparison} {right}"

    def statements(self, texts: list[str]) -> str:
        return "; ".join(texts)

    def word(self, text: str) -> str:
        return f" {text} "


PLAIN = Plain()


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


def split_labels(node: Symbol) -> tuple[list[str], list[str]]:
    """Subscripts, and those of them that are written above: α_a^{(1)}."""
    return (
        [word for word in node.subscripts if not word.startswith("(")],
        [word for word in node.subscripts if word.startswith("(")],
    )


def looks_otherwise(node: Node) -> bool:
    """Whether an exponent would be taken for a transpose or an inverse."""
    is_one = isinstance(node, Call) and node.function == "negative" and node.arguments[0] == Number(Fraction(1))
    return is_one or node == Symbol("T")


def index_text(node: SumOver, first: str | None, unequal: str) -> str:
    """What stands below a sum: its index, where it starts, and what it leaves out."""
    start = node.index if first is None else f"{node.index} = {first}"
    if not node.excluded:
        return start
    return f"{start}{unequal if first is None else f', {node.index}{unequal}'}{', '.join(node.excluded)}"


def join_arguments(arguments: list[str]) -> str:
    """Arguments with commas between them; what is given in E[X | Y, Z] behind one bar."""
    first, *rest = ", ".join(arguments).split(", | ")
    return f"{first} | {', '.join(rest)}" if rest else first


def needs_sign(left: str, right: str) -> bool:
    """Whether two factors side by side would be read as a call, or as one number."""
    if right[:1].isdigit() or right[:1] in VULGAR.values():
        return left[-1:].isdigit() or left[-1:] in VULGAR.values()
    last = re.split("[ ∂]", left)[-1].lstrip("\\(").removeprefix("left(").removeprefix("mathrm{").rstrip("}")
    callable_names = {*MAYBE_FUNCTIONS, "σ", "Φ"}
    return right.lstrip("\\").removeprefix("left")[:1] in ("(", "[") and last in callable_names
