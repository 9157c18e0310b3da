"""Part F of the tour: a deep averaging network for film reviews, its variants, and five of its errors explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np

from regard.display import percent
from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.files import sha256
from regard.models.classifier.base import Classifier
from regard.progress import Progress, part
from regard.records import ExplainedText, LabelledTexts, RuleCount
from regard.report.explanation import list_words
from regard.report.tour.answers import Answer, Number, Question, Sample, Table
from regard.studies import averaging, errors
from regard.studies.tour.evidence import Config, Origin, draw, draw_bars, try_claims
from regard.studies.tour.materials import digest_settings, memoise
from regard.studies.training.averaging import epochs_for
from regard.studies.training.data import DataParts, split_data
from regard.studies.training.glove import find_start_vectors
from regard.studies.training.network import require_torch
from regard.tables import StudyTable

REVIEWS = "movie-snippets"
N_MADE, N_ERRORS, QUICK_EPOCHS = 4000, 5, 20
MAX_LINKED = 1500
"""Characters of a review that an address of the lab carries."""
PRAISE = "superb moving funny clever charming gripping warm brilliant fresh honest lovely tender witty bold"
BLAME = "dull awful tedious clumsy shallow bleak noisy stale lazy hollow messy weak tired cold"
THINGS = "film plot cast script ending story camera music dialogue pace opening hero villain joke scene finale"
NEGATIONS = ("not", "never", "hardly", "far from", "anything but", "by no means")
OPENINGS = ("the {thing} is", "a {thing} that feels", "its {thing} stays", "i found the {thing}", "what a {thing}, so")
RULE = (
    f"No collection of reviews can be had without a network, so that {N_MADE:,} sentences about films were made by a "
    f"rule: an opening and a word of praise or blame, some words rare; in two of ten a negation "
    f"({', '.join(NEGATIONS)}) stands before the word and turns the label round, and in two of ten a second half "
    "after 'but' decides."
)


@dataclass(frozen=True)
class TrainedReviews:
    """The comparison, the best classifier in it, the texts it was measured on in the end, and how they came about."""

    table: StudyTable
    best: Classifier
    parts: DataParts
    notes: tuple[str, ...]

    @property
    def test(self) -> LabelledTexts:
        """Texts that neither training nor the choice of the best has seen."""
        assert self.parts.test is not None  # the data were split
        return self.parts.test

    def origin(self, seed: int) -> Origin:
        """The stamp of numbers that are measured on these texts."""
        return Origin(seed, self.parts.name, sha256("\n".join(self.test.texts)))


def make_reviews(rng: np.random.Generator, n_texts: int) -> Iterator[tuple[str, str]]:
    """Sentences about films with their labels, by the rule that the page tells."""
    for _ in range(n_texts):
        is_good = bool(rng.integers(2))
        text = _clause(rng, is_good, negates=rng.random() < 0.2)
        if rng.random() < 0.2:  # the second half decides
            text = f"{_clause(rng, not is_good, negates=False)}, but {text}"
        yield f"{text}.", "positive" if is_good else "negative"


def _clause(rng: np.random.Generator, is_good: bool, *, negates: bool) -> str:
    opening = str(rng.choice(OPENINGS)).format(thing=rng.choice(THINGS.split()))
    word = _choose(rng, (PRAISE if is_good != negates else BLAME).split())
    return f"{opening} {_choose(rng, NEGATIONS) + ' ' if negates else ''}{word}"


def _choose(rng: np.random.Generator, words: Sequence[str]) -> str:
    """One of these, the first most often: word number r with a frequency of 1/r, as in texts."""
    weights = 1 / np.arange(1, len(words) + 1)
    return str(rng.choice(words, p=weights / weights.sum()))


@memoise
def train_reviews(config: Config, progress: Progress) -> TrainedReviews:
    """Compare the variants on a fifth of the training texts, and keep the best."""
    require_torch()
    parts, notes = _find_reviews(config)
    inner = split_data([(text, parts.train.labels[i]) for text, i in zip(*_columns(parts.train), strict=True)], 0.2)
    assert inner.test is not None  # a fifth of them
    name, vectors = ("none", None) if config.quick else find_start_vectors(None)
    questions = ("dropout", "depth", "weights", "form") if config.quick else ()
    shared = {"epochs": QUICK_EPOCHS if config.quick else epochs_for(len(inner.train))}
    study = averaging.Config(parts.name, questions, name, shared, seed=config.seed)
    best: list[Classifier] = []
    table = averaging.run(
        inner.train, inner.test, study, vectors=vectors, progress=part(progress, 0.0, 1.0), on_best=best.append
    )
    return TrainedReviews(table, best[-1], parts, notes)


def _find_reviews(config: Config) -> tuple[DataParts, tuple[str, ...]]:
    if not config.quick:
        try:
            return split_data(REVIEWS, 0.2), ()
        except (CorpusError, InputFileError, MissingExtraError):
            pass
    made = list(dict.fromkeys(make_reviews(np.random.default_rng(config.seed), N_MADE)))
    parts = split_data(made, 0.2)
    return DataParts("sentences made by a rule", parts.train, parts.test, parts.test_name), (RULE,)


def _columns(data: LabelledTexts) -> tuple[tuple[str, ...], list[int]]:
    return data.texts, data.label_ids.tolist()


def fingerprint(config: Config) -> str:
    """Of the reviews, and of how long is trained on them."""
    parts, _ = _find_reviews(config)
    texts = [sha256("\n".join(each.texts)) for each in (parts.train, parts.test) if each is not None]
    return digest_settings(config, texts, N_ERRORS, QUICK_EPOCHS)


VARIANT_CLAIMS = (
    (r"\frac{\partial J}{\partial b_2} = \hat y - y", "one-hidden-layer"),
    (r"\frac{\partial J}{\partial x} = (\hat y - y) W_2^T W_1^T", "one-hidden-layer"),
    (r"\mathrm{softmax}(2 \theta) = \mathrm{softmax}(\theta)", "softmax-cross-entropy"),
)


def answer_variants(question: Question, config: Config, progress: Progress) -> Answer:
    """F1: the classic network and what differs from it in one choice."""
    found = train_reviews(config, progress)
    origin = found.origin(config.seed)
    rows = found.table.records()
    best = max(rows, key=lambda row: row["accuracy"])
    accuracy = float((found.best.predict_ids(found.test.texts) == found.test.label_ids).mean())
    error = float(np.sqrt(accuracy * (1 - accuracy) / len(found.test)))
    return Answer(
        question=question,
        sentences=_describe_variants(rows, accuracy, error, len(found.test)),
        numbers=_variant_numbers(rows, origin, accuracy, error),
        tables=(_variant_table(rows),),
        drawings=draw(
            "Share of right answers of each variant, with its standard error",
            lambda: draw_bars(
                {row["variant"]: row["accuracy"] for row in rows},
                label="share of right answers",
                errors={row["variant"]: row["standard_error"] for row in rows},
            ),
        ),
        claims=try_claims(*VARIANT_CLAIMS),
        command=_command(config, "F1", f"regard study averaging --data {REVIEWS}"),
        python=_python(config, "print(found.table.records())"),
        link=_link(config, form="strong" if best["variant"] == "strong" else "classic"),
        notes=found.notes,
    )


def _variant_numbers(
    rows: Sequence[dict[str, Any]], origin: Origin, accuracy: float, error: float
) -> tuple[Number, ...]:
    return (
        origin.number("accuracy of the best on unseen texts", accuracy, error=error, how="measured; standard error"),
        *(
            origin.number(
                f"accuracy where it is chosen, {row['variant']}",
                row["accuracy"],
                error=row["standard_error"],
                how="measured; standard error",
            )
            for row in rows
        ),
    )


def _describe_variants(
    rows: list[dict[str, Any]], accuracy: float, standard_error: float, n_unseen: int
) -> tuple[str, ...]:
    usual, best = rows[0], max(rows, key=lambda row: row["accuracy"])
    clear = [row for row in rows[1:] if row["p_value"] < averaging.CLEAR]
    differing = ", ".join(f"{row['variant']} {100 * row['difference']:+.1f} points" for row in clear)
    beyond_chance = f"more than chance would explain on the same texts (p < {averaging.CLEAR:g})"
    finding = f"{beyond_chance} differ: {differing}" if clear else f"none differs {beyond_chance}"
    return (
        "The average of the word vectors of a text goes through hidden layers into a softmax. The classic form, "
        f"one hidden layer with dropout, gets {percent(usual['accuracy'])} of the texts that the choice is made on "
        f"right (standard error {percent(usual['standard_error'], digits=2)}).",
        f"Of {len(rows) - 1} variants that differ from it in one choice, {finding}. The best is {best['variant']}, "
        f"{percent(best['accuracy'])}.",
        f"On {n_unseen:,} texts that neither training nor this choice has seen, the best gets {percent(accuracy)} "
        f"right (standard error {percent(standard_error, digits=2)}).",
    )


def _variant_table(rows: list[dict[str, Any]]) -> Table:
    names = ("question", "variant", "accuracy", "standard_error", "difference", "p_value", "train_accuracy")
    return Table(
        "One choice at a time",
        ("question", "variant", "right", "standard error", "difference", "p", "on training texts"),
        tuple(tuple(row[name] for name in names) for row in rows),
    )


def answer_errors(question: Question, config: Config, progress: Progress) -> Answer:
    """F2: the five worst errors of the best classifier, with the words that decided and what may have misled it."""
    found = train_reviews(config, part(progress, 0.0, 0.8))
    settings = errors.Config(n=N_ERRORS, seed=config.seed, model="the best classifier", data=found.parts.name)
    study = errors.run(found.best, found.test, settings, progress=part(progress, 0.8, 1.0))
    origin, result = found.origin(config.seed), study.result
    n_wrong = round((1 - result.accuracy) * result.n)
    common = [rule for rule in study.rules if rule.verdict == "goes with errors"]
    return Answer(
        question=question,
        sentences=(
            f"The best classifier gets {n_wrong} of {result.n:,} unseen texts wrong. Its {len(study.worst)} worst "
            "errors, those where the true label was given the least probability, are below, each with the words that "
            "decided and what may have misled it.",
            _describe_rules(common),
        ),
        numbers=(
            origin.number(
                "accuracy on unseen texts", result.accuracy, error=result.standard_error, how="measured; standard error"
            ),
            origin.number("wrong answers", n_wrong, how="counted"),
            *(
                origin.number(f"how much commoner in errors: {rule.rule}", rule.likelihood_ratio, how="counted")
                for rule in common
            ),
        ),
        samples=tuple(
            Sample(f"Error {number}: {explained.label}, but truly {explained.true_label}", explain_error(explained))
            for number, explained in enumerate(study.worst, start=1)
        ),
        command=_command(config, "F2", f"regard study errors films --data {REVIEWS}"),
        python=_python(config, "print(regard.study.errors(found.best, pairs, n=5, progress=False).title)"),
        claims=try_claims(
            (r"c = \frac1n \sum_i v_i with q = 0", "attention"),
            (r"c = v_a with q = C k_a", "attention"),
        ),
        link=_link(config, review=study.worst[0].text.strip()[:MAX_LINKED] if study.worst else ""),
        notes=found.notes,
    )


def _describe_rules(common: list[RuleCount]) -> str:
    seen = "; ".join(
        f"{rule.rule} – {rule.question} – {rule.likelihood_ratio:.1f} times as common (95 % interval {rule.low:.1f} to "
        f"{rule.high:.1f})"
        for rule in common
    )
    return (
        f"Seen more often in its errors than in its right answers: {seen or 'none of the rules, by more than chance'}. "
        "Whatever averages words or short runs of them does not know which part of a sentence decides."
    )


def _link(config: Config, **values: str) -> str:
    """The chapter with this review, or this form of the classifier."""
    given = {name: value for name, value in values.items() if value} | {"seed": str(config.seed)}
    return f"chapter/reviews/?{urlencode(given, quote_via=quote)}"


def explain_error(explained: ExplainedText) -> str:
    """The text, what was answered and how surely, the words that decided, and what may have misled the classifier."""
    lines = [
        explained.text.strip(),
        f"answer: {explained.label} with {percent(explained.probability)}",
        f"words that decided: {list_words(explained, max_words=6)}",
    ]
    lines += [f"why: {finding.remark}" for finding in explained.findings] or [
        "why: no rule that was tried finds anything"
    ]
    return "\n".join(lines)


def _command(config: Config, question: str, command: str) -> str:
    return f"{f'regard tour --quick --only {question}' if config.quick else command} --seed {config.seed}"


def _python(config: Config, call: str) -> str:
    return f"""\
import regard
from regard.studies.tour.evidence import Config
from regard.studies.tour.reviews import train_reviews

found = train_reviews(Config(quick={config.quick}, seed={config.seed}))
pairs = [(text, found.test.labels[i]) for text, i in zip(found.test.texts, found.test.label_ids)]
{call}
"""
