"""What a model knows besides its predictions: how to spell unknown words, and what its training text was.

Speller. It says what it costs to spell a word that the model does not know, so that no model gains by not knowing. A
model that says `<unk>` has not said which word stands there. The speller says it, byte after byte, with an end mark:

    cost(word) = −Σᵢ ln p(byteᵢ | bytes before it) − ln p(end | word)

Over bytes there is nothing that cannot be spelled, and the costs are those of a proper distribution over words.

Digest. Hashes of windows of the text, enough to recognise it but not to read it. Case and runs of white space do not
count, so that a text with other line breaks or in lower case is still recognised. Every stretch of at least
window + stride − 1 such characters that both texts share is found:

    training text     |------w1------|        |------w3------|         a hash at every `stride`-th character
                              |------w2------|
    scored text       every window of it is looked up
"""

from __future__ import annotations

import hashlib
import math
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

from regard.display import short_repr
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey
from regard.shapes import Bool, Float, Int, UInt
from regard.text.tokenise.layout import WHITE_SPACE
from regard.text.tokenise.tokens import Tokeniser, Tokens, WordCounts, known_tokens
from regard.text.tokenise.words import WordTokeniser

MAX_READ, MAX_OPENING = 20_000_000, 60
"""How many characters of a text are searched for its opening line, and how many an opening line may have."""
ORDER = 6
MAX_WORDS = 100_000  # more of them cost time and teach no more spelling
N_SYMBOLS = 257
END = 256
START = 257
WINDOW = 32
STRIDE = 16
MAX_HASHES = 2_000_000  # 16 MB; a longer text gets a wider stride
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplication loses no bit
_IS_SPACE = np.zeros(ord(max(WHITE_SPACE)) + 2, bool)  # the last entry stands for all codes beyond
_IS_SPACE[[ord(c) for c in WHITE_SPACE]] = True


@short_repr
@dataclass(frozen=True)
class Background:
    """What a model knows besides its predictions: its tokeniser, how to spell unknown words, what it was trained on."""

    tokeniser: Tokeniser
    speller: Speller
    digest: TextDigest
    notes: dict[str, Any]


def opening_line(text: str) -> str:
    """The line that a text has most often, with a letter in it; "" where no line comes twice.

    A model knows best how to go on from there: with a speaker's name in plays, with "Note:" in a manual.

    >>> opening_line("ROMEO:\\nAy.\\n\\nJULIET:\\nAy me.\\n\\nROMEO:\\nShe speaks.")
    'ROMEO:'
    """
    lines = Counter(line.strip() for line in text[:MAX_READ].splitlines() if len(line) <= MAX_OPENING)
    found = [(line, n) for line, n in lines.most_common() if n > 1 and any(map(str.isalpha, line))]
    return found[0][0] if found else ""


def make_background(text: str, tokens: Tokens, tokeniser: Tokeniser, **notes: Any) -> Background:
    """The background of a model that is trained on `text`; `notes` say how, versions are added."""
    seen = [tokeniser.vocabulary[i] for i in np.unique(tokens.ids) if i not in (tokeniser.unknown, tokeniser.line_end)]
    notes = {**notes, "opening": opening_line(text)}
    return assemble_background(
        tokeniser, words_to_learn(count_unknown_words(text, tokens, tokeniser), seen), digest(text), notes
    )


def make_background_from_counts(
    counts: WordCounts, of_text: TextDigest, tokeniser: WordTokeniser, **notes: Any
) -> Background:
    """The background of a text too long to be held in memory, from how often each word was seen and its digest."""
    words = list(counts.counts)
    ids = tokeniser.encode(" ".join(words)).ids[: len(words)]
    unknown = {word: counts.counts[word] for word, i in zip(words, ids, strict=True) if i == tokeniser.unknown}
    seen = [tokeniser.vocabulary[i] for i in np.unique(ids) if i != tokeniser.unknown]
    return assemble_background(tokeniser, words_to_learn(unknown, seen), of_text, notes)


def assemble_background(
    tokeniser: Tokeniser, to_spell: list[str], of_text: TextDigest, notes: dict[str, Any]
) -> Background:
    """All parts together, with the versions that made them."""
    versions = {"regard": version("regard"), "numpy": np.__version__, "python": platform.python_version()}
    return Background(tokeniser, Speller.fit(to_spell), of_text, {**notes, "versions": versions})


@short_repr
@dataclass(frozen=True)
class Speller:
    """A Kneser–Ney model of the bytes of words, each word on its own."""

    bytes_model: KneserNey

    @classmethod
    def fit(cls, words: Sequence[str], *, order: int = ORDER) -> Speller:
        """The speller of these words, each counted as often as it is listed; of none, every byte is as likely."""
        return cls(KneserNey.fit(_spell_out(words), vocab_size=N_SYMBOLS, order=order, start_id=START))

    def nats(self, words: Sequence[str]) -> Float[np.ndarray, " word"]:
        """What each word costs, its end included."""
        if not words:
            return np.zeros(0)
        ids = _spell_out(words)
        which = np.cumsum(ids == START) - 1
        return np.bincount(which, weights=-self.bytes_model.log_probs(ids), minlength=len(words))

    def has_met(self, character: str) -> bool:
        """Whether the character occurs in what the speller was fitted on: its bytes, in a row."""
        counts = self.bytes_model.counts
        ids = np.frombuffer(character.encode("utf-8", "surrogatepass"), np.uint8).astype(np.int64)
        n = min(len(ids), counts.order) - 1
        rank = counts.occurrences(ids).ngrams[n, -1]
        return bool(rank >= 0 and counts.tables[n].counts[rank] > 0)

    def arrays(self) -> dict[str, np.ndarray]:
        """The counts, to be saved with the model that uses them."""
        return self.bytes_model.counts.to_arrays()

    @classmethod
    def restore(cls, arrays: dict[str, np.ndarray]) -> Speller:
        """The speller that `arrays` came from."""
        return cls(KneserNey(NgramCounts.from_arrays(arrays)))


def words_to_learn(unknown: Mapping[str, int], others: Iterable[str]) -> list[str]:
    """What a speller is fitted on: the words that a vocabulary leaves out, as often as they occur; the others once.

    The first are of the kind that will be unknown; where they are few, the others say how words are spelled at all.

    >>> words_to_learn({"zoo": 2}, ["the"])
    ['zoo', 'zoo', 'the']
    """
    total = sum(unknown.values())
    share = min(1.0, MAX_WORDS / max(total, 1))
    often = sorted(unknown, key=lambda word: -unknown[word])[:MAX_WORDS]
    return [word for word in often for _ in range(math.ceil(unknown[word] * share))] + list(others)


def count_unknown_words(text: str, tokens: Tokens, tokeniser: Tokeniser) -> Counter[str]:
    """How often each word of a text occurs that the vocabulary leaves out."""
    places = np.flatnonzero(~known_tokens(tokens, tokeniser))
    spans = zip(tokens.starts[places].tolist(), tokens.ends[places].tolist(), strict=True)
    return Counter(text[start:end].strip() for start, end in spans)


def _spell_out(words: Sequence[str]) -> Int[np.ndarray, " position"]:
    """The bytes of all words, each between a start and an end mark."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.array([len(word) for word in encoded], dtype=np.int64)
    ids = np.full(int(lengths.sum()) + 2 * len(words), START, dtype=np.int64)
    ends = np.cumsum(lengths + 2)
    is_byte = np.ones(len(ids), bool)
    is_byte[ends - 1] = is_byte[ends - lengths - 2] = False
    ids[is_byte] = np.frombuffer(b"".join(encoded), np.uint8)
    ids[ends - 1] = END
    return ids


@dataclass(frozen=True)
class TextDigest:
    """The size and checksum of a training text, and hashes of windows of it."""

    n_characters: int
    sha256: str
    stride: int
    hashes: UInt[np.ndarray, " window"]

    def __post_init__(self) -> None:
        whole = all(type(number) is int and number > 0 for number in (self.n_characters + 1, self.stride))
        if not whole or not isinstance(self.sha256, str) or self.hashes.ndim != 1 or self.hashes.dtype != np.uint64:
            raise ValueError("the digest of the training text is not of our form")

    def mark_seen(self, text: str) -> Bool[np.ndarray, " character"]:
        """True for each character of `text` that lies in a window of the training text."""
        codes, places = _normalise(text)
        found = self._has(window_hashes(codes))
        # A window covers WINDOW characters from its start: count the starts before and after.
        edges = np.zeros(len(codes) + 1, np.int64)
        np.add.at(edges, np.flatnonzero(found), 1)
        np.add.at(edges, np.flatnonzero(found) + WINDOW, -1)
        is_seen = np.zeros(len(text), bool)
        is_seen[places[np.cumsum(edges[:-1]) > 0]] = True
        return is_seen

    def _has(self, hashes: UInt[np.ndarray, " window"]) -> Bool[np.ndarray, " window"]:
        """Which hashes the training text has; `np.isin` would sort all of its hashes for each text."""
        ours = self._sorted_hashes
        if len(ours) == 0:
            return np.zeros(len(hashes), bool)
        return ours[np.minimum(np.searchsorted(ours, hashes), len(ours) - 1)] == hashes

    @cached_property
    def _sorted_hashes(self) -> UInt[np.ndarray, " window"]:
        return np.sort(self.hashes)


def digest(text: str | Iterable[str]) -> TextDigest:
    """Make the digest of a training text, given whole or in pieces that end after white space."""
    growing = GrowingDigest()
    for _ in growing.follow([text] if isinstance(text, str) else text):
        pass
    return growing.finish()


class GrowingDigest:
    """The digest of a text that is read for something else, piece by piece."""

    def __init__(self) -> None:
        self._checksum, self._n_characters, self._last = hashlib.sha256(), 0, ""
        self._hashes, self._stride = np.zeros(0, np.uint64), STRIDE
        self._waiting, self._n_before = self._hashes, 0
        """Codes whose windows are not complete yet, and how many there were before them."""

    def follow(self, pieces: Iterable[str]) -> Iterator[str]:
        """Hand the pieces of a text on, which end after white space, and take each in."""
        for piece in pieces:
            self._add(piece)
            yield piece

    def _add(self, piece: str) -> None:
        self._checksum.update(piece.encode("utf-8", "surrogatepass"))
        self._n_characters += len(piece)
        last = self._last
        codes, places = _normalise(last + piece)  # whether a space is the first of its run, the piece alone cannot tell
        codes = np.concatenate([self._waiting, codes[places >= len(last)]])
        hashes = window_hashes(codes[-self._n_before % self._stride :], stride=self._stride)
        self._hashes = np.concatenate([self._hashes, hashes])
        while len(self._hashes) > MAX_HASHES:
            self._hashes, self._stride = self._hashes[::2], 2 * self._stride
        n_windows = max(len(codes) - WINDOW + 1, 0)
        self._waiting, self._n_before = codes[n_windows:], self._n_before + n_windows
        self._last = piece[-1:] or last

    def finish(self) -> TextDigest:
        """The digest of all that came."""
        return TextDigest(self._n_characters, self._checksum.hexdigest(), self._stride, np.unique(self._hashes))


def window_hashes(codes: UInt[np.ndarray, " character"], *, stride: int = 1) -> UInt[np.ndarray, " window"]:
    """One 64-bit hash for each window of WINDOW codes, h = mix(Σⱼ codeⱼ·baseʲ); for every `stride`-th of them."""
    n = len(codes) - WINDOW + 1
    if n <= 0:
        return np.zeros(0, np.uint64)
    total, power = np.zeros(-(-n // stride), np.uint64), np.uint64(1)
    with np.errstate(over="ignore"):  # arithmetic modulo 2⁶⁴ is what is wanted
        for j in range(WINDOW):
            total += codes[j : j + n : stride] * power
            power *= _BASE
        # Low bits of a polynomial depend on low bits of the codes alone; fold the high ones in.
        return (total ^ (total >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)


def _normalise(text: str) -> tuple[UInt[np.ndarray, " character"], Int[np.ndarray, " character"]]:
    """Codes of the text in lower case, with one space for each run of white space, and the place of each."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters have two characters in lower case; they stay as they are
        lower = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    codes = np.frombuffer(lower.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    is_space = _IS_SPACE[np.minimum(codes, len(_IS_SPACE) - 1)]
    keep = ~is_space
    keep[1:] |= ~is_space[:-1]  # the first of each run stands for all of it
    codes[is_space] = 32
    places = np.flatnonzero(keep)
    return codes[places], places
