"""Definitions: those of a setting, and those of a claim, told apart from its conditions and from what is to be judged.

q = C(k_a + k_b)         q is open in the setting: a definition
t = ½(v_a + v_b); c ≈ t  t is no symbol of the setting but is used again: an abbreviation
i ≠ a,  n > 2,  C → ∞    conditions on an index, on sizes, on a letter that stands for any number
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from regard.claims.meaning.resolve import ZERO, SymbolReader, TreeReader
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.terms import (
    SCALAR,
    Definition,
    Dim,
    IllFormed,
    Shape,
    Stack,
    Term,
    UnknownName,
    UnknownSize,
    Zeros,
    describe,
    is_number,
    known_size,
    length_of,
    symbols_defining,
    symbols_in,
    unify,
    unify_shapes,
)
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Claim, Node, Number, OneOf, ReadingPath, Relation, Symbol, walk
from regard.errors import InputFileError, NotUnderstood


@dataclass(frozen=True, eq=False)
class CompiledSetting:
    """A setting with its definitions resolved; `random` are the symbols that any random one is in."""

    setting: Setting
    definitions: dict[str, Definition]
    families: frozenset[str]
    random: frozenset[str]


@lru_cache(maxsize=64)
def compile_setting(setting: Setting) -> CompiledSetting:
    """The setting with its definitions resolved.

    Raises: InputFileError where one of them cannot be read or has another shape than it says.
    """
    definitions = {}
    for spec in setting.symbols:
        if spec.law is None:
            definitions[spec.name] = _definition(setting, spec)
    families = frozenset(spec.name for spec in setting.symbols if spec.over is not None)
    base = {spec.name for spec in setting.symbols if spec.random}
    return CompiledSetting(setting, definitions, families, frozenset(with_dependents(base, definitions)))


def with_dependents(base: set[str], definitions: dict[str, Definition]) -> set[str]:
    """The symbols in `base`, and all that follow from any of them."""
    found, grown = set(base), True
    while grown:
        more = {name for name, one in definitions.items() if name not in found and symbols_defining(one) & found}
        found, grown = found | more, bool(more)
    return found


def _definition(setting: Setting, spec: SymbolSpec) -> Definition:
    if spec.rows_of is not None:
        return Definition(spec.name, Stack(spec.rows_of, "rows"), spec.shape)
    if spec.columns_of is not None:
        return Definition(spec.name, Stack(spec.columns_of, "columns"), spec.shape)
    assert spec.definition is not None
    over: Dim | None = spec.over
    shape = spec.shape
    if spec.each is not None and over is None:
        over = spec.shape[0] if spec.shape[0] != 1 else spec.shape[1]
        shape = (1, 1)
    body = _setting_body(setting, spec, spec.definition, shape)
    special = tuple((name, _setting_body(setting, spec, text, shape)) for name, text in spec.special)
    return Definition(spec.name, body, spec.shape, spec.each, over, special)


def _setting_body(setting: Setting, spec: SymbolSpec, text: str, shape: tuple[int | str, int | str]) -> Term:
    """The definition of a symbol, which must have the shape it says; the first reading that does is taken."""
    try:
        tree = parse(f"{spec.spellings[0]} = {text}").statements[0].right
    except NotUnderstood as error:
        raise InputFileError(f"{setting.name}: the definition of {spec.name} is not understood: {error}") from error
    path: ReadingPath | None = ReadingPath()
    message = ""
    while path is not None:
        reader = TreeReader(setting, path, bound={spec.each: spec.over or spec.shape[0]} if spec.each else {})
        try:
            body, found = reader.read(tree)
            if unify_shapes(found, shape):
                return body
            message = message or f"it is {describe(found)}, not {describe(shape)}"
        except (IllFormed, UnknownName) as error:
            message = message or str(error)
        path = path.next()
    raise InputFileError(f"{setting.name}: the definition of {spec.name} does not fit: {message}")


def define(reader: TreeReader, compiled: CompiledSetting, symbol: Symbol, tree: Node, relation: Relation) -> bool:
    """Notes a definition; whether it is one: nothing is defined by what follows from it.

    Raises: IllFormed, UnknownName.
    """
    found = reader.spec(symbol)
    spec = found[0] if found is not None else None
    name, rest = (found[0].name, found[1]) if found is not None else _new_name(reader, symbol)
    if len(rest) > 1 or (rest and (rest[0] in reader.setting.marked or rest[0].isdigit())):
        raise UnknownName(f"a definition gives all of {name}, or its member of any index: {name}_i", symbol.span)
    index, size = (rest[0] if rest else None), UnknownSize()
    body, shape = _body(reader, spec, tree, index, size)
    if symbols_in(body) & with_dependents({name}, {**compiled.definitions, **reader.local}):
        return False
    _check_shape(spec, shape, size, index, relation)
    reader.local[name] = _whole(reader, spec, Definition(name, body, shape, index), size)
    return True


def _new_name(reader: TreeReader, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    """The name of a symbol that the setting does not have, and its indices: small letters that point nowhere yet."""
    is_index = [len(word) == 1 and word.islower() and word not in reader.setting.marked for word in symbol.subscripts]
    n_names = len(symbol.subscripts) - sum(is_index)
    return "_".join((symbol.name, *symbol.subscripts[:n_names])), symbol.subscripts[n_names:]


def _body(
    reader: TreeReader, spec: SymbolSpec | None, tree: Node, index: str | None, size: UnknownSize
) -> tuple[Term, Shape]:
    """What the symbol, or its member of that index, stands for."""
    reader.bound = {index: size} if index is not None else {}
    body, shape = reader.read(tree)
    reader.bound = {}
    if body == ZERO and spec is not None and index is None:
        return Zeros(spec.shape), spec.shape
    return body, shape


def _check_shape(
    spec: SymbolSpec | None, shape: Shape, size: UnknownSize, index: str | None, relation: Relation
) -> None:
    """An open symbol has the shape that the setting says, unless any will do."""
    if spec is None or spec.any_shape:
        return
    wanted: Shape = spec.shape
    if index is not None and spec.over is None:
        wanted = SCALAR
        unify(size, length_of(spec.shape))
    if not unify_shapes(shape, wanted):
        raise IllFormed(f"{spec.name} is {describe(wanted)}, but here it would be {describe(shape)}", relation.span)


def _whole(reader: TreeReader, spec: SymbolSpec | None, member: Definition, size: UnknownSize) -> Definition:
    """The definition of the whole symbol: numbers of an index make a vector, vectors a family."""
    if member.index is None:
        return member
    if isinstance(known_size(size), UnknownSize):
        unify(size, reader.setting.counts)
    shape = member.shape
    if not is_number(shape):
        reader.local_families.add(member.symbol)
    else:
        shape = (1, size) if spec is not None and spec.shape[0] == 1 else (size, 1)
    return Definition(member.symbol, member.body, shape, member.index, size)


CONSTANTS = frozenset({"e", "pi", "infinity", "I", "ones"})


@dataclass
class ClaimStatements:
    """The statements of a claim, sorted; `stated_limits` and `lower_bounds` are conditions on letters."""

    definitions: list[tuple[Symbol, Node, Relation]] = field(default_factory=list)
    claims: list[Relation] = field(default_factory=list)
    distinct: set[tuple[str, str]] = field(default_factory=set)
    sizes: list[tuple[str, str, Fraction]] = field(default_factory=list)
    stated_limits: dict[str, str] = field(default_factory=dict)
    lower_bounds: dict[str, float] = field(default_factory=dict)


def sort_statements(claim: Claim, reader: SymbolReader) -> ClaimStatements:
    """Each statement of a claim in its place."""
    parts = ClaimStatements()
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


def _is_condition(
    relation: Relation, reader: SymbolReader, subscripts: set[str], parts: ClaimStatements, *, alone: bool
) -> bool:
    """Notes a condition; whether it was one."""
    left, right = relation.left, relation.right
    setting = reader.setting
    if not isinstance(left, Symbol) or left.subscripts or alone:
        return False
    if relation.comparison == "≠" and isinstance(right, Symbol) and not right.subscripts:
        if {left.name, right.name} <= subscripts | set(setting.marked) and not _is_known(reader, left):
            parts.distinct.add((left.name, right.name))
            return True
        return False
    number = _written_number(right)
    if left.name in setting.size_names and number is not None and relation.comparison in "<≤>≥=≠":
        parts.sizes.append((left.name, relation.comparison, number))
        return True
    return _is_scalar(reader, left) and _scalar_condition(left.name, relation.comparison, right, number, parts)


def _scalar_condition(name: str, comparison: str, right: Node, number: Fraction | None, parts: ClaimStatements) -> bool:
    if isinstance(right, Symbol) and right.name == "infinity" and comparison in "→≈=":
        parts.stated_limits[name] = "large"
        return True
    if number is None:
        return False
    if comparison in "→≈" and number == 0:
        parts.stated_limits[name] = "small"
    elif comparison == "≫":
        parts.stated_limits[name] = "large"
    elif comparison == "≪":
        parts.stated_limits[name] = "small"
    elif comparison in ">≥" and number >= 0:
        parts.lower_bounds[name] = float(number)
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
    relation: Relation, reader: SymbolReader, parts: ClaimStatements, others: list[Relation]
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
