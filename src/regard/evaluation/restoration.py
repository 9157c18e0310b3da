"""What it costs to restore a text that was normalised: case, digits, spaces, anything.

A model that predicts `the` where the text has `The` has not predicted the text. What it left out is coded here, piece
by piece, given all pieces (they are known once the tokens are) and all originals so far:

    piece      the·   cat·   sat·   .·   he·   paid·   DGDGDGDG·   .\\n
    original   The·   cat·   sat    .·   He·   paid·   1,250       .\\n

    core       capital, same, upper, or edited unit by unit
    space      as it stands, or as it was at such places before

Every decision is made by a code that learns as it goes, so that a text whose every line begins with a capital soon pays
next to nothing for that. Decisions given the past sum to at most one, hence so do the probabilities of all originals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from regard.shapes import Bool, Float

PRIOR = 0.5  # θ; one half is Krichevsky and Trofimov's choice for two outcomes
END = ""  # after the last character of a spelled string
N_OTHER_SPACES = 26  # characters that str.isspace knows besides space, line break and tab; a test counts them


class LearningCode:
    """Costs of outcomes in contexts, learnt as outcomes come."""

    def __init__(self, *, prior: float = PRIOR) -> None:
        self._prior = prior
        self._counts: dict[Hashable, dict[Hashable, int]] = {}
        self._totals: dict[Hashable, int] = {}

    def nats(self, outcome: Hashable, contexts: Sequence[Hashable], novelty: Callable[[], float]) -> float:
        """−ln p(outcome); `novelty` gives −ln p₀(outcome). The contexts learn that it came.

        >>> code = LearningCode()
        >>> [round(math.exp(-code.nats("same", ["any"], lambda: math.log(2))), 3) for _ in range(3)]
        [0.5, 0.667, 0.8]
        """
        prior, nats = self._prior, math.inf
        for depth, context in enumerate(contexts):
            counts = self._counts.setdefault(context, {})
            n, whole = counts.get(outcome, 0), self._totals.get(context, 0) + prior
            if n == 0:  # in logarithms: a long spelling has a probability that no float can hold
                nats = (novelty() if depth == 0 else nats) + math.log(whole / prior)
            else:
                below = 0.0 if depth == 0 else prior * math.exp(-nats)
                nats = -math.log((n + below) / whole)
            counts[outcome] = n + 1
            self._totals[context] = self._totals.get(context, 0) + 1
        return nats


class SpellingCode:
    """Strings, character by character and then END; each character in the context of the one before it."""

    def __init__(self, character_nats: Callable[[str], float]) -> None:
        self._code = LearningCode()
        self._character_nats = character_nats

    def nats(self, text: str) -> float:
        """−ln p(text) among all strings; the code learns that it came."""
        nats, previous = 0.0, END
        for character in [*text, END]:
            contexts = ("any", ("after", previous))
            nats += self._code.nats(character, contexts, lambda: self._character_nats(character))  # noqa: B023
            previous = character
        return nats


def unicode_nats(character: str) -> float:
    """−ln of a fixed distribution over all characters and END: ¼ for END, ½ for ASCII, ¼ for the rest of Unicode."""
    if character == END:
        return math.log(4)
    return math.log(2 * 128) if ord(character) < 128 else math.log(4 * (0x110000 - 128))


def space_nats(character: str) -> float:
    """−ln of a fixed distribution over white space: ⅕ each for END, space, line break and tab, the rest for others."""
    return math.log(5) if character in (END, " ", "\n", "\t") else math.log(5 * N_OTHER_SPACES)


UNITS = re.compile(r"DG|.", re.DOTALL)  # DG stands for one digit, whatever it was
OPERATIONS: dict[str, Callable[[str], str]] = {
    "same": lambda core: core,
    "capital": lambda core: core[:1].upper() + core[1:],
    "upper": str.upper,
}
"""What may become of a core as a whole; the first that fits is taken, else it is edited unit by unit."""


class TrimmedText(NamedTuple):
    """A text between the white space at its beginning and the white space at its end."""

    lead: str
    core: str
    tail: str


def restoration_nats(
    pieces: Sequence[str], originals: Sequence[str], *, is_spelled: Bool[np.ndarray, " pair"] | None = None
) -> Float[np.ndarray, " pair"]:
    """The cost of each original, given all pieces and the originals before it.

    Where `is_spelled`, the piece's core was taken from the text itself and is certain. One bit says whether anything
    differs at all; it is all that is paid where nothing does.
    """
    nats = np.zeros(len(pieces))
    if any(piece != original for piece, original in zip(pieces, originals, strict=True)):
        certain = [False] * len(pieces) if is_spelled is None else is_spelled.tolist()
        code = RestorationCode()
        rows = zip(pieces, originals, [*pieces[1:], ""], certain, strict=True)
        nats[:] = [code.nats(piece, original, following=next_, is_spelled=is_) for piece, original, next_, is_ in rows]
    if len(nats):
        nats[0] += math.log(2)
    return nats


class RestorationCode:
    """Costs of originals given their pieces, one after another."""

    def __init__(self) -> None:
        self._choices = LearningCode()
        self._spaces = SpellingCode(space_nats)
        self._strings = SpellingCode(unicode_nats)
        self._starts_line, self._starts_sentence = True, True
        self._column = 0
        self._last_operation = "same"

    def nats(self, piece: str, original: str, *, following: str = "", is_spelled: bool = False) -> float:
        """The cost of `original`; the piece that comes after is `following`."""
        given, wanted = _parts(piece), _parts(original)
        nats = self._space_nats(wanted.lead, [("lead", given.lead)])
        if is_spelled:
            assert given.core == wanted.core, f"a spelled piece has the text's own core: {piece!r}, {original!r}"
        else:
            nats += self._core_nats(given.core, wanted.core)
        general = ("tail", given.tail)
        between = (*general, _kind(wanted.core[-1:]), following[:1])
        nats += self._space_nats(wanted.tail, [general, between, (*between, min(self._column // 8, 15))])
        self._advance(original, wanted)
        return nats

    def _space_nats(self, space: str, contexts: list[tuple[str | int, ...]]) -> float:
        return self._choices.nats(space, contexts, lambda: self._spaces.nats(space))

    def _core_nats(self, given: str, wanted: str) -> float:
        operation = next((name for name, change in OPERATIONS.items() if change(given) == wanted), "edited")
        start = (self._starts_line, self._starts_sentence)
        kind = (_kind(given[:1]), len(given) == 1, self._last_operation)
        contexts = ("core", ("core", *start, *kind), ("word", given, *start))
        nats = self._choices.nats(operation, contexts, lambda: math.log(1 + len(OPERATIONS)))
        if given.isalpha():
            self._last_operation = operation
        return nats if operation != "edited" else nats + self._edit_nats(given, wanted)

    def _edit_nats(self, given: str, wanted: str) -> float:
        if not given:
            return self._strings.nats(wanted)
        nats, has_changed = 0.0, False
        units = UNITS.findall(given)
        for place, (unit, became) in enumerate(zip(units, align(units, wanted), strict=True)):
            contexts = (("unit", unit), ("unit", unit, has_changed), ("place", given, place, has_changed))
            has_changed = became != unit
            nats += self._choices.nats(has_changed, contexts, lambda: math.log(2))
            if has_changed:
                where = (("became", unit), ("became", given, place))
                nats += self._choices.nats(became, where, lambda: self._strings.nats(became))  # noqa: B023
        return nats

    def _advance(self, original: str, parts: TrimmedText) -> None:
        """Take note of where the next piece begins."""
        if parts.core:
            self._starts_sentence = parts.core[-1] in ".!?:"
        if original:
            self._starts_line = "\n" in parts.tail
        _, line_break, rest = original.rpartition("\n")
        self._column = len(rest) + (0 if line_break else self._column)


def align(units: Sequence[str], wanted: str) -> list[str]:
    """What each unit became: a split of `wanted` into as many parts, equal ones at both ends matched first.

    Any split will do for a code; this one makes equal changes look alike.

    >>> align(["DG", "DG", "DG", "DG"], "1,250")
    ['1,', '2', '5', '0']
    >>> align(list("ab-c"), "ab—c")
    ['a', 'b', '—', 'c']
    """
    first = 0
    while first < min(len(units), len(wanted)) and units[first] == wanted[first]:
        first += 1
    last = 0
    while last < min(len(units), len(wanted)) - first and units[-1 - last] == wanted[-1 - last]:
        last += 1
    n_middle = len(units) - first - last
    middle = wanted[first : len(wanted) - last]
    if n_middle == 0:  # something was left out between two units: the one before it (or after it) brings it back
        parts = [*units]
        place = max(first - 1, 0)
        parts[place] = parts[place] + middle if first else middle + parts[place]
        return parts
    return [*units[:first], *_deal_out(middle, n_middle), *units[len(units) - last :]]


def _deal_out(text: str, n_parts: int) -> list[str]:
    """A character for each part, and with each digit the marks that follow it; the last part takes what remains."""
    parts = re.findall(r"\d[^\w\s](?=\d)|.", text, re.DOTALL)
    if len(parts) < n_parts:
        parts = [*text]
    if len(parts) < n_parts:
        return parts + [""] * (n_parts - len(parts))
    return [*parts[: n_parts - 1], "".join(parts[n_parts - 1 :])]


def word_cuts(text: str) -> list[int]:
    """Where a text is cut into words, each with the white space after it: 0, …, len(text).

    >>> word_cuts("to be\\n")
    [0, 3, 6]
    """
    return [0, *(match.end() for match in re.finditer(r"\S+\s*|^\s+", text))] if text else [0]


def cut_at(text: str, cuts: Sequence[int]) -> list[str]:
    """Cut a text at these places."""
    return [text[start:end] for start, end in pairwise(cuts)]


def _parts(text: str) -> TrimmedText:
    core = text.strip()
    if not core:
        return TrimmedText("", "", text)
    start = text.index(core)
    return TrimmedText(text[:start], core, text[start + len(core) :])


def _kind(character: str) -> str:
    """A letter, a digit, nothing, or the mark itself."""
    return "letter" if character.isalpha() else "digit" if character.isdigit() else character
