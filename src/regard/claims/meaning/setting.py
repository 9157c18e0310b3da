"""What a claim stands in: symbols with shapes and laws, what it may define, and what its definitions are judged by.

A setting is data, read from TOML, for Regard's own settings and for a user's alike:

    name = "orthonormal-keys"           goal = 'c \\approx \\frac12(v_a + v_b)'
    [[symbols]]                         one table a symbol
    name = "k"
    over = "n"                          one member a key: k_i
    shape = ["d", 1]
    law = "orthonormal"                 how it is drawn (see `trial.draws`), or else
    definition = '...'                  how it follows from others, written as a claim would be
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from regard.claims.meaning.shapes import Dim
from regard.claims.syntax.grammar import parse, parse_symbol
from regard.claims.syntax.printer import as_plain, choose_reading
from regard.claims.syntax.tree import Claim, Node, OneOf, Relation, Symbol, children, walk
from regard.display import short
from regard.errors import InputFileError, NotUnderstood

Size: TypeAlias = int | str
"""A size of a shape: 1, or a letter such as n."""

LAW_NAMES = (
    *("normal", "orthonormal", "positive", "count", "probabilities", "distribution", "one-hot", "noise"),
    *("symmetric", "definite", "permutation"),
)
"""How a symbol may be drawn; `trial.draws` says what each law does."""


@dataclass(frozen=True)
class SymbolSpec:
    """One symbol of a setting.

    `shape`: rows and columns; a number is (1, 1), a vector is a column (d, 1); sizes may be open while a setting is
    inferred from a claim.
    `over`: it is a family, with one member for each of n; `shape` is that of a member.
    `law` or `definition`: how it is drawn, or how it follows from others. With `each`, the definition gives the member
    or entry of that index; `special` gives single ones another. `rows_of`: the matrix whose rows are a family;
    `columns_of`: the family of a matrix's columns.
    `group`: orthonormal symbols of one group are orthogonal to each other too.
    `written`: how it may be written, beside its name; with `indexed`, only with an index.
    `open`: a claim may define it. `any_shape`: with any shape.
    `random`: drawn anew in every sample; E and Var run over it.
    `limit`: "large" or "small" for a number that an approximation may send to ∞ or to 0.
    """

    name: str
    shape: tuple[Dim, Dim]
    meaning: str
    over: str | None = None
    law: str | None = None
    group: str | None = None
    definition: str | None = None
    each: str | None = None
    special: tuple[tuple[str, str], ...] = ()
    rows_of: str | None = None
    columns_of: str | None = None
    written: tuple[str, ...] = ()
    indexed: bool = False
    open: bool = False
    any_shape: bool = False
    random: bool = False
    limit: str | None = None
    hidden: bool = False

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way to write its name."""
        return self.written or (self.name,)


@dataclass(frozen=True, eq=False)
class Setting:
    """A named setting.

    `sizes`: rows of sizes to try, smallest first; a counterexample is looked for in this order, and the last row is
    the one that rates are given for. `marked`: indices with names, such as a and b, all different. `counts`: what an
    index without any other hint counts. `free_large`: whether another letter may stand for a large number.
    `others`: what definitions may reach instead of the goal; `answer`: definitions that reach it.
    `weights`: softmax weights and the logits they are of, (("alpha", "s"),), for the laws of `noise`.
    `width`: the size of an identity matrix that nothing else tells. `broadcasts`: whether a number may be added to a
    vector, as in softmax(x + c).
    """

    name: str
    summary: str
    symbols: tuple[SymbolSpec, ...]
    sizes: tuple[dict[str, int], ...]
    goal: str | None = None
    others: tuple[str, ...] = ()
    answer: str | None = None
    marked: tuple[str, ...] = ()
    counts: str = "n"
    width: str = "d"
    free_large: bool = False
    weights: tuple[tuple[str, str], ...] = ()
    broadcasts: bool = False

    def symbol(self, name: str) -> SymbolSpec:
        """The symbol of that name."""
        return next(spec for spec in self.symbols if spec.name == name)

    @property
    def size_names(self) -> tuple[str, ...]:
        """The letters of its sizes."""
        return tuple(self.sizes[0])

    @property
    def is_random(self) -> bool:
        """Whether anything in it is drawn anew in every sample."""
        return any(spec.random for spec in self.symbols)


SYMBOL_KEYS = {one.name: str(one.type) for one in fields(SymbolSpec)}
SETTING_KEYS = {one.name: str(one.type) for one in fields(Setting)}
"""What may stand in a table, and the annotation of its field."""

MAX_SIZE = 24
"""The largest size in a user's setting: claims are tried on small instances."""


def read_setting(path: Path) -> Setting:
    """A user's setting.

    Raises: InputFileError, saying what is wrong with which symbol.
    """
    try:
        return setting_from_text(path.read_text(encoding="utf-8"), source=str(path))
    except InputFileError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"cannot read the setting {path}: {error}") from error
    except (AttributeError, TypeError, ValueError) as error:  # a list where a text is expected, and the like
        raise InputFileError(f"the setting {path} is not written as settings are: {error}") from error


@cache
def builtin_settings() -> dict[str, Setting]:
    """Regard's own settings by name, in the order of a course."""
    return {name: _read_builtin(name) for name in _ORDER}


@cache
def _read_builtin(name: str) -> Setting:
    path = files("regard.claims") / "builtin" / f"{name}.toml"
    return setting_from_text(path.read_text(encoding="utf-8"), source=name)


_ORDER = (
    "attention",
    "orthonormal-keys",
    "two-subspaces",
    "noisy-keys",
    "magnitude-noise",
    "two-heads",
    "two-heads-magnitude",
    "softmax-cross-entropy",
    "one-hidden-layer",
    "perplexity",
)


def setting_from_text(text: str, *, source: str) -> Setting:
    """A setting from the text of a TOML file."""
    try:
        table = tomllib.loads(text)
    except ValueError as error:  # tomllib's own error is a ValueError, and so is a number of too many digits
        raise InputFileError(f"the setting {source} is no TOML: {error}") from error
    except RecursionError as error:
        raise InputFileError(f"the setting {source} is nested too deeply; write it flatter") from error
    for key in ("name", "sizes", "symbols"):
        if key not in table:
            raise InputFileError(f"the setting {source} has no `{key}`; it needs name, sizes and symbols")
    _refuse_unknown(table, SETTING_KEYS, f"the setting {source}")
    sizes = _sizes(table.pop("sizes"), source)
    if not isinstance(table["symbols"], list) or not all(isinstance(one, dict) for one in table["symbols"]):
        raise InputFileError(f"the setting {source} needs `symbols`, a table [[symbols]] for each of them")
    symbols = tuple(_symbol(one, set(sizes[0]), source) for one in table.pop("symbols"))
    table["others"] = tuple(table.get("others", ()))
    table["marked"] = tuple(table.get("marked", ()))
    table["weights"] = tuple(tuple(pair) for pair in table.get("weights", ()))
    if any(len(pair) != 2 for pair in table["weights"]):
        raise InputFileError(f"`weights` in {source} are pairs of names, such as [['alpha', 's']]")
    defaults = {"summary": "", "counts": next(iter(sizes[0])), "width": next(reversed(sizes[0]))}
    return Setting(**{**defaults, **table, "sizes": sizes, "symbols": symbols})


def _sizes(rows: Any, source: str) -> tuple[dict[str, int], ...]:
    if not isinstance(rows, list) or not rows:
        raise InputFileError(f"the setting {source} needs `sizes`, a list of tables such as {{ n = 3, d = 4 }}")
    for row in rows:
        if not isinstance(row, dict) or not row:
            raise InputFileError(f"each row of `sizes` in {source} is a table such as {{ n = 3, d = 4 }}; got {row!r}")
        if set(row) != set(rows[0]):
            raise InputFileError(f"all rows of `sizes` in {source} need the sizes {', '.join(rows[0])}; got {row}")
        if not all(type(size) is int and 1 <= size <= MAX_SIZE for size in row.values()):
            raise InputFileError(f"sizes in {source} are whole numbers from 1 to {MAX_SIZE}; got {row}")
    return tuple(rows)


def _symbol(table: dict[str, Any], sizes: set[str], source: str) -> SymbolSpec:
    where = f"the symbol {table.get('name', '?')} of {source}"
    _refuse_unknown(table, SYMBOL_KEYS, where)
    if "name" not in table or "shape" not in table:
        raise InputFileError(f"{where} needs a name and a shape")
    shape = tuple(table["shape"]) if isinstance(table["shape"], list) else ()
    used = {str(size) for size in (*shape, table.get("over", 1)) if size != 1}
    if len(shape) != 2 or not used <= sizes:
        raise InputFileError(f"{where} needs a shape of two sizes out of 1, {', '.join(sorted(sizes))}; got {shape}")
    ways = [key for key in ("law", "definition", "rows_of", "columns_of") if key in table]
    if len(ways) != 1:
        raise InputFileError(f"{where} needs one of law and definition; got {', '.join(ways) or 'none'}")
    if "law" in table and table["law"] not in LAW_NAMES:
        raise InputFileError(f"{where} has the law {table['law']!r}; laws are {', '.join(LAW_NAMES)}")
    special = tuple(dict(table.get("special", {})).items())
    if not all(isinstance(text, str) for pair in special for text in pair):
        raise InputFileError(f"{where}: `special` must give single members a definition each, as texts in quotes")
    written = tuple(table.get("written", ()))
    return SymbolSpec(**{"meaning": "", **table, "shape": shape, "special": special, "written": written})


def _refuse_unknown(table: dict[str, Any], keys: dict[str, str], where: str) -> None:
    """Refuse keys that mean nothing, and values of another type than their field has."""
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise InputFileError(
            f"{where} has the key {unknown[0]!r}, which means nothing here; known: {', '.join(sorted(keys))}"
        )
    for name, value in table.items():
        wanted = keys[name]
        if wanted.startswith("str") and not isinstance(value, str):
            raise InputFileError(f"{where}: `{name}` must be a text in quotes; got {short(value)}")
        if wanted == "bool" and not isinstance(value, bool):
            raise InputFileError(f"{where}: `{name}` must be true or false; got {short(value)}")
        if wanted == "tuple[str, ...]" and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            raise InputFileError(f"{where}: `{name}` must be a list of texts; got {short(value)}")
        if wanted.startswith("tuple[tuple[str, str]") and not isinstance(value, list | dict):
            raise InputFileError(f"{where}: `{name}` must hold pairs of texts; got {short(value)}")


def find_setting(name: str) -> Setting:
    """A setting by name, or from the TOML file of that path.

    Raises: InputFileError where there is neither.
    """
    if name in _ORDER:
        return _read_builtin(name)  # and not the others, which takes as long as a claim
    if name.endswith(".toml"):
        return read_setting(Path(name))
    raise InputFileError(f"there is no setting {name!r}; there are {', '.join(_ORDER)}, or give a .toml file")


GENERIC = frozenset("ABMXYZabcdhkmnpqstuvwxyzGHJLVNPQRSTUW")
"""Letters that anybody may mean anything by: they alone do not tell a setting."""


def choose_setting(text: str) -> Setting:
    """The first of Regard's settings in which the fewest letters of a claim are unknown."""
    return recognise_setting(text)[0]


def recognise_setting(text: str) -> tuple[Setting, bool, tuple[Relation, ...]]:
    """The setting that knows most letters of a claim, and whether it is surely meant.

    It is where it knows all letters but those for any number, and one of them is not just any letter. Last come the
    statements in which the claim says itself what a letter of the setting is: it is meant only if they are true there.
    """
    try:
        claim = parse(text)
    except NotUnderstood:
        return next(iter(builtin_settings().values())), False, ()
    relations = [relation for one in (claim, *claim.more) for relation in one.relations]
    letters = set(_letters(relations))
    chosen = min(builtin_settings().values(), key=lambda setting: len(letters - _known_letters(setting)))
    known = _known_letters(chosen)
    families = {spec.name for spec in chosen.symbols if spec.over}
    unknown = letters - known - set(chosen.size_names) - CONSTANT_NAMES
    unknown = {name for name in unknown if not (name[-1:].isdigit() and name.partition("_")[0] in families)}  # v_1
    telling = {name for name in letters & known if name not in GENERIC} | (_indexed_letters(relations) & known)
    is_known = unknown <= SCALES if chosen.free_large else not unknown
    is_sure = is_known and (bool(telling) or all(_defines(chosen, relation) for relation in relations))
    return chosen, is_sure, redefinitions(chosen, claim)


def settings_knowing(text: str) -> list[Setting]:
    """The settings that know the letters of a claim, but those for any number and at most one of the claim's own."""
    try:
        claim = parse(text)
    except NotUnderstood:
        return []
    relations = [relation for one in (claim, *claim.more) for relation in one.relations]
    nodes = [node for relation in relations for node in walk(relation) if isinstance(node, Symbol)]
    said = {one.right.name for one in relations if one.comparison == "is" and isinstance(one.right, Symbol)}
    letters = set(_letters(relations)) - {word for node in nodes for word in node.subscripts} - said
    indexed = _indexed_letters(relations)
    found = []
    for setting in builtin_settings().values():
        known = _known_letters(setting)
        unknown = letters - known - set(setting.size_names) - CONSTANT_NAMES
        unknown = {name for name in unknown if not (name.isalpha() and set(name) <= known)}  # AA is A times A
        unknown -= SCALES if setting.free_large else set()
        telling = {name for name in letters & known if name not in GENERIC} | (indexed & known)
        if telling and len(letters & known) > len(unknown) and len(unknown) <= 1:
            found.append(setting)
    return found


def redefinitions(setting: Setting, claim: Claim) -> tuple[Relation, ...]:
    """What a claim says itself of letters that the setting gives a meaning: L = −log p_k, s = v_a + v_b."""
    fixed = {name for spec in setting.symbols if spec.law is None and not spec.over for name in spec.spellings}
    drawn = {name for spec in setting.symbols if spec.law is not None and not spec.over for name in spec.spellings}
    families = {name for spec in setting.symbols if spec.law is None and spec.over for name in spec.spellings}
    everything = _known_letters(setting) | set(setting.size_names) | CONSTANT_NAMES | SCALES
    found = []
    for relation in (*claim.premises, *(claim.statements[:-1] if not claim.premises else ())):
        left = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
        known = fixed if relation.comparison == "=" else fixed | drawn if relation.comparison == "~" else set()
        if not isinstance(left, Symbol):
            continue
        own = {_key(node) for node in walk(relation.right) if isinstance(node, Symbol)} - everything
        is_family = relation.comparison == "=" and left.name in families and bool(left.subscripts) and bool(own)
        if is_family or (not left.subscripts and _key(left) in known):
            found.append(relation)
    return tuple(found)


SCALES = frozenset({"C", "C_1", "C_2", "c", "beta", "lambda", "gamma", "tau", "t", "epsilon", "kappa", "S", "B"})
"""Letters for a number that any setting with a large or small one may have."""


def _indexed_letters(relations: Sequence[Relation]) -> set[str]:
    """Letters with an index that is no number: k_a, v_i."""
    nodes = [node for relation in relations for node in walk(relation) if isinstance(node, Symbol)]
    return {_key(node) for node in nodes if any(not word.isdecimal() for word in node.subscripts)}


def _defines(setting: Setting, relation: Relation) -> bool:
    """Whether a relation defines what a claim in this setting is to find."""
    left = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
    names = {name for spec in setting.symbols if spec.open for name in spec.spellings}
    return isinstance(left, Symbol) and relation.comparison == "=" and _key(left) in names


CONSTANT_NAMES = frozenset({"e", "pi", "infinity", "I", "ones"})


def _letters(nodes: Sequence[Node | Relation]) -> Iterator[str]:
    """The names in a claim, in the reading that would be shown."""
    for node in nodes:
        if isinstance(node, Symbol):
            yield _key(node)
        else:
            yield from _letters([choose_reading(node)] if isinstance(node, OneOf) else children(node))


def _key(symbol: Symbol) -> str:
    """A name, and a number below it: q_1 is another letter than q, but k_a is one of the k."""
    return "_".join([symbol.name, *filter(str.isdecimal, symbol.subscripts)])


@cache
def _known_letters(setting: Setting) -> frozenset[str]:
    return frozenset(_key(parse_symbol(name)) for spec in setting.symbols for name in spec.spellings)


def symbol_rows(setting: Setting) -> list[list[str]]:
    """Each symbol as it is written, its shape, and what it is."""
    return [
        [_format_spellings(spec), _format_shape(spec), _format_meaning(spec)]
        for spec in setting.symbols
        if not spec.hidden
    ]


def _format_shape(spec: SymbolSpec) -> str:
    return "number" if spec.shape == (1, 1) else f"{spec.shape[0]} × {spec.shape[1]}"


def _format_spellings(spec: SymbolSpec) -> str:
    names = [as_plain(parse_symbol(name)) for name in spec.spellings]
    return ", ".join(f"{name}_i" if spec.over else name for name in names)


def _format_meaning(spec: SymbolSpec) -> str:
    return f"{spec.meaning} (may be defined)" if spec.open else spec.meaning
