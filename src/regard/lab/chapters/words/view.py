"""What chapter 5 asks of the neural bigram model: train it once and keep it, its nearest words, what it writes."""

from __future__ import annotations

import contextlib
import difflib
import html
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.errors import CheckpointError, VocabularyError
from regard.files import sha256
from regard.lab.jobs import Report
from regard.lab.model_cache import EMBEDDED, LabText, kept_folder, lab_text, one_at_a_time
from regard.models.bigram.model import BigramModel
from regard.models.checkpoint import MODEL_FILES, restore_language_model, save
from regard.models.folder import read_snapshot
from regard.models.sampling import Sampling
from regard.report.figures import COLOURS, new_figure
from regard.text.normalise.prepare import prepare
from regard.text.tokenise.tokens import LINE_END, UNKNOWN
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.counts import CountsStep
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts
from regard.training.ngram import NgramConfig, train_ngram

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEPS = ("fold-unicode", "join-lines", "split-lines", "split-words", "lower", "squeeze-spaces")
MARKUP = str.maketrans("", "", '"*`')
"""Quotation and emphasis, which stand between words and their neighbours."""
PIECE = 60_000
VOCABULARY, ITERATIONS = 1000, 40
VALIDATION_SHARE = 0.1
HISTORY = "history.json"
MARKS = {LINE_END: "end of line", UNKNOWN: "a rarer word"}
N_NEAREST, N_SENTENCES, MAX_SENTENCE_WORDS = 10, 5, 40
HIDDEN = (5, 10, 20, 50, 100, 200)
SECONDS = {EMBEDDED: 3, "shakespeare": 15, "tinyshakespeare": 12, "ptb/train": 15}
"""About how long the first training takes with 50 hidden units, most of it spent on splitting words."""
FIRST_WORDS = {EMBEDDED: "list", "shakespeare": "king", "tinyshakespeare": "king", "ptb/train": "monday"}
"""What to ask for first."""


@dataclass(frozen=True)
class Settings:
    """Which model: the text, the hidden units (and numbers a word), the seed of its start."""

    text: str = EMBEDDED
    hidden: int = 50
    seed: int = 0


@dataclass(frozen=True)
class WordModel:
    """A trained model, the loss at each step, and its perplexity, and that of counts, on lines not learnt from."""

    settings: Settings
    model: BigramModel
    curve: tuple[tuple[int, float], ...]
    perplexity: float
    counts_perplexity: float
    note: str

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary without its marks."""
        return tuple(word for word in self.model.tokeniser.vocabulary if word not in (UNKNOWN, LINE_END))


def training_job(settings: Settings) -> Callable[[Report], WordModel]:
    """What a button does: the first time it may show what is kept; pressed again, it trains while one watches."""
    calls: list[Report] = []

    def compute(report: Report) -> WordModel:
        calls.append(report)
        return load_or_train(settings, report, anew=len(calls) > 1)

    return compute


def load_or_train(settings: Settings, report: Report, *, anew: bool = False) -> WordModel:
    """The model of these settings: that which is kept or, at the first visit, a new one, which is kept then."""
    given = lab_text(settings.text, report)
    name = f"words-{_digest(given.text)}-{settings.hidden}-{settings.seed}"
    with one_at_a_time(name, report):
        folder = kept_folder(name)
        if (folder / HISTORY).is_file() and not anew:
            return _loaded(settings, folder, given, report)
        return _trained_now(settings, folder, given, report)


def prepare_text(text: str, report: Report) -> str:
    """The words of a text in lower case, a sentence a line, punctuation apart.

    It is worked through in pieces that end between paragraphs, which changes nothing, but can be stopped.
    """
    parts = []
    for place, piece in _paragraphs(text.translate(MARKUP)):
        parts.append(prepare(piece, STEPS).text)
        report(0.5 * place / len(text), "splitting the text into words and sentences")
    return "".join(parts)


def nearest_words(found: WordModel, word: str) -> list[tuple[str, float]]:
    """The words whose learnt vectors point most nearly where this one's does, and the cosines."""
    _require_known(found, word)
    rows = [found.model.tokeniser.encode(each).ids[0] for each in found.words]
    return WordVectors(found.words, found.model.network.vectors[rows]).nearest(word, N_NEAREST)


def next_words(found: WordModel, word: str) -> list[tuple[str, float]]:
    """The likeliest words after this one, and their probabilities."""
    _require_known(found, word)
    context = found.model.tokeniser.encode(word).ids[:1]
    probabilities = np.exp(found.model.after(context)[0])
    best = np.argsort(-probabilities, kind="stable")[:N_NEAREST]
    return [(found.model.tokeniser.vocabulary[place], float(probabilities[place])) for place in best]


def draw_sentences(found: WordModel, *, temperature: float, seed: int) -> list[str]:
    """Some sentences, each drawn word by word from the start of a line to its end."""
    lines = []
    for rng in np.random.default_rng(seed).spawn(N_SENTENCES):
        pieces = found.model.sample(rng, length=MAX_SENTENCE_WORDS, how=Sampling(temperature))
        text = "".join(pieces)
        line, end, _ = text.partition("\n")
        lines.append(line.strip() + ("" if end else " …"))
    return lines


def sentence_list(lines: list[str]) -> str:
    """The sentences in HTML."""
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in lines)
    return f'<ul style="padding-left: 1.2em; list-style: disc">{items}</ul>'


def training_text(found: WordModel) -> str:
    """What came of training, in Markdown."""
    return (
        f"The loss fell from {found.curve[0][1]:.2f} to **{found.curve[-1][1]:.2f} nats a word** in"
        f" {found.curve[-1][0]} steps over all {len(found.words):,} words. On the last tenth of the text, which it has"
        f" not seen, the network has a perplexity of **{found.perplexity:.1f}** a word; counting pairs (Kneser–Ney)"
        f" has **{found.counts_perplexity:.1f}**.{' ' + found.note if found.note else ''}"
    )


def word_figure(found: WordModel, word: str) -> Figure:
    """Two rows of bars: the nearest words by cosine, and the likeliest to follow."""
    figure = new_figure((9.0, 3.6))
    left, right = figure.subplots(1, 2)
    _draw_bars(left, nearest_words(found, word), COLOURS[0], f"nearest to “{word}”: cosine of the learnt vectors")
    _draw_bars(right, next_words(found, word), COLOURS[1], f"after “{word}”: probability of the next word")
    return figure


def _draw_bars(axes: Axes, rows: list[tuple[str, float]], colour: str, title: str) -> None:
    names, values = zip(*rows, strict=True)
    places = np.arange(len(rows))[::-1]
    axes.barh(places, values, color=colour, height=0.7)
    axes.set_yticks(places, [MARKS.get(name, name) for name in names], parse_math=False)
    for place, value in zip(places, values, strict=True):
        axes.annotate(f"{value:.2g}", (max(value, 0), place), xytext=(3, 0), textcoords="offset points", va="center")
    axes.set_xlim(min(0, *values), max(values) * 1.18)
    axes.set_title(title, fontsize=10, parse_math=False)


def word_columns(found: WordModel, word: str) -> dict[str, list[Any]]:
    """The same as columns of a file."""
    near, after = nearest_words(found, word), next_words(found, word)
    return {
        "nearest": [name for name, _ in near],
        "cosine": [value for _, value in near],
        "next": [name for name, _ in after],
        "probability": [value for _, value in after],
    }


def python_for(settings: Settings, *, word: str, temperature: float, seed: int) -> str:
    """Code that trains the same model and prints the same words and sentences."""
    return f"""
import numpy as np
from regard.lab.model_cache import MAX_CHARACTERS
from regard.models.sampling import Sampling
from regard.text.corpora.corpus import find_corpus
from regard.text.normalise.prepare import prepare
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

text = find_corpus({settings.text!r}).text[:MAX_CHARACTERS].translate(str.maketrans("", "", '"*`'))
lines = prepare(text, {STEPS!r}).text.splitlines(keepends=True)
learn = "".join(lines[: len(lines) - int({VALIDATION_SHARE} * len(lines))])
config = BigramConfig(vocabulary={VOCABULARY}, hidden={settings.hidden}, iterations={ITERATIONS}, seed={settings.seed})
model = train_by_counts(bigram_task(learn, config))
words = model.tokeniser.vocabulary[2:]  # without <unk> and </s>
near = WordVectors(words, model.network.vectors[2:-1]).nearest({word!r}, {N_NEAREST})
print(near)
for rng in np.random.default_rng({seed}).spawn({N_SENTENCES}):
    print("".join(model.sample(rng, length={MAX_SENTENCE_WORDS}, how=Sampling({temperature!r}))).partition("\\n")[0])
"""


def _trained_now(settings: Settings, folder: Path, given: LabText, report: Report) -> WordModel:
    lines = prepare_text(given.text, report).splitlines(keepends=True)
    n_validation = int(VALIDATION_SHARE * len(lines))
    learn, valid = "".join(lines[: len(lines) - n_validation]), "".join(lines[len(lines) - n_validation :])
    report(0.5, "counting pairs of words")
    config = BigramConfig(vocabulary=VOCABULARY, hidden=settings.hidden, iterations=ITERATIONS, seed=settings.seed)
    task, curve = bigram_task(learn, config), []

    def on_step(step: CountsStep) -> None:
        curve.append((step.iteration, step.objective_nats))
        line = f"step {step.iteration} of {ITERATIONS}: {step.objective_nats:.3f} nats a word"
        report(0.5 + 0.5 * step.iteration / ITERATIONS, line, point=curve[-1])

    model = train_by_counts(task, on_step=on_step)
    counted = train_ngram(learn, NgramConfig(unit="word", order=2, method="kneser-ney", vocabulary=VOCABULARY))
    history = {"curve": curve, "perplexity": _perplexity(model, valid), "counts": _perplexity(counted, valid)}
    with contextlib.suppress(OSError, CheckpointError):  # a full disk: this visitor has it all the same
        save(model, folder, beside={HISTORY: json.dumps(history).encode()}, force=True)
    return _found(settings, model, history, given)


def _loaded(settings: Settings, folder: Path, given: LabText, report: Report) -> WordModel:
    found = read_snapshot(folder, (*MODEL_FILES, HISTORY))
    model, history = restore_language_model(found), found.json(HISTORY)
    if not isinstance(model, BigramModel):
        raise CheckpointError(f"a kept model should be of kind bigram; there is one of kind {model.kind}")
    for iteration, nats in history["curve"]:
        report(1.0, "kept from an earlier visit", point=(iteration, nats))
    return _found(settings, model, history, given)


def _found(settings: Settings, model: BigramModel, history: dict[str, Any], given: LabText) -> WordModel:
    curve = tuple((int(iteration), float(nats)) for iteration, nats in history["curve"])
    return WordModel(settings, model, curve, history["perplexity"], history["counts"], given.note)


def _perplexity(model: Any, text: str) -> float:
    return float(np.exp(-model.score(text).log_probs_nats.mean()))


def _require_known(found: WordModel, word: str) -> None:
    if word not in found.words:
        near = difflib.get_close_matches(word, found.words, n=1, cutoff=0.0)
        raise VocabularyError(
            f"{word!r} is not among the {len(found.words):,} most frequent words of the text; try {near[0]!r}"
        )


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of a text that end after a blank line where there is one, and where each ends."""
    start = 0
    while start < len(text):
        blank = text.find("\n\n", start + PIECE)
        end = len(text) if blank < 0 else blank + 2
        yield end, text[start:end]
        start = end


def _digest(text: str) -> str:
    """A few letters that change with the text."""
    return sha256(text)[:12]
