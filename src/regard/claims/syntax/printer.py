"""A tree as text again: clean LaTeX, MathML for a page, or plain Unicode for a message, brackets only where needed.

What is written here can be read back: parse gives the same tree for LaTeX and for plain text. Of an ambiguous part one
reading is shown.
"""

from __future__ import annotations

from regard.claims.syntax.letters import WORDS
from regard.claims.syntax.notations import LATEX, MATHML, PLAIN, Notation
from regard.claims.syntax.tree import Binary, Call, Claim, Derivative, Node, Number, OneOf, Relation, SumOver, Symbol

# How tightly a node holds together; a part is bracketed where its place asks for more.
SUM, PRODUCT, FACTOR, SCRIPTED, ATOM = range(5)


def as_latex(tree: Claim | Relation | Node) -> str:
    """LaTeX, without dollar signs.

    >>> from regard.claims.syntax.grammar import parse
    >>> as_latex(parse("c ≈ 1/2 (v_a + v_b)"))
    'c \\\\approx \\\\frac{1}{2} (v_{a} + v_{b})'
    """
    return _typeset(tree, LATEX)


def as_plain(tree: Claim | Relation | Node) -> str:
    """One line of Unicode.

    >>> from regard.claims.syntax.grammar import parse
    >>> as_plain(parse(r"\\alpha_i = k_i^\\top q / \\sqrt{d}"))
    'α_i = k_iᵀ q/sqrt(d)'
    """
    return _typeset(tree, PLAIN)


def as_mathml(tree: Claim | Relation | Node) -> str:
    """One <math> element; every name in it is escaped."""
    return f"<math>{_typeset(tree, MATHML)}</math>"


def _typeset(tree: Claim | Relation | Node, notation: Notation) -> str:
    if isinstance(tree, Claim):
        return notation.statements([_typeset(statement, notation) for statement in tree.statements])
    walk = _Walk(notation)
    if isinstance(tree, Relation):
        return notation.relation(tree.comparison, walk.at(SUM, tree.left), walk.at(SUM, tree.right))
    return walk.at(SUM, tree)


class _Walk:
    """Writes a tree in one notation."""

    def __init__(self, notation: Notation) -> None:
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
        after = self.at(FACTOR, right, is_last=is_last and node.operator == "*")
        return self.to.join(node.operator, before, after), PRODUCT

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
