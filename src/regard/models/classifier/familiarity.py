"""How unlike the training texts a text is, and what an answer about such a text is worth.

While a classifier is trained, it answers about validation texts: whole, shortened to their last words, and with
some words replaced by unknown ones. A table keeps how often it was right,

    by length × share of unknown words × confidence of the answer

and what it says about a new text is read beside the answers about texts of the same kind.

A second table is about pairs of neighbouring words that are known, but not beside each other:

    by length × share of unknown pairs
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.display import short_repr
from regard.shapes import Float, Int

CONFIDENCES = (0.6, 0.7, 0.8, 0.9, 0.95)
UNKNOWN_SHARES = (0.05, 0.15, 0.35)
PAIR_SHARES = (0.15, 0.3, 0.5)
"""Where a new class of answers begins."""
PRIOR_ANSWERS = 10
"""This many answers that were right as often as they claimed are added to each class: few say little."""
MIN_ANSWERS = 30
"""With fewer in its class, a text is compared with those of every confidence."""


@dataclass(frozen=True)
class Familiarity:
    """How a text compares with those of training. `warnings` are empty where it is like them.

    `expected_accuracy`: how often answers of this confidence about texts of this kind were right.
    """

    n_words: int
    unknown_share: float
    expected_accuracy: float
    is_short: bool
    is_long: bool
    has_many_unknown: bool
    is_measured: bool
    """Whether the warnings say how often such texts were labelled right."""
    warnings: tuple[str, ...]
    unknown_pair_share: float | None = None
    """Of the pairs of neighbours that are both known words, those that training did not have; None: not known."""
    unknown_pair_overconfidence: float | None = None
    """Mean confidence minus accuracy of answers about texts of this length with about as many unknown pairs."""
    has_many_unknown_pairs: bool = False
    has_measured_pairs: bool = False
    """Whether the model knows how many unknown pairs are usual; older ones do not."""

    def record(self) -> dict[str, Any]:
        """The record for programs and pages, by the names that all of them use."""
        return {
            "n_words": self.n_words,
            "unknown_share": self.unknown_share,
            "unknown_pair_share": self.unknown_pair_share,
            "unknown_pair_overconfidence": self.unknown_pair_overconfidence,
            "expected_accuracy": self.expected_accuracy,
            "warnings": list(self.warnings),
        }


@short_repr
@dataclass(frozen=True, eq=False)
class MeasuredPairs:
    """Answers about validation texts, no word of them hidden, by length and by the share of unknown pairs.

    A hundredth of the texts of a length has a larger share than `usual`. On IMDb, answers are right less often the more
    pairs are unknown, but their confidence falls as much: a pair that is unknown adds nothing to a score. Hence the
    expected accuracy does without this table.
    """

    usual: Float[np.ndarray, " length"]
    answers: Float[np.ndarray, "length share"]
    right: Float[np.ndarray, "length share"]
    claimed: Float[np.ndarray, "length share"]

    def is_unusual(self, length: int, share: float) -> bool:
        """Whether texts of this length seldom have this many unknown pairs; False where too few texts were measured."""
        return bool(share > self.usual[length] and self.answers[length].sum() >= MIN_ANSWERS)

    def overconfidence(self, length: int, share: float) -> float | None:
        """Mean confidence minus accuracy; None where there were too few answers."""
        here = self._find_similar(length, share)
        if here is None:
            return None
        return float((self.claimed[here].sum() - self.right[here].sum()) / self.answers[here].sum())

    def evidence(self, length: int, share: float) -> str:
        """What answers about texts with this many unknown pairs were worth, in words; nothing of too few answers."""
        here = self._find_similar(length, share)
        if here is None or here[1].start == 0:
            return ""
        sure, right = (100 * table[here].sum() / self.answers[here].sum() for table in (self.claimed, self.right))
        least = 100 * PAIR_SHARES[here[1].start - 1]
        worth = f"{sure:.0f} % mean confidence was right in {right:.0f} % of cases"
        return f"where at least {least:.0f} % of pairs were unknown, {worth}"

    def _find_similar(self, length: int, share: float) -> tuple[int, slice] | None:
        """Find the measured texts like this one: with few unknown pairs, or with this many or more, if enough."""
        place = int(np.searchsorted(PAIR_SHARES, share, side="right"))
        tried = [slice(0, 1)] if place == 0 else [slice(first, None) for first in range(place, 0, -1)]
        enough = (each for each in tried if self.answers[length, each].sum() >= MIN_ANSWERS)
        return next(((length, each) for each in enough), None)

    def arrays(self) -> dict[str, np.ndarray]:
        """The table by name."""
        return {"usual": self.usual, "answers": self.answers, "right": self.right, "claimed": self.claimed}


@short_repr
@dataclass(frozen=True, eq=False)
class MeasuredAccuracy:
    """How many answers each class has, how many of them were right, and the sum of their confidences.

    Texts of `usual_words`, the shortest and the longest hundredth left out, are in the last class of length; those
    before it are endings of `ending_words` words. A hundredth of validation texts has more than `usual_unknown`.
    """

    usual_words: tuple[int, int]
    usual_unknown: float
    ending_words: tuple[int, ...]
    answers: Float[np.ndarray, "length unknown confidence"]
    right: Float[np.ndarray, "length unknown confidence"]
    claimed: Float[np.ndarray, "length unknown confidence"]
    pairs: MeasuredPairs | None = None
    """What unknown pairs are worth; None in models of words alone, and in older ones."""

    def classes(
        self,
        n_words: Int[np.ndarray, " batch"],
        unknown: Float[np.ndarray, " batch"],
        confidence: Float[np.ndarray, " batch"],
    ) -> tuple[Int[np.ndarray, " batch"], Int[np.ndarray, " batch"], Int[np.ndarray, " batch"]]:
        """The class of each text by length, by unknown words and by confidence; lengths are divided at √(a·b)."""
        knots = np.array(self.ending_words, float)
        middles = np.sqrt(knots[1:] * knots[:-1])
        short = np.searchsorted(middles, n_words, side="right")
        length = np.where(n_words < self.usual_words[0], short, len(knots)) if len(knots) else np.zeros_like(short)
        return (
            length,
            np.searchsorted(UNKNOWN_SHARES, unknown, side="right"),
            np.searchsorted(CONFIDENCES, confidence, side="right"),
        )

    def describe(
        self,
        n_words: Int[np.ndarray, " batch"],
        unknown: Float[np.ndarray, " batch"],
        confidence: Float[np.ndarray, " batch"],
        *,
        unknown_pairs: Float[np.ndarray, " batch"] | None = None,
    ) -> Iterator[Familiarity]:
        """Each text beside the texts of training."""
        places = self.classes(n_words, unknown, confidence)
        expected = np.clip(confidence + ((self.right - self.claimed) / (self.answers + PRIOR_ANSWERS))[places], 0, 1)
        columns = [column.tolist() for column in (n_words, unknown, expected, *places)]
        pairs = [None] * len(n_words) if unknown_pairs is None else unknown_pairs.tolist()
        for pair_share, n, share, accuracy, *place in zip(pairs, *columns, strict=True):
            yield self._describe_text(n, share, pair_share, accuracy, *place)

    def _describe_text(
        self, n_words: int, share: float, pair_share: float | None, accuracy: float, *place: int
    ) -> Familiarity:
        is_short, is_long = n_words < self.usual_words[0], n_words > self.usual_words[1]
        has_many = share > self.usual_unknown
        reasons = self._reasons(n_words, share, is_short=is_short, is_long=is_long, has_many=has_many)
        is_known_kind = bool(self.ending_words) if is_short else has_many
        evidence = [self._evidence(*place)] if is_known_kind else []
        pairs, length = self.pairs, place[0]
        overconfidence, has_many_pairs = None, False
        if pairs is not None and pair_share is not None:
            overconfidence = pairs.overconfidence(length, pair_share)
            has_many_pairs = pairs.is_unusual(length, pair_share)
            if has_many_pairs:
                reasons.append(f"{pair_share * 100:.0f} % of its word pairs are unknown")
                evidence.append(pairs.evidence(length, pair_share))
        worth = "; ".join(filter(None, evidence))
        warnings = (": ".join(filter(None, (_list_reasons(reasons), worth))),) if reasons else ()
        return Familiarity(
            n_words, share, accuracy, is_short, is_long, has_many, bool(worth), warnings,
            pair_share, overconfidence, has_many_pairs, pairs is not None,
        )  # fmt: skip

    def _reasons(self, n_words: int, share: float, *, is_short: bool, is_long: bool, has_many: bool) -> list[str]:
        least, most = self.usual_words
        length = f"({n_words:,} word{'' if n_words == 1 else 's'}; training texts had {least:,} to {most:,})"
        reasons = [f"{'short' if is_short else 'long'} {length}"] if is_short or is_long else []
        return [*reasons, f"{share * 100:.0f} % of its words are unknown"] if has_many else reasons

    def _evidence(self, length: int, unknown: int, confidence: int) -> str:
        """What answers about such texts were worth; nothing where there were none."""
        n, right = self.answers[length, unknown], self.right[length, unknown]
        if n[confidence] >= MIN_ANSWERS:
            bounds = [0, *CONFIDENCES, 1]
            low, high = (f"{bound * 100:.0f}" for bound in bounds[confidence : confidence + 2])
            sure = f"below {high} %" if confidence == 0 else f"{low}–{high} %"
            share = right[confidence] / n[confidence]
            return f"for such texts {sure} confidence was right in {share * 100:.0f} % of cases"
        if n.sum() >= MIN_ANSWERS:
            return f"such texts were labelled right in {100 * right.sum() / n.sum():.0f} % of cases"
        return ""

    def config(self) -> dict[str, Any]:
        """What is not in `arrays`, as plain JSON."""
        return {
            "usual_words": list(self.usual_words),
            "usual_unknown": self.usual_unknown,
            "ending_words": list(self.ending_words),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The table by name."""
        pairs = {} if self.pairs is None else self.pairs.arrays()
        prefixed = {f"pairs.{name}": array for name, array in pairs.items()}
        return {"answers": self.answers, "right": self.right, "claimed": self.claimed} | prefixed

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray]) -> MeasuredAccuracy:
        """The record that `config` and `arrays` came from; folders of older versions have no table of pairs."""
        least, most = config["usual_words"]
        own = {name: array for name, array in arrays.items() if not name.startswith("pairs.")}
        pairs = {name.removeprefix("pairs."): array for name, array in arrays.items() if name not in own}
        return cls(
            (least, most),
            config["usual_unknown"],
            tuple(config["ending_words"]),
            **own,
            pairs=MeasuredPairs(**pairs) if pairs else None,
        )


def _list_reasons(reasons: list[str]) -> str:
    """The reasons in a row.

    >>> _list_reasons(["short", "strange", "sad"])
    'short, strange and sad'
    """
    return " and ".join(filter(None, (", ".join(reasons[:-1]), *reasons[-1:])))
