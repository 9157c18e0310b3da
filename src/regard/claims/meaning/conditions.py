"""The statements of a claim, sorted: definitions, conditions on letters and indices, premises, and what is claimed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from regard.claims.meaning.definitions import compile_setting, with_dependents
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import UnknownName
from regard.claims.meaning.symbols import SymbolReader
from regard.claims.meaning.usage import speaks_of_one_place
from regard.claims.syntax.letters import CONSTANT_NAMES
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
    lone_symbol,
    symbol_names,
    walk,
)


@dataclass
class ClaimStatements:
    """The statements of a claim, sorted; `stated_limits` and `lower_bounds` are conditions on letters.

    `premises` are conditions that instances must be found for; `declared` are letters with a law of the claim's own.
    """

    definitions: list[tuple[Symbol, Node, Relation]] = field(default_factory=list)
    claims: list[Relation] = field(default_factory=list)
    premises: list[Relation] = field(default_factory=list)
    declared: list[tuple[Symbol, Relation]] = field(default_factory=list)
    distinct: set[tuple[str, str]] = field(default_factory=set)
    same: set[tuple[str, str]] = field(default_factory=set)
    sizes: list[tuple[str, str, Fraction]] = field(default_factory=list)
    stated_limits: dict[str, str] = field(default_factory=dict)
    lower_bounds: dict[str, float] = field(default_factory=dict)
    growing: set[str] = field(default_factory=set)
    """Sizes that go to infinity."""


def sort_statements(claim: Claim, reader: SymbolReader) -> ClaimStatements:
    """Each statement of a claim in its place."""
    parts = ClaimStatements()
    names = _names_of(claim)
    laws = [lone_symbol(one.left) for one in claim.premises if one.comparison == "~"]
    n_given, n_own = len(claim.premises), len(claim.relations)
    relations = (*claim.premises, *claim.statements, *claim.context)
    for place, relation in enumerate(relations):
        others = [one for at, one in enumerate(relations) if at != place]
        is_given = place < n_given
        into = parts if place < n_own else ClaimStatements()  # the i = j of another case says nothing here
        is_only_claim = bool(claim.premises) and claim.statements == (relation,) and relation.comparison in "<≤>≥"
        is_condition_on_letter = not is_only_claim and not _bounds_what_is_said(relation, others)
        if is_condition_on_letter and _is_condition(relation, reader, names, into, alone=not others):
            continue
        declared = _random_letter(relation, reader, others)
        if declared is not None and any(one.name == declared.name for one, _, _ in parts.definitions):
            declared = None  # x = μ + σ z ⇒ x ~ N(μ, σ² I) claims a law
        if declared is not None and (is_given or reader.spec(declared) is None):
            parts.declared.append((declared, relation))
            continue
        is_conclusion = bool(claim.premises) and not is_given and place < n_own
        found = _definition_of(relation, reader, parts, others, is_given=is_given)
        if found is not None and is_conclusion and not _defines_anew(found[0], relation, claim, reader, parts):
            found = None
        if found is not None and found[0] in laws:
            found = None  # ε ~ N(0, 1), x + y = ε: what is drawn is not defined
        if found is not None and _free_indices(found) & set(claim.universal):
            found = None  # s_a − s_i = Δ for all i says more than what Δ is
        if found is not None:
            parts.definitions.append((*found, relation))
        elif is_given:
            parts.premises.append(relation)
        elif place < n_own:
            parts.claims.append(relation)
    parts.distinct |= _distinct_by_laws(parts.declared) | _distinct_by_marks(
        names - set(claim.universal), reader.setting
    )
    return parts


def _bounds_what_is_said(relation: Relation, others: list[Relation]) -> bool:
    """Whether g > 0 bounds a letter that the claim draws or defines: such a g is no free letter to be moved."""
    if relation.comparison not in "<≤>≥":
        return False
    said = [lone_symbol(one.left) for one in others if one.comparison in "=~"]
    return isinstance(relation.left, Symbol) and relation.left in said


def _defines_anew(
    symbol: Symbol, relation: Relation, claim: Claim, reader: SymbolReader, parts: ClaimStatements
) -> bool:
    """Whether a conclusion defines: the query, or a letter on the left that what is given does not have.

    Else q = C k_a ⇒ α_a/α_b = C would set C.
    """
    if lone_symbol(relation.left) != symbol:
        return False
    found = reader.spec(symbol)
    if found is not None:
        leads_on = len(claim.statements) > 1 and not _speaks_of(claim.premises, found[0].name, reader)
        return (found[0].open and (leads_on or not parts.premises)) or _goes_with_given(found[0], claim, reader)
    return all(getattr(node, "name", None) != symbol.name for one in claim.premises for node in walk(one))


def _goes_with_given(spec: SymbolSpec, claim: Claim, reader: SymbolReader) -> bool:
    """k_i = μ_i for all i ≠ a, beside a k_a that is given and another claim: it says what the other keys are."""
    lone = [lone_symbol(one.left) for one in claim.premises if one.comparison == "="]
    given = [reader.spec(symbol) for symbol in lone if symbol is not None]
    is_beside = any(found is not None and found[0] is spec for found in given)
    return is_beside and reader.setting.is_random and spec.over is not None and len(claim.statements) > 1


def _speaks_of(relations: tuple[Relation, ...], name: str, reader: SymbolReader) -> bool:
    """Whether a statement has this symbol of the setting, or one that follows from it: α → 0 has no weight α_i."""
    found = with_dependents({name}, compile_setting(reader.setting).definitions)
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    specs = [reader.spec(symbol) for symbol in symbols]
    return any(spec is not None and spec[0].name in found for spec in specs)


def _free_indices(found: tuple[Symbol, Node]) -> set[str]:
    """The indices of a definition's body that neither its symbol nor a sum has."""
    symbol, body = found
    bound = {node.index for node in walk(body) if isinstance(node, SumOver)}
    words = {word for node in walk(body) if isinstance(node, Symbol) for word in node.subscripts}
    return words - bound - set(symbol.subscripts)


def _distinct_by_laws(declared: list[tuple[Symbol, Relation]]) -> set[tuple[str, str]]:
    """s_i ~ N(0, 1), s_j ~ N(0, 1): two laws are given to two members, so i and j differ."""
    indices = [
        (symbol.name, next((word for word in symbol.subscripts if word.islower()), "")) for symbol, _ in declared
    ]
    return {
        (one[1], other[1])
        for place, one in enumerate(indices)
        for other in indices[place + 1 :]
        if one[0] == other[0] and one[1] and other[1] and one[1] != other[1]
    }


NEXT_MARKS = ("c", "d", "e")
"""Letters that go on with marked indices: k_a, k_b and k_c are three keys."""


def _distinct_by_marks(names: set[str], setting: Setting) -> set[tuple[str, str]]:
    """q = C(k_a + k_b + k_c): c differs from the indices a and b that a setting marks, where it stands beside one."""
    marked = [one for one in setting.marked if one in names]
    if "a" not in marked:
        return set()
    others = [one for one in NEXT_MARKS if one in names]
    apart = [*marked, *others]
    return {(one, other) for place, one in enumerate(apart) for other in apart[place + 1 :] if other in others}


def _random_letter(relation: Relation, reader: SymbolReader, others: list[Relation]) -> Symbol | None:
    """The letter that `X ~ N(0, 1)` makes random; None where the setting says already what it is."""
    symbol = lone_symbol(relation.left) if relation.comparison == "~" else None
    if symbol is not None and _is_product(relation.left, others):
        return None
    found = reader.spec(symbol) if symbol is not None else None
    if symbol is None or (found is not None and (found[0].law is None or found[0].random or found[1])):
        return None
    return symbol


def _is_product(node: Node, others: list[Relation]) -> bool:
    """Whether Qx is Q times x: both are letters elsewhere in the claim, and Qx is none."""
    if not isinstance(node, OneOf):
        return False
    whole, product = node.readings[0], node.readings[-1]
    names = symbol_names(*others)
    factors = symbol_names(product)
    return isinstance(whole, Symbol) and bool(factors & names)


def _names_of(claim: Claim) -> set[str]:
    """All subscripts in a claim, of letters and of whole expressions."""
    nodes = [node for relation in (*claim.relations, *claim.context) for node in walk(relation)]
    entries = [
        one for node in nodes if isinstance(node, Call) and node.function == "entry" for one in node.arguments[1:]
    ]
    return {word for node in nodes for word in getattr(node, "subscripts", ())} | {
        one.name for one in entries if isinstance(one, Symbol)
    }


def _is_condition(
    relation: Relation, reader: SymbolReader, subscripts: set[str], parts: ClaimStatements, *, alone: bool
) -> bool:
    """Notes a condition; whether it was one."""
    left, right = relation.left, relation.right
    if relation.comparison == "≪" and isinstance(left, Call) and left.function in ("abs", "norm"):
        left = left.arguments[0]  # |x| ≪ 1 says that x → 0
    setting = reader.setting
    if not isinstance(left, Symbol) or left.subscripts or alone:
        return False
    if relation.comparison == "≠" and isinstance(right, Symbol) and not right.subscripts:
        if {left.name, right.name} <= subscripts | set(setting.marked) and not _is_known(reader, left):
            parts.distinct.add((left.name, right.name))
            return True
        return False
    if relation.comparison == "=" and isinstance(right, Symbol | Number) and not getattr(right, "subscripts", ()):
        index = right.name if isinstance(right, Symbol) else str(right.value)
        is_place = index in subscripts | set(setting.marked) if isinstance(right, Symbol) else index.isdecimal()
        if left.name in subscripts and is_place and not _is_known(reader, left):
            parts.same.add((left.name, index))
            return True
    if left.name in setting.size_names and _is_size_condition(reader, left, relation, parts):
        return True
    if not _is_scalar(reader, left):
        return False
    found = reader.spec(left)
    is_real = found is not None and found[0].law == "normal"  # its sign is no bound, and 0 has two sides
    if is_real and relation.comparison in "<≤>≥":
        return False
    before = parts.stated_limits.get(left.name)
    is_condition = _scalar_condition(left.name, relation.comparison, right, parts, is_real=is_real)
    if before not in (None, parts.stated_limits.get(left.name)):
        raise UnknownName(f"{left.name} goes to two places here: claim one limit at a time", relation.span)
    return is_condition


def _is_size_condition(reader: SymbolReader, symbol: Symbol, relation: Relation, parts: ClaimStatements) -> bool:
    """Notes n > 2, or n → ∞ where n is no letter for any number."""
    number = _written_number(relation.right)
    if number is not None and relation.comparison in "<≤>≥=≠":
        parts.sizes.append((symbol.name, relation.comparison, number))
        return True
    if relation.comparison == "→" and _is_infinity(relation.right) and reader.spec(symbol) is None:
        parts.growing.add(symbol.name)
        return True
    return False


def _scalar_condition(name: str, comparison: str, right: Node, parts: ClaimStatements, *, is_real: bool) -> bool:
    side, number = _side_and_number(right)
    if _is_infinity(right) and comparison in "→≈=":
        parts.stated_limits[name] = "large" if isinstance(right, Symbol) else "minus"
        return True
    if number is None:
        return False
    if side:
        is_scale = side == "above" and number == 0 and not is_real
        parts.stated_limits[name] = "small" if is_scale else f"{side} {number}"
    elif is_real and ((comparison == "→" and number == 0) or (comparison == "≪" and number == 1)):
        parts.stated_limits[name] = "at 0"
    elif comparison in "→≈" and number == 0:
        parts.stated_limits[name] = "small"
    elif comparison == "→":
        parts.stated_limits[name] = f"at {number}"
    elif comparison == "≫":
        parts.stated_limits[name] = "large"
    elif comparison == "≪":
        parts.stated_limits[name] = "small"
    elif comparison in ">≥" and number >= 0:
        parts.lower_bounds[name] = float(number)
    else:
        return False
    return True


def _is_infinity(node: Node) -> bool:
    """∞ or −∞."""
    inner = node.arguments[0] if isinstance(node, Call) and node.function == "negative" else node
    return isinstance(inner, Symbol) and inner.name == "infinity"


def _side_and_number(node: Node) -> tuple[str, Fraction | None]:
    """The side of 0⁺, and 0; of a number without a side, nothing and the number."""
    sides = {"rightof": "above", "leftof": "below"}
    if isinstance(node, Call) and node.function in sides:
        return sides[node.function], _written_number(node.arguments[0])
    return "", _written_number(node)


def _written_number(node: Node) -> Fraction | None:
    """A number as it stands: 2, −2 or 1/2."""
    match node:
        case Number():
            return node.value
        case Call(function="negative", arguments=(inner,)):
            value = _written_number(inner)
            return None if value is None else -value
        case Binary(operator="/"):
            top, below = _written_number(node.left), _written_number(node.right)
            return None if top is None or not below else top / below
    return None


def _is_known(reader: SymbolReader, symbol: Symbol) -> bool:
    return reader.spec(symbol) is not None or symbol.name in reader.setting.size_names


def _is_scalar(reader: SymbolReader, symbol: Symbol) -> bool:
    """A letter for any number, or a symbol that a limit may be taken in."""
    found = reader.spec(symbol)
    if found is not None:
        is_drawn = found[0].law in ("normal", "positive") and not found[0].random
        return found[0].limit is not None or (found[0].shape == (1, 1) and is_drawn)
    is_constant = symbol.name in {*reader.setting.size_names, *CONSTANT_NAMES}
    return reader.setting.free_large and not is_constant


def _definition_of(
    relation: Relation, reader: SymbolReader, parts: ClaimStatements, others: list[Relation], *, is_given: bool
) -> tuple[Symbol, Node] | None:
    """The symbol that a statement defines, and as what; from either side.

    What is given may also set a symbol that would be drawn otherwise: θ = 0.
    """
    if relation.comparison not in ("=", "≈"):
        return None
    done = {symbol for symbol, _, _ in parts.definitions}
    for written, given in ((relation.left, relation.right), (relation.right, relation.left)):
        side, body = written, given
        if isinstance(side, Call) and side.function == "negative":  # −q = x says that q = −x
            side, body = side.arguments[0], Call("negative", (body,), body.span)
        symbol = None if _is_product(side, others) else lone_symbol(side)
        if symbol is None or symbol in done or any(node == symbol for node in walk(body)):
            continue
        if speaks_of_one_place(symbol, relation, body, others) - set(reader.setting.marked):
            continue
        found = reader.spec(symbol)
        if found is not None and (found[0].open or (is_given and _can_be_set(*found))) and relation.comparison == "=":
            return symbol, body
        if found is not None and found[0].open and not is_given:
            return symbol, body
        is_pinned = found is not None and found[0].over is not None and reader.setting.is_random and bool(others)
        if is_pinned and found is not None and _can_be_set(*found) and relation.comparison == "=":
            return symbol, body  # k_a = 1.5 μ_a beside other statements says what the key is
        is_new = found is None and _is_new(reader, symbol) and relation.comparison == "="
        if is_new and any(node == symbol or _same_family(node, symbol) for other in others for node in walk(other)):
            return symbol, body
    return None


def _can_be_set(spec: SymbolSpec, rest: tuple[str, ...]) -> bool:
    """Whether a drawn symbol may be set as a whole; one with a law to keep (orthonormal, a distribution) may not."""
    if spec.over is not None:
        return spec.definition is not None and len(rest) == 1
    return spec.law in ("normal", "positive", "count") and not rest


def _same_family(node: Node, symbol: Symbol) -> bool:
    """δ_i and δ_j, δ_i and δ, p and p_i."""
    is_indexed = isinstance(node, Symbol) and bool(symbol.subscripts or node.subscripts)
    return is_indexed and isinstance(node, Symbol) and node.name == symbol.name


def _is_new(reader: SymbolReader, symbol: Symbol) -> bool:
    if symbol.name in {*reader.setting.size_names, *CONSTANT_NAMES}:
        return False
    return not any(symbol.name in spec.spellings for spec in reader.setting.symbols) or _is_numbered(symbol)


def _is_numbered(symbol: Symbol) -> bool:
    return bool(symbol.subscripts) and all(word.isdigit() for word in symbol.subscripts)
