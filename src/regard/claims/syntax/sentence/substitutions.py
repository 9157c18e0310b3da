"""What is put into a claim before it is interpreted: functions that it defines, losses that it does not, token counts.

f(x) = xᵀ A x                 where f(y) is written afterwards, the body with y for x is meant
δ = ∂L/∂z, z = W x ⇒ …        L is any loss: one without any symmetry is put in, Σ sin(2 z) + (Σ z)²/2, whose gradient
                              differs from entry to entry, takes both signs and depends on all entries
PP = exp(−(1/M) Σ ln p_t)     N counts the tokens, whatever the claim calls it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import TypeVar, cast

from regard.claims.syntax.tree import (
    Binary,
    Call,
    Claim,
    Derivative,
    Node,
    Number,
    OneOf,
    Relation,
    SumOver,
    Symbol,
    lone_symbol,
    subscripts,
    symbol_names,
    walk,
)
from regard.errors import NotUnderstood

FUNCTION_LETTERS = frozenset({"f", "g", "h", "phi", "psi", "L", "J", "F", "ell"} | {"zeta", "eta", "xi", "rho", "LSE"})
MAX_FUNCTIONS = 8
Tree = TypeVar("Tree", bound="Node | Relation")


LOSSES = frozenset({"L", "J", "ell", "E", "C"})
"""Letters of losses that a claim need not define."""
PERPLEXITY = "PP"
LEFT_OPEN = FUNCTION_LETTERS | LOSSES | {PERPLEXITY}
"""Letters of what a claim may define, or leave to the reader; a claim without any is complete."""


def complete(claim: Claim) -> Claim:
    """The claim with everything put in that it defines, or leaves to the reader."""
    return name_token_count(expand_upstream_gradients(apply_functions(claim)))


def apply_functions(claim: Claim) -> Claim:
    """The claim with every function that it defines put in place; its definition is dropped."""
    for _ in range(MAX_FUNCTIONS):
        found = next(_used_definitions(claim), None)
        if found is None:
            break
        claim = _replace_everywhere(claim, *found)
    _refuse_undefined(claim)
    return claim


_APPLIED = re.compile(
    r"(?<![A-Za-z\\])(?P<name>[fgh])\s*\(\s*(?:E|𝔼|\\mathbb\{E\})\s*[\[(]|E\s*\[\s*(?P<inner>[fgh])\s*\("
)


def _refuse_undefined(claim: Claim) -> None:
    """f(E[X]) of a function that nothing defines is no product with E[X].

    Raises: NotUnderstood.
    """
    found = _APPLIED.search(claim.text)
    name = (found["name"] or found["inner"]) if found is not None else ""
    if found is not None and any(name in symbol_names(one) for one in claim.relations):
        raise NotUnderstood(
            f"{name} is a function that is not defined", span=found.span(), expected=f"what {name}(x) is, as a formula"
        )


def _used_definitions(claim: Claim) -> Iterator[tuple[Relation, str, Symbol]]:
    """Definitions of functions that other statements of the claim use."""
    for relation in (*claim.premises, *claim.statements):
        found = _definition_of(relation)
        others = [one for one in claim.relations if one is not relation]
        if found is not None and (claim.more or any(found[0] in symbol_names(one) for one in others)):
            yield relation, *found


def _definition_of(relation: Relation) -> tuple[str, Symbol] | None:
    """f and x of f(x) = …, where x is in the body and f is not."""
    left = relation.left
    if isinstance(left, OneOf):
        left = left.readings[-1]
    if relation.comparison != "=" or not isinstance(left, Binary) or left.operator != "*":
        return None
    name, argument = left.left, left.right
    if not (isinstance(name, Symbol) and isinstance(argument, Symbol)) or name.name not in FUNCTION_LETTERS:
        return None
    names = symbol_names(relation.right)
    return (name.name, argument) if argument.name in names and name.name not in names and not name.subscripts else None


def _replace_everywhere(claim: Claim, definition: Relation, name: str, argument: Symbol) -> Claim:
    def change(relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
        return tuple(_put(one, definition.right, name, argument) for one in relations if one is not definition)

    more = tuple(
        replace(one, statements=change(one.statements), premises=change(one.premises), context=change(one.context))
        for one in claim.more
    )
    return replace(
        claim,
        statements=change(claim.statements),
        premises=change(claim.premises),
        context=change(claim.context),
        more=more,
    )


def _put(tree: Tree, body: Node, name: str, argument: Symbol) -> Tree:
    """The tree with f(y), and f alone, replaced."""
    node: object = tree
    if isinstance(node, OneOf) and any(_is_call(reading, name) for reading in node.readings):
        node = next(reading for reading in node.readings if _is_call(reading, name))
    if isinstance(node, Binary) and node.operator == "*" and _ends_with(node.left, name):
        assert isinstance(node.left, Binary)  # x f(y) was read as (x f) y
        node = replace(node, left=node.left.left, right=replace(node, left=node.left.right, right=node.right))
    if isinstance(node, Binary) and _is_call(node, name):
        return cast(Tree, _substitute(body, argument, node.right))
    n_primes = _count_primes(node, name)
    if n_primes and isinstance(node, Binary) and isinstance(node.right, Symbol):
        derived = _substitute(body, argument, node.right)
        for _ in range(n_primes):
            derived = Derivative(derived, node.right, node.span)
        return cast(Tree, derived)
    if isinstance(node, Symbol) and node.name == name and not node.subscripts:
        return cast(Tree, body)
    return cast(Tree, _rebuild(node, lambda child: _put(child, body, name, argument)))


def substitute(claim: Claim, old: Symbol, new: Symbol) -> Claim:
    """The claim with one symbol for another."""
    relations = [
        tuple(cast(Relation, _substitute(cast(Node, one), old, new)) for one in group)
        for group in (claim.statements, claim.premises, claim.context)
    ]
    return replace(claim, statements=relations[0], premises=relations[1], context=relations[2])


def _is_call(node: Node, name: str) -> bool:
    return isinstance(node, Binary) and node.operator == "*" and node.left == Symbol(name)


def _ends_with(node: object, name: str) -> bool:
    """Whether a product ends in f or f'."""
    return isinstance(node, Binary) and node.operator == "*" and _primes_of(node.right, name) is not None


def _count_primes(node: object, name: str) -> int:
    """How many primes f has in f'(x), which was read as fᵀ x."""
    return (_primes_of(node.left, name) or 0) if isinstance(node, Binary) and node.operator == "*" else 0


def _primes_of(node: Node, name: str) -> int | None:
    n_primes = 0
    while isinstance(node, Call) and node.function == "transpose":
        node, n_primes = node.arguments[0], n_primes + 1
    return n_primes if node == Symbol(name) else None


def _substitute(body: Node, argument: Symbol, value: Node) -> Node:
    if body == argument:
        return value
    return cast(Node, _rebuild(body, lambda child: _substitute(child, argument, value)))


def _rebuild(node: object, change: object) -> object:
    """A node with its parts changed; what a derivative is taken by stays."""
    changes: dict[str, object] = {}
    for one in fields(node):  # type: ignore[arg-type]
        value = getattr(node, one.name)
        if one.name in ("by", "span"):
            continue
        if isinstance(value, tuple) and value and hasattr(value[0], "span"):
            changes[one.name] = tuple(change(child) for child in value)  # type: ignore[operator]
        elif hasattr(value, "span"):
            changes[one.name] = change(value)  # type: ignore[operator]
    return replace(node, **changes) if changes else node  # type: ignore[type-var]


def expand_upstream_gradients(claim: Claim) -> Claim:
    """The claim with Σ g ∘ z for a loss of which it says nothing but g = ∂L/∂z; any other claim as it is."""
    if claim.more:
        return claim
    for loss in sorted(LOSSES & symbol_names(*claim.relations)):
        found = _expand(claim, loss)
        if found is not None:
            return found
    return claim


def _expand(claim: Claim, loss: str) -> Claim | None:
    """The claim with the loss defined, where everything that it says of the loss is how gradients hang together."""
    taken = list(_derivatives(claim.relations, loss))
    occurrences = sum(node == Symbol(loss) for one in claim.relations for node in _all_nodes(one))
    if not taken or occurrences != len(taken):
        return None
    anchor = _last_letter(claim, {one.by.name for one in taken})
    if anchor is None:
        return None
    named = [one for one in claim.premises if _names_gradient(one, loss, anchor)]
    gradients = {symbol.name for one in named if (symbol := lone_symbol(one.left)) is not None}
    if not _goes_through(claim, loss, anchor, gradients):
        return None
    span = claim.relations[0].span
    definition = Relation("=", Symbol(loss, (), span), _some_loss(Symbol(anchor, (), span)), span)
    return replace(claim, premises=(*claim.premises, definition))


def _some_loss(letter: Symbol) -> Node:
    two, span = Number(Fraction(2)), letter.span
    waves = Call("sum", (Call("sin", (Binary("*", two, letter, span),), span),), span)
    square = Binary("^", Call("sum", (letter,), span), two, span)
    return Binary("+", waves, Binary("/", square, two, span), span)


def _goes_through(claim: Claim, loss: str, anchor: str, gradients: set[str]) -> bool:
    """Whether each statement on the loss speaks of the gradient, too: otherwise it says what the loss is."""
    rest = [one for one in claim.relations if not _names_gradient(one, loss, anchor)]
    if any((symbol := lone_symbol(one.left)) is not None and symbol.name in gradients for one in rest):
        return False
    for one in claim.statements:
        is_linked = any(_speaks(side, loss, anchor, gradients) for side in (one.left, one.right))
        if _is_of_loss(one, loss) and not is_linked:
            return False
        if any(_is_gradient(side, loss, anchor) for side in (one.left, one.right)):
            return False
    return any(_is_of_loss(one, loss) for one in claim.statements)


def _speaks(side: Node, loss: str, anchor: str, gradients: set[str]) -> bool:
    return any(
        _is_gradient(node, loss, anchor) or (isinstance(node, Symbol) and node.name in gradients) for node in walk(side)
    )


def _is_of_loss(relation: Relation, loss: str) -> bool:
    return any(True for _ in _derivatives((relation,), loss))


def _names_gradient(relation: Relation, loss: str, anchor: str) -> bool:
    """g = ∂L/∂z, or g_i = ∂L/∂z_i."""
    symbol, right = lone_symbol(relation.left), relation.right
    is_equation = relation.comparison == "=" and symbol is not None and symbol.name != loss
    return is_equation and _is_gradient(right, loss, anchor) and _same_index(symbol, right)


def _same_index(symbol: Symbol | None, right: Node) -> bool:
    return symbol is not None and isinstance(right, Derivative) and symbol.subscripts == right.by.subscripts


def _is_gradient(node: Node, loss: str, anchor: str) -> bool:
    return isinstance(node, Derivative) and node.of == Symbol(loss) and node.by.name == anchor


def _derivatives(relations: tuple[Relation, ...], loss: str) -> Iterator[Derivative]:
    for relation in relations:
        for node in _all_nodes(relation):
            if isinstance(node, Derivative) and node.of == Symbol(loss):
                yield node


def _all_nodes(relation: Relation) -> Iterator[Node]:
    yield from (node for side in (relation.left, relation.right) for node in walk(side))


def _last_letter(claim: Claim, letters: set[str]) -> str | None:
    """Of the letters that derivatives are taken by, the one that is computed from all others that are computed."""
    uses = {
        symbol.name: symbol_names(one) - {symbol.name}
        for one in claim.relations
        if one.comparison == "=" and (symbol := lone_symbol(one.left)) is not None and not _has_derivative(one)
    }
    computed = {one for one in letters if one in uses}
    last = [one for one in computed if not any(one in _reach(other, uses) for other in computed - {one})]
    return last[0] if len(last) == 1 else None


def _has_derivative(relation: Relation) -> bool:
    return any(isinstance(node, Derivative) for node in _all_nodes(relation))


def _reach(letter: str, uses: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [letter]
    while waiting:
        for name in uses.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return found


_COUNTS = frozenset({"M", "T", "n", "K", "m", "L"})
"""Letters that people take for the number of tokens."""


def name_token_count(claim: Claim) -> Claim:
    """The claim with N for the one letter that counts the tokens of PP and p_t; any other claim as it is."""
    everything = [one for each in (claim, *claim.more) for one in each.relations]
    symbols = [node for one in everything for node in walk(one) if isinstance(node, Symbol)]
    names = {node.name for node in symbols}
    counts = names & _COUNTS
    if not {PERPLEXITY, "p"} <= names or "N" in names or len(counts) != 1:
        return claim
    letter = counts.pop()
    if any(node.name == letter and node.subscripts for node in symbols):
        return claim
    return _rename_token_count(claim, letter)


def _rename_token_count(claim: Claim, letter: str) -> Claim:
    def put(relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
        return tuple(cast(Relation, with_index(one, letter, "N")) for one in relations)

    return replace(
        claim,
        statements=put(claim.statements),
        premises=put(claim.premises),
        context=put(claim.context),
        more=tuple(_rename_token_count(one, letter) for one in claim.more),
    )


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


def rename_index(claim: Claim, name: str) -> Claim:
    """The claim with another letter for an index that it quantifies itself: `for all b ≠ a` is about any b."""
    relations = (*claim.relations, *claim.context)
    used = {word for one in relations for node in walk(one) if isinstance(node, Symbol) for word in node.subscripts}
    other = next(letter for letter in "jilmrst" if letter not in used)
    renamed = [cast(Relation, with_index(one, name, other)) for one in relations]
    n_claimed, n_own = len(claim.statements), len(claim.relations)
    return replace(
        claim,
        statements=tuple(renamed[:n_claimed]),
        premises=tuple(renamed[n_claimed:n_own]),
        context=tuple(renamed[n_own:]),
        universal=tuple(other if word == name else word for word in claim.universal),
    )
