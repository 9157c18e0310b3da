"""From a text to GloVe word vectors, in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from regard.cluster import ALONE, Workers
from regard.progress import Progress, show_progress, silent
from regard.studies.sources import TextSource, find_text
from regard.studies.training.result import Stopwatch, TrainingResult, make_config
from regard.text.cooccurrence import count_cooccurrences
from regard.text.corpora.corpus import Corpus
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.text.vectors.word_vectors import WordVectors, write_vectors
from regard.training import glove as training
from regard.training.glove import GloveConfig


def train_glove(
    text: TextSource,
    *,
    unit: Literal["word", "course"] = "word",
    vocabulary: int | None = None,
    seed: int = 0,
    out: Path | str | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
    **settings: Any,
) -> WordVectors:
    """Train word vectors on which words stand near each other; with `out`, also write them as GloVe text.

    `text` is a corpus name, a path, or a text with a line break in it. Further settings are those of `GloveConfig`:
    width, window, n_sweeps, x_max, power, ridge. Counting is done by `workers`, processes of this machine, or those of
    a Dask `scheduler`; the vectors are the same.
    """
    config = make_config(GloveConfig, settings)
    corpus = find_text(text)
    with show_progress(progress) as report:
        group = Workers(workers, scheduler)
        found = run(corpus, config, unit=unit, vocabulary=vocabulary, seed=seed, workers=group, progress=report)
    if out is not None:
        write_vectors(found.model, Path(out))
    return found.model


def run(
    corpus: Corpus,
    config: GloveConfig,
    *,
    unit: Literal["word", "course"],
    vocabulary: int | None,
    seed: int,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> TrainingResult[WordVectors]:
    """Count which words stand near each other, and fit vectors to the counts."""
    text = corpus.text
    watch = Stopwatch()
    progress(None, "counting")
    tokeniser = fit_tokeniser(text, unit=unit, vocabulary=vocabulary)
    ids, words = tokeniser.encode(text).ids, tokeniser.vocabulary
    lines = np.split(ids, np.flatnonzero(ids == tokeniser.line_end) + 1)
    counts = count_cooccurrences(lines, n_words=len(words), window=config.window, workers=workers)
    vectors, history = training.train_glove(counts, words, config, np.random.default_rng(seed), progress=progress)
    facts: dict[str, Any] = {"words": len(words), "width": config.width, **watch.seconds()}
    facts |= {"loss_first": history[0].loss, "loss_last": history[-1].loss}
    return TrainingResult(vectors, facts, list(history))
