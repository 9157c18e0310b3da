"""Settings ready for use: found by name, with the definitions of their symbols resolved."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from regard.claims.meaning.laws import LAWS
from regard.claims.meaning.resolve import Reader
from regard.claims.meaning.resolved import Definition, Dim, Stack, Term, symbols_defining
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import IllFormed, UnknownName, describe, unify_shapes
from regard.claims.meaning.symbols import ReadingPath
from regard.claims.syntax.grammar import parse
from regard.errors import InputFileError, NotUnderstood

SYMBOL_KEYS = {one.name for one in fields(SymbolSpec)}
SETTING_KEYS = {one.name for one in fields(Setting)}
MAX_SIZE = 24
"""Of a size in a user's setting: claims are tried on small instances."""


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
    folder = files("regard.claims") / "builtin"
    return {
        name: setting_from_text((folder / f"{name}.toml").read_text(encoding="utf-8"), source=name) for name in _ORDER
    }


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
    symbols = tuple(_symbol(one, set(sizes[0]), source) for one in table.pop("symbols"))
    table["others"] = tuple(table.get("others", ()))
    table["marked"] = tuple(table.get("marked", ()))
    table["weights"] = tuple((weight, logits) for weight, logits in table.get("weights", ()))
    defaults = {"summary": "", "counts": next(iter(sizes[0])), "width": next(reversed(sizes[0]))}
    return Setting(**{**defaults, **table, "sizes": sizes, "symbols": symbols})


def _sizes(rows: Any, source: str) -> tuple[dict[str, int], ...]:
    if not isinstance(rows, list) or not rows:
        raise InputFileError(f"the setting {source} needs `sizes`, a list of tables such as {{ n = 3, d = 4 }}")
    for row in rows:
        if set(row) != set(rows[0]):
            raise InputFileError(f"all rows of `sizes` in {source} need the sizes {', '.join(rows[0])}; got {row}")
        if not all(isinstance(size, int) and 1 <= size <= MAX_SIZE for size in row.values()):
            raise InputFileError(f"sizes in {source} are whole numbers from 1 to {MAX_SIZE}; got {row}")
    return tuple(rows)


def _symbol(table: dict[str, Any], sizes: set[str], source: str) -> SymbolSpec:
    where = f"the symbol {table.get('name', '?')} of {source}"
    _refuse_unknown(table, SYMBOL_KEYS, where)
    if "name" not in table or "shape" not in table:
        raise InputFileError(f"{where} needs a name and a shape")
    shape = tuple(table["shape"])
    used = {*shape, table.get("over", 1)} - {1}
    if len(shape) != 2 or not used <= sizes:
        raise InputFileError(f"{where} needs a shape of two sizes out of 1, {', '.join(sorted(sizes))}; got {shape}")
    ways = [key for key in ("law", "definition", "rows_of", "columns_of") if key in table]
    if len(ways) != 1:
        raise InputFileError(f"{where} needs one of law and definition; got {', '.join(ways) or 'none'}")
    if "law" in table and table["law"] not in LAWS:
        raise InputFileError(f"{where} has the law {table['law']!r}; laws are {', '.join(LAWS)}")
    special = tuple(table.get("special", {}).items())
    written = tuple(table.get("written", ()))
    return SymbolSpec(**{"meaning": "", **table, "shape": shape, "special": special, "written": written})


def _refuse_unknown(table: dict[str, Any], keys: set[str], where: str) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:
        raise InputFileError(
            f"{where} has the key {unknown[0]!r}, which means nothing here; known: {', '.join(sorted(keys))}"
        )


@dataclass(frozen=True, eq=False)
class CompiledSetting:
    """A setting with its definitions resolved; `random` are the symbols that any random one is in."""

    setting: Setting
    definitions: dict[str, Definition]
    families: frozenset[str]
    random: frozenset[str]


def find_setting(name: str) -> Setting:
    """A setting by name, or from the TOML file of that path.

    Raises: InputFileError where there is neither.
    """
    settings = builtin_settings()
    if name in settings:
        return settings[name]
    if name.endswith(".toml"):
        return read_setting(Path(name))
    raise InputFileError(f"there is no setting {name!r}; there are {', '.join(settings)}, or give a .toml file")


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
    body = _body(setting, spec, spec.definition, shape)
    special = tuple((name, _body(setting, spec, text, shape)) for name, text in spec.special)
    return Definition(spec.name, body, spec.shape, spec.each, over, special)


def _body(setting: Setting, spec: SymbolSpec, text: str, shape: tuple[int | str, int | str]) -> Term:
    """The definition of a symbol, which must have the shape it says; the first reading that does is taken."""
    try:
        tree = parse(f"{spec.spellings[0]} = {text}").statements[0].right
    except NotUnderstood as error:
        raise InputFileError(f"{setting.name}: the definition of {spec.name} is not understood: {error}") from error
    path: ReadingPath | None = ReadingPath()
    message = ""
    while path is not None:
        reader = Reader(setting, path, bound={spec.each: spec.over or spec.shape[0]} if spec.each else {})
        try:
            body, found = reader.read(tree)
            if unify_shapes(found, shape):
                return body
            message = message or f"it is {describe(found)}, not {describe(shape)}"
        except (IllFormed, UnknownName) as error:
            message = message or str(error)
        path = path.next()
    raise InputFileError(f"{setting.name}: the definition of {spec.name} does not fit: {message}")
