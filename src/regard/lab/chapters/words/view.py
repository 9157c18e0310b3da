"""What chapter 5 asks of its word model: nearest words, likely next words, sentences, and how training went."""

from __future__ import annotations

import difflib
import html
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.errors import VocabularyError
from regard.lab.chapters.words.models import ITERATIONS, STEPS, VALIDATION_SHARE, VOCABULARY, Settings, WordModel
from regard.lab.texts import EMBEDDED
from regard.models.sampling import Sampling, stream
from regard.report.figures import COLOURS, new_figure
from regard.text.tokenise.tokens import LINE_END, UNKNOWN
from regard.text.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {LINE_END: "end of line", UNKNOWN: "a rarer word"}
N_NEAREST, N_SENTENCES, MAX_SENTENCE_WORDS = 10, 5, 40
FIRST_WORDS = {EMBEDDED: "list", "shakespeare": "king", "tinyshakespeare": "king", "ptb/train": "monday"}
"""The word that the page asks for first."""


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
        pieces = stream(found.model, rng, length=MAX_SENTENCE_WORDS, how=Sampling(temperature))
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
    """The nearest and the next words of a word, as columns of a file."""
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
from regard.lab.texts import MAX_CHARACTERS
from regard.models.sampling import Sampling, stream
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
    print("".join(stream(model, rng, length={MAX_SENTENCE_WORDS}, how=Sampling({temperature!r}))).partition("\\n")[0])
"""


def _require_known(found: WordModel, word: str) -> None:
    if word not in found.words:
        near = difflib.get_close_matches(word, found.words, n=1, cutoff=0.0)
        raise VocabularyError(
            f"{word!r} is not among the {len(found.words):,} most frequent words of the text; try {near[0]!r}"
        )
