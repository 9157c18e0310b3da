"""Definitions: those of a setting, and those of a claim, told apart from its conditions and from what is to be judged.

q = C(k_a + k_b)         q is open in the setting: a definition
t = ½(v_a + v_b); c ≈ t  t is no symbol of the setting but is used again: an abbreviation
i ≠ a,  n > 2,  C → ∞    conditions on an index, on sizes, on a letter that stands for any number
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from regard.claims.meaning.resolve import ZERO, TreeReader
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import (
    SCALAR,
    Dim,
    IllFormed,
    Shape,
    UnknownName,
    UnknownSize,
    describe,
    is_number,
    known_size,
    length_of,
    unify,
    unify_shapes,
)
from regard.claims.meaning.terms import Definition, Stack, Term, Zeros, symbols_defining, symbols_in, with_renamed_index
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Node, ReadingPath, Relation, Symbol, walk
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
    _refuse_cycles(setting, definitions)
    families = frozenset(spec.name for spec in setting.symbols if spec.over is not None)
    base = {spec.name for spec in setting.symbols if spec.random}
    return CompiledSetting(setting, definitions, families, frozenset(with_dependents(base, definitions)))


def _refuse_cycles(setting: Setting, definitions: dict[str, Definition]) -> None:
    """InputFileError where a symbol is defined by itself, at once or through others: nothing could compute it."""
    needs = {name: symbols_defining(one) & definitions.keys() for name, one in definitions.items()}
    for name in definitions:
        found, grown = set(needs[name]), True
        while grown:
            more = {other for one in found for other in needs[one]} - found
            found, grown = found | more, bool(more)
        if name in found:
            ring = ", ".join(sorted(one for one in found if name in needs[one] or one == name))
            raise InputFileError(f"{setting.name}: the definition of {name} leads back to itself (see {ring})")


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


def _setting_body(setting: Setting, spec: SymbolSpec, text: str, shape: Shape) -> Term:
    """The definition of a symbol, which must have the shape it says; the first reading that does is taken."""
    try:
        tree = parse(f"x = {text}").statements[0].right  # alpha would be a word, and all phrases looked for
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


def define(
    reader: TreeReader,
    compiled: CompiledSetting,
    symbol: Symbol,
    tree: Node,
    relation: Relation,
    *,
    others_than: tuple[str, ...] = (),
) -> bool:
    """Notes a definition; whether it is one: nothing is defined by what follows from it.

    `others_than`: members that it leaves as they are, the a of k_i = μ_i for all i ≠ a.
    Raises: IllFormed, UnknownName.
    """
    found = reader.spec(symbol)
    spec = found[0] if found is not None else None
    name, rest = (found[0].name, found[1]) if found is not None else _new_name(reader, symbol)
    is_member = len(rest) == 1 and (rest[0] in reader.setting.marked or rest[0].isdigit())
    if spec is not None and spec.over is not None and is_member:
        return _define_member(reader, compiled, spec, rest[0], tree, relation)
    if len(rest) > 1 or (rest and (rest[0] in reader.setting.marked or rest[0].isdigit())):
        raise UnknownName(f"a definition gives all of {name}, or its member of any index: {name}_i", symbol.span)
    index, size = (rest[0] if rest else None), UnknownSize()
    if index is not None and name in reader.local and not _has_index(tree, index):
        raise UnknownName(f"{name}_{index} is defined beside another {name}: write {name}_1 and {name}_2", symbol.span)
    body, shape = _body(reader, spec, tree, index, size)
    if symbols_in(body) & with_dependents({name}, {**compiled.definitions, **reader.local}):
        return False
    _check_shape(spec, shape, size, index, relation)
    whole = _whole(reader, spec, Definition(name, body, shape, index), size)
    known = reader.local.get(name) or compiled.definitions.get(name)
    if index is not None and known is not None and known.index is not None:
        for member in others_than:
            reader.local[name] = known = replace(known, special=_with_member(known, member))
    members = reader.local[name].special if index is not None and name in reader.local else ()
    reader.local[name] = replace(whole, special=members)  # k_a = 2 μ_a, k_i = μ_i for i ≠ a: k_a stays
    return True


def _with_member(known: Definition, member: str) -> tuple[tuple[str, Term], ...]:
    """The special members of a definition, with one more that stays as it was."""
    assert known.index is not None
    return tuple({member: with_renamed_index(known.body, known.index, member), **dict(known.special)}.items())


def _has_index(tree: Node, index: str) -> bool:
    """Whether a body differs from member to member: v_a = A x beside v_b = B y speaks of two members."""
    return any(isinstance(node, Symbol) and index in node.subscripts for node in walk(tree))


def _define_member(
    reader: TreeReader, compiled: CompiledSetting, spec: SymbolSpec, member: str, tree: Node, relation: Relation
) -> bool:
    """k_a = 1.5 μ_a sets one member of a family that follows from others; the rest stay as they are."""
    known = reader.local.get(spec.name) or compiled.definitions.get(spec.name)
    if known is None or known.index is None:
        return False
    body, shape = reader.read(tree)
    if symbols_in(body) & with_dependents({spec.name}, {**compiled.definitions, **reader.local}):
        return False
    if not unify_shapes(shape, spec.shape):
        raise IllFormed(f"{spec.name}_{member} is {describe(spec.shape)}, not {describe(shape)}", relation.span)
    if member.isdigit():
        reader.least_sizes.append((spec.over or reader.setting.counts, int(member)))
    special = {**dict(known.special), member: body}
    reader.local[spec.name] = Definition(
        known.symbol, known.body, known.shape, known.index, known.over, tuple(special.items())
    )
    reader.local_families.add(spec.name)
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
