"""Words in the form that a well-known course gives them, so that few are unknown.

The      the             lower case
1,250    DGDGDGDG        no letters: each digit becomes DG, a comma between digits vanishes
3.5%     DG.DG%
mp3      mp3             letters: left as it is
"""

from __future__ import annotations

import re
from functools import cached_property

from regard.text.tokenise.layout import Alphabet, frequent_characters
from regard.text.tokenise.vocabulary import WordCounts, most_frequent
from regard.text.tokenise.words import WordTokeniser

_MOST_SEEN = 1_000_000
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
        return cls(most_frequent(counts.renamed(normal_form), size=size))

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
            if len(self._seen) > _MOST_SEEN:
                self._seen.clear()
            self._seen[word] = super()._one_id(normal_form(word))
        return self._seen[word]

    @cached_property
    def _seen(self) -> dict[str, int]:
        """Words looked up so far, as they were written: most words of a text have been there before."""
        return {}
