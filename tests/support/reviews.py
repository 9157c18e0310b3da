"""Small reviews whose label a single word gives away, for tests of classifiers."""

import csv
import random

import numpy as np

from regard.records import LabelledTexts

LIKED, DISLIKED = ("superb", "lovely", "moving", "brilliant"), ("awful", "boring", "clumsy", "wooden")
PLAIN = ("the", "film", "story", "actor", "scene", "of", "and", "with", "a", "plot", "music", "seen", "in", "town")


def reviews(n, *, seed=0):
    """Rows of text and label, as many of one as of the other."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        words = [rng.choice(PLAIN) for _ in range(8)]
        words.insert(rng.randrange(8), rng.choice(LIKED if i % 2 else DISLIKED))
        rows.append((f"{' '.join(words)} {i}.", "positive" if i % 2 else "negative"))
    return rows


def write_reviews(path, n, *, seed=0):
    """Write such rows to a CSV file."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *reviews(n, seed=seed)])


def labelled_reviews(n, *, seed=0):
    """Such rows as labelled texts."""
    texts, labels = zip(*reviews(n, seed=seed), strict=True)
    return LabelledTexts(texts, np.array([label == "positive" for label in labels], int), ("negative", "positive"))
