"""From tokens to a claim: which statements are claimed, and which are taken as given.

The text is read as a row of items, each a chain of relations or a bare symbol, with the words before it:

    if  k_a = k_b  ⇒  α_a = α_b       given k_a = k_b, claimed α_a = α_b
    A  for  i ≠ j ,  B  for  i = j     two claims, each with a condition of its own
    A  ⇔  B                            given A, claimed B; and given B, claimed A

A word that has no meaning where it stands is complained of: nothing that was read is dropped.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import cast

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.sentence import vocabulary
from regard.claims.syntax.sentence.items import (
    ZERO,
    Item,
    Part,
    _both_cases,
    _claim,
    _describe_bare,
    _lone,
    _looks_like_condition,
    _sentences,
    _words_after,
    either_of,
    refuse_order,
    says_fixed,
    scope_indices,
    subscripts,
    without_given,
)
from regard.claims.syntax.sentence.sets import membership
from regard.claims.syntax.tree import (
    MAX_STATEMENTS,
    Binary,
    Claim,
    Comparison,
    Node,
    Number,
    Relation,
    Symbol,
    walk,
)
from regard.errors import NotUnderstood

RELATION_EXPECTED = "a relation: =, ≈, →, <, ≤, >, ≥, ≪, ≫, ≠, ∝, ⊥, ∈ or ~"


class Sentences(Expressions):
    """Reads statements until the text ends."""

    def read_claim(self, text: str) -> Claim:
        """The whole text as a claim."""
        items, trailing = self.items()
        if not items:
            raise self.complaint("a claim, such as 'c = v_a'")
        parts: list[Part] = []
        for sentence in _sentences(items):
            parts += _Sentence(self, sentence, parts[-1].leading if parts else []).parts()
        if set(trailing) & (vocabulary.IMPLIES | vocabulary.EQUIVALENT | vocabulary.NOT_IMPLIES):
            raise self.complaint("what follows from it")
        if vocabulary.NOT in trailing or "not" in trailing:
            parts[-1].negated = True
        if not any(part.leading or part.given or part.claims for part in parts):
            raise self.complaint("a claim, such as 'c = v_a'")
        return _claim(text, parts, tuple(self.notes))

    def items(self) -> tuple[list[Item], list[str]]:
        """All chains of relations and bare symbols, with the words before each; and the words after the last."""
        found: list[Item] = []
        words: list[str] = []
        n_statements = 0
        while True:
            while self.token.kind == "separator":
                words.append(self.take().value)
            if self.token.kind == "end":
                break
            previous = found[-1].relations[-1] if found and found[-1].relations else None
            self.refuse_lost_property(words, previous)
            item = self.item(words, previous)
            words = _words_after(item, found, words)
            found.append(item)
            n_statements += len(item.relations)
            if n_statements > MAX_STATEMENTS:
                raise self.complaint(f"at most {MAX_STATEMENTS} statements")
        if found and found[-1].bare is not None:
            words = _describe_bare(found[-1], words)
        return found, words

    def refuse_lost_property(self, words: list[str], previous: Relation | None) -> None:
        """Let A have ‖A‖ = 1 and be symmetric: what is said behind a relation is said of nothing that stands there."""
        ends = [place for place, word in enumerate(words) if word in vocabulary.ENDS]
        said = set(words[: ends[0]]) if ends and previous is not None else set()
        if said & {"be", "is", "are"} and said & vocabulary.PROPERTIES:
            raise self.complaint(f"one symbol before '{sorted(said & vocabulary.PROPERTIES)[0]}'")

    def item(self, words: list[str], previous: Relation | None) -> Item:
        """One item; with ± or ∓ in it, both of its cases."""
        end = next(at for at in range(self.at, len(self.tokens)) if self.tokens[at].kind in ("separator", "end"))
        if not any(token.value in "±∓" and token.kind == "sign" for token in self.tokens[self.at : end]):
            return self.one_item(words, previous)
        start, tokens = self.at, list(self.tokens)
        cases = []
        for signs in ({"±": "+", "∓": "-"}, {"±": "-", "∓": "+"}):
            self.at, self.tokens = start, [one._replace(value=signs.get(one.value, one.value)) for one in tokens]
            cases.append(self.one_item(words, previous))
        return _both_cases(cases[0], cases[1])

    def one_item(self, words: list[str], previous: Relation | None) -> Item:
        """a = b = c as two relations; one that begins with its relation goes on where the last one ended."""
        start = self.at
        goes_on = self.token.kind == "relation" and previous is not None
        left = previous.right if goes_on and previous else self.expression()
        relations: list[Relation] = []
        while self.token.kind == "relation" or self.is_sign("∈", "∉", "⊥"):
            token = self.take()
            if token.value in ("∈", "∉"):
                relations += membership(self, left, start, is_in=token.value == "∈")
                break
            right = self.expression()
            relations.append(self.relation(token.value, left, right, start))
            left = right
        if self.token.kind not in ("separator", "end"):
            raise self.complaint("an operation, a relation or the end" if relations else RELATION_EXPECTED)
        return Item(list(words), self.in_limits(relations), None if relations else left, start, self.at)

    def relation(self, comparison: str, left: Node, right: Node, start: int) -> Relation:
        """One relation; x ⊥ y says that their inner product is 0."""
        span = self.span_from(start)
        if comparison == "⊥":
            return Relation("=", Binary("·", left, right, span), replace(ZERO, span=span), span)
        return Relation(cast(Comparison, comparison), left, right, span)

    def in_limits(self, relations: list[Relation]) -> list[Relation]:
        """lim c = v says that c → v, and which symbol goes where."""
        limits, self.limits = self.limits, []
        if not limits:
            return relations
        for outer, inner in itertools.pairwise(limits):
            refuse_order(inner, outer)
        return [
            replace(relation, comparison="→") if relation.comparison == "=" else relation for relation in relations
        ] + limits


ONE_PLACE = frozenset("ab")
"""Indices that stand for one place each: for every x with x_a > x_m."""
_CLAUSES = frozenset({"if", "when", "where", "given"})
"""Words before a clause, which an `and` goes on with; `for all i and …` begins anew."""


@dataclass
class _Sentence:
    """Sorts the items of one sentence into what is given and what is claimed."""

    reader: Sentences
    items: list[Item]
    leading: list[Relation]
    mode: str = "claim"
    is_leading: bool = False
    is_opened: bool = False
    """Whether the sentence began with `let`: all of it is given, up to `then` or its end."""
    opened_by: frozenset[str] = frozenset()
    seen_arrow: bool = False
    place_of_arrow: int = 0
    is_of_given: bool = False
    """Whether `for some` stands behind what is given."""
    is_universal: bool = False
    """Whether the last item stood after `for all`, or in a list after it."""
    found: list[Part] = field(default_factory=list)

    def parts(self) -> list[Part]:
        self.found = [Part(leading=list(self.leading))]
        for place, item in enumerate(self.items):
            self.place_of_arrow = place
            self.turn(place, item)
            self.place(place, item)
        return self.found

    @property
    def part(self) -> Part:
        return self.found[-1]

    def turn(self, place: int, item: Item) -> None:
        """What the words before an item make of it, and of those before."""
        words = set(item.words)
        self.refuse_unknown(words, item)
        if "equality" in words:
            self.begin_equality(item)
        if vocabulary.NOT in words or words & vocabulary.NOT_IMPLIES or ("not" in words and not self.is_given(item)):
            self.part.negated = True
        if words & vocabulary.EQUIVALENT:
            if self.part.before is not None or not self.part.claims:
                raise self.complaint(item, "a statement on either side of ⇔, one ⇔ a sentence")
            self.part.before, self.part.claims, self.mode = self.part.claims, [], "claim"
        elif words & vocabulary.IMPLIES and self.is_next_limit(place):
            refuse_order(self.items[place - 1].relations[-1], item.relations[0])
        elif words & (vocabulary.IMPLIES | vocabulary.NOT_IMPLIES):
            self.imply()
        elif words & vocabulary.OPENERS:
            self.mode, self.is_leading, self.is_opened = "open", True, True
        elif words & vocabulary.IMPLIED_BY:
            self.mode, self.is_leading = "given", False
        elif "with" in words and self.is_witness_next(place):
            self.mode = "claim"  # there exists q with α = p
        elif words & (vocabulary.GIVENS | {vocabulary.FORALL, vocabulary.EXISTS}):
            self.is_of_given = self.mode in ("given", "open") and not self.opened_by & {vocabulary.EXISTS}
            self.mode, self.is_leading = "given", not self.part.claims
            self.opened_by = frozenset(words)
        elif self.mode == "given" and self.ends_condition(place, item):
            self.resume(item)

    def is_next_limit(self, place: int) -> bool:
        """As α → 0, then C → ∞: two limits, one after the other."""
        pair = self.items[max(place - 1, 0) : place + 1]
        is_pair = len(pair) == 2 and self.mode == "given" and "as" in self.opened_by
        return is_pair and all(
            one.relations and one.relations[-1].comparison == "→" and _lone(one.relations[-1].left) for one in pair
        )

    def is_witness_next(self, place: int) -> bool:
        """Whether the item before is what there is to be one of, and nothing is claimed but what it is to satisfy."""
        before = self.items[place - 1] if place else None
        is_last = not any(set(later.words) & vocabulary.IMPLIES for later in self.items[place:])
        is_witness = before is not None and vocabulary.EXISTS in before.words and before.bare is not None
        return is_witness and is_last and not self.part.claims

    def is_given(self, item: Item) -> bool:
        """`if not a = b`: turns the equation that is given around, and says that it did."""
        words = set(item.words)
        if not words & (vocabulary.GIVENS | vocabulary.OPENERS) and (
            self.mode == "claim" or words & vocabulary.IMPLIES
        ):
            return False
        if len(item.relations) != 1 or item.relations[0].comparison not in ("=", "≠"):
            raise self.complaint(item, "one equation after 'if not'")
        opposite = "≠" if item.relations[0].comparison == "=" else "="
        item.relations = [replace(item.relations[0], comparison=opposite)]  # type: ignore[arg-type]
        return True

    def refuse_unknown(self, words: set[str], item: Item) -> None:
        if "unless" in words:
            raise self.complaint(item, "'if' with the opposite: 'unless' is not read")

    def begin_equality(self, item: Item) -> None:
        """A ≤ B with equality iff C: beside the inequality, A = B ⇔ C."""
        last = self.part.claims[-1] if self.part.claims else None
        if last is None or last.comparison not in "≤≥":
            raise self.complaint(item, "an inequality with ≤ or ≥ before 'with equality'")
        self.found.append(Part(leading=list(self.part.leading), claims=[replace(last, comparison="=")]))

    def imply(self) -> None:
        """A ⇒ B: A is given. In A ⇒ B ⇒ C both B and C are claimed."""
        if not self.seen_arrow:
            self.part.leading += [*self.part.claims, *self.part.given]
            self.part.claims, self.part.given = [], []
            without_given(self.part, self.part.leading)
            later = [relation for item in self.items[self.place_of_arrow :] for relation in item.relations]
            self.part.leading = scope_indices(self.part.leading, self.part.scoped, later)
        self.seen_arrow, self.mode = True, "claim"

    def ends_condition(self, place: int, item: Item) -> bool:
        """Whether a comma or colon ends what is given: 'if A, B'; not so before a 'then' that is yet to come."""
        words = set(item.words)
        follows = set(self.items[place + 1].words) if place + 1 < len(self.items) else set()
        if follows & vocabulary.EQUIVALENT and words & {",", ":"} and item.bare is None:
            return True  # for y ≠ 0, A ⇔ B
        if any(set(later.words) & (vocabulary.IMPLIES | vocabulary.EQUIVALENT) for later in self.items[place:]):
            return False
        if ":" in words or words & vocabulary.LEAD_ON:
            return True
        if not words & vocabulary.JOINS or (item.bare is not None and not (self.is_leading and item.words_describe())):
            return False
        if self.is_leading:
            is_list = self.items[place - 1].bare is not None and not self.items[place - 1].words_describe()
            is_list &= item.bare is not None or _lone(item.relations[0].left) is not None
            return "," in words and not is_list
        if "and" in words and "," not in words and self.opened_by & _CLAUSES:
            return False  # A when B and C: both are given
        return not _looks_like_condition(item)

    def resume(self, item: Item) -> None:
        """Back to what is claimed; after a condition that came last, another claim begins."""
        if not self.is_leading:
            self.found.append(Part(leading=list(self.part.leading)))
        goes_on = self.is_opened and not set(item.words) & ({":"} | vocabulary.LEAD_ON)
        self.mode = "open" if goes_on else "claim"  # Let A for i ≠ a, B: both are given

    def place(self, place: int, item: Item) -> None:
        """Puts an item where it belongs."""
        if vocabulary.EXISTS in item.words:
            self.exist(item)
            return
        relations = item.relations if item.bare is None else self.of_bare(place, item)
        relations = [*relations, *says_fixed(item)]
        if item.bare is None and set(item.words) & vocabulary.PROPERTIES:
            self.describe_left(item)
        self.note_universal(place, item)
        if {"or", "∨", "lor", "vee"} & set(item.words):
            self.either(item, relations)
        elif self.mode == "claim":
            self.part.claims += relations
        else:
            (self.part.leading if self.is_leading else self.part.given).extend(relations)

    def describe_left(self, item: Item) -> None:
        """symmetric A = Bᵀ B: what a word before a relation says of its left side is given."""
        symbol = _lone(item.relations[0].left)
        if symbol is None:
            raise self.complaint(item, f"one symbol after '{sorted(set(item.words) & vocabulary.PROPERTIES)[0]}'")
        self.part.given += self.described(symbol, item)

    def described(self, symbol: Symbol, item: Item) -> list[Relation]:
        """What the words before an item say of a symbol of it."""
        words = sorted(set(item.words) & vocabulary.PROPERTIES)
        return [Relation("is", symbol, Symbol(word, (), symbol.span), symbol.span) for word in words]

    def note_universal(self, place: int, item: Item) -> None:
        """The indices after `for all`: i, j of `for all i, j` and i of `for all i ≠ a`."""
        is_list = item.bare is not None and self.is_universal and bool(set(item.words) & vocabulary.JOINS)
        self.is_universal = is_list or bool(set(item.words) & (vocabulary.QUANTITIES | {vocabulary.FORALL}))
        if self.is_universal:
            symbols = [_lone(item.bare)] if item.bare is not None else [_lone(one.left) for one in item.relations]
            names = [word for one in symbols if one for word in (one.name, *one.subscripts) if word not in ONE_PLACE]
            names += [one.name for one in symbols if one and one.name in ONE_PLACE]  # for all b ≠ a
            self.refuse_common(item, names)
            self.part.universal += names
            if item.bare is not None and self.mode != "claim":
                self.close_scope(names, [one for later in self.items[place + 1 :] for one in later.relations])
            is_before_arrow = any(set(later.words) & vocabulary.IMPLIES for later in self.items[place + 1 :])
            before = self.part.given or (is_before_arrow and (self.part.claims or self.part.leading))
            if before:
                self.part.scoped += names

    def refuse_common(self, item: Item, names: list[str]) -> None:
        """There is a y with A for every x: one y for all x is not looked for, but another y for each x."""
        indices = subscripts([one for each in self.items for one in each.relations])
        if any(one.name not in indices for one in self.part.some) and set(names) - indices - {"C"}:
            raise self.complaint(item, f"'for every {names[0]}' before 'there is': which one there is may depend on it")

    def close_scope(self, names: list[str], later: list[Relation]) -> None:
        """‖k_i‖ = 1 for all i and k_i ≠ k_j for i ≠ j: the first i is any, the second is not j."""
        apart = [one.left for one in later if one.comparison == "≠" and isinstance(one.left, Symbol)]
        for name in {one.name for one in apart if not one.subscripts} & set(names):
            for given in (self.part.leading, self.part.given):
                given[:] = scope_indices(given, [name], later) if given else given
                self.part.universal += subscripts(given)

    def exist(self, item: Item) -> None:
        """∃ x, ∃ i ≠ a: a witness is looked for."""
        symbol = _lone(item.bare if item.bare is not None else item.relations[0].left)
        if symbol is None:
            raise self.complaint(item, "one symbol after 'there is' or 'for some'")
        self.part.some.append(symbol)
        said = [*self.part.claims, *self.part.leading, *self.part.given]
        if symbol.name in subscripts(said) | {
            node.name for one in said for node in walk(one) if isinstance(node, Symbol)
        }:
            self.part.behind.append(symbol.name)
        if self.is_of_given:
            without_given(self.part, [*self.part.leading, *self.part.given])
        (self.part.leading if self.is_leading else self.part.given).extend(
            [*self.described(symbol, item), *item.relations]
        )

    def either(self, item: Item, relations: list[Relation]) -> None:
        """A or B, of equations: |a − b| |c − d| = 0."""
        before = self.part.claims if self.mode == "claim" else self.part.leading if self.is_leading else self.part.given
        if not before or len(relations) != 1 or {before[-1].comparison, relations[0].comparison} != {"="}:
            raise self.complaint(item, "'or' between two equations")
        before[-1] = either_of(before[-1], relations[0])

    def of_bare(self, place: int, item: Item) -> list[Relation]:
        """For all i; for large C; A symmetric; x and y of x, y ∈ ℝ: no relation, but something said of a symbol."""
        node, words = item.bare, set(item.words)
        symbol = _lone(node)
        if symbol is not None and words & vocabulary.LARGE:
            return [Relation("→", symbol, Symbol("infinity", (), symbol.span), symbol.span)]
        if symbol is not None and words & vocabulary.SMALL:
            return [Relation("→", symbol, Number(Fraction(0), symbol.span), symbol.span)]
        if node is not None and words & vocabulary.PROPERTIES:
            self.refuse_word(item)
            named = sorted(words & vocabulary.PROPERTIES)
            return [Relation("is", node, Symbol(word, (), node.span), node.span) for word in named]
        before = self.items[place - 1] if place else None
        if symbol is not None and before is not None and before.relations and set(item.words) & vocabulary.JOINS:
            last = before.relations[-1]
            if last.comparison == "≠" and _lone(last.left) is not None and self.mode != "claim":
                item.relations = [Relation("≠", last.left, symbol, symbol.span)]  # i ≠ a, b
                return item.relations
        is_new = bool(set(item.words) & (vocabulary.QUANTITIES | {vocabulary.FORALL}))  # a projection P and any x
        is_listed = before is not None and before.bare is not None and bool(set(item.words) & vocabulary.JOINS)
        if symbol is not None and before is not None and is_listed and not is_new:
            named = sorted(set(before.words) & vocabulary.PROPERTIES)  # for distributions p, q: of both
            if named:
                item.words += named
                return [Relation("is", symbol, Symbol(word, (), symbol.span), symbol.span) for word in named]
        shared = self.shared(place)
        if symbol is not None and shared:
            return [replace(one, left=symbol) for one in shared]
        if symbol is not None and self.mode != "claim":
            return []
        raise self.reader.complaint(RELATION_EXPECTED, self.reader.tokens[item.end])

    def refuse_word(self, item: Item) -> None:
        """`the same vector` says nothing of a product s a m e."""
        token = self.reader.tokens[item.at]
        is_one = item.end - item.at == 1 and token.kind == "letters"
        if is_one and len(token.value) > 2 and token.value.isascii() and token.value.islower():
            raise self.reader.complaint("a symbol", token)

    def shared(self, place: int) -> list[Relation]:
        """What is said of the last symbol of a list holds for all: x, y ∈ ℝ; q, k ~ N(0, I); A, B symmetric."""
        for item in self.items[place + 1 :]:
            if not set(item.words) & vocabulary.JOINS or set(item.words) & (vocabulary.GIVENS | vocabulary.OPENERS):
                return []
            if item.bare is not None and item.words_describe():
                return self.of_bare(self.items.index(item), item)
            if item.relations and _lone(item.relations[0].left) is not None:
                is_about = all(one.comparison in ("~", "∈", "<", ">", "≥", "≤", "≠", "→") for one in item.relations)
                name = getattr(_lone(self.items[place].bare), "name", "")
                is_index = name in subscripts(item.relations)
                other = getattr(_lone(item.relations[0].left), "name", "")
                is_about &= name[:1].isupper() == other[:1].isupper() or item.relations[0].comparison not in "<>≤≥"
                return item.relations if is_about and not is_index else []  # not: for all i and k_i ≠ 0
            if item.bare is None:
                return []
        return []

    def complaint(self, item: Item, expected: str) -> NotUnderstood:
        reader = self.reader
        return reader.complaint(expected, reader.tokens[min(item.at, len(reader.tokens) - 1)])
