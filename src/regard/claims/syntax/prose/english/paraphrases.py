"""Words for words: phrases that say no more than a plainer one, which the grammar knows, and those that say nothing.

A row is what is written and what is read for it. No row adds or takes away a condition, a number or a denial.
"""

from __future__ import annotations

from collections.abc import Sequence

from regard.claims.syntax.prose.tokens import Token

PARAPHRASES: tuple[tuple[str, str], ...] = (
    ("if and only if", "iff"),
    ("exactly when", "iff"),
    ("exactly if", "iff"),
    ("precisely when", "iff"),
    ("precisely if", "iff"),
    ("just when", "iff"),
    ("with respect to", "wrt"),
    ("cross entropy", "cross-entropy"),
    ("log sum exp", "log-sum-exp"),
    ("one hot", "one-hot"),
    ("ce", "cross-entropy"),
    ("ppl", "perplexity"),
    ("one and the same", "the same"),
    ("nothing but", ""),
    ("nothing else but", ""),
    ("nothing else than", ""),
    ("nothing other than", ""),
    ("closer and closer to", "closer to"),
    ("nearer and nearer to", "closer to"),
    ("gets closer to", "tends to"),
    ("get closer to", "tend to"),
    ("comes closer to", "tends to"),
    ("stays what it was", "stays the same"),
    ("stay what they were", "stay the same"),
    ("remains what it was", "remains the same"),
    ("remain what they were", "remain the same"),
    ("stays as it was", "stays the same"),
    ("stay as they were", "stay the same"),
    ("remains as it was", "remains the same"),
    ("remain as they were", "remain the same"),
    ("is left as it is", "is left unchanged"),
    ("half of the weight", "half the weight"),
    ("at right angles", "orthogonal"),
    ("below or at", "at most"),
    ("at or below", "at most"),
    ("above or at", "at least"),
    ("at or above", "at least"),
    ("less or equal", "at most"),
)
"""What is written, and what is read for it."""

_BY_FIRST: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
for _written, _read in PARAPHRASES:
    _BY_FIRST.setdefault(_written.split()[0], []).append((tuple(_written.split()), tuple(_read.split())))


def paraphrase(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with plainer words, as often as a row fits.

    >>> [one.text for one in paraphrase([Token(word, "word") for word in "gets closer and closer to one".split()])]
    ['tends', 'to', 'one']
    """
    found = list(tokens)
    at = 0
    while at < len(found):
        for written, read in _BY_FIRST.get(found[at].text, ()):
            here = found[at : at + len(written)]
            if tuple(token.text for token in here) == written and all(token.kind == "word" for token in here):
                found[at : at + len(written)] = [Token(word, "word") for word in read]
                at = max(at - 2, -1)  # what was read may be a part of another row
                break
        at += 1
    return found
