"""What every training run has in common: the folder it writes to, the time it takes, how it is measured and stopped."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, TypeVar

from regard.display import short_repr
from regard.errors import ArgumentError
from regard.evaluation.perplexity import evaluate
from regard.models.base import LanguageModel
from regard.models.folder_writer import ModelFolder, writing
from regard.studies.sources import TextParts

Model_co = TypeVar("Model_co", covariant=True)
Config = TypeVar("Config")


@short_repr
@dataclass(frozen=True)
class TrainingResult(Generic[Model_co]):
    """A trained model, `facts` of it by name, the steps of its history, and notes for its user."""

    model: Model_co
    facts: dict[str, Any]
    history: list[Any] = field(default_factory=list)
    notes: tuple[str, ...] = ()


class TrainingStopped(KeyboardInterrupt):
    """Training was interrupted; the message says what has been kept."""


@contextmanager
def open_folder(
    out: Path | str | None, *, kind: str, force: bool = False, resume: bool = False
) -> Iterator[ModelFolder | None]:
    """The folder that a model of this kind is written to; None where it is not to be kept."""
    if out is None:
        yield None
        return
    with writing(out, kind=kind, force=force, resume=resume) as place:
        yield place


class Stopwatch:
    """Seconds of the clock and of the processor since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def seconds(self) -> dict[str, float]:
        """Both, with the names that results have."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {"seconds": round(wall, 3), "cpu_seconds": round(cpu, 3)}


def measure_validation(model: LanguageModel, parts: TextParts) -> dict[str, Any]:
    """Perplexity on the validation text, per token and per character of the original; nothing where there is none."""
    if parts.valid is None:
        return {}
    result = evaluate(model, parts.valid, name=parts.valid_name)
    return {
        "valid_tokens": result.tokens,
        "valid_unknown_share": result.unknown_share,
        "valid_perplexity": result.perplexity,
        "valid_nats_per_character": result.nats_per_character,
        "valid_bits_per_character": result.nats_per_character / math.log(2),
        "warnings": list(result.warnings),
    }


def make_config(kind: type[Config], settings: Mapping[str, Any]) -> Config:
    """The configuration with these settings; an error that lists the known names for one that does not exist."""
    known = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    for name in settings:
        if name not in known:
            raise ArgumentError(f"there is no setting {name!r}; choose from {', '.join(known)}")
    return kind(**settings)
