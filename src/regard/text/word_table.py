"""Many words looked up at once: a hash table in arrays, exact, for short words of plain characters.

The bytes of such a word are its key, two numbers of eight bytes each:

    "attention"     first = "attentio"    second = "n" and seven zero bytes

Other words are few as a rule, and are looked up one by one in a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from regard.shapes import Bool, Int
from regard.text.tokenise.layout import Alphabet, Layout

_LONGEST = 16
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
        plain = [word for word in ids if len(word) <= _LONGEST and alphabet.tells(word)]
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
        other = np.flatnonzero((lengths > _LONGEST) | (((first | second) & _HIGH_BITS) != 0))
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
    eight_bytes_from = np.ndarray((len(raw) + 9,), "<i8", raw + bytes(_LONGEST), strides=(1,))
    first = eight_bytes_from[starts] & _FIRST_BYTES[np.minimum(lengths, 8)]
    second = np.zeros(len(starts), np.int64)
    longer = np.flatnonzero(lengths > 8)
    rest = np.minimum(lengths[longer] - 8, 8)
    second[longer] = eight_bytes_from[starts[longer] + 8] & _FIRST_BYTES[rest]
    return first, second
