"""A setting made from a claim alone: each letter is a number, a vector, a matrix or a distribution, as its use tells.

Every letter has some kinds that it may be, most usual first; the cheapest choice in which all shapes fit is taken.
Sizes are left open meanwhile, so that A x of any sizes stays as general as it was written; those that must be equal get
one letter. What was guessed is noted.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from regard.claims.meaning.definitions import CompiledSetting
from regard.claims.meaning.kinds import possible_kinds
from regard.claims.meaning.recognition import SCALES
from regard.claims.meaning.setting import Setting, SymbolSpec
from regard.claims.meaning.shapes import Dim, IllFormed, Shape, UnknownName, UnknownSize, known_size
from regard.claims.meaning.statements import GoalMissed, interpret_claim
from regard.claims.meaning.symbols import SMALL_LETTERS
from regard.claims.meaning.usage import (
    SIZE_LETTERS,
    Usage,
    find_usages,
    has_words,
    letters_with_definition,
    size_letters,
)
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.tree import Binary, Call, Claim, OneOf, ReadingPath, Symbol, symbol_names, walk

NAME = "general"
NUMBER_FUNCTIONS = frozenset({"E", "Var", "Std", "Cov"})
LARGE_LETTERS = frozenset({"C", "beta", "lambda", "kappa", "t"})
POSITIVE_LETTERS = frozenset({"sigma", "tau", "T", "d"})
"""Letters that nobody writes for a negative number: deviations, temperatures, widths."""
MAX_CHOICES = 160
MAX_EXTENSIONS = 16
MAX_PATHS = 12
ROWS = {
    0: ({"n": 2}, {"n": 3}, {"n": 4}),
    1: ((2,), (1,), (3,), (6,)),
    2: ((2, 1), (3, 2), (2, 3), (5, 3)),
    3: ((2, 1, 1), (3, 2, 2), (2, 3, 4), (5, 3, 2)),
}
KINDS = {
    "number": "a number",
    "vector": "a vector",
    "matrix": "a matrix",
    "distribution": "a distribution",
    "family": "several vectors",
    "numbers": "several numbers",
}


def extend_setting(claim: Claim, base: CompiledSetting) -> Setting | None:
    """The setting with the claim's own letters, as they are used; None where it has none or shapes never fit."""
    known = {name.split("_")[0] for spec in base.setting.symbols for name in spec.spellings}
    usages = {
        name: usage
        for name, usage in find_usages(claim).items()
        if name.split("_")[0] not in known
        and name not in base.setting.size_names
        and not (base.setting.free_large and name in SCALES and usage.n_indices == {0} and not usage.transposed)
    }
    own = letters_with_definition(claim)
    letters = {name: possible_kinds(name, usage) for name, usage in usages.items() if name not in own}
    is_vector = {name for name, usage in usages.items() if usage.transposed or usage.after_transpose}
    is_plain = is_vector | _summands(claim, known)
    if not letters or has_words(claim) or not all(one in is_plain or _is_introduced(claim, one) for one in letters):
        return None
    for _, kinds in islice(_choices(letters), MAX_EXTENSIONS):
        fits, setting = _fit(claim, usages, kinds, [], base)
        if fits:
            return setting
    return None


def _summands(claim: Claim, known: set[str]) -> set[str]:
    """Letters that are added to one of the known letters, as u of q + u: they are of its kind."""
    sums = [
        (node.left, node.right)
        for relation in claim.relations
        for node in walk(relation)
        if isinstance(node, Binary) and node.operator in "+-"
    ]
    pairs = [pair for pair in sums if all(isinstance(one, Symbol) and not one.subscripts for one in pair)]
    return {
        getattr(one, "name", "")
        for left, right in pairs
        for one, other in ((left, right), (right, left))
        if getattr(other, "name", "") in known
    }


def tall_letters(claim: Claim) -> set[str]:
    """Letters such as A of (Aᵀ A)⁻¹ in what is given: people write this for a matrix that is not square."""
    found = set()
    for relation in claim.premises:
        for node in walk(relation):
            if isinstance(node, Call) and node.function == "inverse":
                inner = node.arguments[0].readings[0] if isinstance(node.arguments[0], OneOf) else node.arguments[0]
                if (
                    isinstance(inner, Binary)
                    and isinstance(inner.left, Call)
                    and inner.left.arguments == (inner.right,)
                ):
                    found.add(getattr(inner.right, "name", ""))
    return found


def _with_tall(setting: Setting, tall: set[str]) -> Setting:
    """The setting with these matrices not square, so that it can be said what does not fit."""
    spare = next(name for name in SIZE_LETTERS if name not in setting.size_names)
    symbols = tuple(
        replace(spec, shape=(spec.shape[0], spare)) if spec.name in tall else spec for spec in setting.symbols
    )
    rows = tuple({**row, spare: max(1, min(row.values()) - 1)} for row in setting.sizes)
    return replace(setting, symbols=symbols, sizes=rows)


def _is_introduced(claim: Claim, name: str) -> bool:
    """Whether the claim says something of a letter: in what is given, after `for all`, or on both sides."""
    given = symbol_names(*claim.premises)
    if name.split("_", maxsplit=1)[0] in given | set(claim.universal):
        return True
    sides = [[walk(one.left), walk(one.right)] for one in claim.statements]
    return any(
        all(any(isinstance(node, Symbol) and node.name == name for node in side) for side in pair) for pair in sides
    )


def infer_settings(claim: Claim) -> Iterator[tuple[int, Setting]]:
    """Settings in which the claim is well-formed, the most usual meaning of its letters first; else that meaning.

    Each comes with what its guesses cost: 0 where every letter is what it is used as most.
    """
    if has_words(claim):
        return
    usages = find_usages(claim)
    sizes = size_letters(claim, usages)
    own = letters_with_definition(claim)
    letters = {
        name: possible_kinds(name, usage)
        for name, usage in usages.items()
        if name not in sizes and name not in own and not _is_entry(name, own, claim)
    }
    tall = tall_letters(claim)
    first: Setting | None = None
    n_found = 0
    for cost, kinds in _choices(letters):
        found, setting = _fit(claim, usages, kinds, sizes)
        first = first or setting
        if found and any(spec.name in tall and spec.shape[0] == spec.shape[1] for spec in setting.symbols):
            yield cost, _with_tall(setting, tall)  # only if A were square would shapes fit, and Aᵀ A need no inverse
            return
        if found:
            n_found += 1
            yield cost, setting
    if not n_found and first is not None:
        yield 0, first  # so that it can be said what does not fit


def _is_entry(name: str, own: set[str], claim: Claim) -> bool:
    """Whether w_1 is an entry of a w that the claim defines as a whole."""
    base, _, digits = name.rpartition("_")
    if base not in own or not digits.isdigit():
        return False
    relations = [relation for part in (claim, *claim.more) for relation in part.relations]
    lefts = [one.left.readings[0] if isinstance(one.left, OneOf) else one.left for one in relations]
    return any(isinstance(left, Symbol) and left.name == base and not left.subscripts for left in lefts)


def _choices(letters: dict[str, list[tuple[int, str]]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every choice of kinds with what it costs, cheapest first."""
    names = list(letters)
    start = (0,) * len(names)

    def cost(places: tuple[int, ...]) -> int:
        return sum(letters[name][place][0] for name, place in zip(names, places, strict=True))

    queue, seen = [(cost(start), start)], {start}
    for _ in range(MAX_CHOICES):
        if not queue:
            return
        paid, places = heapq.heappop(queue)
        kinds = {name: letters[name][place][1] for name, place in zip(names, places, strict=True)}
        if _siblings_agree(kinds):
            yield paid, kinds
        for at, name in enumerate(names):
            if places[at] + 1 < len(letters[name]):
                following = (*places[:at], places[at] + 1, *places[at + 1 :])
                if following not in seen:
                    seen.add(following)
                    heapq.heappush(queue, (cost(following), following))


_NUMBERED = re.compile(r"(?P<stem>.+)_\d")


def _siblings_agree(kinds: dict[str, str]) -> bool:
    """Whether letters that differ in a number only are of one kind: q_1 and q_2, two vectors or two numbers."""
    found: dict[str, str] = {}
    numbered = [(match["stem"], kind) for name, kind in kinds.items() if (match := _NUMBERED.fullmatch(name))]
    return all(found.setdefault(stem, kind) == kind for stem, kind in numbered)


# How letters are used


# Shapes


def _fit(
    claim: Claim,
    usages: dict[str, Usage],
    kinds: dict[str, str],
    sizes: list[str],
    base: CompiledSetting | None = None,
) -> tuple[bool, Setting]:
    """Whether shapes fit with these kinds, and the setting with its open sizes settled."""
    open_sizes: list[UnknownSize] = []

    def fresh() -> UnknownSize:
        open_sizes.append(UnknownSize(plural=True))
        return open_sizes[-1]

    specs = [_spec(name, kinds[name], usages[name], fresh) for name in kinds]
    if base is not None:
        counted = [replace(spec, over=base.setting.counts) if spec.over else spec for spec in specs]
        setting = replace(base.setting, symbols=(*base.setting.symbols, *counted))
        fits = all(_is_well_formed(one, setting, base) for one in (claim, *claim.more))
        return fits, _settle_in(setting, base.setting.width)
    names = list(dict.fromkeys([*sizes, "n", "d"]))
    counts = sizes[0] if sizes else "n"
    rows = (dict.fromkeys(names, 2),)
    setting = Setting(NAME, "", tuple(specs), rows, counts=counts, width="d", broadcasts=True)
    fits = all(_is_well_formed(one, setting) for one in (claim, *claim.more))
    return fits, _settle(setting, sizes, kinds)


def _settle_in(setting: Setting, width: str) -> Setting:
    """The setting with every open size set to its width."""

    def settle(size: Dim) -> Dim:
        known = known_size(size)
        return width if isinstance(known, UnknownSize) else known

    return replace(
        setting,
        symbols=tuple(replace(spec, shape=(settle(spec.shape[0]), settle(spec.shape[1]))) for spec in setting.symbols),
    )


def _spec(name: str, kind: str, usage: Usage, fresh: Callable[[], UnknownSize]) -> SymbolSpec:
    shape: Shape = (1, 1) if kind == "number" else (fresh(), fresh() if kind == "matrix" else 1)
    if usage.shape is not None and kind != "number":
        rows, *columns = (int(one) if one.isdigit() else one for one in usage.shape)
        shape = (rows, columns[0] if columns else 1)
    limit = ("small" if name in SMALL_LETTERS else "large") if kind == "number" and name in LARGE_LETTERS else None
    given = usage.said - usage.claimed
    law = {"distribution": "one-hot" if "onehot" in given else "distribution"}.get(kind, "normal")
    is_positive = given & {"positive", "probability"} or usage.is_scale
    is_positive = is_positive or name.split("_", maxsplit=1)[0] in POSITIVE_LETTERS
    if usage.is_compared:  # its sign is not to be taken for granted
        limit, is_positive = None, False
    if limit or (is_positive and kind == "number"):
        law = "positive"
    if kind == "matrix" and given & {"square", "orthogonal", "projection", "invertible", "idempotent"}:
        shape = (shape[0], shape[0])
    if kind == "matrix" and "permutation" in given:
        law, shape = "permutation", (shape[0], shape[0])
    if kind == "matrix" and "projection" in given:
        law = "projection"
    is_covariance = kind == "matrix" and name.split("_", maxsplit=1)[0] == "Sigma" and not usage.said
    if (
        kind == "matrix"
        and (is_covariance or given & {"symmetric", "definite", "semidefinite"})
        and law != "projection"
    ):
        is_definite = is_covariance or "definite" in given
        law = "definite" if is_definite else "semidefinite" if "semidefinite" in given else "symmetric"
        shape = (shape[0], shape[0])
    return SymbolSpec(
        name=name,
        shape=shape,
        meaning="a covariance matrix" if is_covariance else KINDS[kind],
        over="n" if kind == "family" else None,
        law=law,
        limit=limit,
    )


def _is_well_formed(claim: Claim, setting: Setting, base: CompiledSetting | None = None) -> bool:
    """Whether shapes fit in some reading; open sizes of the setting become what they meet."""
    families = frozenset(spec.name for spec in setting.symbols if spec.over)
    compiled = CompiledSetting(setting, {}, families, frozenset())
    goal = None
    if base is not None:
        compiled = replace(base, setting=setting)
        goal = parse(base.setting.goal) if base.setting.goal else None
    path: ReadingPath | None = ReadingPath()
    for _ in range(MAX_PATHS):
        if path is None:
            return False
        path.at = 0
        saved = [(size, size.is_) for spec in setting.symbols for size in spec.shape if isinstance(size, UnknownSize)]
        try:
            interpret_claim(claim, compiled, goal, path)
            return True
        except (IllFormed, UnknownName, GoalMissed):
            for size, is_ in saved:
                size.is_ = is_
        path = path.next()
    return False


def _settle(setting: Setting, sizes: list[str], kinds: dict[str, str]) -> Setting:
    """The setting with a letter for every size that is still open."""
    names: dict[int, str] = {}
    used = {
        known_size(size)
        for spec in setting.symbols
        for size in (*spec.shape, *([spec.over] if spec.over else []))
        if isinstance(known_size(size), str)
    }
    spare = [name for name in sizes if name not in used]
    spare += [name for name in SIZE_LETTERS if name not in used and name not in kinds and name not in sizes]

    def name_of(size: Dim) -> Dim:
        known = known_size(size)
        if not isinstance(known, UnknownSize):
            return known
        if id(known) not in names:
            names[id(known)] = spare.pop(0) if spare else f"n_{len(names)}"  # more sizes than there are letters
            used.add(names[id(known)])
        return names[id(known)]

    none = SymbolSpec("none", (1, 1), "", law="normal", hidden=True)  # a claim about numbers alone has no letters
    symbols = (
        (none,)
        if not setting.symbols
        else tuple(
            SymbolSpec(**{**vars(spec), "shape": tuple(name_of(size) for size in spec.shape)})
            for spec in setting.symbols
        )
    )
    in_order = [str(size) for spec in symbols for size in (spec.over, *spec.shape) if isinstance(size, str)]
    letters = list(dict.fromkeys([*in_order, *sizes]))
    rows = _rows(letters, kinds)
    counts = "n" if "n" in letters or not letters else letters[0]
    width = "d" if "d" in letters else counts
    return Setting(NAME, "letters as the claim uses them", symbols, rows, counts=counts, width=width, broadcasts=True)


def _rows(letters: list[str], kinds: dict[str, str]) -> tuple[dict[str, int], ...]:
    if not letters:
        return ({"n": 2}, {"n": 3}, {"n": 4})
    if len(letters) > 3:
        return tuple({name: 2 + (place + at) % 3 for at, name in enumerate(letters)} for place in range(4))
    rows = ROWS[len(letters)]
    return tuple(dict(zip(letters, row, strict=True)) for row in rows)  # type: ignore[arg-type]
