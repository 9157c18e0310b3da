"""Words as tokens, a sentence a line.

Words are what stands between white space. Each line ends with </s>; lines without words are no lines:

    text      · t h e · · c a t \\n \\n · s a t
    tokens    [·the··   ][cat ][\\n \\n ·][sat][]        a word and the white space up to the next token
              the        cat   </s>     sat  </s>      the last </s> covers nothing: there is no line break

    text              tokens                  text              tokens
    (empty)           (none)                  a↵b               a </s> b </s>
    ↵                 </s>                    a↵↵b              a </s> b </s>      the break that counts is the first
    ↵a                a </s>                  a↵                a </s>

The unknown mark <unk> in a text, as in the Penn Treebank, is the unknown token; </s> in a text is an unknown word,
for only the end of a line is the end of a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from regard.shapes import Int
from regard.text.spaces import blocks, whole_words
from regard.text.tokenise.characters import checked_ids
from regard.text.tokenise.layout import Alphabet, Layout, frequent_characters, layout
from regard.text.tokenise.tokens import Tokens
from regard.text.tokenise.vocabulary import MARKS, WordCounts, checked, count_words, most_frequent
from regard.text.word_table import WordTable

_UNKNOWN_ID, _LINE_END_ID = 0, 1
_Piece = tuple[Int[np.ndarray, " position"], Int[np.ndarray, " position"]]


class WordTokeniser:
    """A token for each word, one for each end of a line.

    >>> tokeniser = WordTokeniser.fit("to be or not to be", size=4)
    >>> tokeniser.vocabulary, tokeniser.encode("not to be").ids
    (('<unk>', '</s>', 'to', 'be'), array([0, 2, 3, 1]))
    """

    kind = "words"
    unit = "word"
    is_lossless = False

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._vocabulary = checked(vocabulary, marks=MARKS, is_entry=lambda entry: entry.split() == [entry])

    @classmethod
    def fit(cls, text: str, *, size: int | None = None) -> WordTokeniser:
        """The most frequent words of the text, `size` with the two marks; without a size all seen at least twice."""
        return cls.fit_counts(count_words([text]), size=size)

    @classmethod
    def fit_counts(cls, counts: WordCounts, *, size: int | None = None) -> WordTokeniser:
        """The same from counts, which may have been taken in parts."""
        return cls(most_frequent(counts, size=size))

    @property
    def vocabulary(self) -> Sequence[str]:
        """The two marks, then the words, the most frequent first."""
        return self._vocabulary

    @property
    def unknown(self) -> int | None:
        """The id of every word that is not in the vocabulary."""
        return _UNKNOWN_ID

    @property
    def line_end(self) -> int | None:
        """The id of the end of a line."""
        return _LINE_END_ID

    def encode(self, text: str) -> Tokens:
        """The words and line ends of a text."""
        pieces = list(self._read(blocks(text)))
        if not pieces:
            nothing = np.zeros(0, np.int64)
            return Tokens(nothing, nothing, nothing)
        ids, starts = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
        starts[0] = 0  # white space before the first word is the first token's
        return Tokens(ids, starts, np.append(starts[1:], len(text)))

    def stream(self, chunks: Iterable[str]) -> Iterator[Int[np.ndarray, " position"]]:
        """The ids of a text that comes in chunks, wherever it was cut: words and lines go on in the next chunk."""
        pieces = self._read(block for chunk in whole_words(chunks) for block in blocks(chunk))
        return (ids for ids, _ in pieces)

    def decode(self, ids: Int[np.ndarray, " position"]) -> str:
        """Words with a space between them, lines with a line break after them."""
        return "".join(self._spaced(checked_ids(ids, len(self._vocabulary)), {}))

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """What `decode` would write for each token, but an unknown word as it is in the text."""
        places = np.flatnonzero(tokens.ids == _UNKNOWN_ID).tolist()
        own = {i: text[tokens.starts[i] : tokens.ends[i]].strip() for i in places}
        return self._spaced(tokens.ids.tolist(), own)

    def settings(self) -> dict[str, Any]:
        """The kind and the vocabulary."""
        return {"kind": self.kind, "vocabulary": list(self._vocabulary)}

    def _spaced(self, ids: list[int], own: dict[int, str]) -> list[str]:
        """Each token's text: a space after a word that another word follows."""
        words = [self._vocabulary[i] for i in ids]
        for place, word in own.items():
            words[place] = word
        is_last = [*(i == _LINE_END_ID for i in ids[1:]), True][: len(ids)]
        return [
            "\n" if i == _LINE_END_ID else word if last else word + " "
            for i, word, last in zip(ids, words, is_last, strict=True)
        ]

    def _alphabet(self) -> Alphabet:
        return Alphabet({c: c for c in frequent_characters(self._vocabulary)})

    def _one_id(self, word: str) -> int:
        return self._ids.get(word, _UNKNOWN_ID)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self._vocabulary) if i != _LINE_END_ID}

    @cached_property
    def _look_up(self) -> tuple[Alphabet, WordTable]:
        alphabet = self._alphabet()
        return alphabet, WordTable(self._ids, alphabet=alphabet, missing=_UNKNOWN_ID, one_id=self._one_id)

    def _read(self, texts: Iterable[str]) -> Iterator[_Piece]:
        """Ids, and the character at which each begins, of a text that was cut between words."""
        alphabet, table = self._look_up
        length, is_open, is_blank = 0, False, True
        for text in texts:
            words = layout(text, alphabet=alphabet)
            # A line break before any word of this part ends the line that the part before has left open, if any.
            is_idle = not is_open and len(words.after) > 0 and words.after[0] < 0
            ids, starts = _with_line_ends(table.look_up(text, words), words, first=int(is_idle))
            yield ids, starts + length
            length += len(text)
            if len(ids):
                is_open, is_blank = bool(ids[-1] != _LINE_END_ID), False
        if is_open or (is_blank and length > 0):
            yield np.array([_LINE_END_ID]), np.array([length])


def _with_line_ends(ids: Int[np.ndarray, " word"], words: Layout, *, first: int) -> _Piece:
    """Words and line ends, from line end number `first` on, in the order of the text."""
    after, breaks = words.after[first:], words.breaks[first:]
    is_end = np.zeros(len(ids) + len(after), bool)
    is_end[after + 1 + np.arange(len(after))] = True  # after so many words and the line ends before it
    both, starts = np.full(len(is_end), _LINE_END_ID), np.empty(len(is_end), np.int64)
    both[~is_end], starts[~is_end], starts[is_end] = ids, words.starts, breaks
    return both, starts
