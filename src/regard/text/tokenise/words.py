"""Words as tokens, a sentence a line; and a hash table that looks up all words of a text at once.

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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from regard.shapes import Bool, Int
from regard.text.tokenise.layout import Alphabet, Layout, blocks, find_layout, frequent_characters, whole_words
from regard.text.tokenise.tokens import (
    MARKS,
    Tokens,
    WordCounts,
    check_ids,
    check_vocabulary,
    count_words,
    most_frequent,
)

_MAX_BYTES = 16
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64).view(np.int64)
_HIGH_BITS = np.uint64(0x8080808080808080).view(np.int64)  # one is set where a byte is not that of a plain character
_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_FREE = -1


class WordTable:
    """The ids of words, `missing` for every other word; `one_id` looks up a word that the table cannot hold."""

    def __init__(
        self, ids: Mapping[str, int], *, alphabet: Alphabet, missing: int, one_id: Callable[[str], int]
    ) -> None:
        self._missing, self._one_id = missing, one_id
        plain = [word for word in ids if len(word) <= _MAX_BYTES and alphabet.identifies(word)]
        starts = np.cumsum([0, *(len(word) for word in plain)])
        first, second = _keys(alphabet.narrow("".join(plain)), starts[:-1], np.diff(starts))
        self._bits = max(8, (4 * len(plain)).bit_length())  # at most a quarter full, so that few words share a place
        self._first, self._second = np.zeros((2, 1 << self._bits), np.int64)
        self._ids = np.full(1 << self._bits, _FREE)
        self._fill(first, second, np.array([ids[word] for word in plain], np.int64))

    def look_up(self, text: str, words: Layout) -> Int[np.ndarray, " word"]:
        """The id of each word of a text."""
        lengths = words.ends - words.starts
        first, second = _keys(words.narrow, words.starts, lengths)
        other = np.flatnonzero((lengths > _MAX_BYTES) | (((first | second) & _HIGH_BITS) != 0))
        if 4 * len(other) > len(lengths):  # splitting all is then quicker than cutting out many
            return np.fromiter(map(self._one_id, text.split()), np.int64, len(lengths))
        ids = self._search(first, second)
        spans = zip(words.starts[other].tolist(), words.ends[other].tolist(), strict=True)
        ids[other] = [self._one_id(text[start:end]) for start, end in spans]
        return ids

    def _fill(
        self,
        first: Int[np.ndarray, " vocab"],
        second: Int[np.ndarray, " vocab"],
        ids: Int[np.ndarray, " vocab"],
    ) -> None:
        """Each word at its place or, where another has it, at the next free one."""
        places = self._places(first, second)
        while len(ids):
            free = self._ids[places] == _FREE
            self._ids[places[free]] = ids[free]  # of several words that want a place, the last one stays
            has_place = self._ids[places] == ids
            self._first[places[has_place]] = first[has_place]
            self._second[places[has_place]] = second[has_place]
            rest = ~has_place
            first, second, ids = first[rest], second[rest], ids[rest]
            places = self._next(places[rest])

    def _search(self, first: Int[np.ndarray, " word"], second: Int[np.ndarray, " word"]) -> Int[np.ndarray, " word"]:
        """Look where each word should be and, while another word is there, at the next place."""
        places = self._places(first, second)
        is_found, is_free = self._compare(places, first, second)
        ids = np.where(is_found, self._ids[places], self._missing)
        todo = np.flatnonzero(~(is_found | is_free))
        places = places[todo]
        while len(todo):
            places = self._next(places)
            is_found, is_free = self._compare(places, first[todo], second[todo])
            ids[todo[is_found]] = self._ids[places[is_found]]
            rest = ~(is_found | is_free)
            todo, places = todo[rest], places[rest]
        return ids

    def _compare(
        self,
        places: Int[np.ndarray, " word"],
        first: Int[np.ndarray, " word"],
        second: Int[np.ndarray, " word"],
    ) -> tuple[Bool[np.ndarray, " word"], Bool[np.ndarray, " word"]]:
        """Whether these words are at these places, and whether no word is."""
        is_found = (self._first[places] == first) & (self._second[places] == second)
        return is_found, self._ids[places] == _FREE

    def _places(self, first: Int[np.ndarray, " word"], second: Int[np.ndarray, " word"]) -> Int[np.ndarray, " word"]:
        """Multiplicative hashing: the upper bits of a product depend on all bits of the key."""
        mixed = first.view(np.uint64) ^ (second.view(np.uint64) * _ODD[0])
        mixed = (mixed ^ (mixed >> np.uint64(32))) * _ODD[1]
        return (mixed >> np.uint64(64 - self._bits)).astype(np.int64)

    def _next(self, places: Int[np.ndarray, " word"]) -> Int[np.ndarray, " word"]:
        return (places + 1) & ((1 << self._bits) - 1)


def _keys(
    raw: bytes, starts: Int[np.ndarray, " word"], lengths: Int[np.ndarray, " word"]
) -> tuple[Int[np.ndarray, " word"], Int[np.ndarray, " word"]]:
    """The first eight bytes of each word and the eight after them; zero past its end."""
    eight_bytes_from = np.ndarray((len(raw) + 9,), "<i8", raw + bytes(_MAX_BYTES), strides=(1,))
    first = eight_bytes_from[starts] & _FIRST_BYTES[np.minimum(lengths, 8)]
    second = np.zeros(len(starts), np.int64)
    longer = np.flatnonzero(lengths > 8)
    rest = np.minimum(lengths[longer] - 8, 8)
    second[longer] = eight_bytes_from[starts[longer] + 8] & _FIRST_BYTES[rest]
    return first, second


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
        self._vocabulary = check_vocabulary(vocabulary, marks=MARKS, is_entry=lambda entry: entry.split() == [entry])

    @classmethod
    def fit(cls, text: str, *, size: int | None = None) -> WordTokeniser:
        """The most frequent words of the text, `size` with the two marks; without a size all seen at least twice."""
        return cls.fit_counts(count_words([text]), size=size)

    @classmethod
    def fit_counts(cls, counts: WordCounts, *, size: int | None = None) -> WordTokeniser:
        """The most frequent words by these counts, which may have been taken in parts."""
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
        return "".join(self._join_words(check_ids(ids, len(self._vocabulary)), {}))

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """What `decode` would write for each token, but an unknown word as it is in the text."""
        places = np.flatnonzero(tokens.ids == _UNKNOWN_ID).tolist()
        own = {i: text[tokens.starts[i] : tokens.ends[i]].strip() for i in places}
        return self._join_words(tokens.ids.tolist(), own)

    def settings(self) -> dict[str, Any]:
        """The kind and the vocabulary."""
        return {"kind": self.kind, "vocabulary": list(self._vocabulary)}

    def _join_words(self, ids: list[int], own: dict[int, str]) -> list[str]:
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
            words = find_layout(text, alphabet=alphabet)
            # A line break before any word of this part ends the line that the part before has left open, if any.
            is_idle = not is_open and len(words.after) > 0 and words.after[0] < 0
            ids, starts = _insert_line_ends(table.look_up(text, words), words, first=int(is_idle))
            yield ids, starts + length
            length += len(text)
            if len(ids):
                is_open, is_blank = bool(ids[-1] != _LINE_END_ID), False
        if is_open or (is_blank and length > 0):
            yield np.array([_LINE_END_ID]), np.array([length])


def _insert_line_ends(ids: Int[np.ndarray, " word"], words: Layout, *, first: int) -> _Piece:
    """Put the line ends, from number `first` on, between the words, in the order of the text."""
    after, breaks = words.after[first:], words.breaks[first:]
    is_end = np.zeros(len(ids) + len(after), bool)
    is_end[after + 1 + np.arange(len(after))] = True  # after this many words and the line ends before it
    both, starts = np.full(len(is_end), _LINE_END_ID), np.empty(len(is_end), np.int64)
    both[~is_end], starts[~is_end], starts[is_end] = ids, words.starts, breaks
    return both, starts
