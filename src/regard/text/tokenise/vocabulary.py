"""Which words there are and how often: counted in parts, put together, the most frequent chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from regard.errors import ValueRangeError, VocabularyError
from regard.text.tokenise.layout import blocks, whole_words
from regard.text.tokenise.tokens import LINE_END, UNKNOWN

MARKS = (UNKNOWN, LINE_END)


@dataclass(frozen=True)
class WordCounts:
    """How often each word was seen."""

    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All words, each as often as it was seen."""
        return sum(self.counts.values())

    def renamed(self, form: Callable[[str], str]) -> WordCounts:
        """The same with every word in another form; words of one form are counted together."""
        renamed: Counter[str] = Counter()
        for word, count in self.counts.items():
            renamed[form(word)] += count
        return WordCounts(renamed)


def count_words(chunks: Iterable[str]) -> WordCounts:
    """The words of a text that comes in chunks, wherever it was cut.

    >>> count_words(["to be or n", "ot to be"]).counts["be"]
    2
    """
    counts: Counter[str] = Counter()
    for chunk in whole_words(chunks):
        for block in blocks(chunk):
            counts.update(block.split())
    return WordCounts(counts)


def merge(parts: Iterable[WordCounts]) -> WordCounts:
    """The counts of several texts together."""
    together: Counter[str] = Counter()
    for part in parts:
        together.update(part.counts)
    return WordCounts(together)


def most_frequent(counts: WordCounts, *, size: int | None = None) -> tuple[str, ...]:
    """The marks <unk> and </s>, then the most frequent words: `size` in all.

    Without a size, every word that was seen at least twice: those seen once then teach a model what it is like to
    meet an unknown word. Words of equal count stand in the order in which they were first seen.

    >>> most_frequent(count_words(["to be or not to be"]), size=4)
    ('<unk>', '</s>', 'to', 'be')
    """
    if size is not None and size < len(MARKS):
        raise ValueRangeError(f"a vocabulary has at least its marks {' and '.join(MARKS)}, size 2; got size {size}")
    seen = {word: n for word, n in counts.counts.items() if word not in MARKS and is_storable(word)}
    words = sorted(seen, key=lambda word: -seen[word])
    chosen = [word for word in words if seen[word] >= 2] if size is None else words[: size - len(MARKS)]
    return (*MARKS, *chosen)


def is_storable(text: str) -> bool:
    """False where there is half a surrogate pair: it is no character, and no file can hold it."""
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)


def checked(vocabulary: Any, *, marks: tuple[str, ...], is_entry: Callable[[str], bool]) -> tuple[str, ...]:
    """The vocabulary, once it is sure to be one: distinct entries of the right form after these marks."""
    if not isinstance(vocabulary, list | tuple) or not all(isinstance(word, str) for word in vocabulary):
        raise VocabularyError(f"a vocabulary is a list of words; got {_short(vocabulary)}")
    if tuple(vocabulary[: len(marks)]) != marks:
        raise VocabularyError(
            f"a vocabulary begins with {', '.join(marks)}; this one begins with {_short(vocabulary[: len(marks)])}"
        )
    entries = vocabulary[len(marks) :]
    for place, entry in enumerate(entries, start=len(marks)):
        if not is_entry(entry) or not is_storable(entry):
            raise VocabularyError(f"entry {place} of the vocabulary cannot be a token: {_short(entry)}")
    if len(set(vocabulary)) < len(vocabulary):
        twice = next(word for word, count in Counter(vocabulary).items() if count > 1)
        raise VocabularyError(f"each word stands once in a vocabulary; {_short(twice)} stands there twice")
    return tuple(vocabulary)


def _short(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
