"""The questions of the tour, and a run through them: answers are saved as they come, failures stand in their place."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from regard import __version__
from regard.errors import InputFileError, ValueRangeError
from regard.progress import Progress, part, silent
from regard.report.tour.answers import Answer, Question, Tour, read_answer
from regard.report.tour.page import unpack_answers
from regard.studies.tour.evidence import Answering, Config
from regard.studies.tour.materials import digest_settings
from regard.studies.training.run import TrainingStopped

PARTS = {
    "A": "Attention",
    "B": "Gradients",
    "C": "A bigram model of words",
    "D": "A model of characters",
    "E": "Perplexity",
    "F": "Film reviews",
}
"""The parts of the exercise, by letter."""

QUESTIONS: dict[str, tuple[Question, str]] = {
    question.identifier: (question, f"regard.studies.tour.{home}")
    for question, home in (
        (
            Question(
                "A1",
                "Copying",
                "Why is α a categorical distribution? When does it put almost all its weight on one key, and what must "
                "be true of q and the keys? What is c then, and what does that mean?",
            ),
            "attention:answer_copy",
        ),
        (
            Question(
                "A2",
                "Averaging, and taking a summand out",
                "v_a lies in a subspace with orthonormal basis A, v_b in one with basis B, the two orthogonal. Which "
                "matrix takes v_a out of v_a + v_b, and why? With orthonormal keys, which query gives "
                "c ≈ ½(v_a + v_b)?",
            ),
            "attention:answer_parts",
        ),
        (
            Question(
                "A3",
                "Noisy keys",
                "kᵢ ~ N(μᵢ, Σᵢ), the μᵢ orthonormal and known. Which query averages a and b when Σᵢ = αI with α "
                "vanishing? What happens to c over samples when Σ_a = αI + ½ μ_a μ_aᵀ?",
            ),
            "noisy_keys:answer_noise",
        ),
        (
            Question(
                "A4",
                "Two heads",
                "Two queries, two outputs, their average. Which q₁, q₂ give ½(v_a + v_b)? What does the output look "
                "like over samples under the same magnitude noise, in terms of the variance of c₁ and c₂?",
            ),
            "noisy_keys:answer_heads",
        ),
        (
            Question(
                "B1",
                "Softmax and cross-entropy",
                "What is the gradient of the cross-entropy of softmax(θ) with respect to θ?",
            ),
            "gradients:answer_softmax",
        ),
        (
            Question(
                "B2",
                "A network with one hidden layer",
                "h = σ(xW₁ + b₁), ŷ = softmax(hW₂ + b₂): what is the gradient of the cross-entropy with respect to x "
                "and all parameters? Implement forward and backward, and check them.",
            ),
            "gradients:answer_network",
        ),
        (
            Question(
                "C1",
                "A neural bigram model",
                "Train a word-level neural bigram model on word vectors by stochastic gradient descent, and save its "
                "parameters. What is its perplexity on validation text?",
            ),
            "words:answer_bigram",
        ),
        (
            Question(
                "D1",
                "A model that writes",
                "Train a character-level model that generates text. Show the loss over training, and samples.",
            ),
            "characters:answer_writing",
        ),
        (
            Question(
                "D2",
                "Characters or words",
                "What do characters do better than words, and the other way round?",
            ),
            "characters:answer_characters_or_words",
        ),
        (
            Question(
                "E1",
                "The base of the logarithm",
                "Perplexity does not depend on the base of the logarithm: show it.",
            ),
            "perplexity:answer_base",
        ),
        (
            Question(
                "E2",
                "Two models on two passages",
                "Compute the perplexity of both models on a passage of Shakespeare and one of an encyclopaedia, each "
                "with its own tokeniser. Why are there such gaps?",
            ),
            "perplexity:answer_gaps",
        ),
        (
            Question(
                "E3",
                "Preparing the text",
                "Which preparation of the text improves the figures, and is the improvement real?",
            ),
            "preparation:answer_preparation",
        ),
        (
            Question(
                "F1",
                "A deep averaging network",
                "Train a deep averaging network on film reviews, and compare its variants.",
            ),
            "reviews:answer_variants",
        ),
        (
            Question(
                "F2",
                "Five errors",
                "Take five examples that the best one got wrong, and explain each.",
            ),
            "reviews:answer_errors",
        ),
    )
}
"""Every question by its identifier, in order, and the function that answers it."""


def choose_questions(only: Sequence[str] = ()) -> tuple[Question, ...]:
    """The questions that these identifiers or letters of parts stand for, in the exercise's order; without any, all.

    >>> [question.identifier for question in choose_questions(["b", "A3"])]
    ['A3', 'B1', 'B2']

    Raises ValueRangeError for what is neither.
    """
    wanted = [each.strip().upper() for each in only]
    for each in wanted:
        if each not in PARTS and each not in QUESTIONS:
            raise ValueRangeError(
                f"there is no question {each!r}; there are the parts {', '.join(PARTS)} and the questions "
                f"{', '.join(QUESTIONS)}"
            )
    return tuple(
        question for name, (question, _) in QUESTIONS.items() if not wanted or name in wanted or question.part in wanted
    )


def run_tour(
    config: Config,
    *,
    only: Sequence[str] = (),
    kept: Sequence[Answer] = (),
    keep: Callable[[Tour], None] | None = None,
    progress: Progress = silent,
) -> Tour:
    """Answer the questions one after another; `keep` is given all answers so far after each of them.

    Answers in `kept` are taken as they are where settings and data are still the same. A question whose answer cannot
    be found has an answer that says why.
    """
    questions = choose_questions(only)
    known = {answer.question: answer for answer in kept if not answer.failure}
    answers: list[Answer] = []
    for place, question in enumerate(questions):
        stretch = part(progress, place / len(questions), (place + 1) / len(questions))
        before = known.get(question)
        is_valid = before is not None and before.fingerprint == find_fingerprint(question, config)
        answers.append(before if before is not None and is_valid else find_answer(question, config, stretch))
        if keep is not None:
            keep(Tour(tuple(answers), config.seed, config.quick, __version__))
    progress(1.0, "done")
    return Tour(tuple(answers), config.seed, config.quick, __version__)


def find_fingerprint(question: Question, config: Config) -> str:
    """A digest of everything that the answer to a question depends on; "" where its data cannot be read."""
    module = import_module(QUESTIONS[question.identifier][1].partition(":")[0])
    try:
        return digest_settings(question, module.fingerprint(config))
    except Exception:  # whatever it is, finding the answer will say it
        return ""


def find_answer(question: Question, config: Config, progress: Progress) -> Answer:
    """The answer to a question with the seconds it took; one that says why, where it cannot be found."""
    module, _, name = QUESTIONS[question.identifier][1].partition(":")
    start, label = time.perf_counter(), f"{question.identifier} {question.title}"

    def report(share: float | None, message: str = "") -> None:
        progress(share, f"{label}: {message}" if message else label)

    report(0.0)
    try:
        answering: Answering = getattr(import_module(module), name)
        found = answering(question, config, report)
    except TrainingStopped:  # what a network makes of Ctrl-C
        raise KeyboardInterrupt from None
    except Exception as error:  # whatever it is, the other questions can be answered
        failure = f"{type(error).__name__}: {error}"
        return Answer(question=question, failure=failure, seconds=time.perf_counter() - start)
    seconds = time.perf_counter() - start
    return dataclasses.replace(found, seconds=seconds, fingerprint=find_fingerprint(question, config))


def read_answers(page: Path, config: Config) -> tuple[Answer, ...]:
    """The answers that an earlier run with these settings has left in its page; none where there is no such file.

    Raises InputFileError where the page is of another run, or of none.
    """
    if not page.exists():
        return ()
    record = unpack_answers(_read(page))
    if record is None:
        raise InputFileError(f"{page} holds no answers of a tour; run it without --resume")
    asked = {"seed": config.seed, "quick": config.quick, "version": __version__}
    found = {name: record.get(name) for name in asked}
    if found != asked:
        had, wants = (", ".join(f"{name} {value}" for name, value in each.items()) for each in (found, asked))
        raise InputFileError(f"{page} is of a run with {had}, this one has {wants}; start over without --resume")
    try:
        return tuple(map(read_answer, record["answers"]))
    except (KeyError, TypeError) as error:
        raise InputFileError(f"{page} is damaged ({error}); start over without --resume") from None


def _read(page: Path) -> str:
    try:
        return page.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"cannot read {page}: {error}") from None
