"""What chapter 8 asks of the package: its own numbers again, classifiers that the page has not, and mistakes.

The page judges with the classifier that ships (`page_classifier.py`); Python confirms what it says. A classifier of the
strong form reads pairs and triples of words too, so that Python trains it and is asked about each review.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from regard.errors import ValueRangeError
from regard.evaluation.attribution import contrast, explain
from regard.lab.chapters.reviews import classifiers
from regard.lab.chapters.reviews.page_classifier import shipped_classifier
from regard.lab.inputs import choice, text
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question
from regard.models.classifier.base import Classifier
from regard.records import ErrorStudy, ExplainedText
from regard.report.explanation import split_by_verdict, write_finding

MAX_CHARACTERS = 8_000
"""Of a text that is judged: a review has half as many, and may come word by word, with a space after each."""


@dataclass(frozen=True)
class TextInput:
    """A review, or those of its words that are kept, in the order in which they are shown."""

    text: str = text(most=MAX_CHARACTERS)


@dataclass(frozen=True)
class ClassifierInput:
    """Which classifier: its form, and what it has learnt from."""

    data: str = choice(*classifiers.SOURCES)
    form: str = choice(*classifiers.FORMS)


@dataclass(frozen=True)
class JudgeInput(ClassifierInput):
    """A review for a classifier of Python's, as it was written and with its words in another order."""

    review: str = text(most=MAX_CHARACTERS)
    shuffled: str = text(most=MAX_CHARACTERS)


def confirm(now: TextInput) -> dict[str, Any]:
    """What Python says with the page's own classifier, and how the text compares with those of training."""
    classifier = shipped_classifier()
    [beside] = classifier.familiarity([now.text], classifier.log_probs([now.text])) or (None,)
    return {**_judge(classifier, now.text), "familiarity": None if beside is None else beside.record()}


def judge(now: JudgeInput, progress: JobProgress) -> dict[str, Any]:
    """What a kept classifier says of a review in both orders; where none is kept, how long training would take."""
    progress(None, "the classifier is being loaded")
    classifier = classifiers.cached_classifier(now.data, now.form)
    if classifier is None:
        is_possible, source = classifiers.is_at_hand(now.data), classifiers.SOURCES[now.data]
        return {"is_kept": False, "seconds": source.seconds[now.form], "needs": "" if is_possible else source.needs}
    progress(None, "it reads")
    beside = classifier.familiarity([now.review], classifier.log_probs([now.review]))
    return {
        "is_kept": True,
        "written": _judge(classifier, now.review),
        "shuffled": _judge(classifier, now.shuffled),
        "familiarity": None if beside is None else beside[0].record(),
    }


def train(now: ClassifierInput, progress: JobProgress) -> dict[str, Any]:
    """Train a classifier and keep it."""
    classifiers.train_classifier(now.data, now.form, progress)
    return {}


def mistakes(now: ClassifierInput, progress: JobProgress) -> dict[str, Any]:
    """How often a classifier is right in reviews that it has not learnt from, and the mistakes it was surest of."""
    classifier = classifiers.cached_classifier(now.data, now.form)
    if classifier is None:
        raise ValueRangeError("this classifier has not been trained yet: train it first")
    return study_record(classifiers.find_mistakes(now.data, now.form, classifier, progress))


QUESTIONS = {
    "confirm": Question(TextInput, confirm),
    "judge": Question(JudgeInput, judge, is_long=True),
    "train": Question(ClassifierInput, train, is_long=True),
    "mistakes": Question(ClassifierInput, mistakes, is_long=True),
}


def _judge(classifier: Classifier, given: str) -> dict[str, Any]:
    """The log-odds of positive against negative as a sum: before any word, and what each word adds."""
    found = explain(classifier, given)
    sign = 1 if found.label == "positive" else -1
    return {"log_odds": sign * found.log_odds, "baseline": sign * found.baseline, "pieces": colour_pieces(found)}


def colour_pieces(found: ExplainedText) -> list[list[Any]]:
    """The text in pieces, each with what it adds to the log-odds of positive, whatever the answer is."""
    labels, attribution = list(found.probabilities), found.attribution
    shares = contrast(attribution.shares, labels.index("positive"), against=labels.index("negative"))
    pieces: list[list[Any]] = []
    done = 0
    for start, end, share in zip(attribution.starts.tolist(), attribution.ends.tolist(), shares.tolist(), strict=True):
        pieces += [[found.text[done:start], 0.0]] if start > done else []
        pieces.append([found.text[start:end], share])
        done = end
    return pieces if done == len(found.text) else [*pieces, [found.text[done:], 0.0]]


def study_record(study: ErrorStudy) -> dict[str, Any]:
    """A study of mistakes as JSON."""
    return {
        "n": study.result.n,
        "accuracy": study.result.accuracy,
        "standard_error": study.result.standard_error,
        "notes": list(study.notes),
        "worst": [_mistake_record(error) for error in study.worst],
    }


def _mistake_record(error: ExplainedText) -> dict[str, Any]:
    telling, _ = split_by_verdict(error.findings)
    return {
        "pieces": colour_pieces(error),
        "called": error.label,
        "probability": error.probability,
        "is": error.true_label,
        "reasons": [write_finding(finding) for finding in telling],
    }
