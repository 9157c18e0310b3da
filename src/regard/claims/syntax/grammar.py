"""Written text to a claim: statements, what parts them, and chains of relations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import cast

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.letters import FOR_ALL, LARGE, SMALL
from regard.claims.syntax.lexer import arrange, tokenise
from regard.claims.syntax.limits import MAX_STATEMENTS, check_length, check_size
from regard.claims.syntax.tree import Claim, Comparison, Node, Number, Relation, Symbol

RELATION_EXPECTED = "a relation: =, ≈, →, <, ≤, >, ≥, ≪, ≫, ≠ or ~"


def parse(text: str) -> Claim:
    """The claim that is written in a text: LaTeX, plain or Unicode.

    >>> parse("M = A A^T").statements[0].left
    Symbol(name='M', subscripts=(), span=Span(start=0, end=1))

    Raises: NotUnderstood, with the place in the text and what was expected there. Nothing in the text is ever run.
    """
    check_length(text)
    tokens, notes = tokenise(text)
    statements = _Statements(arrange(tokens))
    found = statements.all_statements()
    claim = Claim(text, tuple(found), (*notes, *statements.notes))
    check_size(claim)
    return claim


class _Statements(Expressions):
    """Reads statements until the text ends."""

    def all_statements(self) -> list[Relation]:
        found: list[Relation] = []
        words: list[str] = []  # between the last statement and the next
        while True:
            while self.token.kind == "separator":
                words.append(self.take().value)
            if self.token.kind == "end":
                break
            found += self.statement(words, previous=found[-1] if found else None)
            words = []
            if len(found) > MAX_STATEMENTS:
                raise self.complaint(f"at most {MAX_STATEMENTS} statements")
        if not found:
            raise self.complaint("a claim, such as 'c = v_a'")
        return found

    def statement(self, words: list[str], *, previous: Relation | None) -> list[Relation]:
        """a = b = c as two relations; one that begins with its relation goes on where the last one ended."""
        start = self.at
        goes_on = self.token.kind == "relation" and previous is not None
        left = previous.right if goes_on and previous else self.expression()
        relations = []
        while self.token.kind == "relation":
            comparison = cast(Comparison, self.take().value)
            right = self.expression()
            relations.append(Relation(comparison, left, right, self.span_from(start)))
            left = right
        if self.token.kind not in ("separator", "end"):
            raise self.complaint("an operation, a relation or the end" if relations else RELATION_EXPECTED)
        return self.in_limits(relations) or self.condition(left, words)

    def in_limits(self, relations: list[Relation]) -> list[Relation]:
        """lim c = v says that c → v, and which symbol goes where."""
        limits, self.limits = self.limits, []
        if not limits:
            return relations
        return [
            replace(relation, comparison="→") if relation.comparison == "=" else relation for relation in relations
        ] + limits

    def condition(self, node: Node, words: list[str]) -> list[Relation]:
        """For all i; for large C; with α small: no relation, but something said of one symbol."""
        around = {*words, self.token.value} if self.token.kind == "separator" else set(words)
        if isinstance(node, Symbol) and around & LARGE:
            return [Relation("→", node, Symbol("infinity", (), node.span), node.span)]
        if isinstance(node, Symbol) and around & SMALL:
            return [Relation("→", node, Number(Fraction(0), node.span), node.span)]
        if isinstance(node, Symbol) and around & FOR_ALL:
            return []
        raise self.complaint(RELATION_EXPECTED)
