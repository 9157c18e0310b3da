"""Averaging classifiers on IMDb: accuracy on the 25,000 test reviews, CPU time from raw text, size, calibration.

    python benchmarks/imdb_quality.py                 about five minutes of one core
    RUNS=FOLDER python benchmarks/imdb_quality.py     keeps the classifiers there

Everything was chosen on a part of the training reviews. Reviews of test that also occur in training are counted, and
accuracy is given without them too. Peers stand beside where they are installed (`pip install scikit-learn
fasttext-wheel`): TF-IDF and naive-Bayes logistic regression, and fastText with bigrams.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regard.evaluation.accuracy import evaluate
from regard.records import ClassificationResult, LabelledTexts
from regard.text.labelled.source import read_labelled
from regard.text.vectors.glove_text import read_vectors
from regard.training.averaging.train import AveragingConfig, train_averaging

Row = tuple[str, str, str]
DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[2] / "shared" / "data"))
SEEDS = (0, 1, 2)
FORMS = {
    "classic": ({"form": "classic"}, "≥ 89.5 %, calibration error ≤ .01"),
    "words alone, with their ratios (--order 1)": ({"order": 1}, "–"),
    "strong": ({}, "≥ 92.6 % (mean) in ≤ 40 s CPU, ≤ 40 MB, calibration error ≤ .01"),
}


@dataclass(frozen=True)
class Outcome:
    """What one classifier reached, and at what price."""

    result: ClassificationResult
    accuracy_without_copies: float
    seconds: float
    megabytes: float = float("nan")


def measure() -> list[Row]:
    """Rows of what was measured, what came out, and what is to be reached."""
    train, test = (read_labelled(str(DATA / "imdb.parquet"), split=split) for split in ("train", "test"))
    copies = np.isin(np.array(test.texts, object), np.array(train.texts, object))
    rows = [("test reviews that also occur in training", f"{copies.sum()}", "")]
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(os.environ.get("RUNS", folder))
        for form, (choices, goal) in FORMS.items():
            configs = [AveragingConfig(**choices, seed=seed) for seed in SEEDS]
            folders = [runs / f"{form.split(',')[0].replace(' ', '-')}-{seed}" for seed in SEEDS]
            found = [averaging(*each, train, test, copies) for each in zip(configs, folders, strict=True)]
            rows += [(f"{form}, seed {seed}", shown(each), "") for seed, each in zip(SEEDS, found, strict=True)]
            rows.append((f"{form}, mean of {len(SEEDS)} seeds", mean_shown(found), goal))
    return [*rows, *peer_rows(train, test, copies)]


def averaging(
    config: AveragingConfig, folder: Path, train: LabelledTexts, test: LabelledTexts, copies: np.ndarray
) -> Outcome:
    begun = time.process_time()
    vectors = read_vectors(DATA / "glove.6B.100d.subset.txt.gz")
    classifier = train_averaging(train, config, vectors=vectors)
    seconds = time.process_time() - begun
    classifier.save(folder, force=True)
    megabytes = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    return outcome(classifier.log_probs(test.texts), test, copies, seconds, megabytes)


def outcome(
    log_probs: np.ndarray, test: LabelledTexts, copies: np.ndarray, seconds: float, megabytes: float = float("nan")
) -> Outcome:
    without = float((log_probs.argmax(axis=1) == test.label_ids)[~copies].mean())
    return Outcome(evaluate(log_probs, test.label_ids, labels=test.labels), without, seconds, megabytes)


def shown(found: Outcome) -> str:
    result = found.result
    text = (
        f"{result.accuracy:.2%} ({found.accuracy_without_copies:.2%} without copies), {result.nats:.4f} nats, "
        f"calibration error {result.calibration_error:.4f}; {found.seconds:.1f} s CPU"
    )
    return text if np.isnan(found.megabytes) else f"{text}, {found.megabytes:.1f} MB"


def mean_shown(found: list[Outcome]) -> str:
    accuracies = [each.result.accuracy for each in found]
    errors = [each.result.calibration_error for each in found]
    seconds = [each.seconds for each in found]
    return f"{np.mean(accuracies):.2%}, calibration error {np.mean(errors):.4f}, {np.mean(seconds):.1f} s CPU"


def peer_rows(train: LabelledTexts, test: LabelledTexts, copies: np.ndarray) -> Iterator[Row]:
    peers: dict[str, Callable[[LabelledTexts, LabelledTexts], np.ndarray]] = {
        "scikit-learn, TF-IDF of 1–2-grams, logistic regression": tfidf_regression,
        "scikit-learn, naive-Bayes ratios of 1–3-grams, logistic regression": naive_bayes_regression,
        "fastText, bigrams": fasttext_bigrams,
    }
    for name, run in peers.items():
        begun = time.process_time()
        try:
            log_probs = run(train, test)
        except ImportError as error:
            yield name, f"not run: {error.name} is not installed", ""
            continue
        yield (
            f"{name} (time with classification)",
            shown(outcome(log_probs, test, copies, time.process_time() - begun)),
            "",
        )


def tfidf_regression(train: LabelledTexts, test: LabelledTexts) -> np.ndarray:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    model = LogisticRegression(C=30, max_iter=200).fit(words.fit_transform(train.texts), train.label_ids)
    return model.predict_log_proba(words.transform(test.texts))


def naive_bayes_regression(train: LabelledTexts, test: LabelledTexts) -> np.ndarray:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    words = CountVectorizer(ngram_range=(1, 3), min_df=2, binary=True, token_pattern=r"\w+|[^\w\s]")
    counts = words.fit_transform(train.texts)
    p, q = (np.asarray(counts[train.label_ids == label].sum(axis=0)).ravel() + 1 for label in (1, 0))
    ratios = np.log(p / p.sum()) - np.log(q / q.sum())
    model = LogisticRegression(C=0.1, max_iter=200).fit(counts.multiply(ratios).tocsr(), train.label_ids)
    return model.predict_log_proba(words.transform(test.texts).multiply(ratios).tocsr())


def fasttext_bigrams(train: LabelledTexts, test: LabelledTexts) -> np.ndarray:
    import fasttext

    def plain(text: str) -> str:
        return " ".join(re.findall(r"\w+|[^\w\s]", text.lower().replace("<br />", " ")))

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        lines = [f"__label__{label} {plain(text)}\n" for label, text in zip(train.label_ids, train.texts, strict=True)]
        np.random.default_rng(0).shuffle(lines)  # it learns in the order of the file, where one label follows the other
        path.write_text("".join(lines), encoding="utf-8")
        model = fasttext.train_supervised(str(path), wordNgrams=2, epoch=5, lr=0.5, thread=1, verbose=0)
    log_probs = np.empty((len(test), 2))
    for i, text in enumerate(test.texts):
        for probability, label in model.f.predict(plain(text) + "\n", 2, 0.0, "strict"):
            log_probs[i, int(label.removeprefix("__label__"))] = np.log(max(probability, 1e-12))
    return log_probs


def main() -> None:
    for row in measure():
        print(" | ".join(row), file=sys.stdout, flush=True)


if __name__ == "__main__":
    main()
