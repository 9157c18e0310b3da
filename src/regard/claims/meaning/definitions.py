"""Which statements of a claim define something, which only set conditions, and which are left to be judged.

q = C(k_a + k_b)         q is open in the setting: a definition
t = ½(v_a + v_b); c ≈ t  t is no symbol of the setting but is used again: an abbreviation
i ≠ a,  n > 2,  C → ∞    conditions on an index, on sizes, on a letter that stands for any number
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from regard.claims.meaning.symbols import SymbolReader
from regard.claims.syntax.limits import children
from regard.claims.syntax.tree import Claim, Node, Number, OneOf, Relation, Symbol

CONSTANTS = frozenset({"e", "pi", "infinity", "I", "ones"})


@dataclass
class Parts:
    """The statements of a claim, sorted; `toward` and `above` are conditions on letters."""

    definitions: list[tuple[Symbol, Node, Relation]] = field(default_factory=list)
    claims: list[Relation] = field(default_factory=list)
    apart: set[tuple[str, str]] = field(default_factory=set)
    sizes: list[tuple[str, str, Fraction]] = field(default_factory=list)
    toward: dict[str, str] = field(default_factory=dict)
    above: dict[str, float] = field(default_factory=dict)


def sorted_statements(claim: Claim, reader: SymbolReader) -> Parts:
    """Each statement of a claim in its place."""
    parts = Parts()
    names = _names_of(claim)
    for place, relation in enumerate(claim.statements):
        others = [one for at, one in enumerate(claim.statements) if at != place]
        if _is_condition(relation, reader, names, parts, alone=not others):
            continue
        found = _definition_of(relation, reader, parts, others)
        if found is None:
            parts.claims.append(relation)
        else:
            parts.definitions.append((*found, relation))
    return parts


def _names_of(claim: Claim) -> set[str]:
    """All subscripts in a claim."""
    return {
        word for relation in claim.statements for node in walk(relation) for word in getattr(node, "subscripts", ())
    }


def _is_condition(relation: Relation, reader: SymbolReader, subscripts: set[str], parts: Parts, *, alone: bool) -> bool:
    """Notes a condition; whether it was one."""
    left, right = relation.left, relation.right
    setting = reader.setting
    if not isinstance(left, Symbol) or left.subscripts or alone:
        return False
    if relation.comparison == "≠" and isinstance(right, Symbol) and not right.subscripts:
        if {left.name, right.name} <= subscripts | set(setting.marked) and not _is_known(reader, left):
            parts.apart.add((left.name, right.name))
            return True
        return False
    number = _written_number(right)
    if left.name in setting.size_names and number is not None and relation.comparison in "<≤>≥=≠":
        parts.sizes.append((left.name, relation.comparison, number))
        return True
    return _is_scalar(reader, left) and _scalar_condition(left.name, relation.comparison, right, number, parts)


def _scalar_condition(name: str, comparison: str, right: Node, number: Fraction | None, parts: Parts) -> bool:
    if isinstance(right, Symbol) and right.name == "infinity" and comparison in "→≈=":
        parts.toward[name] = "large"
        return True
    if number is None:
        return False
    if comparison in "→≈" and number == 0:
        parts.toward[name] = "small"
    elif comparison == "≫":
        parts.toward[name] = "large"
    elif comparison == "≪":
        parts.toward[name] = "small"
    elif comparison in ">≥" and number >= 0:
        parts.above[name] = float(number)
    else:
        return False
    return True


def _written_number(node: Node) -> Fraction | None:
    return node.value if isinstance(node, Number) else None


def _is_known(reader: SymbolReader, symbol: Symbol) -> bool:
    return reader.spec(symbol) is not None or symbol.name in reader.setting.size_names


def _is_scalar(reader: SymbolReader, symbol: Symbol) -> bool:
    """A letter for any number, or a symbol that a limit may be taken in."""
    found = reader.spec(symbol)
    if found is not None:
        return found[0].limit is not None
    is_constant = symbol.name in {*reader.setting.size_names, *CONSTANTS}
    return reader.setting.free_large and not is_constant


def _definition_of(
    relation: Relation, reader: SymbolReader, parts: Parts, others: list[Relation]
) -> tuple[Symbol, Node] | None:
    """The symbol that a statement defines, and as what; from either side."""
    if relation.comparison not in ("=", "≈"):
        return None
    done = {symbol for symbol, _, _ in parts.definitions}
    for side, body in ((relation.left, relation.right), (relation.right, relation.left)):
        symbol = _lone_symbol(side)
        if symbol is None or symbol in done or any(node == symbol for node in walk(body)):
            continue
        found = reader.spec(symbol)
        if found is not None and found[0].open:
            return symbol, body
        is_new = found is None and _is_new(reader, symbol) and relation.comparison == "="
        if is_new and any(node == symbol or _same_family(node, symbol) for other in others for node in walk(other)):
            return symbol, body
    return None


def _same_family(node: Node, symbol: Symbol) -> bool:
    """δ_i and δ_j, or δ_i and δ."""
    return bool(symbol.subscripts) and isinstance(node, Symbol) and node.name == symbol.name


def _lone_symbol(node: Node) -> Symbol | None:
    if isinstance(node, OneOf):
        node = node.readings[0]
    return node if isinstance(node, Symbol) else None


def _is_new(reader: SymbolReader, symbol: Symbol) -> bool:
    if symbol.name in {*reader.setting.size_names, *CONSTANTS}:
        return False
    return not any(symbol.name in spec.spellings for spec in reader.setting.symbols) or _is_numbered(symbol)


def _is_numbered(symbol: Symbol) -> bool:
    return bool(symbol.subscripts) and all(word.isdigit() for word in symbol.subscripts)


def walk(node: Node | Relation) -> Iterator[Node]:
    """A node and all below it; readings share parts, and each is visited once."""
    seen: set[int] = set()
    stack: list[Node] = list(children(node)) if isinstance(node, Relation) else [node]
    while stack:
        top = stack.pop()
        if id(top) not in seen:
            seen.add(id(top))
            yield top
            stack.extend(children(top))
