"""What a model is trained on and validated on: two texts, or one text in two parts."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.cli.output import at_work, print_facts, print_json
from regard.errors import CheckpointError, NothingScoredError, ValueRangeError

if TYPE_CHECKING:
    from regard.models.protocol import LanguageModel

Text = Annotated[
    str, typer.Option("--text", metavar="NAME|FILE", help="What to learn from; `regard data list` shows the names.")
]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder that the model is written to.")]
Valid = Annotated[
    str,
    typer.Option(
        "--valid",
        metavar="FRACTION|NAME|FILE",
        help="What to measure on: the text's last part, or another text; 0: none.",
    ),
]


@dataclass(frozen=True)
class TextParts:
    """The text to learn from, and the text to measure on, if there is one."""

    name: str
    train: str
    valid: str | None
    valid_name: str


def read_parts(text: str, valid: str, *, at_line_ends: bool) -> TextParts:
    """The two texts; a fraction is cut from the end, for word models after a whole line."""
    from regard.text.corpus import find_corpus

    with at_work(f"reading {text}"):
        whole = find_corpus(text).text
        fraction = _fraction(valid)
        if fraction is None:
            return TextParts(text, whole, find_corpus(valid).text, valid)
    if fraction == 0:
        return TextParts(text, whole, None, "none")
    cut = int((1 - fraction) * len(whole))
    if at_line_ends:
        cut = whole.find("\n", cut) + 1 or cut
    if not 0 < cut < len(whole):
        raise NothingScoredError(
            f"a text of {len(whole)} characters cannot be cut for --valid {valid}; give a longer text, or --valid 0"
        )
    return TextParts(text, whole[:cut], whole[cut:], f"last {fraction:g} of {text}")


def _fraction(valid: str) -> float | None:
    """The number that was typed, if it is one."""
    try:
        fraction = float(valid)
    except ValueError:
        return None
    if not 0 <= fraction < 1:
        raise ValueRangeError(f"--valid is a fraction from 0 to below 1, or a text; got {valid}")
    return fraction


def require_free(out: Path) -> None:
    """Before any work: refuse a place that a model cannot be written to."""
    if out.exists() and not (out / "config.json").is_file():
        raise CheckpointError(f"{out} exists and is not a model; choose another name, or remove it")


@dataclass
class Stopwatch:
    """Seconds of the clock and of the processor since it was made."""

    def __post_init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def seconds(self) -> dict[str, float]:
        """Both, with the names that results have."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": round(wall, 3), "cpu_seconds": round(cpu, 3)}


def measured(model: LanguageModel, parts: TextParts) -> dict[str, Any]:
    """Perplexity on the text to measure on, per token and per character of the original text."""
    if parts.valid is None:
        return {}
    from regard.evaluation.perplexity import evaluate

    with at_work("measuring"):
        result = evaluate(model, parts.valid, name=parts.valid_name)
    return {
        "valid_tokens": result.tokens,
        "valid_unknown_share": result.unknown_share,
        "valid_perplexity": result.perplexity,
        "valid_nats_per_character": result.nats_per_character,
        "valid_bits_per_character": result.nats_per_character / math.log(2),
        "warnings": list(result.warnings),
    }


def report(facts: dict[str, Any], *, as_json: bool) -> None:
    """What came of a training run."""
    if as_json:
        print_json(facts)
        return
    warnings = facts.pop("warnings", [])
    print_facts({name.replace("_", " "): fact for name, fact in facts.items()})
    for warning in warnings:
        print(f"be wary: {warning}")
