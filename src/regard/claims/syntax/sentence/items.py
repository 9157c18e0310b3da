"""What is read of a sentence: items with the words before them, and the parts of a claim that are made of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import cast

from regard.claims.syntax.sentence import vocabulary
from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Node,
    Number,
    OneOf,
    Relation,
    SumOver,
    Symbol,
    walk,
)
from regard.errors import NotUnderstood

ZERO = Number(Fraction(0))


DESCRIBING = vocabulary.PROPERTIES | vocabulary.LARGE | vocabulary.SMALL


@dataclass
class Item:
    """A chain of relations, or a bare node; `words` stand before it, the tokens from `at` to `end` are its own."""

    words: list[str]
    relations: list[Relation]
    bare: Node | None = None
    at: int = 0
    end: int = 0

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


def without_given(part: Part, given: list[Relation]) -> None:
    """If s_a > s_i for some i, A: nothing is looked for, as A has to hold whichever i it is."""
    used = subscripts(given) | {node.name for one in given for node in walk(one) if isinstance(node, Symbol)}
    behind = [one for one in part.some if one.name in used and one.name in part.behind]
    part.single += [one.name for one in behind]
    part.some = [one for one in part.some if one not in behind]


def says_fixed(item: Item) -> list[Relation]:
    """Fix C > 0: that C goes nowhere is said beside what else is."""
    symbol = _lone(item.bare if item.bare is not None else item.relations[0].left)
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


def scope_indices(relations: list[Relation], scoped: list[str], outside: list[Relation]) -> list[Relation]:
    """Statements with other letters for the indices that they quantify themselves, where others use them too."""
    for name in dict.fromkeys(scoped):
        used = subscripts([*relations, *outside])
        if len(name) == 1 and name.islower() and name in subscripts(relations) and name in subscripts(outside):
            other = next((letter for letter in "jlmruhgfe" if letter not in used), name)
            apart = [one for one in relations if one.comparison == "≠" and one.left == Symbol(name, (), one.left.span)]
            relations = [cast(Relation, with_index(one, name, other)) for one in relations]
            relations += apart  # s_a ≫ s_j for all j ≠ a ⇒ α_j ≈ 0: of the same j ≠ a
            scoped.append(other)
    return relations


def subscripts(relations: list[Relation]) -> set[str]:
    """The indices of symbols, and of what is no symbol: i of softmax(z)_i."""
    nodes = [node for relation in relations for node in walk(relation)]
    entries = [node for node in nodes if isinstance(node, Call) and node.function == "entry"]
    outside = {one.name for node in entries for one in node.arguments[1:] if isinstance(one, Symbol)}
    return outside | {word for node in nodes if isinstance(node, Symbol) for word in node.subscripts}


def _both_cases(plus: Item, minus: Item) -> Item:
    """x = ±2 says that x is one of the two; ± on both sides of a relation says it of either sign."""
    one, other = plus.relations[:1], minus.relations[:1]
    if len(plus.relations) == 1 and (one[0].left == other[0].left or one[0].right == other[0].right):
        if one[0].comparison != "=":
            raise NotUnderstood(
                "± on one side is read in equations only", span=(one[0].span.start, one[0].span.end), expected="'='"
            )
        return replace(plus, relations=[either_of(one[0], other[0])])
    return replace(plus, relations=[*plus.relations, *minus.relations])


def _words_after(item: Item, found: list[Item], words: list[str]) -> list[str]:
    """Words that describe the bare symbol before them go to it; what is left stays before the next item."""
    if found and found[-1].bare is not None:
        item.words = _describe_bare(found[-1], words)
    return []


def _describe_bare(bare: Item, words: list[str]) -> list[str]:
    """`A is symmetric`: takes the words about A, and gives back the others."""
    taken = 0
    while taken < len(words) and words[taken] in vocabulary.NEUTRAL | DESCRIBING | vocabulary.ARTICLES | {"a"}:
        taken += 1
    while taken and words[taken - 1] in vocabulary.LEAD_ON | {"have"}:
        taken -= 1  # with orthonormal u, v we have: this leads on
    bare.words += [word for word in words[:taken] if word in DESCRIBING]
    return words[taken:]


def _sentences(items: list[Item]) -> list[list[Item]]:
    found: list[list[Item]] = []
    for item in items:
        if not found or set(item.words) & vocabulary.ENDS:
            found.append([])
        found[-1].append(item)
    return found


def either_of(first: Relation, second: Relation) -> Relation:
    """a = b or c = d, as |a − b| |c − d| = 0: a product of matrices may be 0 where none of them is."""
    sizes = [Call("abs", (Binary("-", one.left, one.right, one.span),), one.span) for one in (first, second)]
    return Relation("=", Binary("*", sizes[0], sizes[1], first.span), ZERO, first.span)


def with_index(node: object, old: str, new: str) -> object:
    """A tree with an index renamed, where it stands as a subscript or alone."""
    if isinstance(node, SumOver) and node.index == old:
        return node
    if isinstance(node, Symbol):
        words = tuple(new if word == old else word for word in node.subscripts)
        return replace(node, name=new if node.name == old and not node.subscripts else node.name, subscripts=words)
    changes: dict[str, object] = {}
    for one in fields(node):  # type: ignore[arg-type]
        value = getattr(node, one.name)
        if isinstance(value, tuple) and value and hasattr(value[0], "span"):
            changes[one.name] = tuple(with_index(child, old, new) for child in value)
        elif hasattr(value, "span"):
            changes[one.name] = with_index(value, old, new)
        elif one.name == "excluded":
            changes[one.name] = tuple(new if word == old else word for word in value)
    return replace(node, **changes) if changes else node  # type: ignore[type-var]


def _looks_like_condition(item: Item) -> bool:
    """After 'A for i ≠ j,': q = C k_a, n > 2 and C → ∞ go on with the conditions; x y = 1 is another claim."""
    return all(_lone(relation.left) is not None for relation in item.relations)


def _lone(node: Node | None) -> Symbol | None:
    if isinstance(node, OneOf):
        node = node.readings[0]
    return node if isinstance(node, Symbol) else None


def _claim(text: str, parts: list[Part], notes: tuple[str, ...]) -> Claim:
    """One claim where conditions are common to all; else one for each part."""
    with_own = [part for part in parts if part.given or part.before is not None or part.negated or part.some]
    if len(with_own) <= 1 and (len(parts) == 1 or not any(part.before for part in parts)):
        merged = Part(before=None)
        for part in parts:
            merged.leading += [one for one in part.leading if one not in merged.leading]
            merged.given += part.given
            merged.claims += part.claims
            merged.before = part.before if part.before is not None else merged.before
            merged.some += part.some
            merged.universal += part.universal
            merged.single += part.single
            merged.scoped += part.scoped
            merged.negated |= part.negated
        parts = [merged]
    claims = [one for part in parts for one in _claims_of(text, part)]
    everything = [one for claim in claims for one in claim.relations]
    claims = [
        replace(claim, context=tuple(one for one in everything if one not in claim.relations), notes=notes)
        for claim in claims
        if claim.statements or len(claims) == 1
    ]
    return replace(claims[0], more=tuple(claims[1:]))


def _with_pairs(relations: list[Relation]) -> list[Relation]:
    """Vectors u, v that are called orthonormal or orthogonal, each beside the next, with u · v = 0 for each pair."""
    found: list[Relation] = []
    run: list[Relation] = []
    for one in [*relations, None]:
        if one is not None and _is_of_vector(one) and (not run or run[-1].right == one.right):
            run.append(one)
            continue
        is_list = len({each.left for each in run}) > 1
        found += [each for each in run if not is_list or each.right != Symbol("orthogonal")]
        found += [_perpendicular(a, b) for place, a in enumerate(run) for b in run[place + 1 :] if is_list]
        run = [one] if one is not None and _is_of_vector(one) else []
        found += [one] if one is not None and not run else []
    return found


def _is_of_vector(relation: Relation) -> bool:
    """u is orthonormal: of a small letter, which stands for no matrix."""
    is_said = relation.comparison == "is" and getattr(relation.right, "name", "") in ("orthonormal", "orthogonal")
    symbol = _lone(relation.left)
    return is_said and symbol is not None and symbol.name[0].islower()


def _perpendicular(first: Relation, second: Relation) -> Relation:
    return Relation("=", Binary("·", first.left, second.left, first.span), replace(ZERO, span=first.span), first.span)


def _refuse_inner_universal(premises: tuple[Relation, ...], part: Part) -> None:
    """xᵀz = yᵀz for all z ⇒ x = y: what is given for all z says more than of one z, and is not read.

    Raises: NotUnderstood.
    """
    claimed = {node.name for one in part.claims for node in walk(one) if isinstance(node, Symbol)}
    claimed |= subscripts([*premises, *part.claims])
    for one in premises:
        if one.comparison == "is" or isinstance(one.left, Symbol):
            continue  # what a letter is, or where it goes
        names = {node.name for node in walk(one) if isinstance(node, Symbol)}
        name = next((name for name in part.scoped if name in names - claimed), None)
        if name is not None:
            raise NotUnderstood(
                f"'for all {name}' within what is given is not read",
                span=(one.span.start, one.span.end),
                expected=f"one {name}, or a statement about all of them as what is claimed",
            )


def _is_of_keys(text: str, one: Relation) -> bool:
    """Orthonormal keys, in words: K Kᵀ = I stands where the words were."""
    is_identity = one.comparison == "=" and isinstance(one.right, Symbol) and one.right.name == "I"
    return is_identity and "=" not in text[one.span.start : one.span.end]


def _with_keys_given(text: str, part: Part) -> Part:
    """The part with orthonormal keys as a condition: they are nothing that anybody claims.

    Raises: NotUnderstood where nothing else is claimed.
    """
    keys = [one for one in part.claims if _is_of_keys(text, one)]
    others = [one for one in part.claims if one not in keys]
    if keys and not others:
        raise NotUnderstood(
            "orthonormal keys are read as a condition only",
            span=(keys[0].span.start, keys[0].span.end),
            expected="'if' or 'for' before them",
        )
    return replace(part, leading=[*part.leading, *keys], claims=others) if keys else part


def _with_trailing_conditions(part: Part) -> Part:
    """(I − P)² = I − P, P = P²: what ends a list and only says what a letter before it is, is given."""
    if part.given or part.leading or part.before is not None or part.negated or part.some:
        return part
    first = len(part.claims)
    while first > 1 and _restricts(part.claims[first - 1], part.claims[: first - 1]):
        first -= 1
    return replace(part, leading=part.claims[first:], claims=part.claims[:first])


def _restricts(relation: Relation, before: list[Relation]) -> bool:
    """Whether it says x ≠ 0 or A = Aᵀ of a letter that the statements before use and say nothing of by itself."""
    sides = (relation.left, relation.right)
    symbol = _lone(relation.left) or _lone(relation.right)
    if symbol is None or symbol.subscripts or not _has(before[0], symbol):
        return False
    if any(symbol in (_lone(one.left), _lone(one.right)) for one in before if not _restricts_zero(one)):
        return False
    other = sides[1] if _lone(relation.left) == symbol else sides[0]
    return _restricts_zero(relation) or (relation.comparison == "=" and _has(other, symbol) and other != symbol)


def _restricts_zero(relation: Relation) -> bool:
    """x ≠ 0."""
    return relation.comparison == "≠" and isinstance(relation.right, Number) and _lone(relation.left) is not None


def _has(tree: Node | Relation, symbol: Symbol) -> bool:
    return any(isinstance(node, Symbol) and node.name == symbol.name for node in walk(tree))


def _claims_of(text: str, part: Part) -> list[Claim]:
    """One claim; or two, there and back, of an equivalence."""
    part = _with_trailing_conditions(_with_keys_given(text, part))
    given = scope_indices(part.given, part.scoped, part.claims) if part.claims else part.given
    premises = tuple(_with_pairs([*part.leading, *given]))
    _refuse_inner_universal(premises, part)
    claim = Claim(
        text,
        tuple(_with_pairs(part.claims)),
        premises=premises,
        some=tuple(part.some),
        negated=part.negated,
        universal=tuple(dict.fromkeys([*part.universal, *part.scoped])),
        single=tuple(part.single),
    )
    if part.before is None:
        return [claim]
    there = replace(claim, premises=(*premises, *part.before), some=_some_of(part.some, part.claims))
    back = replace(
        claim,
        statements=tuple(part.before),
        premises=(*premises, *claim.statements),
        some=_some_of(part.some, part.before),
    )
    return [there, back]


def _some_of(some: list[Symbol], claimed: list[Relation]) -> tuple[Symbol, ...]:
    """The letters of `for some λ` that one side of ⇔ has: given A, there is one; given B of any λ, A."""
    names = {node.name for one in claimed for node in walk(one) if isinstance(node, Symbol)} | subscripts(claimed)
    return tuple(one for one in some if one.name in names)
