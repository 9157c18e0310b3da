"""Train the small classifier of film reviews that ships with the lab, and write its file.

python benchmarks/lab_classifier.py        about 20 seconds of one core

It learns from movie-snippets, which is fetched from the Python package registry and is not part of the package; what
ships are a few numbers for each word. A fifth of the sentences is kept apart, and measured on once, at the end, with
the numbers as they are stored. A fixed seed and one thread: with one version of torch on one kind of processor the file
is the same, byte for byte.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from regard.lab.chapters.reviews.page_classifier import MAX_BYTES, SHIPPED, page_classifier_bytes, read_page_classifier
from regard.text.labelled.source import read_splits
from regard.training.averaging.train import AveragingConfig, train_averaging

OUT = Path(__file__).parents[1] / "src/regard/lab/web/models" / SHIPPED
CONFIG = AveragingConfig(form="classic", hidden=8, min_count=3, epochs=16, seed=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    splits = read_splits("movie-snippets")
    assert splits.test is not None
    classifier = train_averaging(splits.train, CONFIG)
    stored = read_page_classifier(page_classifier_bytes(classifier, splits.train.texts))
    log_probs = stored.log_probs(splits.test.texts)
    is_right = log_probs.argmax(axis=1) == splits.test.label_ids
    error = float(is_right.std() / np.sqrt(len(is_right)))
    facts = {
        "text": "movie-snippets: sentences of film reviews, rated by people (Hutto and Gilbert 2014)",
        "trained_on": f"{len(splits.train):,} sentences",
        "measured_on": f"{len(is_right):,} other sentences",
        "accuracy": round(float(is_right.mean()), 4),
        "standard_error": round(error, 4),
        "words": len(stored.words_part.hashes) if stored.words_part else 0,
        "hidden": CONFIG.hidden,
        "command": "python benchmarks/lab_classifier.py",
    }
    data = page_classifier_bytes(classifier, splits.train.texts, facts=facts)
    if len(data) > MAX_BYTES:
        sys.exit(f"the file would have {len(data)} bytes; at most {MAX_BYTES} may ship")
    asked.out.write_bytes(data)
    print(f"{100 * is_right.mean():.2f} ± {100 * error:.2f} % right; {len(data)} bytes in {asked.out}")


if __name__ == "__main__":
    main()
