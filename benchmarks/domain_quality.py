"""Classifiers that know film reviews, asked about short texts from elsewhere: accuracy and calibration.

    python benchmarks/domain_quality.py               four domains and IMDb's test part: eight minutes of one core
    PART=development python benchmarks/domain_quality.py                     what may be looked at as often as one likes
    python benchmarks/domain_quality.py FILE...       and further labelled texts, 0 or negative and 1 or positive

Everything is trained on IMDb's training reviews. A text of a domain is in its development part if the first byte of its
sha256 is even, else in its test part. The strong form was chosen on the development parts and on training reviews.
"Without length" is that form as it was: every text has the factors of a whole review. The peers stand beside where
scikit-learn is installed, with the settings that `imdb_quality.py` has.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hashlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from imdb_quality import DATA, SEEDS, Row, naive_bayes_regression, tfidf_regression

from regard.evaluation.accuracy import evaluate
from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.records import LabelledTexts
from regard.text.labelled.source import read_labelled
from regard.text.vectors.glove_text import read_vectors
from regard.training.averaging.train import AveragingConfig, train_averaging

DOMAINS = ("movie-snippets", "amazon-snippets", "editorial-snippets", "tweets")
PEERS = {"TF-IDF": tfidf_regression, "naive-Bayes ratios": naive_bayes_regression}
LABELS = ("negative", "positive")


@dataclass(frozen=True)
class Asked:
    """Texts of several domains, one after another, and what each classifier said of them."""

    domains: dict[str, LabelledTexts]
    log_probs: dict[str, list[np.ndarray]]
    """For each name one array a seed, of all texts."""
    expected: np.ndarray
    """How often the first strong classifier expects to be right, text by text."""

    seconds: float
    megabytes: float
    """CPU time and size of a strong classifier, means of the seeds."""

    def of_domain(self, name: str) -> slice:
        """Where the texts of a domain are among all of them."""
        sizes = np.cumsum([0, *(len(each) for each in self.domains.values())])
        place = list(self.domains).index(name)
        return slice(int(sizes[place]), int(sizes[place + 1]))


def measure() -> list[Row]:
    """Rows of what was measured, what came out, and what is to be reached."""
    part = os.environ.get("PART", "test")
    train = read_labelled(str(DATA / "imdb.parquet"), split="train")
    domains = {name: half(read_labelled(name), part) for name in (*DOMAINS, *extra_files())}
    if part == "test":
        domains["IMDb"] = read_labelled(str(DATA / "imdb.parquet"), split="test")
    return list(rows(ask(train, domains), part))


def extra_files() -> list[str]:
    return [name for name in sys.argv[1:] if Path(name).is_file()]


def half(data: LabelledTexts, part: str) -> LabelledTexts:
    """The texts of the development part, or those of the test part."""
    is_even = np.array([hashlib.sha256(text.encode()).digest()[0] % 2 == 0 for text in data.texts])
    chosen = np.flatnonzero(is_even == (part == "development"))
    return LabelledTexts(tuple(data.texts[i] for i in chosen), data.label_ids[chosen], LABELS)


def ask(train: LabelledTexts, domains: dict[str, LabelledTexts]) -> Asked:
    """Train everything once for each seed, and put all texts to it."""
    texts = tuple(text for data in domains.values() for text in data.texts)
    every = LabelledTexts(texts, np.concatenate([data.label_ids for data in domains.values()]), LABELS)
    vectors = read_vectors(DATA / "glove.6B.100d.subset.txt.gz")
    begun = time.process_time()
    strong = [train_averaging(train, AveragingConfig(seed=seed), vectors=vectors) for seed in SEEDS]
    seconds = (time.process_time() - begun) / len(SEEDS)
    megabytes = np.mean([sum(array.nbytes for array in each.arrays().values()) for each in strong]) / 1e6
    said = {
        "strong": [each.log_probs(texts) for each in strong],
        "strong, without length": [without_length(each).log_probs(texts) for each in strong],
    }
    found = strong[0].familiarity(texts, said["strong"][0])
    assert found is not None
    for name, run in PEERS.items():
        try:
            said[name] = [run(train, every)]
        except ImportError as error:
            print(f"{name}: not run: {error.name} is not installed", file=sys.stderr)
    expected = np.array([each.expected_accuracy for each in found])
    return Asked(domains, said, expected, seconds, float(megabytes))


def without_length(classifier: AveragingClassifier) -> AveragingClassifier:
    return replace(classifier, factors=LengthFactors.constant(*classifier.factors.full))


def rows(asked: Asked, part: str) -> Iterator[Row]:
    yield "strong, training", f"{asked.seconds:.1f} s CPU, {asked.megabytes:.1f} MB", "≤ 40 s CPU, ≤ 40 MB"
    for domain, data in asked.domains.items():
        here, name = asked.of_domain(domain), f"{Path(domain).name}, {part} part, {len(data):,} texts"
        for form, said in asked.log_probs.items():
            found = [evaluate(each[here], data.label_ids, labels=LABELS) for each in said]
            accuracy, nats, error = (
                float(np.mean([getattr(each, field) for each in found]))
                for field in ("accuracy", "nats", "calibration_error")
            )
            more = ""
            if form == "strong":
                more = f"; expected {asked.expected[here].mean():.2%}{against_tfidf(asked, here, data.label_ids)}"
            goal = "not below TF-IDF" if form == "strong" and domain != "IMDb" else ""
            yield f"{name}: {form}", f"{accuracy:.2%}, {nats:.4f} nats, calibration error {error:.4f}{more}", goal


def against_tfidf(asked: Asked, here: slice, label_ids: np.ndarray) -> str:
    """The mean difference of right answers on the same texts, and its standard error."""
    if "TF-IDF" not in asked.log_probs:
        return ""
    right = {
        form: np.mean([each[here].argmax(axis=1) == label_ids for each in asked.log_probs[form]], axis=0)
        for form in ("strong", "TF-IDF")
    }
    difference = right["strong"] - right["TF-IDF"]
    error = difference.std() / np.sqrt(len(difference))
    return f"; {100 * difference.mean():+.2f} ± {100 * error:.2f} points against TF-IDF"


def main() -> None:
    for row in measure():
        print(" | ".join(row), flush=True)


if __name__ == "__main__":
    main()
