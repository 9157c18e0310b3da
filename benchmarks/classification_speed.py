"""Reviews a second from raw text to the probability of each label, on one thread, and where the time goes.

    python benchmarks/classification_speed.py

Needs IMDb in REGARD_DATA, 5,000 reviews of its training part. The speed of a classifier does not depend on what its
numbers are, only on how many there are, so they are drawn at random. Peers stand beside it where they are installed
(`pip install scikit-learn fasttext-wheel`): both trained on some of the same reviews, just far enough to be timed.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from timing import cpu_seconds

from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.ngrams import NgramAverage
from regard.models.classifier.words import WordAverage
from regard.text.labelled.source import read_labelled
from regard.text.word_bags import buckets, ngram_hashes, plain_bytes, text_batches, word_bags, word_bytes, word_spans

Row = tuple[str, str, str]
DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[2] / "shared" / "data"))
N_REVIEWS, N_PEER = 5_000, 2_000
N_WORDS, WIDTH, BITS, ORDERS = 50_000, 100, 21, (1, 2, 3)


def measure() -> list[Row]:
    """What was measured, the figure, and the goal."""
    train = read_labelled(str(DATA / "imdb.parquet"), split="train")
    every = len(train) // N_REVIEWS  # negative and positive reviews follow each other in blocks
    texts, labels = list(train.texts[::every]), train.label_ids[::every].tolist()
    return [*classifier_rows(texts), *stage_rows(texts), *peer_rows(texts, labels)]


def speed(what: str, texts: list[str], job: Callable[[list[str]], object], goal: str = "–") -> Row:
    seconds = cpu_seconds(lambda: job(texts))
    return what, f"{len(texts) / seconds:,.0f} reviews/s, {seconds / len(texts) * 1e6:.1f} µs a review", goal


def classifier_rows(texts: list[str]) -> Iterator[Row]:
    both = random_classifier(texts)
    n_words = len(word_bags(texts).hashes)
    size = f"{len(texts):,} reviews of {n_words / len(texts):.0f} words"
    parts = f"{N_WORDS:,} words with {WIDTH} numbers, 1–3-grams in 2^{BITS} rows"
    yield speed(f"raw text to probabilities, {parts}: {size}", texts, both.log_probs, "≥ 10,000 reviews/s")
    words = AveragingClassifier(both.labels, both.words_part, None, both.factors, both.bias)
    yield speed("the same without n-grams", texts, words.log_probs)
    one_by_one = texts[:500]
    yield speed("the first again, one review a call", one_by_one, lambda few: [both.log_probs([text]) for text in few])


def random_classifier(texts: list[str]) -> AveragingClassifier:
    """The most frequent words of the texts and some others, all numbers drawn."""
    rng = np.random.default_rng(0)
    hashes, counts = np.unique(word_bags(texts).hashes, return_counts=True)
    frequent = hashes[np.argsort(-counts)][:N_WORDS]
    others = rng.integers(0, 2**64, N_WORDS - len(frequent), np.uint64)
    rows, hidden, out = (rng.standard_normal(n, np.float32) for n in ((N_WORDS, WIDTH), WIDTH, (2, WIDTH)))
    words = WordAverage(np.sort(np.append(frequent, others)), rows, hidden, ((out, np.zeros(2, np.float32)),), "relu")
    ngrams = NgramAverage.rounded(rng.standard_normal((1 << BITS, 1), np.float32), ORDERS)
    return AveragingClassifier(("neg", "pos"), words, ngrams, (1.0, 1.0), np.zeros(2))


def stage_rows(texts: list[str]) -> Iterator[Row]:
    batches = list(text_batches(texts))
    bags = [word_bags(batch) for batch in batches]

    def rows_of_ngrams(_: list[str]) -> None:
        for part in bags:
            for n in ORDERS:
                buckets(ngram_hashes(part, n)[0], BITS)

    yield speed("of which lower case, plain marks, UTF-8", texts, lambda few: [plain_bytes(text) for text in few])
    yield speed("and where the words are", texts, lambda _: [word_bytes(batch) for batch in batches])
    yield speed("and their hashes", texts, lambda _: [word_bags(batch) for batch in batches])
    yield speed("then hashes of 1–3-grams and their rows", texts, rows_of_ngrams)
    few = texts[:500]
    yield speed("for explanations: the characters of each word", few, lambda few: [word_spans(text) for text in few])


def peer_rows(texts: list[str], labels: list[int]) -> Iterator[Row]:
    word = re.compile(r"\w+(?:'\w+)*|[^\w\s]")
    yield speed(
        "a regular expression of Python, words alone", texts, lambda few: [word.findall(t.lower()) for t in few]
    )
    every = len(texts) // N_PEER
    for name, trained in (("scikit-learn", scikit_learn), ("fastText", fasttext)):
        try:
            what, predict = trained(texts[::every], labels[::every])
        except ImportError:
            yield f"{name}, raw text to labels", "not installed here", "–"
        else:
            yield speed(f"{name}, raw text to labels: {what}", texts[::every], predict)


def scikit_learn(texts: list[str], labels: list[int]) -> tuple[str, Callable[[list[str]], object]]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression())
    return "TF-IDF of 1–2-grams, logistic regression", model.fit(texts, labels).predict_proba


def fasttext(texts: list[str], labels: list[int]) -> tuple[str, Callable[[list[str]], object]]:
    import fasttext as library

    def lines(some: list[str]) -> list[str]:
        return [" ".join(re.findall(r"\w+(?:'\w+)*|[^\w\s]", text.lower())) for text in some]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "train.txt"
        marked = (f"__label__{label} {line}\n" for label, line in zip(labels, lines(texts), strict=True))
        path.write_text("".join(marked), encoding="utf-8")
        model = library.train_supervised(str(path), wordNgrams=2, dim=10, epoch=1, thread=1, verbose=0)
    return "pairs of words after the regular expression", lambda some: model.predict(lines(some))


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
