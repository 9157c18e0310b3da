"""A code that learns from what it has coded.

Each outcome is looked up in a chain of contexts, from the most general to the most specific; what a context has not
seen often is left to the one before it:

    p₀(o) = what is said of outcomes never met (a uniform choice, a spelling, …)
    pₖ(o) = (nₖ(o) + θ pₖ₋₁(o)) / (Nₖ + θ)        nₖ(o) of the Nₖ outcomes in context k were o

A reader who has decoded everything so far knows all these counts, so nothing else need be sent. In the most general
context an outcome that was met before has n/(N + θ) alone: the sum over outcomes is then at most one, not exactly one,
and p₀, which may be a whole spelling, is asked for only when something new comes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

PRIOR = 0.5  # θ; one half is Krichevsky and Trofimov's choice for two outcomes
END = ""  # after the last character of a spelled string
N_OTHER_SPACES = 26  # characters that str.isspace knows besides space, line break and tab; a test counts them


class LearningCode:
    """Costs of outcomes in contexts, learnt as outcomes come."""

    def __init__(self, *, prior: float = PRIOR) -> None:
        self._prior = prior
        self._counts: dict[Hashable, dict[Hashable, int]] = {}
        self._totals: dict[Hashable, int] = {}

    def nats(self, outcome: Hashable, contexts: Sequence[Hashable], novelty: Callable[[], float]) -> float:
        """−ln p(outcome); `novelty` gives −ln p₀(outcome). The contexts learn that it came.

        >>> code = LearningCode()
        >>> [round(math.exp(-code.nats("same", ["any"], lambda: math.log(2))), 3) for _ in range(3)]
        [0.5, 0.667, 0.8]
        """
        prior, nats = self._prior, math.inf
        for depth, context in enumerate(contexts):
            counts = self._counts.setdefault(context, {})
            n, whole = counts.get(outcome, 0), self._totals.get(context, 0) + prior
            if n == 0:  # in logarithms: a long spelling has a probability that no float can hold
                nats = (novelty() if depth == 0 else nats) + math.log(whole / prior)
            else:
                below = 0.0 if depth == 0 else prior * math.exp(-nats)
                nats = -math.log((n + below) / whole)
            counts[outcome] = n + 1
            self._totals[context] = self._totals.get(context, 0) + 1
        return nats


class SpellingCode:
    """Strings, character by character and then END; each character in the context of the one before it."""

    def __init__(self, character_nats: Callable[[str], float]) -> None:
        self._code = LearningCode()
        self._character_nats = character_nats

    def nats(self, text: str) -> float:
        """−ln p(text) among all strings; the code learns that it came."""
        nats, previous = 0.0, END
        for character in [*text, END]:
            contexts = ("any", ("after", previous))
            nats += self._code.nats(character, contexts, lambda: self._character_nats(character))  # noqa: B023
            previous = character
        return nats


def unicode_nats(character: str) -> float:
    """−ln of a fixed distribution over all characters and END: ¼ for END, ½ for ASCII, ¼ for the rest of Unicode."""
    if character == END:
        return math.log(4)
    return math.log(2 * 128) if ord(character) < 128 else math.log(4 * (0x110000 - 128))


def space_nats(character: str) -> float:
    """The same for strings of white space: ⅕ each for END, space, line break and tab, the rest for all others."""
    return math.log(5) if character in (END, " ", "\n", "\t") else math.log(5 * N_OTHER_SPACES)
