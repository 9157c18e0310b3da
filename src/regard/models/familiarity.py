"""How unlike the training texts a text is, and what an answer about such a text is worth.

While a classifier is trained, it answers about texts that were held out: whole, shortened to their last words, and with
some words replaced by unknown ones. A table keeps how often it was right,

    by length × share of unknown words × confidence of the answer

and what it says about a new text is read beside the answers about texts of the same kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.shapes import Float, Int

CONFIDENCES = (0.6, 0.7, 0.8, 0.9, 0.95)
UNKNOWN_SHARES = (0.05, 0.15, 0.35)
"""Where a new class of answers begins."""
PRIOR_ANSWERS = 10
"""So many answers that were right as often as they claimed are added to each class: few say little."""
FEWEST_ANSWERS = 30
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
    """Whether the warnings say how often such texts were told right."""
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class MeasuredAccuracy:
    """How many answers each class has, how many of them were right, and the sum of their confidences.

    Texts of `usual_words`, the shortest and the longest hundredth left out, are in the last class of length; those
    before it are endings of `ending_words` words. A hundredth of held-out texts has more than `usual_unknown`.
    """

    usual_words: tuple[int, int]
    usual_unknown: float
    ending_words: tuple[int, ...]
    answers: Float[np.ndarray, "length unknown confidence"]
    right: Float[np.ndarray, "length unknown confidence"]
    claimed: Float[np.ndarray, "length unknown confidence"]

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
    ) -> Iterator[Familiarity]:
        """Each text beside the texts of training."""
        places = self.classes(n_words, unknown, confidence)
        expected = np.clip(confidence + ((self.right - self.claimed) / (self.answers + PRIOR_ANSWERS))[places], 0, 1)
        columns = [column.tolist() for column in (n_words, unknown, expected, *places)]
        for n, share, accuracy, *place in zip(*columns, strict=True):
            is_short, is_long = n < self.usual_words[0], n > self.usual_words[1]
            has_many = share > self.usual_unknown
            reasons = self._reasons(n, share, is_short=is_short, is_long=is_long, has_many=has_many)
            is_known_kind = bool(self.ending_words) if is_short else has_many
            evidence = self._evidence(*place) if is_known_kind else ""
            warnings = (f"{' and '.join(reasons)}{evidence}",) if reasons else ()
            yield Familiarity(n, share, accuracy, is_short, is_long, has_many, bool(evidence), warnings)

    def _reasons(self, n_words: int, share: float, *, is_short: bool, is_long: bool, has_many: bool) -> list[str]:
        least, most = self.usual_words
        length = f"({n_words:,} word{'' if n_words == 1 else 's'}; training texts had {least:,} to {most:,})"
        reasons = [f"{'short' if is_short else 'long'} {length}"] if is_short or is_long else []
        return [*reasons, f"{share * 100:.0f} % of its words are unknown"] if has_many else reasons

    def _evidence(self, length: int, unknown: int, confidence: int) -> str:
        """What answers about such texts were worth; nothing where there were none."""
        n, right = self.answers[length, unknown], self.right[length, unknown]
        if n[confidence] >= FEWEST_ANSWERS:
            bounds = [0, *CONFIDENCES, 1]
            low, high = (f"{bound * 100:.0f}" for bound in bounds[confidence : confidence + 2])
            sure = f"below {high} %" if confidence == 0 else f"{low}–{high} %"
            share = right[confidence] / n[confidence]
            return f": for such texts {sure} confidence was right in {share * 100:.0f} % of cases"
        if n.sum() >= FEWEST_ANSWERS:
            return f": such texts were told right in {100 * right.sum() / n.sum():.0f} % of cases"
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
        return {"answers": self.answers, "right": self.right, "claimed": self.claimed}

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray]) -> MeasuredAccuracy:
        """The record that `config` and `arrays` came from."""
        least, most = config["usual_words"]
        return cls((least, most), config["usual_unknown"], tuple(config["ending_words"]), **arrays)
