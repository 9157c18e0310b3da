"""What it costs to spell a word that a model does not know: so that no model gains by not knowing.

A model that says `<unk>` has not said which word stands there. The speller says it, byte after byte, with an end mark:

    cost(word) = −Σᵢ ln p(byteᵢ | bytes before it) − ln p(end | word)

Over bytes there is nothing that cannot be spelled, and the costs are those of a proper distribution over words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from regard.display import short_repr
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.kneser_ney import KneserNey
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser, Tokens, known_tokens

ORDER = 6
MAX_WORDS = 100_000  # more of them cost time and teach no more spelling
N_SYMBOLS = 257
END = 256
START = 257


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


def unknown_words(text: str, tokens: Tokens, tokeniser: Tokeniser) -> Counter[str]:
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
