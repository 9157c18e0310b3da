"""Averaging classifiers side by side: what dropout, depth, activation, word vectors, attention and n-grams do.

One classifier is the usual one: words alone, one hidden layer, dropout. Each of the others differs from it in one
choice, learns from the same texts and is measured on the same validation texts, so that the texts on which only one of
two is right tell how sure their difference is.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.cluster import SharedBytes, map_batches
from regard.errors import ValueRangeError
from regard.evaluation.accuracy import compare_paired, evaluate
from regard.models.checkpoint import classifier_from_parts
from regard.models.classifier.base import Classifier
from regard.models.folder_writer import classifier_parts
from regard.progress import Progress, silent
from regard.records import ALONE, LabelledTexts, Workers
from regard.report.comparisons import draw_averaging_comparison
from regard.shapes import Bool
from regard.studies.batch_data import pack, pack_texts, pack_vectors, unpack, unpack_texts, unpack_vectors
from regard.tables import StudyTable
from regard.text.labelled.split import majority_share

if TYPE_CHECKING:
    from regard.text.vectors.word_vectors import WordVectors


CLEAR = 0.05
"""Differences that chance would make more often than this are not reported as differences."""


def write_notes(rows: Sequence[dict[str, Any]], config: Config, *, has_vectors: bool) -> tuple[str, ...]:
    """One sentence a question, the best, and what was left out."""
    usual, *others = rows
    questions = dict.fromkeys(row["question"] for row in others)
    found = [
        _answer_question(question, [row for row in others if row["question"] == question]) for question in questions
    ]
    best = max(rows, key=lambda row: row["accuracy"])
    found.append(
        f"best: {best['variant']}, {100 * best['accuracy']:.2f} % right, {best['cpu_seconds']:.1f} s of the processor; "
        f"classic {100 * usual['accuracy']:.2f} %, {usual['cpu_seconds']:.1f} s"
    )
    if len(others) > 1:
        found.append(
            f"{len(others)} comparisons were made: with a threshold of {CLEAR:g}, one in twenty comes out by chance"
        )
    if not has_vectors:
        found.append("no word vectors were given, so that fixed and fine-tuned ones are not compared")
    if config.seeds > 1:
        found.append(
            f"accuracies are means over {config.seeds} seeds; what is paired, and p, are those of the first seed"
        )
    return tuple(found)


def _answer_question(question: str, rows: Sequence[dict[str, Any]]) -> str:
    """How each answer to a question compares with the usual classifier."""
    return f"{question}: " + "; ".join(_difference(row) for row in rows)


def _difference(row: dict[str, Any]) -> str:
    points = 100 * row["difference"]
    amount = f"{row['variant']} {points:+.2f} points (± {100 * row['difference_error']:.2f}, p {row['p_value']:.2g})"
    return amount if row["p_value"] < CLEAR else f"{amount}, no clear difference"


@dataclass(frozen=True)
class Variant:
    """One choice: the question it answers, its name, and the settings in which it differs from the usual ones."""

    question: str
    name: str
    changes: dict[str, Any] = field(default_factory=dict)
    is_given: bool | None = None
    """Whether it needs given word vectors (True), does without them (False), or takes what there is."""


USUAL = Variant("usual", "classic", {"form": "classic"})
VARIANTS = (
    USUAL,
    Variant("dropout", "no dropout of units", {"dropout": 0.0}),
    Variant("dropout", "no dropout of words", {"word_dropout": 0.0}),
    Variant("dropout", "no dropout at all", {"dropout": 0.0, "word_dropout": 0.0}),
    Variant("depth", "no hidden layer", {"layers": 0}),
    Variant("depth", "2 hidden layers", {"layers": 2}),
    Variant("depth", "3 hidden layers", {"layers": 3}),
    Variant("activation", "tanh", {"activation": "tanh"}),
    Variant("activation", "gelu", {"activation": "gelu"}),
    Variant("vectors", "learnt from nothing", is_given=False),
    Variant("vectors", "given, fixed", {"fine_tune": False}, is_given=True),
    Variant("weights", "one learnt query", {"attention": True}),
    Variant("form", "strong", {"form": "strong"}),
)
"""In the order of the table; the first is what all others are set against."""


@dataclass(frozen=True)
class Config:
    """What is compared: `settings` hold for all variants, unless they differ in just that; `seeds` runs of each."""

    data: str = "the texts"
    questions: tuple[str, ...] = ()
    vectors: str = "none"
    settings: dict[str, Any] = field(default_factory=dict)
    seeds: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        known = tuple(dict.fromkeys(variant.question for variant in VARIANTS[1:]))
        strange = [question for question in self.questions if question not in known]
        if strange:
            raise ValueRangeError(f"there is no question {strange[0]!r}; choose from {', '.join(known)}")
        if self.seeds < 1:
            raise ValueRangeError(f"seeds, how often each classifier is trained, must be at least 1; got {self.seeds}")


@dataclass(frozen=True)
class Row:
    """One variant. Means over seeds, but for `standard_error` and all that is paired, which are of the first seed.

    `spread` is the standard deviation over seeds, `difference` that of the mean accuracies from the usual's;
    `only_usual` and `only_this` count texts that only one of the two gets right. `parameters` are those that are kept:
    word vectors are stored multiplied by the first layer, so that its width counts and not theirs.
    """

    question: str
    variant: str
    accuracy: float
    standard_error: float
    spread: float | None
    difference: float
    difference_error: float
    only_usual: int
    only_this: int
    p_value: float
    train_accuracy: float
    nats: float
    calibration_error: float
    parameters: int
    cpu_seconds: float


@dataclass(frozen=True)
class _TrainedVariant:
    """One classifier, trained from one seed and measured; the classifier itself where it is asked for."""

    accuracy: float
    standard_error: float
    nats: float
    calibration_error: float
    train_accuracy: float
    parameters: int
    cpu_seconds: float
    is_right: Bool[np.ndarray, " batch"]
    classifier: Classifier | None


def run(
    train: LabelledTexts,
    test: LabelledTexts,
    config: Config,
    *,
    vectors: WordVectors | None = None,
    workers: Workers = ALONE,
    progress: Progress = silent,
    on_best: Callable[[Classifier], None] | None = None,
) -> StudyTable:
    """One row for each variant, and what the figures say, in words.

    `on_best` is given each classifier that is better than all before it. Of several `workers`, each trains other
    variants, or from other seeds; the figures are the same to the last bit, but for seconds.
    """
    chosen = select_variants(config, has_vectors=vectors is not None)
    data = _Data(train, test, vectors)
    if workers.are_here:
        trained = _train_here(data, chosen, config, progress)
    else:
        trained = _share_training(data, chosen, config, workers, progress, keeps=on_best is not None)
    rows: list[Row] = []
    usual: list[_TrainedVariant] = []
    for variant in chosen:
        runs = list(itertools.islice(trained, config.seeds))
        usual = usual or runs
        rows.append(_make_row(variant, runs, usual))
        best = runs[0].classifier
        if on_best is not None and best is not None and rows[-1].accuracy >= max(row.accuracy for row in rows):
            on_best(best)
    return StudyTable(
        title=f"Averaging classifiers of {config.data}: {len(train):,} texts to learn from, "
        f"{len(test):,} to measure on",
        columns=tuple(field.name for field in dataclasses.fields(Row)),
        rows=tuple(dataclasses.astuple(row) for row in rows),
        notes=write_notes([dataclasses.asdict(row) for row in rows], config, has_vectors=vectors is not None),
        config=dataclasses.asdict(config) | _describe_data(train, test),
        draw=draw_averaging_comparison,
    )


def select_variants(config: Config, *, has_vectors: bool) -> list[Variant]:
    """The variants that were asked for and can be trained; the usual one is always among them."""
    asked = [each for each in VARIANTS if each is USUAL or not config.questions or each.question in config.questions]
    return [each for each in asked if each.is_given is None or has_vectors]


@dataclass(frozen=True)
class _Data:
    """What to learn from, what to measure on, and the word vectors that are given, if any."""

    train: LabelledTexts
    test: LabelledTexts
    vectors: WordVectors | None


def _train_here(
    data: _Data, variants: Sequence[Variant], config: Config, progress: Progress
) -> Iterator[_TrainedVariant]:
    """Every variant from every seed, one after the other."""
    _warm_up(data.train, config.settings)
    for place, variant in enumerate(variants):
        progress(place / len(variants), f"{variant.question}: {variant.name} ({place + 1} of {len(variants)})")
        for number in range(config.seeds):
            yield _train_variant(data, variant, config.settings, config.seed + number)


def _share_training(
    data: _Data, variants: Sequence[Variant], config: Config, workers: Workers, progress: Progress, *, keeps: bool
) -> Iterator[_TrainedVariant]:
    """Every variant from every seed, trained by workers; with `keeps`, the classifiers of the first seed are kept."""
    texts = pack_texts(data.train), pack_texts(data.test)
    vectors = None if data.vectors is None else pack_vectors(data.vectors)
    settings = json.dumps(config.settings)
    batches = [
        (*texts, vectors, VARIANTS.index(variant), settings, config.seed + number, keeps and number == 0)
        for variant in variants
        for number in range(config.seeds)
    ]
    group = Workers(min(workers.count, len(batches)), workers.scheduler)
    done = map_batches(
        train_batch, batches, workers=group, total=len(batches), progress=progress, message="classifiers"
    )
    yield from map(_unpack_trained, done)


def train_batch(
    train: SharedBytes,
    test: SharedBytes,
    vectors: SharedBytes | None,
    variant: int,
    settings: str,
    seed: int,
    keeps: bool,
) -> bytes:
    """What a worker does: train one of VARIANTS from one seed; its figures and, if it `keeps` it, the classifier."""
    found = _train_variant(_open_data(train, test, vectors, settings), VARIANTS[variant], json.loads(settings), seed)
    assert found.classifier is not None
    model, arrays = classifier_parts(found.classifier) if keeps else (None, {})
    figures = {name: value for name, value in vars(found).items() if isinstance(value, int | float)}
    numbers = {f"classifier.{name}": array for name, array in arrays.items()}
    return pack({"figures": figures, "classifier": model}, {"is_right": found.is_right, **numbers})


def _unpack_trained(content: bytes) -> _TrainedVariant:
    record, arrays = unpack(content)
    is_right, model = arrays.pop("is_right"), record["classifier"]
    numbers = {name.removeprefix("classifier."): array for name, array in arrays.items()}
    classifier = None if model is None else classifier_from_parts(model, numbers)
    return _TrainedVariant(**record["figures"], is_right=is_right, classifier=classifier)


@lru_cache(maxsize=1)
def _open_data(train: SharedBytes, test: SharedBytes, vectors: SharedBytes | None, settings: str) -> _Data:
    """The data of a batch, unpacked once in each worker, which is then ready to be timed."""
    data = _Data(unpack_texts(train), unpack_texts(test), None if vectors is None else unpack_vectors(vectors))
    _warm_up(data.train, json.loads(settings))
    return data


def _train_variant(data: _Data, variant: Variant, settings: dict[str, Any], seed: int) -> _TrainedVariant:
    from regard.training.averaging.config import AveragingConfig
    from regard.training.averaging.train import train_averaging

    config = AveragingConfig(**USUAL.changes | settings | variant.changes | {"seed": seed})
    start = time.process_time()
    vectors = None if variant.is_given is False else data.vectors
    classifier = train_averaging(data.train, config, vectors=vectors)
    seconds = time.process_time() - start
    log_probs = classifier.log_probs(data.test.texts)
    result = evaluate(log_probs, data.test.label_ids, labels=data.test.labels)
    return _TrainedVariant(
        accuracy=result.accuracy,
        standard_error=result.standard_error,
        nats=result.nats,
        calibration_error=result.calibration_error,
        train_accuracy=float((classifier.predict_ids(data.train.texts) == data.train.label_ids).mean()),
        parameters=count_parameters(classifier),
        cpu_seconds=seconds,
        is_right=log_probs.argmax(axis=1) == data.test.label_ids,
        classifier=classifier,
    )


def _warm_up(train: LabelledTexts, settings: dict[str, Any]) -> None:
    """Train on a few texts: what libraries do once, when they are first used, is not to count for the first variant."""
    few = np.linspace(0, len(train) - 1, min(len(train), 60)).astype(int)
    texts = LabelledTexts(tuple(train.texts[i] for i in few), train.label_ids[few], train.labels)
    if len(set(texts.label_ids.tolist())) > 1:
        _train_variant(_Data(texts, texts, None), USUAL, settings | {"epochs": 1}, 0)


def count_parameters(classifier: Classifier) -> int:
    """How many learnt numbers a classifier holds, rounded ones among them; hashes of words (uint64) are no such."""
    return sum(int(array.size) for array in classifier.arrays().values() if array.dtype.kind in "fi")


def _make_row(variant: Variant, runs: list[_TrainedVariant], usual: list[_TrainedVariant]) -> Row:
    pair = compare_paired(usual[0].is_right, runs[0].is_right)
    accuracies = [each.accuracy for each in runs]
    return Row(
        question=variant.question,
        variant=variant.name,
        accuracy=_mean(accuracies),
        standard_error=runs[0].standard_error,
        spread=float(np.std(accuracies, ddof=1)) if len(runs) > 1 else None,
        difference=_mean(accuracies) - _mean([each.accuracy for each in usual]),
        difference_error=pair.standard_error,
        only_usual=pair.only_first,
        only_this=pair.only_second,
        p_value=pair.p_value,
        train_accuracy=_mean([each.train_accuracy for each in runs]),
        nats=_mean([each.nats for each in runs]),
        calibration_error=_mean([each.calibration_error for each in runs]),
        parameters=runs[0].parameters,
        cpu_seconds=_mean([each.cpu_seconds for each in runs]),
    )


def _mean(numbers: list[float]) -> float:
    return float(np.mean(numbers))


def _describe_data(train: LabelledTexts, test: LabelledTexts) -> dict[str, Any]:
    """What the figures depend on besides the settings."""
    digest = hashlib.sha256()
    for text in (*train.texts, *test.texts):
        digest.update(text.encode("utf-8", "surrogatepass"))
    return {
        "train_texts": len(train),
        "test_texts": len(test),
        "labels": list(train.labels),
        "always_the_commonest_class": majority_share(test),
        "sha256": digest.hexdigest(),
        "versions": {"regard": version("regard"), "python": platform.python_version()},
    }
