"""What chapter 8 shows of a review: the verdict, the words that decided it, and the same words in another order."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.evaluation.attribution import explain
from regard.lab.chapters.reviews.classifiers import SOURCES
from regard.models.classifier.base import Classifier
from regard.models.classifier.familiarity import Familiarity
from regard.records import ErrorStudy, ExplainedText
from regard.report import explanation
from regard.report.errors_page import error_card
from regard.report.explanation import AGAINST, FOR, WordShare, rank_words
from regard.report.figures import INK, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_CHARACTERS = 4_000
"""Of a review: some 700 words, three times the usual length. Each key typed asks for two explanations of it."""
MAX_BARS = 14
BASELINE = "(before any word)"
REVIEW = (
    "The plot is not bad at all, and the actors are a joy to watch, but the jokes fall flat and the ending is a mess."
)
STYLE = (
    "<style>.judged{--rule:#b573dc;"
    f"{explanation.TEXT_STYLE}"
    "p{margin:.4rem 0}.text{line-height:1.9;font-size:1.05rem}.verdict{font-size:1.4rem;margin:.2rem 0}"
    ".bar{display:flex;height:1.3rem;border-radius:5px;overflow:hidden;max-width:34rem;font-size:.8rem}"
    ".bar span{white-space:nowrap;padding:0 .4rem;line-height:1.3rem}"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1.2rem}"
    "article{border:1px solid #8886;border-radius:8px;padding:.2rem 1rem;margin:.8rem 0}"
    "article h3{font-size:1rem;font-weight:600}"
    ".note{opacity:.8;font-size:.9rem}ul{list-style:disc;padding-left:1.2em}.number{font-family:ui-monospace,monospace}"
    "}</style>"
)
"""What the coloured words look like, within this chapter's own blocks."""


@dataclass(frozen=True, eq=False)
class OrderComparison:
    """A review, and its words in another order; `is_same` where the answers agree to the last bit.

    `log_odds` are those of the first answer against its runner-up, in both orders.
    """

    before: ExplainedText
    after: ExplainedText
    log_odds: tuple[float, float]
    is_same: bool
    familiarity: Familiarity | None = None
    """How the review compares with those of training; None where that is not known."""


def compare_orders(classifier: Classifier, review: str, *, seed: int) -> OrderComparison:
    """The words of a review as the classifier reads them, in a random order, judged like the review itself."""
    words = classifier.words(review)
    order = np.random.default_rng(seed).permutation(len(words))
    mixed = " ".join(words.word(i) for i in order.tolist())
    first, second = classifier.log_probs([review])[0], classifier.log_probs([mixed])[0]
    found = explain(classifier, review)
    answer, against = classifier.labels.index(found.label), classifier.labels.index(found.against)
    odds = (float(first[answer] - first[against]), float(second[answer] - second[against]))
    beside = classifier.familiarity([review], first[None])
    is_same = bool((first == second).all())
    return OrderComparison(found, explain(classifier, mixed), odds, is_same, None if beside is None else beside[0])


def verdict_html(found: ExplainedText) -> str:
    """The answer, how sure it is, and the review with its words coloured, as HTML."""
    return (
        f'{STYLE}<div class="judged" role="status"><p class="verdict"><strong>{html.escape(found.label)}</strong>, '
        f"{_percent(found.probability)}</p>{_bar(found)}{explanation.to_html(found)}"
        f"<p>{_legend(found)} {_decision_line(found)}</p></div>"
    )


def familiarity_html(found: Familiarity | None) -> str:
    """How much of the review training did not have, what such answers were worth, and what is unusual, as HTML."""
    if found is None:
        return ""
    facts = [f"{found.n_words:,} words", f"unknown words {100 * found.unknown_share:.0f} %"]
    if found.unknown_pair_share is not None:
        facts.append(f"unknown word pairs {100 * found.unknown_pair_share:.0f} %")
    facts.append(f"expected accuracy {100 * found.expected_accuracy:.0f} %")
    warnings = "".join(f"<br>Unlike the training texts: {html.escape(each)}." for each in found.warnings)
    return f'{STYLE}<div class="judged"><p class="note">{", ".join(facts)}.{warnings}</p></div>'


def orders_html(found: OrderComparison) -> str:
    """Both orders side by side, with the probability to its last digit, as HTML."""
    sides = (("as it was written", found.before), ("shuffled", found.after))
    columns = "".join(
        f'<div><strong>{name}</strong>: {html.escape(each.label)}<br><span class="number">'
        f"{each.probability!r}</span>{explanation.to_html(each)}</div>"
        for name, each in sides
    )
    return (
        f'{STYLE}<div class="judged"><p role="status">{_order_line(found)}</p><div class="pair">{columns}</div></div>'
    )


def mistakes_html(study: ErrorStudy) -> str:
    """How often it is right, what goes with mistakes, and the worst of them, as HTML."""
    result = study.result
    telling = "".join(f"<li>{html.escape(note)}</li>" for note in study.notes)
    legend = (
        '<p><span class="p4">word</span> <span class="p2">word</span> for the wrong answer, '
        '<span class="c2">word</span> <span class="c4">word</span> for the true one; '
        "<u>underlined</u>: what a rule has found</p>"
    )
    cards = "".join(map(error_card, study.worst))
    return (
        f'{STYLE}<div class="judged"><p>{html.escape(study.title)}: right in <strong>{100 * result.accuracy:.1f} '
        f"± {100 * result.standard_error:.1f} %</strong>. "
        "How often each rule finds something in mistakes, and in right answers:</p>"
        f'<ul>{telling}</ul><p>The mistakes it was surest of:</p><div class="text">{legend}</div>{cards}</div>'
    )


def shares_figure(found: ExplainedText) -> Figure:
    """The words that moved the answer most, as bars: to the right for the answer, to the left against it.

    With the bars of the other words together and of what holds before any word, they add up to the log-odds.
    """
    rows = bar_rows(found)
    figure = new_figure((9.0, 0.9 + 0.22 * max(1, len(rows))))
    axes = figure.subplots()
    places = np.arange(len(rows))
    axes.barh(places, [row.share for row in rows], color=[(FOR if row.share > 0 else AGAINST)[2] for row in rows])
    names = [f"{row.word} ×{row.n}" if row.n > 1 else row.word for row in rows]
    axes.set_yticks(places, names, parse_math=False)
    axes.invert_yaxis()
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_xlabel(f"nats for {found.label}, against {found.against}")
    return figure


def bar_rows(found: ExplainedText) -> list[WordShare]:
    """The largest shares, what all other words did together, and the baseline: they sum to the log-odds."""
    words = word_shares(found)
    others = words[MAX_BARS:]
    together = [WordShare(f"{len(others)} other words", 1, sum(word.share for word in others))] if others else []
    return [*words[:MAX_BARS], *together, WordShare(BASELINE, 1, found.baseline)]


def word_shares(found: ExplainedText) -> list[WordShare]:
    """Every word with what it did, the largest share first."""
    return rank_words(found, threshold=1e-9)


def share_columns(found: ExplainedText) -> dict[str, list[Any]]:
    """Every word's share and the baseline, for a file: the column of nats sums to the log-odds."""
    rows = [*word_shares(found), WordShare(BASELINE, 1, found.baseline)]
    return {"word": [r.word for r in rows], "times": [r.n for r in rows], "nats": [r.share for r in rows]}


def python_for(data: str, form: str, shown: OrderComparison) -> str:
    """Code that gives the same numbers."""
    beside = "print(classifier.familiarity([review], classifier.log_probs([review]))[0].record())\n"
    return f"""
from regard.evaluation.attribution import explain
from regard.report.explanation import list_words
from regard.text.labelled.source import read_splits
from regard.training.averaging.train import AveragingConfig, train_averaging

reviews = read_splits({data!r})
classifier = train_averaging(reviews.train, AveragingConfig(form={form!r}, epochs={SOURCES[data].epochs}))

review = {shown.before.text!r}
found = explain(classifier, review)
print(found.label, found.probability, list_words(found))
{"" if shown.familiarity is None else beside}
shuffled = {shown.after.text!r}
print(classifier.log_probs([review]), classifier.log_probs([shuffled]))
"""


def _order_line(found: OrderComparison) -> str:
    if found.is_same:
        return "The same words, the same answer, <strong>to the last bit</strong>: a mean does not know who came first."
    before, after = found.log_odds
    return (
        f"The order matters: the log-odds of {html.escape(found.before.label)} went from {before:.3f} to "
        f"<strong>{after:.3f}</strong> nats, as pairs and triples of neighbours are read too."
    )


def _bar(found: ExplainedText) -> str:
    width = f"{100 * found.probability:.4g}%"
    share = "" if found.against_probability < 0.12 else html.escape(found.against)
    return (
        f'<div class="bar" aria-hidden="true"><span class="p4" style="width:{width}">{html.escape(found.label)}</span>'
        f'<span class="c3" style="flex:1;padding:0 {".4rem" if share else "0"}">{share}</span></div>'
    )


def _legend(found: ExplainedText) -> str:
    return (
        f'<span class="p3">Blue</span> speaks for {html.escape(found.label)}, <span class="c3">orange</span> for '
        f"{html.escape(found.against)}."
    )


def _decision_line(found: ExplainedText) -> str:
    if not found.shares.any() and explanation.adds_up(found):
        return "No word changes the answer: the classifier says the same of an empty text."
    words = html.escape(explanation.name_deciding_words(found))
    return (
        f"Words that decided, in nats ({html.escape(found.attribution.method)}): {words}.<br>"
        f"They add up: {html.escape(explanation.sum_line(found))}."
    )


def _percent(probability: float) -> str:
    return f"{100 * probability:.1f} %" if probability < 0.9995 else "more than 99.9 %"
