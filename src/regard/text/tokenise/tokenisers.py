"""All tokenisers by name: fitted to a text, restored from settings; words in the form of a course; ids spelled out."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from regard.errors import ValueRangeError, VocabularyError
from regard.text.tokenise.layout import Alphabet, frequent_characters
from regard.text.tokenise.tokens import (
    ByteTokeniser,
    CharacterTokeniser,
    Tokeniser,
    WordCounts,
    count_words,
    most_frequent,
)
from regard.text.tokenise.words import WordTokeniser

_MAX_SEEN = 1_000_000
_SEPARATOR = re.compile(r"(?<=\d),(?=\d)")
_DIGIT = re.compile(r"\d")


def normal_form(word: str) -> str:
    """Lower case; digits of a word without letters become DG, without thousands separators.

    A normal form is its own normal form.

    >>> normal_form("1,250"), normal_form("MP3"), normal_form("DGDG")
    ('DGDGDGDG', 'mp3', 'DGDG')
    """
    if any(c.isalpha() for c in word.replace("DG", "")):
        return word.lower()
    return _DIGIT.sub("DG", _SEPARATOR.sub("", word))


class CourseWordTokeniser(WordTokeniser):
    """A token for each word in its normal form, one for each end of a line.

    >>> tokeniser = CourseWordTokeniser.fit("The year 1999 the year 2000")
    >>> tokeniser.vocabulary, tokeniser.decode(tokeniser.encode("The cat in 2024").ids)
    (('<unk>', '</s>', 'the', 'year', 'DGDGDGDG'), 'the <unk> <unk> DGDGDGDG\\n')
    """

    kind = "course-words"
    n_start_marks = 2
    """How many start marks, each the id len(vocabulary), stand left of a line; right of it stands one </s>."""

    @classmethod
    def fit_counts(cls, counts: WordCounts, *, size: int | None = None) -> CourseWordTokeniser:
        """The most frequent normal forms; from counts, which may have been taken in parts."""
        return cls(most_frequent(counts.merge_by(normal_form), size=size))

    def _alphabet(self) -> Alphabet:
        """Upper case is taken for lower case, except where it takes more than one character to tell the form.

        Such are digits, the G of DG, the Greek Σ, which has two lower cases, and letters whose lower case is longer.
        """
        plain = [c for c in frequent_characters(self._vocabulary) if not c.isdigit() and c == c.lower()]
        letters = [c for c in plain if c.isalpha() and c not in "gσς"]
        upper = {c.upper(): c for c in letters if len(c.upper()) == 1 and c.upper().lower() == c}
        return Alphabet({c: c for c in plain} | upper)

    def _one_id(self, word: str) -> int:
        if word not in self._seen:
            if len(self._seen) > _MAX_SEEN:
                self._seen.clear()
            self._seen[word] = super()._one_id(normal_form(word))
        return self._seen[word]

    @cached_property
    def _seen(self) -> dict[str, int]:
        """Words looked up so far, as they were written: most words of a text have been there before."""
        return {}


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


def fit_to_chunks(
    chunks: Iterable[str], *, unit: str, vocabulary: int | None = None
) -> tuple[AnyTokeniser, WordCounts]:
    """The tokeniser that `fit_tokeniser` gives of a text that comes in chunks, and its words; none but for words."""
    family = UNITS.get(unit, CharacterTokeniser)
    if issubclass(family, WordTokeniser):
        counts = count_words(chunks)
        return family.fit_counts(counts, size=vocabulary), counts
    characters: set[str] = set()
    if family is CharacterTokeniser:
        for chunk in chunks:
            characters.update(chunk)
    return fit_tokeniser("".join(characters), unit=unit, vocabulary=vocabulary), WordCounts({})


def restore_tokeniser(settings: dict[str, Any]) -> AnyTokeniser:
    """Make the tokeniser that gave these settings.

    >>> restore_tokeniser({"kind": "bytes"}).unit
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


@lru_cache(maxsize=2)
def restore_from_json(settings: str) -> AnyTokeniser:
    """Make the tokeniser of settings that came as JSON; a worker that gets many pieces of a text makes it once."""
    return restore_tokeniser(json.loads(settings))


def spell_out(tokeniser: Tokeniser, ids: Iterable[int], *, after: int | None = None) -> Iterator[str]:
    """Write out ids that come one by one, as pieces of text; `after` is the id before them, if there is one.

    Joined, the pieces are what `decode` makes of all ids at once: a word brings the space before it, and a character
    of several bytes comes with the last of them.

    >>> list(spell_out(WordTokeniser(["<unk>", "</s>", "be", "to"]), [2, 1, 3], after=3))
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
