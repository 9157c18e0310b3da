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
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from regard.claims.meaning.shapes import Dim
from regard.claims.syntax.grammar import parse_symbol
from regard.claims.syntax.printer import as_plain
from regard.display import short
from regard.errors import InputFileError

Size: TypeAlias = int | str
"""A size of a shape: 1, or a letter such as n."""

LAW_NAMES = (
    *("normal", "orthonormal", "positive", "count", "probabilities", "distribution", "one-hot", "noise"),
    *("symmetric", "definite", "semidefinite", "permutation", "projection"),
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
    def has_noisy_keys(self) -> bool:
        """Whether keys are drawn around means μ_i with covariances Σ_i, so that a claim may give them other laws."""
        specs = {spec.name: spec for spec in self.symbols}
        return {"k", "Sigma", "mu"} <= set(specs) and specs["k"].definition is not None

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
    used = {str(size) for size in (*shape, table.get("over", 1)) if not (type(size) is int and size == 1)}
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
