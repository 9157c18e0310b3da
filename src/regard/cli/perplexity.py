"""`regard perplexity`: several models on several texts, in units that can be compared, with what to be wary of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from regard.cli.options import Debug, drawable, example, new_app, writable
from regard.cli.output import require_outputs
from regard.files import write_output

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
        return super().parse_args(ctx, with_each_text_named(args))


def with_each_text_named(args: list[str]) -> list[str]:
    """The arguments with `--text` before each text.

    >>> with_each_text_named(["m", "--text", "a.txt", "b.txt", "--json"])
    ['m', '--text', 'a.txt', '--text', 'b.txt', '--json']
    >>> with_each_text_named(["m", "--text", "a.txt", "-"])
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


@app.command(cls=ManyTexts, epilog=EXAMPLES)
def perplexity(
    models: Annotated[list[str], typer.Argument(metavar="MODEL", help="Folders of trained language models.")],
    text: Annotated[list[str], typer.Option(metavar="FILE|NAME...", help="Files, - for a pipe, or corpora by name.")],
    prepare: Annotated[
        str,
        typer.Option(
            metavar="STEPS|auto",
            help=f"Steps with commas between, in this order ({', '.join(STEPS)}), charged for what they erase; "
            "auto: those that help.",
        ),
    ] = "",
    adaptive: Annotated[
        bool, typer.Option("--adaptive", help="Models that can learn from the text they have scored do so.")
    ] = False,
    base: Annotated[
        Literal["2", "e", "10"], typer.Option(help="Of the logarithm: 2 for bits, e for nats, 10 for digits.")
    ] = "2",
    heat: Annotated[Literal["ansi"] | None, typer.Option(help="Show the surprise of each character in colour.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", callback=writable(".html"), help="Save results and heat maps as a page."),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=drawable, help="Save heat maps as a figure: .png, .svg or .pdf."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON list, an object for each model and text, instead of tables.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Print the perplexity of each model on each text, and what the text costs, every unknown word spelled out.

    Perplexity is per token, of the model's own unit, and can only be compared between models with the same tokens.
    Bits per character can always be compared: unknown words are spelled, and what was normalised is restored.
    """
    from regard.cli.perplexity_report import print_report, print_rows
    from regard.cli.perplexity_run import run
    from regard.report import heat as heat_maps
    from regard.report.figure_file import save_figure

    require_outputs(html, figure, inputs=(*models, *text))
    outcome = run(models, text, prepare=prepare, adaptive=adaptive)
    if html is not None:
        page = heat_maps.heat_page(outcome.results, cautions=outcome.cautions)
        write_output(html, page.encode("utf-8", "replace"))
    if figure is not None:
        save_figure(heat_maps.draw_heat(outcome.results), figure)
    if as_json:
        print_rows(outcome)
        return
    print_report(outcome, base=base)
    if heat is not None:
        for result in outcome.results:
            print(f"\n{result.model} on {result.text}\n{heat_maps.to_ansi(result.surprise)}")
    for path in (html, figure):
        if path is not None:
            print(f"\nsaved {path}")
