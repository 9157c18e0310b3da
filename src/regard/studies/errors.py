"""Why was it wrong: a classifier's mistakes on labelled texts, each with its words and what may have misled it.

The rules of `evaluation.rules` are asked of every text, right answer or wrong, so that the ones that go with errors can
be distinguished from those that are found in any text. The worst errors (surest of the wrong label) and the most
borderline ones are shown with each word's share in the decision.
"""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

from regard.cluster import SharedBytes, map_batches
from regard.errors import ValueRangeError, VocabularyError
from regard.evaluation import accuracy as classification
from regard.evaluation.attribution import attribution, explain
from regard.evaluation.mistakes import counting as mistakes
from regard.evaluation.mistakes import review, rules
from regard.models.classifier.base import Classifier
from regard.progress import Progress, part, silent
from regard.records import ALONE, Attribution, ErrorStudy, ExplainedText, Finding, LabelledTexts, RuleCount, Workers
from regard.report import explanation
from regard.shapes import Bool, Float, Int
from regard.studies.batch_data import pack, pack_classifier, unpack, unpack_classifier
from regard.studies.training.data import DataParts

ENOUGH_ERRORS = 20
"""With fewer wrong answers of one label, rules are not counted for that label apart."""

BATCH_TEXTS = 500
"""Texts that the rules are asked of at once."""
TEXTS_PER_MESSAGE = 20
"""Progress is reported once for this many texts."""


@dataclass(frozen=True)
class Config:
    """What is shown: this many of the worst and of the most borderline errors, attributed by this method."""

    n: int = 5
    method: str | None = None
    seed: int = 0
    model: str = "the classifier"
    data: str = "the data"

    def __post_init__(self) -> None:
        if self.n < 0:
            raise ValueRangeError(f"the number of errors to show cannot be negative; got {self.n}")


@dataclass(frozen=True)
class RuleContext:
    """What all texts of a study have in common for the rules: the words' scores, and what is short or long."""

    lexicon: review.Lexicon
    limits: tuple[float, float]

    def cases(
        self, classifier: Classifier, texts: Sequence[str], log_probs: Float[np.ndarray, "batch label"]
    ) -> Iterator[review.Review]:
        """Some of these texts as rules read them."""
        return review.read_reviews(classifier, texts, log_probs, lexicon=self.lexicon, limits=self.limits)

    def as_bytes(self) -> bytes:
        """All of it, for workers."""
        words = self.lexicon
        record = {"words": list(words.ids), "strength": words.strength, "leanings": words.leanings}
        arrays = {"counts": words.counts, "scores": words.scores, "is_known": words.is_known}
        return pack({**record, "limits": self.limits}, arrays)

    @classmethod
    def from_bytes(cls, content: bytes) -> RuleContext:
        """What `as_bytes` was made of."""
        record, arrays = unpack(content)
        ids, limits = {word: i for i, word in enumerate(record["words"])}, tuple(record["limits"])
        leanings = tuple(record["leanings"])
        return cls(review.Lexicon(ids, **arrays, strength=record["strength"], leanings=leanings), limits)


def run(
    classifier: Classifier,
    data: LabelledTexts,
    config: Config,
    *,
    training_texts: Sequence[str] | None = None,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> ErrorStudy:
    """What the classifier gets wrong in `data`; with the training texts, also how it does without those seen there.

    Several `workers` read the texts and explain the errors; the figures are the same to the last bit.
    """
    label_ids = match_labels(classifier, data)
    log_probs = classifier.log_probs(data.texts)
    is_right = log_probs.argmax(axis=1) == label_ids
    read = RuleContext(review.read_words(classifier, data.texts), review.length_limits(data.texts))
    shared = None if workers.are_here else pack_classifier(classifier)
    is_seen = _read_texts(classifier, shared, data.texts, log_probs, read, workers, part(progress, 0.0, 0.9))
    counts = mistakes.rule_counts(is_seen, is_right)
    doubts = mistakes.label_doubts(data.texts, label_ids, read.lexicon.leanings)
    doubted = mistakes.count_doubts(doubts, is_right) if any(read.lexicon.leanings) else None

    wrong = Mistakes(classifier, data.texts, log_probs, label_ids, read, counts, doubts, doubted)
    worst, borderline = (find(log_probs, label_ids)[: config.n].tolist() for find in (find_worst, find_borderline))
    shown = {place: data.texts[place] for place in (*worst, *borderline)}
    shares = _attribute(shared, shown, config, workers, part(progress, 0.9, 1.0)) if shared is not None else {}
    known = is_known(data.texts, training_texts) if training_texts is not None else None
    return ErrorStudy(
        title=f"{config.model} on {config.data}: {len(data):,} texts, {int((~is_right).sum()):,} wrong",
        result=classification.evaluate(log_probs, label_ids, labels=classifier.labels),
        unseen=None
        if known is None
        else classification.evaluate_without(log_probs, label_ids, is_seen=known, labels=classifier.labels),
        groups=group_accuracies(data.texts, log_probs, label_ids),
        rules=counts,
        rules_by_answer=count_by_answer(classifier, is_seen, is_right, log_probs.argmax(axis=1)),
        label_doubts=doubted,
        worst=tuple(wrong.explain(place, config, shares.get(place)) for place in worst),
        borderline=tuple(wrong.explain(place, config, shares.get(place)) for place in borderline),
        notes=write_notes(counts, doubted, known),
        config=dataclasses.asdict(config)
        | {"versions": {"regard": version("regard"), "python": platform.python_version()}},
    )


@dataclass(frozen=True)
class Mistakes:
    """What the study has found about all texts, from which each mistake is explained."""

    classifier: Classifier
    texts: Sequence[str]
    log_probs: Float[np.ndarray, "batch label"]
    label_ids: Int[np.ndarray, " batch"]
    read: RuleContext
    counts: tuple[RuleCount, ...]
    doubts: Sequence[Finding | None]
    doubted: RuleCount | None

    def explain(self, place: int, config: Config, shares: Attribution | None) -> ExplainedText:
        """The text at this place: each word's share in the answer, and what may have misled the classifier."""
        text, truth = self.texts[place], int(self.label_ids[place])
        bare = explain(self.classifier, text, truth=truth, method=config.method, seed=config.seed, shares=shares)
        (case,) = self.read.cases(self.classifier, [text], self.log_probs[place : place + 1])
        found, doubt = mistakes.findings(case, self.counts), self.doubts[place]
        if doubt is not None and self.doubted is not None:
            found = (mistakes.add_counts(self.doubted, doubt), *found)
        return dataclasses.replace(bare, place=place, findings=found)


def _read_texts(
    classifier: Classifier,
    shared: SharedBytes | None,
    texts: Sequence[str],
    log_probs: Float[np.ndarray, "batch label"],
    read: RuleContext,
    workers: Workers,
    progress: Progress,
) -> Bool[np.ndarray, "batch rule"]:
    """Which rules find something in which texts, some hundred texts at a time: here, or by workers."""
    starts = range(0, len(texts), BATCH_TEXTS)
    found = [np.zeros((0, len(rules.RULES)), bool)]
    if shared is None:
        for start in starts:
            here = slice(start, start + BATCH_TEXTS)
            cases = read.cases(classifier, texts[here], log_probs[here])
            found.append(mistakes.apply_rules(_report_reading(cases, start, len(texts), progress)))
        return np.concatenate(found)
    context = SharedBytes.of(read.as_bytes())
    batches = [
        (shared, context, tuple(texts[start : start + BATCH_TEXTS]), log_probs[start : start + BATCH_TEXTS].tolist())
        for start in starts
    ]
    group = Workers(min(workers.count, max(len(batches), 1)), workers.scheduler)
    done = map_batches(
        read_batch, batches, workers=group, total=len(batches), progress=progress, message="reading texts"
    )
    found += [np.frombuffer(seen, bool).reshape(-1, len(rules.RULES)) for seen in done]
    return np.concatenate(found)


def _report_reading(
    cases: Iterable[review.Review], start: int, total: int, progress: Progress
) -> Iterator[review.Review]:
    """The cases one by one; now and then, report to `progress` how many have been read."""
    for place, case in enumerate(cases, start=start):
        if place % TEXTS_PER_MESSAGE == 0:
            progress(place / total, f"reading text {place:,} of {total:,}")
        yield case


def read_batch(
    classifier: SharedBytes, context: SharedBytes, texts: tuple[str, ...], log_probs: list[list[float]]
) -> bytes:
    """What a worker does with some texts: which rules find something in which of them, a byte each."""
    cases = _open_context(context).cases(_open_classifier(classifier), texts, np.array(log_probs))
    return mistakes.apply_rules(cases).tobytes()


def _attribute(
    classifier: SharedBytes, texts: dict[int, str], config: Config, workers: Workers, progress: Progress
) -> dict[int, Attribution]:
    """The shares of the words of each text, found by workers."""
    batches = [(classifier, text, config.method, config.seed) for text in texts.values()]
    group = Workers(min(workers.count, max(len(batches), 1)), workers.scheduler)
    done = map_batches(
        attribute_batch, batches, workers=group, total=len(batches), progress=progress, message="explaining errors"
    )
    found = {}
    for (place, text), result in zip(texts.items(), done, strict=True):
        method, arrays = unpack(result)
        found[place] = Attribution(text=text, method=method, **arrays)
    return found


def attribute_batch(classifier: SharedBytes, text: str, method: str | None, seed: int) -> bytes:
    """What a worker does with one error: what each of its words did."""
    found = attribution(_open_classifier(classifier), text, method=method, seed=seed)
    return pack(found.method, {name: array for name, array in vars(found).items() if isinstance(array, np.ndarray)})


_open_classifier = lru_cache(maxsize=1)(unpack_classifier)


@lru_cache(maxsize=1)
def _open_context(shared: SharedBytes) -> RuleContext:
    """What the rules know of all texts, unpacked once in each worker."""
    return RuleContext.from_bytes(shared.content)


def study_data(
    classifier: Classifier,
    parts: DataParts,
    config: Config,
    *,
    workers: Workers = ALONE,
    progress: Progress = silent,
) -> ErrorStudy:
    """The study on the test part of the data, or on all of it where there is no such part."""
    measured, name = (parts.train, parts.name) if parts.test is None else (parts.test, parts.test_name)
    seen = None if parts.test is None else parts.train.texts
    config = dataclasses.replace(config, data=name)
    return run(classifier, measured, config, training_texts=seen, workers=workers, progress=progress)


def match_labels(classifier: Classifier, data: LabelledTexts) -> Int[np.ndarray, " batch"]:
    """The data's labels as places in the classifier's labels, which are matched by name.

    Raises VocabularyError where the data has a label that the classifier has not.
    """
    missing = [label for label in data.labels if label not in classifier.labels]
    if missing:
        raise VocabularyError(
            f"the classifier does not know these labels of the data: {', '.join(missing)}; "
            f"it knows {', '.join(classifier.labels)}"
        )
    places = np.array([classifier.labels.index(label) for label in data.labels], dtype=np.int64)
    return places[data.label_ids]


def find_worst(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"]
) -> Int[np.ndarray, " error"]:
    """Places of wrong answers, those whose true label got the least first."""
    wrong = np.flatnonzero(log_probs.argmax(axis=1) != label_ids)
    return wrong[np.argsort(log_probs[wrong, label_ids[wrong]], kind="stable")]


def find_borderline(
    log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"]
) -> Int[np.ndarray, " error"]:
    """Places of wrong answers, those that were closest to the true label first."""
    wrong = np.flatnonzero(log_probs.argmax(axis=1) != label_ids)
    return wrong[np.argsort(log_probs[wrong].max(axis=1) - log_probs[wrong, label_ids[wrong]], kind="stable")]


def count_by_answer(
    classifier: Classifier,
    is_seen: Bool[np.ndarray, "batch rule"],
    is_right: Bool[np.ndarray, " batch"],
    answers: Int[np.ndarray, " batch"],
) -> dict[str, tuple[RuleCount, ...]]:
    """How strongly the rules point to errors among texts with one answer, for answers that are wrong often enough."""
    found = {}
    for place, label in enumerate(classifier.labels):
        of_label = answers == place
        if (of_label & ~is_right).sum() >= ENOUGH_ERRORS:
            found[label] = mistakes.rule_counts(is_seen[of_label], is_right[of_label])
    return found


def group_accuracies(
    texts: Sequence[str], log_probs: Float[np.ndarray, "batch label"], label_ids: Int[np.ndarray, " batch"]
) -> dict[str, tuple[Any, ...]]:
    """Accuracy by length, by how many words of contrast and negation there are, and by confidence."""
    plain = [review.plain_text(text) for text in texts]
    n_words, n_contrasts, n_negations = (
        np.array([count(text) for text in plain], dtype=np.int64)
        for count in (review.n_words, rules.count_contrasts, rules.count_negations)
    )
    return {
        "length, words": classification.group_by_length(log_probs, label_ids, n_words),
        "words of contrast": classification.group_by_count(log_probs, label_ids, n_contrasts),
        "negations": classification.group_by_count(log_probs, label_ids, n_negations),
        "confidence": classification.group_by_confidence(log_probs, label_ids),
    }


def is_known(texts: Sequence[str], training_texts: Sequence[str]) -> Bool[np.ndarray, " batch"]:
    """Which texts also occur in training, word for word; white space does not count."""
    known = {" ".join(text.split()) for text in training_texts}
    return np.array([" ".join(text.split()) in known for text in texts], dtype=bool)


def write_notes(
    counts: Sequence[RuleCount], doubted: RuleCount | None, known: Bool[np.ndarray, " batch"] | None
) -> tuple[str, ...]:
    """What the table of rules says, in words."""
    if not counts or counts[0].n_wrong == 0:
        return ("there is no wrong answer to explain",)
    telling = [count for count in counts if count.verdict == "goes with errors"]
    common = [count for count in counts if count.verdict == "says little" and count.seen_wrong > count.n_wrong / 3]
    lines = [explanation.write_rule(count) for count in (*telling, *common)]
    if doubted is not None and doubted.seen_wrong + doubted.seen_right > 0:
        lines.append(
            f"{doubted.seen_wrong:,} of {doubted.n_wrong:,} errors and {doubted.seen_right:,} of {doubted.n_right:,} "
            "right answers state a rating or a verdict that contradicts their label: the label may be the error"
        )
    if known is not None:
        lines.append(f"{int(known.sum()):,} of the {len(known):,} texts also occur in training, word for word")
    return tuple(lines)
