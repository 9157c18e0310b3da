"""From tokens to a claim: items are read, sorted into parts, and made one claim or several.

The text is a row of items, each a chain of relations or a bare symbol, with the words before it. `parts` says which are
given and which are claimed.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import cast

from regard.claims.syntax.expressions import Expressions
from regard.claims.syntax.sentence import vocabulary
from regard.claims.syntax.sentence.items import DESCRIBING, Item, Part, give_to, refuse_order
from regard.claims.syntax.sentence.parts import RELATION_EXPECTED, SentenceSorter
from regard.claims.syntax.sentence.sets import ZERO, either_of, membership
from regard.claims.syntax.sentence.substitutions import scope_indices, with_index
from regard.claims.syntax.sentence.trailing_conditions import with_trailing_conditions
from regard.claims.syntax.tree import (
    MAX_STATEMENTS,
    Binary,
    Claim,
    Comparison,
    Node,
    Relation,
    Symbol,
    lone_symbol,
    subscripts,
    symbol_names,
)
from regard.errors import NotUnderstood


class Sentences(Expressions):
    """Reads statements until the text ends."""

    def read_claim(self, text: str) -> Claim:
        """The whole text as a claim."""
        items, trailing = self.items()
        if not items:
            raise self.complaint("a claim, such as 'c = v_a'")
        parts: list[Part] = []
        for sentence in _sentences(items):
            is_conclusion = bool(set(sentence[0].words) & vocabulary.IMPLIES) and all(part.is_plain for part in parts)
            if parts and is_conclusion:
                parts = [give_to(parts, [one for item in sentence for one in item.relations])]
            new = SentenceSorter(self, sentence, parts[-1].leading if parts else []).parts()
            new[0].is_concluded |= is_conclusion
            parts += new
        if set(trailing) & (vocabulary.IMPLIES | vocabulary.EQUIVALENT | vocabulary.NOT_IMPLIES):
            raise self.complaint("what follows from it")
        if vocabulary.NOT in trailing:
            parts[-1].negated = True
        if set(trailing) - vocabulary.NEUTRAL - vocabulary.ENDS - {",", vocabulary.NOT}:
            raise self.complaint("a formula after the last words")  # P is symmetric if A is: nothing is dropped
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
            found += [item] if item.opposite is None else [item, item.opposite]
            n_statements += len(item.relations)
            if n_statements > MAX_STATEMENTS:
                raise self.complaint(f"at most {MAX_STATEMENTS} statements")
        if found and found[-1].bare is not None:
            _repeat_description(found, words)
            words = _describe_bare(found[-1], words, is_last=True)
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
        limits = list(self.limits)
        return Item(list(words), self.in_limits(relations), None if relations else left, start, self.at, limits)

    def relation(self, comparison: str, left: Node, right: Node, start: int) -> Relation:
        """One relation; x ⊥ y says that their inner product is 0, and of random letters that they are independent."""
        span = self.span_from(start)
        if comparison == "⊥" and {getattr(left, "name", ""), getattr(right, "name", "")} <= self.drawn_letters():
            return Relation("⫫", left, right, span)
        if comparison == "⊥":
            return Relation("=", Binary("·", left, right, span), replace(ZERO, span=span), span)
        return Relation(cast(Comparison, comparison), left, right, span)

    def drawn_letters(self) -> set[str]:
        """The letters that stand before ~ somewhere in the text, alone or in a list: X and Y of X, Y ~ N(0, 1)."""
        found: set[str] = set()
        for end, token in enumerate(self.tokens):
            if token.kind != "relation" or token.value != "~":
                continue
            for before in reversed(self.tokens[:end]):
                if before.kind in ("letters", "name"):
                    found.add(before.value)
                elif before.kind != "number" and before.value not in ("_", "{", "}", ",", "⊥", "and"):
                    break
        return found

    def in_limits(self, relations: list[Relation]) -> list[Relation]:
        """lim c = v says that c → v, and which symbol goes where."""
        limits, self.limits = self.limits, []
        if not limits:
            return relations
        for outer, inner in itertools.pairwise(limits):
            refuse_order(inner, outer)
        moving = {one.left for one in limits}
        return [_to_limit(relation, moving) for relation in relations] + limits


def _to_limit(relation: Relation, moving: set[Node]) -> Relation:
    """c = v of lim c = v as c → v; of lim x = 0 the claim is x + 0 → 0, for a bare x → 0 says where x goes."""
    if relation.comparison != "=":
        return relation
    left = relation.left
    if left in moving:
        left = Binary("+", left, replace(ZERO, span=left.span), left.span)
    return replace(relation, comparison="→", left=left)


def _both_cases(plus: Item, minus: Item) -> Item:
    """x = ±2 says that x is one of the two; ± on both sides of a relation says it of either sign."""
    if plus.limits != minus.limits:
        return replace(plus, opposite=replace(minus, words=[","]))
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


def _describe_bare(bare: Item, words: list[str], *, is_last: bool = False) -> list[str]:
    """`A is symmetric and idempotent`: takes the words about A, and gives back the others."""
    taken = _end_of_description(words, 0)
    while set(words[:taken]) & DESCRIBING and words[taken : taken + 1] == ["and"]:
        end = _end_of_description(words, taken + 1)
        is_apart = is_last if end == len(words) else words[end] in _ENDS_OF_DESCRIPTION
        if not is_apart or not set(words[taken:end]) & DESCRIBING:
            break  # A is symmetric and positive x: this is about x
        taken = end
    while taken and words[taken - 1] in vocabulary.LEAD_ON | {"have"}:
        taken -= 1  # with orthonormal u, v we have: this leads on
    bare.words += [word for word in words[:taken] if word in DESCRIBING]
    return words[taken:]


def _repeat_description(found: list[Item], words: list[str]) -> None:
    """I − P is a projection if P is: what is said of the bare item before is said of the last ones, too."""
    if words not in (["is"], ["are"]) or found[-1].words_describe():
        return
    of_all = [found[-1]]
    while "and" in of_all[0].words and len(of_all) < len(found) and found[-1 - len(of_all)].bare is not None:
        of_all.insert(0, found[-1 - len(of_all)])  # if A and B are
    before = found[: -len(of_all)]
    if before and before[-1].bare is not None and {"if", "when"} & set(of_all[0].words):
        for item in of_all:
            item.words += [word for word in before[-1].words if word in DESCRIBING]


_ENDS_OF_DESCRIPTION = vocabulary.IMPLIES | vocabulary.EQUIVALENT | vocabulary.GIVENS | vocabulary.ENDS


def _end_of_description(words: list[str], start: int) -> int:
    while start < len(words) and words[start] in vocabulary.NEUTRAL | DESCRIBING | vocabulary.ARTICLES | {"a"}:
        start += 1
    return start


def _sentences(items: list[Item]) -> list[list[Item]]:
    found: list[list[Item]] = []
    for item in items:
        if not found or set(item.words) & vocabulary.ENDS:
            found.append([])
        found[-1].append(item)
    return found


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
            merged.closed += part.closed
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
    symbol = lone_symbol(relation.left)
    return is_said and symbol is not None and symbol.name[0].islower()


def _perpendicular(first: Relation, second: Relation) -> Relation:
    return Relation("=", Binary("·", first.left, second.left, first.span), replace(ZERO, span=first.span), first.span)


def _refuse_inner_universal(premises: tuple[Relation, ...], part: Part) -> None:
    """xᵀz = yᵀz for all z ⇒ x = y: what is given for all z says more than of one z, and is not read.

    Raises: NotUnderstood.
    """
    claimed = symbol_names(*part.claims)
    claimed |= subscripts([*premises, *part.claims])
    for one in premises:
        if one.comparison == "is" or isinstance(one.left, Symbol):
            continue  # what a letter is, or where it goes
        names = symbol_names(one)
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


def _claims_of(text: str, part: Part) -> list[Claim]:
    """One claim; or two, there and back, of an equivalence."""
    part = _with_closed_indices(with_trailing_conditions(_with_keys_given(text, part)))
    given = scope_indices(part.given, part.scoped, part.claims) if part.claims and part.scoped else part.given
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


def _with_closed_indices(part: Part) -> Part:
    """Let q ⊥ k_i for all i. Then α_i = 1/n: what is given is given of every key, and not of key i alone."""
    if not part.closed:
        return part  # a hostile text may be too deep to be walked
    used = subscripts([*part.leading, *part.given, *part.claims])
    leading, universal = list(part.leading), list(part.universal)
    for relation, name in part.closed:
        is_definition = relation.comparison == "=" and name in subscripts([replace(relation, left=relation.right)])
        if name not in subscripts(part.claims) or relation not in leading or is_definition:
            continue
        other = next((letter for letter in "jlmruhgfe" if letter not in used), name)
        used.add(other)
        leading[leading.index(relation)] = cast(Relation, with_index(relation, name, other))
        universal.append(other)
    return replace(part, leading=leading, universal=universal)


def _some_of(some: list[Symbol], claimed: list[Relation]) -> tuple[Symbol, ...]:
    """The letters of `for some λ` that one side of ⇔ has: given A, there is one; given B of any λ, A."""
    names = symbol_names(*claimed) | subscripts(claimed)
    return tuple(one for one in some if one.name in names)
