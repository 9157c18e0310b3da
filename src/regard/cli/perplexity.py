"""`regard perplexity`: several models on several texts, in units that can be compared, with what to be wary of."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from regard.cli.app import Debug, drawable, example, find_text, new_app, show_reading, writable
from regard.cli.output import jsonable, print_table, progress_bar, require_outputs
from regard.display import Cell, percent
from regard.files import write_output

if TYPE_CHECKING:
    from regard.evaluation.perplexity import PerplexityComparison
    from regard.records import PerplexityResult
    from regard.tables import StudyTable

UNITS = {"2": ("bits", math.log(2)), "e": ("nats", 1.0), "10": ("digits", math.log(10))}
"""What information is counted in, and how many nats one such unit has."""
EXAMPLES = example(
    "regard perplexity models/bigram models/letters --text passage.txt",
    "regard perplexity models/bigram --text a.txt b.txt --prepare auto --html surprise.html",
    "regard perplexity models/letters --text shakespeare --adaptive --base e --json",
)


STEPS = (
    "fold-unicode",
    "join-lines",
    "split-lines",
    "split-words",
    "drop-punctuation",
    "lower",
    "digits",
    "digits-n",
    "squeeze-spaces",
)
"""Those of regard.text.normalise.prepare, spelt out so that help pages load no mathematics; a test compares the two."""


class ManyTexts(TyperCommand):
    """Lets `--text` take several names: what follows it and is no folder is a text, as models are folders."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Say `--text` again before each further text."""
        return super().parse_args(ctx, name_each_text(args))


def name_each_text(args: list[str]) -> list[str]:
    """The arguments with `--text` before each text.

    >>> name_each_text(["m", "--text", "a.txt", "b.txt", "--json"])
    ['m', '--text', 'a.txt', '--text', 'b.txt', '--json']
    >>> name_each_text(["m", "--text", "a.txt", "-"])
    ['m', '--text', 'a.txt', '--text', '-']
    """
    named: list[str] = []
    in_texts = False
    for place, word in enumerate(args):
        if word.startswith("-") and word != "-":
            in_texts = word.startswith("--text=")
        elif place and args[place - 1] == "--text":
            in_texts = True
        elif in_texts and not Path(word).is_dir():
            named.append("--text")
        named.append(word)
    return named


app = new_app("Several models on several texts, in units that can be compared.")


Text = Annotated[
    list[str], typer.Option(metavar="FILE|NAME...", help="Files, corpora by name, or - for standard input.")
]
Prepare = Annotated[
    str,
    typer.Option(
        metavar="STEPS|auto",
        help=f"Prepare the texts by these steps, comma-separated, in this order: {', '.join(STEPS)}; what they "
        "erase is charged. auto: choose those that help.",
    ),
]
Adaptive = Annotated[
    bool, typer.Option("--adaptive", help="Let those models that can do so learn from the text while they score it.")
]
Base = Annotated[
    Literal["2", "e", "10"], typer.Option(help="Base of the logarithm: 2 for bits, e for nats, 10 for digits.")
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE.html", callback=writable(".html"), help="Save results and heat maps as a page."),
]
Figure = Annotated[
    Path | None,
    typer.Option(metavar="FILE", callback=drawable, help="Save heat maps as a figure: .png, .svg or .pdf."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print a JSON list, an object for each model and text, instead of tables.")
]


@app.command(cls=ManyTexts, epilog=EXAMPLES)
def perplexity(
    models: Annotated[list[str], typer.Argument(metavar="MODEL", help="Folders of trained language models.")],
    text: Text,
    prepare: Prepare = "",
    adaptive: Adaptive = False,
    base: Base = "2",
    heat: Annotated[Literal["ansi"] | None, typer.Option(help="Show the surprise of each character in colour.")] = None,
    html: Html = None,
    figure: Figure = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Print the perplexity of each model on each text, and its cost in bits per character.

    Perplexity is per token and can only be compared between models with the same tokens. Bits per character can always
    be compared: they include the cost of spelling unknown words and of restoring what was normalised.
    """
    from regard.evaluation.perplexity import AUTO, compare_perplexity
    from regard.models.checkpoint import load_model
    from regard.report import heat as heat_maps
    from regard.report.figures import save_figure

    require_outputs(html, figure, inputs=(*models, *text))
    steps = prepare if prepare == AUTO else tuple(step.strip() for step in prepare.split(",") if step.strip())
    with show_reading(*text):
        texts = {corpus.name: corpus.text for corpus in map(find_text, text)}
        loaded = {name: load_model(name) for name in dict.fromkeys(models)}
    with progress_bar() as progress:
        found = compare_perplexity(loaded, texts, prepare=steps, adaptive=adaptive, progress=progress)
    if html is not None:
        page = heat_maps.heat_page(found.results, cautions=found.cautions)
        write_output(html, page.encode("utf-8", "replace"))
    if figure is not None:
        save_figure(heat_maps.draw_heat(found.results), figure)
    if as_json:
        print_rows(found)
        return
    print_report(found, base=base)
    if heat is not None:
        for result in found.results:
            print(f"\n{result.model} on {result.text}\n{heat_maps.to_ansi(result.surprise)}")
    for path in (html, figure):
        if path is not None:
            print(f"\nsaved {path}")


def print_rows(found: PerplexityComparison) -> None:
    """A JSON list with one object for each model and text; warnings about the whole table are in every row."""
    rows = [
        _row_json(result, found, found.gains[place] if found.gains else None)
        for place, result in enumerate(found.results)
    ]
    print(json.dumps(jsonable(rows), ensure_ascii=False, allow_nan=False))


def _row_json(result: PerplexityResult, found: PerplexityComparison, gains: StudyTable | None) -> dict[str, Any]:
    cautions = (*result.cautions, *found.cautions)
    return {
        "model": result.model,
        "text": result.text,
        "unit": result.unit,
        "adaptive": result.adaptive,
        "prepare": list(result.prepare),
        "tokens": result.tokens,
        "line_ends": result.line_ends,
        "characters": result.characters,
        "bytes": result.bytes,
        "unknown_share": result.unknown_share,
        "perplexity": result.perplexity,
        "perplexity_known": result.perplexity_known,
        "perplexity_by_base": result.perplexity_by_base,
        "nats": result.nats,
        "token_nats": result.token_nats,
        "spelling_nats": result.spelling_nats,
        "restoration_nats": result.restoration_nats,
        "choice_nats": result.choice_nats,
        "nats_per_character": result.nats_per_character,
        "bits_per_character": result.bits_per_character,
        "bits_per_byte": result.bits_per_byte,
        "warnings": [caution.message for caution in cautions],
        "evidence": [{"kind": caution.kind, **caution.evidence} for caution in cautions],
        "steps": None if gains is None else gains.records(),
    }


def print_report(found: PerplexityComparison, *, base: str) -> None:
    """The table, where the costs come from, what preparation gained, and what to be wary of."""
    _print_results(found.results, base=base)
    _print_costs(found.results, base=base)
    for table in found.gains:
        _print_gains(table)
    first = found.results[0]
    powers = " = ".join(f"{b}^{math.log(first.perplexity) / nats:.4f}" for b, (_, nats) in UNITS.items())
    print(f"\nPerplexity has no base: {powers} = {first.perplexity:.4f} ({first.model} on {first.text}).")
    _print_cautions(found)


def _print_results(results: list[PerplexityResult], *, base: str) -> None:
    unit, nats = UNITS[base]
    columns = ["model", "text", "tokens", "unknown", "perplexity", "known only", f"{unit}/char", f"{unit}/byte"]
    shows_mode = any(result.adaptive for result in results)
    rows: list[list[Cell]] = []
    for result in results:
        mode: list[Cell] = ["adaptive" if result.adaptive else "static"] if shows_mode else []
        rows.append(
            [
                result.model,
                result.text,
                *mode,
                f"{result.tokens:,} {result.unit}s",
                percent(result.unknown_share, decimals=1),
                f"{result.perplexity:.5g} per {result.unit}",
                "-" if result.perplexity_known is None else f"{result.perplexity_known:.5g}",
                f"{result.nats_per_character / nats:.4f}",
                f"{result.nats / result.bytes / nats:.4f}",
            ]
        )
    print_table([*columns[:2], *(["mode"] if shows_mode else []), *columns[2:]], rows)


def _print_costs(results: list[PerplexityResult], *, base: str) -> None:
    """Print what the costs consist of, unless tokens are the only cost."""
    unit, nats = UNITS[base]
    parts = {
        "tokens": [result.token_nats for result in results],
        "spelling": [result.spelling_nats for result in results],
        "restoring": [result.restoration_nats for result in results],
        "choosing": [result.choice_nats for result in results],
    }
    shown = {name: costs for name, costs in parts.items() if any(costs)}
    if len(shown) == 1:
        return
    print(f"\nOf which, in {unit} per character of the text as it is:")
    rows: list[list[Cell]] = [
        [result.model, result.text, *(f"{costs[i] / nats / result.characters:.4f}" for costs in shown.values())]
        for i, result in enumerate(results)
    ]
    print_table(["model", "text", *shown], rows)


def _print_gains(table: StudyTable) -> None:
    print(f"\n{table.title}:")
    headings = {"restored_bits": "restored", "bits_per_character": "bits/char"}
    rows: list[list[Cell]] = [
        [
            step,
            tokens,
            percent(unknown, decimals=1),
            f"{perplexity:.5g}",
            *(f"{bits:+.4f}".lstrip("+") for bits in costs),
        ]
        for step, tokens, unknown, perplexity, *costs in table.rows
    ]
    print_table([headings.get(name, name) for name in table.columns], rows)
    for note in table.notes:
        print(f"- {note}")


def _print_cautions(found: PerplexityComparison) -> None:
    lines = [f"- {caution.message}" for caution in found.cautions]
    for result in found.results:
        lines += [f"- {result.model} on {result.text}: {warning}" for warning in result.warnings]
    if lines:
        print("\nBe wary:")
        print("\n".join(lines))
