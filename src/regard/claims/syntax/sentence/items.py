"""What is read of a sentence: items with the words before them, and the parts of a claim that are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from regard.claims.syntax.sentence import vocabulary
from regard.claims.syntax.sentence.substitutions import scope_indices
from regard.claims.syntax.tree import Node, Relation, Symbol, lone_symbol, subscripts, symbol_names
from regard.errors import NotUnderstood

DESCRIBING = vocabulary.PROPERTIES | vocabulary.LARGE | vocabulary.SMALL


@dataclass
class Item:
    """A chain of relations, or a bare node; `words` stand before it, the tokens from `at` to `end` are its own."""

    words: list[str]
    relations: list[Relation]
    bare: Node | None = None
    at: int = 0
    end: int = 0
    limits: list[Relation] = field(default_factory=list)
    """Where letters go below the lim of its statements: the last of its relations."""
    opposite: Item | None = None
    """The other case of \\lim_{z → ±∞}, a statement by itself."""

    def words_describe(self) -> bool:
        """Whether a word beside a bare symbol says something of it: `A symmetric`."""
        return bool(set(self.words) & DESCRIBING)


@dataclass
class Part:
    """Statements that are claimed under common conditions; `leading` conditions hold for what follows too."""

    leading: list[Relation] = field(default_factory=list)
    given: list[Relation] = field(default_factory=list)
    claims: list[Relation] = field(default_factory=list)
    before: list[Relation] | None = None
    """What stands on the left of ⇔."""
    some: list[Symbol] = field(default_factory=list)
    universal: list[str] = field(default_factory=list)
    negated: bool = False
    behind: list[str] = field(default_factory=list)
    """Letters after `for some` that the statements before it have; not those of `there is a C such that`."""
    single: list[str] = field(default_factory=list)
    """Indices after `for some` in what is given: of one place, wherever it is."""
    scoped: list[str] = field(default_factory=list)
    """Indices after `for all` that stood behind a statement, whose own they are: k_i ⊥ q for all i ⇒ …"""
    closed: list[tuple[Relation, str]] = field(default_factory=list)
    """Statements that are given for all values of an index: let q ⊥ k_i for all i. Then …"""
    is_concluded: bool = False
    """Whether it follows from something: behind ⇒ or `then`."""

    @property
    def is_plain(self) -> bool:
        """Whether all that it says can be given to what follows."""
        return not (self.is_concluded or self.negated or self.before is not None or self.some)


def give_to(parts: list[Part], later: list[Relation]) -> Part:
    """The sentences before one that begins with `then`: all of what they say is given."""
    given: list[Relation] = []
    for part in parts:
        given += [one for one in (*part.leading, *part.claims, *part.given) if one not in given]
    names = [name for part in parts for name in (*part.universal, *part.scoped)]
    scoped = [name for part in parts if part.claims for name in (*part.scoped, *part.universal)]
    closed = [one for part in parts for one in part.closed]
    return Part(leading=scope_indices(given, scoped, later), universal=names, closed=closed)


def drop_witnesses(part: Part, given: list[Relation]) -> None:
    """If s_a > s_i for some i, A: nothing is looked for, as A has to hold whichever i it is."""
    used = subscripts(given) | symbol_names(*given)
    behind = [one for one in part.some if one.name in used and one.name in part.behind]
    part.single += [one.name for one in behind]
    part.some = [one for one in part.some if one not in behind]


def state_properties(node: Node, words: Iterable[str]) -> list[Relation]:
    """What words such as `symmetric` say of a symbol, as relations."""
    named = sorted(set(words) & vocabulary.PROPERTIES)
    return [Relation("is", node, Symbol(word, (), node.span), node.span) for word in named]


def state_fixed(item: Item) -> list[Relation]:
    """Fix C > 0: that C goes nowhere is said beside what else is."""
    symbol = lone_symbol(item.bare if item.bare is not None else item.relations[0].left)
    if "fix" not in item.words or symbol is None:
        return []
    return [Relation("is", symbol, Symbol("fixed", (), symbol.span), symbol.span)]


def refuse_order(first: Relation, second: Relation) -> None:
    """Of two limits, one taken after the other: α → 0, then C → ∞ is what is tried; in another order it is not.

    Raises: NotUnderstood.
    """
    is_far = [isinstance(one.right, Symbol) and one.right.name == "infinity" for one in (first, second)]
    if is_far != [False, True]:
        raise NotUnderstood(
            "of two limits, what goes to a number is taken first, and what goes to ∞ then",
            span=(second.span.start, second.span.end),
            expected="the limits in that order, or without an order",
        )
