"""`regard sample`: text from a language model, shown as it is drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from regard.cli.app import Debug, Json, Seed, example, new_app
from regard.cli.output import print_json

app = new_app("Text from a language model, as it is drawn.")


Prompt = Annotated[
    str | None,
    typer.Option(
        "--prompt", metavar="TEXT", help="Continue this text. [default: a line that the training text often has]"
    ),
]
Temperature = Annotated[
    float,
    typer.Option("--temperature", help="Below 1: safer, likely tokens more often; above 1: more surprising text."),
]
TopP = Annotated[
    float | None, typer.Option("--top-p", help="Keep the most likely tokens that together have this probability.")
]
MinP = Annotated[
    float | None,
    typer.Option("--min-p", help="Keep tokens at least this fraction as likely as the most likely one."),
]
RepetitionPenalty = Annotated[
    float,
    typer.Option("--repetition-penalty", help="Above 1: make tokens less likely that were drawn recently; 1: off."),
]
Stop = Annotated[list[str] | None, typer.Option("--stop", metavar="TEXT", help="Stop a text after this appears in it.")]


@app.command(
    epilog=example(
        "regard sample manual",
        "regard sample letters --prompt 'ROMEO:' --length 500 --temperature 0.8 --seed 7",
        "regard sample letters --samples 3 --stop '.' --top-p 0.9 --json",
    )
)
def sample(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a trained language model.")],
    prompt: Prompt = None,
    length: Annotated[int, typer.Option("--length", min=1, max=10_000_000, help="Draw this many tokens.")] = 500,
    temperature: Temperature = 0.8,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Keep the k most likely tokens.")] = None,
    top_p: TopP = None,
    min_p: MinP = None,
    repetition_penalty: RepetitionPenalty = 1.0,
    samples: Annotated[int, typer.Option("--samples", min=1, max=10_000, help="Draw this many texts.")] = 1,
    stop: Stop = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Draw text from a model, token by token; the same seed draws the same text."""
    import numpy as np

    from regard.models.checkpoint import load_model
    from regard.models.sampling import Sampling, opening, stream, unknown_parts

    how = Sampling(temperature, top_k, top_p, min_p, repetition_penalty)
    loaded = load_model(model)
    if prompt is not None:
        _warn_of_unknown(unknown_parts(loaded, prompt))
    shown = opening(loaded) if prompt is None else prompt
    begun = "\n" + shown if prompt is None else prompt  # a line of its own
    texts = []
    for n, generator in enumerate(np.random.default_rng(seed).spawn(samples)):
        drawn = stream(loaded, generator, length=length, prompt=begun, how=how, stop=stop or [])
        if as_json:
            texts.append("".join(drawn))
        else:
            _print_stream(shown, drawn, heading=f"--- {n + 1} ---" if samples > 1 else None)
    if as_json:
        print_json({"model": model, "prompt": begun, "seed": seed, "samples": texts})


def _print_stream(prompt: str, drawn: Iterator[str], *, heading: str | None) -> None:
    """Print a text as it comes."""
    if heading is not None:
        print(heading)
    sys.stdout.write(prompt)
    for piece in drawn:
        sys.stdout.write(piece)
        if sys.stdout.isatty():
            sys.stdout.flush()
    print()


def _warn_of_unknown(unknown: list[str]) -> None:
    """Say which parts of the prompt the model has never seen: to it they are all one token."""
    if unknown:
        shown = ", ".join(map(repr, unknown[:10])) + (f" and {len(unknown) - 10} more" if len(unknown) > 10 else "")
        print(f"regard: the model has never seen {shown}; it reads them as unknown", file=sys.stderr)
