"""From labelled texts to an averaging classifier.

texts → words ─┬→ regression on n-grams (strong) ─ logits ┐
               └→ network on the mean of words ← adds to ─┘→ factors fitted on validation texts, whole and shortened
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from regard.errors import CheckpointError, ValueRangeError
from regard.models.classifier.averaging import AveragingClassifier, LengthFactors, by_label
from regard.models.classifier.network import AveragingNetwork, NetworkShape
from regard.models.classifier.ngrams import NgramAverage
from regard.models.classifier.words import UNKNOWN, WordAverage, WordRows, distinct_known
from regard.models.folder_writer import ModelFolder
from regard.records import LabelledTexts
from regard.shapes import Float, Int, UInt
from regard.text.labelled.split import split_stretches
from regard.text.vectors.word_vectors import WordVectors
from regard.text.word_bags import WordBags, word_bags, word_hashes
from regard.training.averaging.calibration import TAIL_SHARE, fit_factors, fit_length_factors, measure_accuracy
from regard.training.averaging.config import AveragingConfig
from regard.training.averaging.ngrams import build_ngram_texts, correct_rare_words, fit_regressions
from regard.training.averaging.words import (
    ALONE,
    Round,
    TrainingState,
    WordTexts,
    data_digest,
    find_places,
    learn,
    make_optimiser,
    read_state,
    write_state,
)
from regard.training.network.processes import Processes

__all__ = ["AveragingConfig", "train_averaging"]
MIN_TEXTS = 10
START_SD = 0.1


def train_averaging(
    data: LabelledTexts,
    config: AveragingConfig | None = None,
    *,
    vectors: WordVectors | None = None,
    on_round: Callable[[Round], None] | None = None,
    place: ModelFolder | None = None,
    resumed: Path | None = None,
    processes: Processes = ALONE,
) -> AveragingClassifier:
    """The classifier that these texts teach; `vectors` are what its words begin with, and correct rare ones.

    A share of the texts is kept for validation: it ends training in time and says how much to trust each part, in
    whole texts and in short ones. With a `place` to write to, the state is kept there after each round, and a run
    that is `resumed` from that folder ends in the same result bit for bit. Saving the classifier to it ends the run.
    Several `processes` share the texts of each batch.

    Raises ValueRangeError where there are too few texts or labels, or empty texts.
    """
    config = config or AveragingConfig()
    require_texts(data)
    bags = word_bags(data.texts)
    train, valid = split_stretches(data.label_ids, share=config.valid)
    validation = select_bags(bags, valid)
    base_logits = np.zeros((len(data), len(data.labels)), np.float32)
    ngrams = rare_words = None
    if config.form == "strong":
        learnt_from = select_bags(bags, train)
        ngrams, rare_words, out_of_fold = train_ngrams(
            learnt_from, data.label_ids[train], len(data.labels), config, vectors
        )
        [factor] = fit_factors([out_of_fold], data.label_ids[train])
        base_logits[train], base_logits[valid] = factor * out_of_fold, factor * by_label(ngrams.scores(validation))
    with one_thread():
        words, state = train_words(
            bags, data, base_logits, (train, valid), config, vectors, on_round, place, resumed, processes
        )
    parts = [words.logits(validation), *([] if ngrams is None else [by_label(ngrams.scores(validation))])]
    factors = [*fit_factors(parts, data.label_ids[valid]), 0.0]
    notes = _training_notes(data, len(valid), config, state)
    bias = np.zeros(len(data.labels), np.float32)
    whole = LengthFactors.constant(factors[0], factors[1], 0.0)
    classifier = AveragingClassifier(data.labels, words, ngrams, whole, bias, notes, rare_words_part=rare_words)
    return calibrate(classifier, bags, validation, data.label_ids[valid], seed=config.seed)


def _training_notes(data: LabelledTexts, n_valid: int, config: AveragingConfig, state: TrainingState) -> dict[str, Any]:
    """What is written into the model's folder about its training."""
    return {
        "texts": len(data),
        "held_out": n_valid,
        "texts_of_label": dict(zip(data.labels, np.bincount(data.label_ids).tolist(), strict=False)),
        "config": asdict(config),
        "rounds": [asdict(each) for each in state.rounds],
    }


def calibrate(
    classifier: AveragingClassifier,
    texts: WordBags,
    validation: WordBags,
    label_ids: Int[np.ndarray, " validation"],
    *,
    seed: int,
) -> AveragingClassifier:
    """The classifier with factors for short texts, and what its answers about validation texts were worth."""
    shortest = max(1.0, float(np.quantile(classifier.n_known(texts), TAIL_SHARE)))
    by_length = fit_length_factors(classifier, validation, label_ids, shortest=shortest)
    classifier = replace(classifier, factors=by_length)
    return replace(classifier, measured=measure_accuracy(classifier, texts, validation, label_ids, seed=seed))


def require_texts(data: LabelledTexts) -> None:
    """ValueRangeError, with what was found, unless there is something to learn."""
    counts = np.bincount(data.label_ids, minlength=len(data.labels))
    found = ", ".join(f"{label}: {n:,}" for label, n in zip(data.labels, counts, strict=True))
    if (counts > 0).sum() < 2:
        raise ValueRangeError(f"texts of at least two labels are needed to tell them apart; found {found or 'none'}")
    if len(data) < MIN_TEXTS:
        raise ValueRangeError(f"at least {MIN_TEXTS} texts are needed, part of them for validation; found {found}")
    empty = [i for i, text in enumerate(data.texts) if not text.strip()]
    if empty:
        raise ValueRangeError(
            f"{len(empty):,} of {len(data):,} texts are empty, the first is number {empty[0] + 1}; leave them out"
        )


@contextmanager
def one_thread() -> Iterator[None]:
    """Give torch one thread: steps are too small to share, and sums are then equal on every machine."""
    n = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(n)


def select_bags(bags: WordBags, texts: Int[np.ndarray, " batch"]) -> WordBags:
    """The words of these texts."""
    places, offsets = find_places(bags.offsets, texts)
    return WordBags(bags.hashes[places], offsets)


class NgramParts(NamedTuple):
    """The n-grams, what vectors say about rare words, and the logits of each text by n-grams that had not seen it."""

    table: NgramAverage
    rare_words: NgramAverage | None
    out_of_fold: Float[np.ndarray, "batch label"]


def train_ngrams(
    bags: WordBags,
    label_ids: Int[np.ndarray, " batch"],
    n_labels: int,
    config: AveragingConfig,
    vectors: WordVectors | None,
) -> NgramParts:
    """The n-grams that these texts teach."""
    bits = table_bits(len(bags.hashes) * config.order, config.bits)
    texts = build_ngram_texts(bags, order=config.order, bits=bits, least=config.min_texts)
    found = fit_regressions(texts, label_ids, n_labels, config)
    numbers, out_of_fold = (
        np.stack([getattr(each, name) for each in found], axis=1) for name in ("numbers", "out_of_fold")
    )
    bias = np.array([each.bias for each in found], np.float32)
    orders = tuple(range(1, config.order + 1))
    table = NgramAverage.of_rows(texts.rows, numbers, bits=bits, orders=orders, bias=bias)
    rare = None if vectors is None else correct_rare_words(texts, numbers, vectors, bits=bits)
    return NgramParts(table, rare, by_label(out_of_fold))


def table_bits(n_ngrams: int, most: int) -> int:
    """Enough for each of the n-grams to have a row to itself, within bounds: few texts make a small table.

    >>> table_bits(1000, 24), table_bits(10**9, 24)
    (10, 24)
    """
    return min(most, max(8, n_ngrams.bit_length()))


def train_words(
    bags: WordBags,
    data: LabelledTexts,
    base_logits: Float[np.ndarray, "batch label"],
    parts: tuple[Int[np.ndarray, " chosen"], Int[np.ndarray, " validation"]],
    config: AveragingConfig,
    vectors: WordVectors | None,
    on_round: Callable[[Round], None] | None,
    place: ModelFolder | None,
    resumed: Path | None,
    processes: Processes,
) -> tuple[WordAverage, TrainingState]:
    """The mean of words and what follows it, trained to add to the logits that are known already."""
    train, valid = parts
    hashes, counts = np.unique(select_bags(bags, train).hashes, return_counts=True)
    hashes = hashes[counts >= config.min_count]
    rows, offsets = distinct_known(WordRows(hashes).rows(bags.hashes), bags.offsets)
    texts = WordTexts(rows, offsets, data.label_ids.astype(np.int64), base_logits)
    network = build_network(hashes, vectors, len(data.labels), config)
    optimiser = make_optimiser(network, config)
    if resumed is None and place is not None and place.goes_on:
        resumed = place.shown
    digest = "" if place is None and resumed is None else data_digest(data)
    state = read_state(resumed, network, optimiser, config=config, data_sha256=digest)
    if processes.agree([len(state.rounds)]) != [len(state.rounds)]:
        raise CheckpointError(f"the processes do not find the same run in {resumed}; it must be one shared folder")
    save_state = None if place is None else partial(write_state, place, config=config, data_sha256=digest)
    learn(
        network,
        optimiser,
        texts.select(train),
        texts.select(valid),
        config,
        state=state,
        on_round=on_round,
        save_state=save_state,
        processes=processes,
    )
    return network.as_average(hashes), state


def build_network(
    hashes: UInt[np.ndarray, " vocab"], vectors: WordVectors | None, n_labels: int, config: AveragingConfig
) -> AveragingNetwork:
    """The network before its first round."""
    shape = NetworkShape(n_labels, config.layers, config.hidden, config.activation, config.dropout, config.attention)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return AveragingNetwork(torch.from_numpy(start_vectors(hashes, vectors, config)), shape)


def start_vectors(
    hashes: UInt[np.ndarray, " vocab"], vectors: WordVectors | None, config: AveragingConfig
) -> Float[np.ndarray, "vocab width"]:
    """The words' first vectors: those given, zero where a word has none; without any, small random numbers."""
    if vectors is None:
        rng = np.random.default_rng([config.seed, 0])
        return (rng.standard_normal((len(hashes), config.width)) * START_SD).astype(np.float32)
    found = np.zeros((len(hashes), vectors.width), np.float32)
    rows = WordRows(hashes).rows(word_hashes(vectors.words))
    found[rows[rows != UNKNOWN]] = vectors.vectors[rows != UNKNOWN]
    return found
