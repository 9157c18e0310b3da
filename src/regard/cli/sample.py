"""`regard sample`: text from a language model, shown as it is drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Debug, Json, Seed, example, new_app
from regard.cli.output import print_json

if TYPE_CHECKING:
    from regard.models.base import LanguageModel

app = new_app("Text from a language model, as it is drawn.")


@app.command(
    epilog=example(
        "regard sample manual",
        "regard sample letters --prompt 'ROMEO:' --length 500 --temperature 0.8 --seed 7",
        "regard sample letters --samples 3 --stop '.' --top-p 0.9 --json",
    )
)
def sample(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="The folder of a trained language model.")],
    prompt: Annotated[
        str | None,
        typer.Option("--prompt", metavar="TEXT", help="What the text goes on from. [default: a line it often read]"),
    ] = None,
    length: Annotated[int, typer.Option("--length", min=1, max=10_000_000, help="How many tokens to draw.")] = 500,
    temperature: Annotated[
        float, typer.Option("--temperature", help="Below 1 the likely become likelier, above 1 the unlikely do.")
    ] = 0.8,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Only the so many likeliest tokens.")] = None,
    top_p: Annotated[float | None, typer.Option("--top-p", help="Only the fewest tokens that hold this share.")] = None,
    min_p: Annotated[
        float | None, typer.Option("--min-p", help="Only tokens at least this many times as likely as the likeliest.")
    ] = None,
    repetition_penalty: Annotated[
        float, typer.Option("--repetition-penalty", help="Divides what a token drawn lately weighs; 1 is off.")
    ] = 1.0,
    samples: Annotated[int, typer.Option("--samples", min=1, max=10_000, help="How many texts.")] = 1,
    stop: Annotated[
        list[str] | None, typer.Option("--stop", metavar="TEXT", help="End a text once it has drawn this.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Draw text from a model, token after token; the same seed draws the same text."""
    import numpy as np

    from regard.models.checkpoint import load_model
    from regard.models.sampling import Sampling

    how = Sampling(temperature, top_k, top_p, min_p, repetition_penalty)
    loaded = load_model(model)
    if prompt is not None:
        _tell_unknown(loaded, prompt)
    opening = str(loaded.background.notes.get("opening") or "")
    shown = (f"{opening}\n" if opening else "") if prompt is None else prompt
    begun = "\n" + shown if prompt is None else prompt  # a line of its own
    texts = []
    for n, generator in enumerate(np.random.default_rng(seed).spawn(samples)):
        drawn = until(loaded.sample(generator, length=length, prompt=begun, how=how), stop or [])
        if as_json:
            texts.append("".join(drawn))
        else:
            _stream(shown, drawn, heading=f"--- {n + 1} ---" if samples > 1 else None)
    if as_json:
        print_json({"model": model, "prompt": begun, "seed": seed, "samples": texts})


def until(pieces: Iterator[str], stops: list[str]) -> Iterator[str]:
    """The pieces of a text, up to and with the first of the stops that it has drawn.

    >>> list(until(iter("to be or"), ["be"]))
    ['t', 'o', ' ', 'b', 'e']
    """
    longest = max(map(len, stops), default=0)
    tail = ""
    for piece in pieces:
        text = tail + piece
        ends = [text.index(stop) + len(stop) for stop in stops if stop in text]
        if ends:
            yield piece[: min(ends) - len(tail)]
            return
        yield piece
        tail = text[len(text) - min(len(text), max(longest - 1, 0)) :]


def _stream(prompt: str, drawn: Iterator[str], *, heading: str | None) -> None:
    """Print a text as it comes."""
    if heading is not None:
        print(heading)
    sys.stdout.write(prompt)
    for piece in drawn:
        sys.stdout.write(piece)
        if sys.stdout.isatty():
            sys.stdout.flush()
    print()


def _tell_unknown(model: LanguageModel, prompt: str) -> None:
    """Say which parts of the prompt the model has never seen: to it they are all the same."""
    from regard.models.base import context_ids
    from regard.text.tokenise.tokens import known

    tokens = model.tokeniser.encode(prompt)
    is_known = known(tokens, model.tokeniser)[: len(context_ids(prompt, model.tokeniser))]
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), is_known.tolist(), strict=False)
    unknown = list(dict.fromkeys(prompt[start:end].strip() or " " for start, end, is_known in spans if not is_known))
    if unknown:
        shown = ", ".join(map(repr, unknown[:10])) + (f" and {len(unknown) - 10} more" if len(unknown) > 10 else "")
        print(f"regard: the model has never seen {shown}; it reads them as unknown", file=sys.stderr)
