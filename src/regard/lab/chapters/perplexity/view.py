"""What chapter 7 asks of the package: models on passages, in units that can be compared, and what to be wary of."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.errors import NothingScoredError
from regard.evaluation.cautions import table_cautions
from regard.evaluation.perplexity import evaluate, evaluate_step_by_step, gain_table
from regard.lab.chapters.perplexity.models import MODELS
from regard.lab.texts import MAX_CHARACTERS as MAX_LEARNT
from regard.lab.url_state import fits_link, length_complaint, replace_surrogates
from regard.models.base import LanguageModel
from regard.records import Caution, PerplexityResult
from regard.report.figures import COLOURS, FAINT, new_figure
from regard.report.fragments import scrolling_table
from regard.tables import StudyTable
from regard.training.ngram import NgramConfig

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_CHARACTERS = 4_000
"""Of a passage: so much is scored by five models, twice, in about a second."""
PASSAGES = {
    "passage A": """\
The loop ends when the iterator is exhausted, or
when a "break" statement is executed in its body.
A name that is assigned there keeps its last value
after the loop; if the loop never ran, the name
does not exist, and to use it raises "NameError".
Since Python 3.8 one more keyword, "continue", may
stand in a "finally" clause: few programs have
ever needed it.
""",
    "passage B": """\
All the world’s a stage,
And all the men and women merely players;
They have their exits and their entrances;
And one man in his time plays many parts,
His acts being seven ages. At first the infant,
Mewling and puking in the nurse’s arms;
Then the whining school-boy, with his satchel
And shining morning face, creeping like snail
Unwillingly to school.
""",
}
"""Two to begin with: one as the manual of Python would say it, one from As You Like It as it is printed today."""


@dataclass(frozen=True)
class ComparisonRequest:
    """What a visitor wants compared, and what is wrong with it; `texts` are the passages whatever their length."""

    texts: dict[str, str]
    passages: dict[str, str]
    models: tuple[str, ...]
    steps: tuple[str, ...]
    complaints: tuple[str, ...]

    @property
    def fits_link(self) -> bool:
        """Whether the passages are short enough for a link."""
        return fits_link(*self.texts.values())

    @property
    def in_link(self) -> dict[str, str]:
        """The passages that the link is to name: those at their default go without saying."""
        return self.texts if self.fits_link else PASSAGES


@dataclass(frozen=True, eq=False)
class Comparison:
    """A result for each model and passage, prepared and as it is; and what to be wary of in the table as a whole."""

    results: tuple[PerplexityResult, ...]
    unprepared: tuple[PerplexityResult, ...]
    cautions: tuple[Caution, ...]


def read_request(
    passages: Mapping[str, str], *, models: Mapping[str, bool], steps: Mapping[str, bool]
) -> ComparisonRequest:
    """The wish that these controls express: passages as they were typed, models and steps that are ticked or not."""
    texts = {name: replace_surrogates(text) for name, text in passages.items()}
    wrong = {name: length_complaint(name, text, most=MAX_CHARACTERS) for name, text in texts.items()}
    chosen_models, chosen_steps = (tuple(name for name in ticks if ticks[name]) for ticks in (models, steps))
    complaints = [complaint for complaint in wrong.values() if complaint]
    if not chosen_models:
        complaints.append("no model is chosen: tick at least one")
    usable = {name: text for name, text in texts.items() if not wrong[name]}
    return ComparisonRequest(texts, usable, chosen_models, chosen_steps, tuple(complaints))


def compare(models: Mapping[str, LanguageModel], request: ComparisonRequest) -> Comparison | None:
    """Every model on every passage; None where there is nothing to compare.

    Raises NothingScoredError where preparation leaves nothing of a passage.
    """
    results, unprepared = [], []
    for passage, text in request.passages.items():
        for name in request.models:
            plain = evaluate(models[name], text, name=passage, model_name=name)
            unprepared.append(plain)
            results.append(
                evaluate(models[name], text, name=passage, model_name=name, steps=request.steps)
                if request.steps
                else plain
            )
    return Comparison(tuple(results), tuple(unprepared), table_cautions(results)) if results else None


def step_gains(
    models: Mapping[str, LanguageModel], request: ComparisonRequest, *, model: str, passage: str
) -> StudyTable | None:
    """What each step gained in turn, for one model on one passage; None where that cannot be scored."""
    if passage not in request.passages:
        return None
    text = request.passages[passage]
    try:
        return gain_table(
            evaluate_step_by_step(models[model], text, name=passage, model_name=model, steps=request.steps)
        )
    except NothingScoredError:
        return None


def verdict_text(found: Comparison) -> str:
    """Which model looks best on each passage, and which is, in Markdown."""
    lines = []
    for passage in dict.fromkeys(result.text for result in found.results):
        rows = [result for result in found.results if result.text == passage]
        looks, best = (min(rows, key=cost) for cost in (_perplexity, _bits))
        apart = "" if looks is not best else ", too"
        lines.append(
            f"- **{passage}**: the lowest perplexity is that of *{looks.model}*, {looks.perplexity:.4g} per "
            f"{looks.unit}; the fewest bits per character are those of *{best.model}*{apart}: "
            f"**{best.bits_per_character:.3f}**"
            + ("" if looks is best else f", against {looks.bits_per_character:.3f} of *{looks.model}*")
        )
    return "\n".join(lines)


def result_html(found: Comparison) -> str:
    """The honest table as HTML; the fewest bits per character of each passage are set in bold."""
    headings = [
        "passage", "model", "tokens scored", "line ends", "unknown", "perplexity", "known tokens only",
        "bits per character", "bits per byte",
    ]  # fmt: skip
    is_prepared = any(result.prepare for result in found.results)
    rows = []
    for result, before in zip(found.results, found.unprepared, strict=True):
        best = min(_bits(row) for row in found.results if row.text == result.text)
        gained = [f"{before.bits_per_character - result.bits_per_character:+.3f}"] if is_prepared else []
        rows.append([*_cells(result, is_best=_bits(result) == best), *gained])
    return scrolling_table([*headings, *(["gained by the steps"] if is_prepared else [])], rows, n_words=2)


def gain_html(table: StudyTable) -> str:
    """What each step gained, as HTML."""
    headings = ["step", "tokens", "unknown", "perplexity", "bits to restore", "bits per character", "gained"]
    rows = [
        [
            html.escape(step), f"{tokens:,}", f"{100 * unknown:.1f} %", f"{perplexity:.5g}", f"{restored:.3f}",
            f"{bits:.3f}", "" if place == 0 else f"{gained:+.3f}",
        ]
        for place, (step, tokens, unknown, perplexity, restored, bits, gained) in enumerate(table.rows)
    ]  # fmt: skip
    return scrolling_table(headings, rows, n_words=1)


def warning_lines(found: Comparison) -> list[str]:
    """What to be wary of, one sentence each; steps are named as in the chapter."""
    lines = [caution.message for caution in found.cautions]
    lines += [f"{result.model} on {result.text}: {line}" for result in found.results for line in result.warnings]
    return [line.replace("--prepare ", "the step ") for line in lines]


def warning_lists(found: Comparison) -> list[str]:
    """The warnings as one list of HTML, or none where there is nothing to be wary of."""
    items = "".join(f"<li>{html.escape(line)}</li>" for line in warning_lines(found))
    style = "margin:0;padding-left:1.2em;list-style:disc;overflow-wrap:anywhere"
    return [f'<strong>Be wary</strong><ul style="{style}">{items}</ul>'] if items else []


def bits_figure(found: Comparison) -> Figure:
    """Perplexities, each per token of its own kind, beside what the same passages cost in bits per character."""
    models = list(dict.fromkeys(result.model for result in found.results))
    passages = list(dict.fromkeys(result.text for result in found.results))
    figure = new_figure((9.0, 1.5 + 0.55 * len(models)))
    axes = figure.subplots(1, 2, sharey=True)
    for number, passage in enumerate(passages):
        rows = {result.model: result for result in found.results if result.text == passage}
        places = np.arange(len(models)) + 0.2 * (2 * number - len(passages) + 1)
        for panel, cost in zip(axes, (_perplexity, _bits), strict=True):
            panel.barh(places, [cost(rows[name]) for name in models], 0.36, color=COLOURS[number], label=passage)
    units = {result.model: result.unit for result in found.results}
    axes[0].set_yticks(range(len(models)), [f"{name}\nper {units[name]}" for name in models])
    axes[0].invert_yaxis()
    axes[0].set_xscale("log")
    axes[0].set_xlabel("perplexity: only compare models of one unit")
    axes[1].set_xlabel("bits per character: always comparable")
    axes[1].legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for panel in axes:
        panel.grid(axis="x", color=FAINT, linewidth=0.5)
        panel.set_axisbelow(True)
    return figure


def result_columns(found: Comparison) -> dict[str, list[Any]]:
    """The table's figures, for a file."""
    names = (
        "text", "model", "unit", "tokens", "line_ends", "unknown_share", "perplexity", "perplexity_known",
        "characters", "bytes", "token_nats", "spelling_nats", "restoration_nats", "bits_per_character", "bits_per_byte",
    )  # fmt: skip
    return {name: [getattr(result, name) for result in found.results] for name in names}


def python_for(text_name: str, request: ComparisonRequest) -> str:
    """Code that gives the same numbers."""
    lines = []
    for name in request.models:
        config = MODELS[name].config
        if isinstance(config, NgramConfig):
            lines.append(f"    {name!r}: regard.train_ngram(text, regard.{config}),")
        else:
            lines.append(f"    {name!r}: regard.train_by_counts(regard.bigram_task(text, regard.{config})),")
    trained = "\n".join(lines)
    return f"""
import regard

text = regard.find_corpus({text_name!r}).text[:{MAX_LEARNT}]
models = {{
{trained}
}}
passages = {request.passages!r}
for passage, words in passages.items():
    for name, model in models.items():
        result = model.perplexity(words, name=passage, steps={request.steps!r})
        print(passage, name, result.tokens, result.perplexity, result.bits_per_character, *result.warnings)
"""


def _cells(result: PerplexityResult, *, is_best: bool) -> list[str]:
    bits = f"{result.bits_per_character:.3f}"
    known = "–" if result.perplexity_known is None else f"{result.perplexity_known:.4g}"
    return [
        html.escape(result.text),
        html.escape(result.model),
        f"{result.tokens:,} {result.unit}s",
        f"{result.line_ends:,}",
        f"{100 * result.unknown_share:.1f} %",
        f"{result.perplexity:.4g} per {result.unit}",
        known,
        f"<strong>{bits}</strong>" if is_best else bits,
        f"{result.bits_per_byte:.3f}",
    ]


def _perplexity(result: PerplexityResult) -> float:
    return result.perplexity


def _bits(result: PerplexityResult) -> float:
    return result.bits_per_character
