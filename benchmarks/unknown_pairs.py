"""Word pairs that training did not have: whether a classifier's confidence is worth less where there are many.

    python benchmarks/unknown_pairs.py               two folds of IMDb's training reviews: three minutes of one core
    python benchmarks/unknown_pairs.py FILE...       and labelled texts of other domains, their development parts alone

Each fold of 5,000 reviews is read, whole and by its last words, by a strong classifier of the other 20,000; the first
of them also reads the other domains. A row has mean confidence and accuracy by the share of unknown pairs (below 15 %,
15–30 %, 30–50 %, more), and the slope of accuracy − expected accuracy on it, beside unknown words and ln(words),
in points for ten points more unknown pairs. IMDb's test part is not read.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from domain_quality import extra_files, half
from imdb_quality import DATA, Row

from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.familiarity import PAIR_SHARES
from regard.records import LabelledTexts
from regard.text.labelled.source import read_labelled
from regard.text.vectors.glove_text import read_vectors
from regard.text.word_bags import WordBags, word_bags
from regard.training.averaging.calibration import cut_endings
from regard.training.averaging.train import AveragingConfig, train_averaging

FOLD, N_FOLDS = 5000, 2
ENDINGS = (4, 8, 16, 32)
FEWEST = 30


@dataclass(frozen=True, eq=False)
class Asked:
    """What a classifier said of some texts: a column a measure, a row a text."""

    columns: np.ndarray
    """Confidence, whether right, expected accuracy, share of unknown pairs, share of unknown words, words."""

    @classmethod
    def about(cls, classifier: AveragingClassifier, bags: WordBags, label_ids: np.ndarray) -> Asked:
        """What the classifier says of these texts."""
        probs, n_words = np.exp(classifier.log_probs_of_bags(bags)), np.diff(bags.offsets)
        confidence, is_right = probs.max(axis=1), probs.argmax(axis=1) == label_ids
        unknown, pairs = classifier.unknown_shares(bags), classifier.unknown_pair_shares(bags)
        assert classifier.measured is not None
        assert pairs is not None
        beside = classifier.measured.describe(n_words, unknown, confidence, unknown_pairs=pairs)
        expected = np.array([each.expected_accuracy for each in beside])
        return cls(np.stack([confidence, is_right, expected, pairs, unknown, n_words], axis=1))

    def by_share(self) -> Iterator[str]:
        """Mean confidence → accuracy ± standard error, of each class with enough texts."""
        place = np.searchsorted(PAIR_SHARES, self.columns[:, 3], side="right")
        for each in range(len(PAIR_SHARES) + 1):
            confidence, is_right = self.columns[place == each, :2].T
            if len(is_right) >= FEWEST:
                error = is_right.std() / np.sqrt(len(is_right))
                yield f"{100 * confidence.mean():.1f} → {100 * is_right.mean():.1f} ± {100 * error:.1f}"
            else:
                yield "–"

    def slope(self) -> tuple[float, float]:
        """Points of accuracy above the expected one for ten points of unknown pairs, and the standard error."""
        _, is_right, expected, pairs, unknown, n_words = self.columns.T
        columns = [np.ones_like(pairs), pairs, unknown, *([np.log(n_words + 1)] if n_words.std() else [])]
        design, gap = np.stack(columns, axis=1), is_right - expected
        inverse = np.linalg.inv(design.T @ design)
        slopes = inverse @ design.T @ gap
        spread = design * (gap - design @ slopes)[:, None]
        errors = np.sqrt(np.diag(inverse @ spread.T @ spread @ inverse))
        return float(10 * slopes[1]), float(10 * errors[1])

    def row(self, name: str) -> Row:
        """Both, as a line of the results."""
        slope, error = self.slope()
        return (
            f"{Path(name).name}, {len(self.columns):,} texts",
            f"{', '.join(self.by_share())}; {slope:+.2f} ± {error:.2f}",
            "",
        )


def measure() -> Iterator[Row]:
    """Confidence, accuracy and slope, of reviews, of their endings, and of other domains."""
    train = read_labelled(str(DATA / "imdb.parquet"), split="train")
    vectors = read_vectors(DATA / "glove.6B.100d.subset.txt.gz")
    order = np.random.default_rng(5).permutation(len(train))
    found: dict[str, list[np.ndarray]] = {}
    domains = {name: half(read_labelled(name), "development") for name in ("movie-snippets", *extra_files())}
    for fold in np.split(order, range(FOLD, N_FOLDS * FOLD + 1, FOLD))[:N_FOLDS]:
        rest = np.setdiff1d(order, fold)
        classifier = train_averaging(chosen(train, rest), AveragingConfig(), vectors=vectors)
        bags, label_ids = word_bags([train.texts[i] for i in fold]), train.label_ids[fold]
        parts = {f"last {n} words": cut_endings(bags, n) for n in ENDINGS}
        asked = {"whole reviews": Asked.about(classifier, bags, label_ids)}
        asked |= {name: Asked.about(classifier, each.bags, label_ids[each.text]) for name, each in parts.items()}
        for name, data in domains.items():
            asked[name] = Asked.about(classifier, word_bags(data.texts), data.label_ids)
        for name, each in asked.items():
            found.setdefault(name, []).append(each.columns)
        domains = {}  # one classifier is asked about these: two would count each text twice
    return (Asked(np.concatenate(parts)).row(name) for name, parts in found.items())


def chosen(data: LabelledTexts, places: np.ndarray) -> LabelledTexts:
    return LabelledTexts(tuple(data.texts[i] for i in places), data.label_ids[places], data.labels)


def main() -> None:
    for row in measure():
        print(" | ".join(row), flush=True)


if __name__ == "__main__":
    main()
