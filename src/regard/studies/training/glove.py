"""Word vectors: trained on a text in one call, or found by name or in a file, to start a model from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from regard.errors import CorpusError
from regard.files import cache_folder
from regard.progress import Progress, show_progress, silent
from regard.records import ALONE, Workers
from regard.studies.training.run import Stopwatch, TrainingResult, make_config
from regard.text.cooccurrence import count_cooccurrences
from regard.text.corpora.corpus import Corpus, TextSource, find_corpus, find_local_corpus, find_text
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.text.vectors.cache import open_vectors
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


VectorSource: TypeAlias = str | Path | WordVectors
Note: TypeAlias = Callable[[str], None]
GLOVE = "glove"


def find_vectors(source: VectorSource, *, note: Note = lambda line: None) -> WordVectors:
    """The word vectors of this name or in this file, from the cache where they have been read before.

    `note` is called with a line where some lines of the file could not be used.
    """
    if isinstance(source, WordVectors):
        return source
    path = find_corpus(source).path
    if path is None:
        raise CorpusError(f"{source} is a text; expected a file of word vectors")
    found = open_vectors(path, cache=cache_folder())
    if found.report is not None and (found.report.n_skipped or found.report.n_duplicates):
        note(f"{path}: {found.report}")
    return found


def find_start_vectors(
    source: VectorSource | None, *, note: Note = lambda line: None
) -> tuple[str, WordVectors | None]:
    """The vectors that a classifier starts from, and their name: by default GloVe's, where they are available.

    "none" stands for no vectors.
    """
    if source == "none" or (source is None and find_local_corpus(GLOVE) is None):
        return "none", None
    found = find_vectors(GLOVE if source is None else source, note=note)
    return GLOVE if source is None else "given" if isinstance(source, WordVectors) else str(source), found
