"""The neural bigram model on the Penn Treebank: what each trainer reaches, in how much CPU time; and on little text.

python benchmarks/bigram_quality.py

Vocabulary: the 2,000 most frequent words with <unk> and </s>. Settings were chosen on a tenth of the training lines;
validation and test text are only measured on. Little text is the beginning of a longer one, measured on its last tenth,
by the defaults and with every word in the vocabulary. Needs the Penn Treebank and GloVe vectors in REGARD_DATA.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
from timing import timed

from regard.models.base import LanguageModel
from regard.models.bigram import BigramModel
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.text.bigram_counts import count_text
from regard.text.corpora.corpus import find_corpus
from regard.text.vectors.glove_text import read_vectors
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.counts_trainer import train_on_counts
from regard.training.bigram.start import token_shares
from regard.training.bigram.train import BigramConfig, BigramTask, bigram_task, train_by_counts, train_by_sgd

Row = tuple[str, str, str]
VOCABULARY = 2000
LITTLE_TEXTS = ("tinyshakespeare", "python-manual", "ptb/train")
LITTLE = (300, 3000, 30_000, 300_000)  # characters


def measure() -> list[Row]:
    """Rows of what was measured, what came out, and what is to be reached."""
    texts = {part: find_corpus(f"ptb/{part}").text for part in ("train", "valid", "test")}
    glove = read_vectors(find_corpus("glove").path)
    course = {"hidden": 50, "width": 50, "activation": "sigmoid", "vectors": "fixed"}
    return [
        row(texts, "counts, 200 tanh units, learnt vectors", "≤ 68.4 in ≤ 25 s; before: 68.47 in 87 s"),
        row(texts, "the same, 20 iterations", "–", iterations=20),
        row(texts, "the same beside Kneser–Ney, trained twice", "≤ 66.0", beside_counts=True),
        row(texts, "the same with GloVe vectors that say which words are alike", "≤ 65.76, without", glove=glove),
        row(
            texts,
            "counts, the course's size: 50 GloVe inputs, 50 sigmoid units; words without a vector learn theirs",
            "≤ 78.5 in ≤ 12 s; before: 78.70 in 44 s",
            glove=glove,
            **course,
        ),
        row(texts, "small steps, the course's recipe and size", "128.1 in 41 s", glove=glove, trainer="sgd", **course),
        *length_rows(texts["train"]),
        *(little_text_row(name, n) for name in LITTLE_TEXTS for n in LITTLE),
    ]


def row(texts: dict[str, str], what: str, goal: str, *, glove: WordVectors | None = None, **settings: object) -> Row:
    task = bigram_task(texts["train"], BigramConfig(vocabulary=VOCABULARY, **settings), vectors=glove)
    model, seconds = timed(lambda: trained(task))
    valid, test = (perplexity(model, texts[part]) for part in ("valid", "test"))
    return f"{what}: perplexity valid, test", f"{valid:.2f}, {test:.2f} in {seconds:.1f} s CPU", goal


def trained(task: BigramTask) -> BigramModel:
    if task.config.trainer == "counts":
        return train_by_counts(task)
    *_, (_, model) = train_by_sgd(task)
    return model


def length_rows(text: str) -> list[Row]:
    """Counting and training apart, on the same text 1, 10 and 100 times over."""
    task = bigram_task(text, BigramConfig(vocabulary=VOCABULARY))
    rows = []
    for times in (1, 10, 100):
        counts, counting = timed(lambda times=times: count_text(itertools.repeat(text, times), task.tokeniser))
        _, training = timed(lambda counts=counts: train_on_counts(counts.matrix, config=task.config.for_counts()))
        speed = counts.total / counting / 1e6
        rows.append(
            (
                f"trainer counts on {counts.total:,} words (the text {times} times)",
                f"training {training:.1f} s CPU; counting {counting:.2f} s, {speed:.1f} M words/s with tokenising",
                "training constant; counting ≥ 5 M words/s",
            )
        )
    return rows


def little_text_row(name: str, n_characters: int) -> Row:
    """The network beside what it must not be worse than, on the beginning of a text."""
    text = find_corpus(name).text[:n_characters]
    cut = text.find("\n", n_characters * 9 // 10) + 1
    cut = cut if 0 < cut < n_characters else n_characters * 9 // 10
    learn, valid = text[:cut], text[cut:]
    found = []
    for vocabulary in (None, VOCABULARY):
        task = bigram_task(learn, BigramConfig(vocabulary=vocabulary))
        share = token_shares(task.with_unknown(task.counts).sum(axis=0))
        unigram = math.exp(-np.log(share[task.tokeniser.encode(valid).ids]).mean())
        counting = NgramConfig(unit="word", method="kneser-ney", order=2, vocabulary=task.vocab)
        kneser_ney = perplexity(fit_ngram(learn, counting), valid)
        model, seconds = timed(lambda task=task: train_by_counts(task))
        found.append(
            f"{task.vocab:,} words: uniform {task.vocab:,}, unigram {unigram:.4g}, Kneser–Ney {kneser_ney:.4g}, "
            f"network {perplexity(model, valid):.4g} in {seconds:.1f} s CPU"
        )
    return f"{n_characters:,} characters of {name}: perplexity", "; ".join(found), "network ≤ uniform, unigram"


def perplexity(model: LanguageModel, text: str) -> float:
    return math.exp(-model.score(text).log_probs_nats.mean())


if __name__ == "__main__":
    for row_ in measure():
        print(" | ".join(row_))
