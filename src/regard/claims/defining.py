"""What a claim defines: q = C(k_a + k_b), p_i = 1/V, or an abbreviation of its own."""

from __future__ import annotations

from regard.claims.meaning.resolve import ZERO, Reader
from regard.claims.meaning.resolved import Definition, Form, Resolved, UnknownSize, Zeros, known, symbols_in
from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.settings import Compiled, reaching
from regard.claims.meaning.shapes import NUMBER, IllFormed, UnknownName, describe, fits, is_number, length_of, unify
from regard.claims.syntax.tree import Node, Relation, Symbol


def define(reader: Reader, compiled: Compiled, symbol: Symbol, tree: Node, relation: Relation) -> bool:
    """Notes a definition; whether it is one: nothing is defined by what follows from it.

    Raises: IllFormed, UnknownName.
    """
    found = reader.spec(symbol)
    spec = found[0] if found is not None else None
    name, rest = (found[0].name, found[1]) if found is not None else _new_name(reader, symbol)
    if len(rest) > 1 or (rest and (rest[0] in reader.setting.marked or rest[0].isdigit())):
        raise UnknownName(f"a definition gives all of {name}, or its member of any index: {name}_i", symbol.span)
    index, size = (rest[0] if rest else None), UnknownSize()
    body, form = _body(reader, spec, tree, index, size)
    if symbols_in(body) & reaching({name}, {**compiled.definitions, **reader.local}):
        return False
    _check_shape(spec, form, size, index, relation)
    reader.local[name] = _whole(reader, spec, Definition(name, body, form, index), size)
    return True


def _new_name(reader: Reader, symbol: Symbol) -> tuple[str, tuple[str, ...]]:
    """The name of a symbol that the setting does not have, and its indices: small letters that point nowhere yet."""
    is_index = [len(word) == 1 and word.islower() and word not in reader.setting.marked for word in symbol.subscripts]
    n_names = len(symbol.subscripts) - sum(is_index)
    return "_".join((symbol.name, *symbol.subscripts[:n_names])), symbol.subscripts[n_names:]


def _body(
    reader: Reader, spec: SymbolSpec | None, tree: Node, index: str | None, size: UnknownSize
) -> tuple[Resolved, Form]:
    """What the symbol, or its member of that index, stands for."""
    reader.bound = {index: size} if index is not None else {}
    body, form = reader.read(tree)
    reader.bound = {}
    if body == ZERO and spec is not None and index is None:
        return Zeros(spec.shape), spec.shape
    return body, form


def _check_shape(spec: SymbolSpec | None, form: Form, size: UnknownSize, index: str | None, relation: Relation) -> None:
    """An open symbol has the shape that the setting says, unless any will do."""
    if spec is None or spec.any_shape:
        return
    wanted: Form = spec.shape
    if index is not None and spec.over is None:
        wanted = NUMBER
        unify(size, length_of(spec.shape))
    if not fits(form, wanted):
        raise IllFormed(f"{spec.name} is {describe(wanted)}, but here it would be {describe(form)}", relation.span)


def _whole(reader: Reader, spec: SymbolSpec | None, member: Definition, size: UnknownSize) -> Definition:
    """The definition of the whole symbol: numbers of an index make a vector, vectors a family."""
    if member.index is None:
        return member
    if isinstance(known(size), UnknownSize):
        unify(size, reader.setting.counts)
    form = member.form
    if not is_number(form):
        reader.local_families.add(member.symbol)
    else:
        form = (1, size) if spec is not None and spec.shape[0] == 1 else (size, 1)
    return Definition(member.symbol, member.body, form, member.index, size)
