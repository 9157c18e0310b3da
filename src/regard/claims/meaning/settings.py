"""Settings ready for use: found by name, with the definitions of their symbols resolved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from regard.claims.forks import Path as ReadingPath
from regard.claims.meaning.resolve import Reader
from regard.claims.meaning.resolved import Definition, Dim, Resolved, Stacked, mentioned
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import IllFormed, UnknownName, describe, fits
from regard.claims.setting_file import builtin_settings, read_setting
from regard.claims.syntax.grammar import parse
from regard.errors import InputFileError, NotUnderstood


@dataclass(frozen=True, eq=False)
class Compiled:
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
def compiled(setting: Setting) -> Compiled:
    """The setting with its definitions resolved.

    Raises: InputFileError where one of them cannot be read or has another shape than it says.
    """
    definitions = {}
    for spec in setting.symbols:
        if spec.law is None:
            definitions[spec.name] = _definition(setting, spec)
    families = frozenset(spec.name for spec in setting.symbols if spec.over is not None)
    base = {spec.name for spec in setting.symbols if spec.random}
    return Compiled(setting, definitions, families, frozenset(reaching(base, definitions)))


def reaching(base: set[str], definitions: dict[str, Definition]) -> set[str]:
    """The symbols in `base`, and all that follow from any of them."""
    found, grown = set(base), True
    while grown:
        more = {name for name, one in definitions.items() if name not in found and mentioned(one) & found}
        found, grown = found | more, bool(more)
    return found


def _definition(setting: Setting, spec: SymbolSpec) -> Definition:
    if spec.rows_of is not None:
        return Definition(spec.name, Stacked(spec.rows_of, "rows"), spec.shape)
    if spec.columns_of is not None:
        return Definition(spec.name, Stacked(spec.columns_of, "columns"), spec.shape)
    assert spec.definition is not None
    over: Dim | None = spec.over
    form = spec.shape
    if spec.each is not None and over is None:
        over = spec.shape[0] if spec.shape[0] != 1 else spec.shape[1]
        form = (1, 1)
    body = _body(setting, spec, spec.definition, form)
    special = tuple((name, _body(setting, spec, text, form)) for name, text in spec.special)
    return Definition(spec.name, body, spec.shape, spec.each, over, special)


def _body(setting: Setting, spec: SymbolSpec, text: str, form: tuple[int | str, int | str]) -> Resolved:
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
            if fits(found, form):
                return body
            message = message or f"it is {describe(found)}, not {describe(form)}"
        except (IllFormed, UnknownName) as error:
            message = message or str(error)
        path = path.next()
    raise InputFileError(f"{setting.name}: the definition of {spec.name} does not fit: {message}")
