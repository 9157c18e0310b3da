"""From items to the parts of a claim: what is given and what is claimed, by the words before each item.

    if  k_a = k_b  ⇒  α_a = α_b       given k_a = k_b, claimed α_a = α_b
    A  for  i ≠ j ,  B  for  i = j     two claims, each with a condition of its own
    A  ⇔  B                            given A, claimed B; and given B, claimed A

A word that has no meaning where it stands is complained of: nothing that was read is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from regard.claims.syntax.cursor import Cursor
from regard.claims.syntax.sentence import vocabulary
from regard.claims.syntax.sentence.items import (
    Item,
    Part,
    drop_witnesses,
    refuse_order,
    state_fixed,
    state_properties,
)
from regard.claims.syntax.sentence.sets import either_of
from regard.claims.syntax.sentence.substitutions import scope_indices
from regard.claims.syntax.tree import (
    ONE_PLACE,
    Number,
    Relation,
    Symbol,
    lone_symbol,
    subscripts,
    walk,
)
from regard.errors import NotUnderstood

RELATION_EXPECTED = "a relation: =, ≈, →, <, ≤, >, ≥, ≪, ≫, ≠, ∝, ⊥, ∈ or ~"

_CLAUSES = frozenset({"if", "when", "where", "given"})
"""Words before a clause, which an `and` goes on with; `for all i and …` begins anew."""


_NAMED_BY_THEIR_PLACE = frozenset({"dimension", "variance", "column"})
"""What a letter is anyway: d where d is the dimension, N(0, λ) where λ is the variance."""


@dataclass
class SentenceSorter:
    """Sorts the items of one sentence into what is given and what is claimed."""

    reader: Cursor
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
        """The parts of the sentence, each with what is given and claimed in it."""
        self.found = [Part(leading=list(self.leading))]
        for place, item in enumerate(self.items):
            self.place_of_arrow = place
            self.read_words(place, item)
            self.place(place, item)
        return self.found

    @property
    def part(self) -> Part:
        """The part that items go to now."""
        return self.found[-1]

    def read_words(self, place: int, item: Item) -> None:
        """What the words before an item make of it, and of those before."""
        words = set(item.words)
        if "unless" in words:
            raise self.complaint(item, "'if' with the opposite: 'unless' is not read")
        if "equality" in words:
            self.begin_equality(item)
        denies = vocabulary.NOT in words or bool(words & vocabulary.NOT_IMPLIES)
        if denies or ("not" in words and not self.negate_given(item)):
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
        else:
            self.go_on(place, item)

    def go_on(self, place: int, item: Item) -> None:
        """What a comma or a colon makes of an item, where no word says what it is."""
        if self.mode == "given" and self.ends_condition(place, item):
            self.resume(item)
        elif self.mode == "claim" and ":" in item.words and not self.seen_arrow and not self.part.some:
            self.take_as_given()

    def is_next_limit(self, place: int) -> bool:
        """As α → 0, then C → ∞: two limits, one after the other."""
        pair = self.items[max(place - 1, 0) : place + 1]
        is_pair = len(pair) == 2 and self.mode == "given" and "as" in self.opened_by
        return is_pair and all(
            one.relations and one.relations[-1].comparison == "→" and lone_symbol(one.relations[-1].left)
            for one in pair
        )

    def is_witness_next(self, place: int) -> bool:
        """Whether the item before is what there is to be one of, and nothing is claimed but what it is to satisfy."""
        before = self.items[place - 1] if place else None
        is_last = not any(set(later.words) & vocabulary.IMPLIES for later in self.items[place:])
        is_witness = before is not None and vocabulary.EXISTS in before.words and before.bare is not None
        return is_witness and is_last and not self.part.claims

    def negate_given(self, item: Item) -> bool:
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
            drop_witnesses(self.part, self.part.leading)
            later = [relation for item in self.items[self.place_of_arrow :] for relation in item.relations]
            self.part.leading = scope_indices(self.part.leading, self.part.scoped, later)
        self.seen_arrow, self.mode, self.part.is_concluded = True, "claim", True

    def take_as_given(self) -> None:
        """X ~ N(0, 1), q = k_a: A. What stands before a colon is given."""
        self.part.leading += [*self.part.claims, *self.part.given]
        self.part.claims, self.part.given = [], []

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
        if self.is_leading and self.leads_to_claim(place):
            return False
        if not words & vocabulary.JOINS or (item.bare is not None and not (self.is_leading and item.words_describe())):
            return False
        if self.is_leading:
            is_list = self.items[place - 1].bare is not None and not self.items[place - 1].words_describe()
            is_list &= item.bare is not None or lone_symbol(item.relations[0].left) is not None
            return "," in words and not is_list
        if "and" in words and "," not in words and self.opened_by & _CLAUSES:
            return False  # A when B and C: both are given
        return not _looks_like_condition(item)

    def leads_to_claim(self, place: int) -> bool:
        """With A, B and C we have D: the list goes on up to `we`; with A, B, so we have C has two claims."""
        for later in self.items[place:]:
            words = set(later.words)
            if words & vocabulary.LEAD_ON or ":" in words:
                return "we" in words and not words & ({"and", ":"} | (vocabulary.LEAD_ON - {"we", "get", "obtain"}))
        return False

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
        relations = [*relations, *state_fixed(item)]
        if item.bare is None and set(item.words) & vocabulary.PROPERTIES:
            self.describe_left(item)
        self.note_universal(place, item)
        if {"or", "∨", "lor", "vee"} & set(item.words):
            self.either(item, relations)
        elif self.mode == "claim":
            self.begin_other_limit(item)
            own = item.limits if self.part.given else []
            self.part.given += [one for one in own if one not in self.part.given]
            self.part.claims += [one for one in relations if one not in own]
        else:
            (self.part.leading if self.is_leading else self.part.given).extend(relations)

    def begin_other_limit(self, item: Item) -> None:
        """lim_{x→∞} A, lim_{x→−∞} B: where one letter goes to two places, each statement has its own limit as given."""
        said = (*self.part.claims, *self.part.given)
        going = [one for one in said if one.comparison == "→" and lone_symbol(one.left)]
        if any(one.left == other.left and one.right != other.right for one in item.limits for other in going):
            limits = [one for one in going if any(one.left == other.left for other in item.limits)]
            self.part.claims = [one for one in self.part.claims if one not in limits]
            self.part.given += [one for one in limits if one not in self.part.given]
            self.found.append(Part(leading=list(self.part.leading), given=list(item.limits)))

    def describe_left(self, item: Item) -> None:
        """symmetric A = Bᵀ B: what a word before a relation says of its left side is given."""
        symbol = lone_symbol(item.relations[0].left)
        if symbol is None:
            raise self.complaint(item, f"one symbol after '{sorted(set(item.words) & vocabulary.PROPERTIES)[0]}'")
        self.part.given += state_properties(symbol, item.words)

    def note_universal(self, place: int, item: Item) -> None:
        """The indices after `for all`: i, j of `for all i, j` and i of `for all i ≠ a`."""
        is_list = item.bare is not None and self.is_universal and bool(set(item.words) & vocabulary.JOINS)
        self.is_universal = is_list or bool(set(item.words) & (vocabulary.QUANTITIES | {vocabulary.FORALL}))
        if self.is_universal:
            symbols = (
                [lone_symbol(item.bare)] if item.bare is not None else [lone_symbol(one.left) for one in item.relations]
            )
            names = [word for one in symbols if one for word in (one.name, *one.subscripts) if word not in ONE_PLACE]
            names += [one.name for one in symbols if one and one.name in ONE_PLACE]  # for all b ≠ a
            self.refuse_common(item, names)
            self.part.universal += names
            if item.bare is not None and self.mode != "claim" and self.is_leading:
                own = [one for one in self.part.leading if one not in self.leading and one.comparison in "=≠<>≤≥"]
                self.part.closed += [(one, name) for name in names for one in own if name in subscripts([one])]
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
        symbol = lone_symbol(item.bare if item.bare is not None else item.relations[0].left)
        if symbol is None:
            raise self.complaint(item, "one symbol after 'there is' or 'for some'")
        self.part.some.append(symbol)
        said = [*self.part.claims, *self.part.leading, *self.part.given]
        if symbol.name in subscripts(said) | {
            node.name for one in said for node in walk(one) if isinstance(node, Symbol)
        }:
            self.part.behind.append(symbol.name)
        if self.is_of_given:
            drop_witnesses(self.part, [*self.part.leading, *self.part.given])
        (self.part.leading if self.is_leading else self.part.given).extend(
            [*state_properties(symbol, item.words), *item.relations]
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
        symbol = lone_symbol(node)
        if symbol is not None and words & vocabulary.LARGE:
            return [Relation("→", symbol, Symbol("infinity", (), symbol.span), symbol.span)]
        if symbol is not None and words & vocabulary.SMALL:
            return [Relation("→", symbol, Number(Fraction(0), symbol.span), symbol.span)]
        if node is not None and words & vocabulary.PROPERTIES:
            self.refuse_word(item)
            return state_properties(node, words)
        before = self.items[place - 1] if place else None
        if symbol is not None and before is not None and before.relations and set(item.words) & vocabulary.JOINS:
            last = before.relations[-1]
            if last.comparison == "≠" and lone_symbol(last.left) is not None and self.mode != "claim":
                item.relations = [Relation("≠", last.left, symbol, symbol.span)]  # i ≠ a, b
                return item.relations
        is_new = bool(set(item.words) & (vocabulary.QUANTITIES | {vocabulary.FORALL}))  # a projection P and any x
        is_listed = before is not None and before.bare is not None and bool(set(item.words) & vocabulary.JOINS)
        if symbol is not None and before is not None and is_listed and not is_new:
            named = sorted(set(before.words) & vocabulary.PROPERTIES)  # for distributions p, q: of both
            if named:
                item.words += named
                return state_properties(symbol, named)
        shared = self.relations_of_list(place)
        if symbol is not None and shared:
            return [replace(one, left=symbol) for one in shared]
        if symbol is not None and self.mode != "claim" and not words & {"if", "when"}:
            self.refuse_word(item)  # for almost all i
            return []
        raise self.reader.complaint(RELATION_EXPECTED, self.reader.tokens[item.end])

    def refuse_word(self, item: Item) -> None:
        """`the same vector` says nothing of a product s a m e."""
        token = self.reader.tokens[item.at]
        is_one = item.end - item.at == 1 and token.kind == "letters"
        is_word = len(token.value) > 2 and token.value.isascii() and token.value.islower()
        if is_one and is_word and token.value not in _NAMED_BY_THEIR_PLACE:
            raise self.reader.complaint("a symbol", token)

    def relations_of_list(self, place: int) -> list[Relation]:
        """What is said of the last symbol of a list holds for all: x, y ∈ ℝ; q, k ~ N(0, I); A, B symmetric."""
        for item in self.items[place + 1 :]:
            if not set(item.words) & vocabulary.JOINS or set(item.words) & (vocabulary.GIVENS | vocabulary.OPENERS):
                return []
            if item.bare is not None and item.words_describe():
                return self.of_bare(self.items.index(item), item)
            if item.relations and lone_symbol(item.relations[0].left) is not None:
                is_about = all(
                    one.comparison in ("~", "∈", "<", ">", "≥", "≤", "≠", "→", "is") for one in item.relations
                )
                name = getattr(lone_symbol(self.items[place].bare), "name", "")
                is_index = name in subscripts(item.relations)
                other = getattr(lone_symbol(item.relations[0].left), "name", "")
                is_about &= name[:1].isupper() == other[:1].isupper() or item.relations[0].comparison not in "<>≤≥"
                return item.relations if is_about and not is_index else []  # not: for all i and k_i ≠ 0
            if item.bare is None:
                return []
        return []

    def complaint(self, item: Item, expected: str) -> NotUnderstood:
        """An error at an item, with what could have stood there."""
        reader = self.reader
        return reader.complaint(expected, reader.tokens[min(item.at, len(reader.tokens) - 1)])


def _looks_like_condition(item: Item) -> bool:
    """After 'A for i ≠ j,': q = C k_a, n > 2 and C → ∞ go on with the conditions; x y = 1 is another claim."""
    return all(lone_symbol(relation.left) is not None for relation in item.relations)
