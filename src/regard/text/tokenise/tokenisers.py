"""The tokenisers by name, and each of them from its settings again."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from regard.errors import ValueRangeError, VocabularyError
from regard.text.course_words import CourseWordTokeniser
from regard.text.tokenise.characters import ByteTokeniser, CharacterTokeniser
from regard.text.tokenise.tokens import Tokeniser
from regard.text.tokenise.words import WordTokeniser

AnyTokeniser = CharacterTokeniser | ByteTokeniser | WordTokeniser
UNITS: dict[str, type[AnyTokeniser]] = {
    "char": CharacterTokeniser,
    "byte": ByteTokeniser,
    "word": WordTokeniser,
    "course": CourseWordTokeniser,
}
"""Each tokeniser, by the short name of what it cuts a text into."""


def fit_tokeniser(text: str, *, unit: str, vocabulary: int | None = None) -> AnyTokeniser:
    """The tokeniser of this unit with the vocabulary of a training text; for words, of this size with the two marks.

    >>> fit_tokeniser("to be or not to be", unit="word", vocabulary=3).vocabulary
    ('<unk>', '</s>', 'to')
    """
    if unit not in UNITS:
        raise ValueRangeError(f"there is no unit {unit!r}; choose from {', '.join(UNITS)}")
    family = UNITS[unit]
    if issubclass(family, WordTokeniser):
        return family.fit(text, size=vocabulary)
    if vocabulary is not None:
        raise ValueRangeError(
            f"a vocabulary size is for words; unit {unit!r} takes every {family.unit}, got {vocabulary}"
        )
    return family.fit(text)


def tokeniser_from(settings: dict[str, Any]) -> AnyTokeniser:
    """The tokeniser that gave these settings.

    >>> tokeniser_from({"kind": "bytes"}).unit
    'byte'
    """
    families = {family.kind: family for family in UNITS.values()}
    kind = settings.get("kind")
    if kind not in list(families):  # a list, for damaged settings may hold what cannot be a key
        raise VocabularyError(f"tokeniser settings name a kind, one of {', '.join(families)}; got {kind!r}")
    family = families[kind]
    if issubclass(family, ByteTokeniser):
        return family()
    if "vocabulary" not in settings:
        raise VocabularyError(f"a tokeniser of kind {kind!r} needs its vocabulary; the settings have none")
    return family(settings["vocabulary"])


def spelled_out(tokeniser: Tokeniser, ids: Iterable[int], *, after: int | None = None) -> Iterator[str]:
    """The text of ids that come one by one; `after` is the id before them, if there is one.

    Joined they are what `decode` makes of all ids at once: a word brings the space before it, a character whose bytes
    are not all there yet waits for them.

    >>> list(spelled_out(WordTokeniser(["<unk>", "</s>", "be", "to"]), [2, 1, 3], after=3))
    [' be', '\\n', 'to']
    """
    if isinstance(tokeniser, ByteTokeniser):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for i in ids:
            yield decoder.decode(bytes([i]))
        yield decoder.decode(b"", final=True)
        return
    before = [] if after is None else [after]
    for i in ids:
        known_part = tokeniser.decode(np.array(before, np.int64))
        yield tokeniser.decode(np.array([*before, i]))[len(known_part) :]
        before = [i]
