"""What it takes to count a text of a given size on some workers: hours, disk, memory, money, and what breaks first.

Every figure comes from a constant that was measured (`MEASURED`: by benchmarks/scale_speed.py and a run of 1 GB), or
that the caller gives: speed of disk and network, memory, price. A plan is arithmetic on these, and no promise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from regard.arrays.namespace import real_number
from regard.display import short
from regard.errors import ValueRangeError
from regard.models.ngram.disk_array import MAX_SHORT
from regard.tables import StudyTable

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15}
_SIZE = re.compile(r"\s*(?P<number>[\d.]+)\s*(?P<unit>[KMGTP]B)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Measured:
    """A constant, and the measurement it comes from."""

    value: float
    source: str


_STAGES = "benchmarks/scale_speed.py, 100 MB of generated words, order 3, CPU seconds of one shared core (Intel Xeon)"
_RUN = "regard train ngram --unit word --order 3 on 1 GB of generated words"
_SMALL_RUN = "the same on 100 MB"
MEASURED = {
    "vocabulary_seconds": Measured(66.0, _STAGES),
    "sort_seconds": Measured(43.0, _STAGES),
    "sent_bytes": Measured(2.57, _STAGES),
    "merge_seconds": Measured(40.0, _STAGES),
    "suffix_seconds": Measured(60.0, f"{_STAGES}; on a day on which the look-ups before them took 94 to 112"),
    "digest_seconds": Measured(48.0, _STAGES),
    "ngrams": Measured(161.4e6, f"{_RUN}: different n-grams in all tables"),
    "ngrams_exponent": Measured(0.88, f"{_RUN}, and on 100 MB, which have 21.2 million"),
    "pairs_share": Measured(0.275, f"{_RUN}: those of order 2"),
    "positions": Measured(0.19e9, f"{_SMALL_RUN}: words and line ends"),
    "disk_bytes_per_ngram": Measured(34.6, f"{_SMALL_RUN}: 733 MB at its peak, the model included"),
    "long_disk_bytes_per_ngram": Measured(44.0, f"{_SMALL_RUN}, with counts and ranks of eight bytes: 933 MB"),
    "model_bytes_per_ngram": Measured(16.0, f"{_RUN}: model.safetensors of 2.5 GB"),
    "memory_bytes": Measured(0.92e9, f"{_RUN}: the process that counts, at its peak (873 MiB)"),
    "loaded_bytes_per_ngram": Measured(50.0, "regard.studies.training.ngram.BYTES_PER_NGRAM: a model in use"),
}
"""Per gigabyte of text where nothing else is said; words, order 3."""


MAX_TEXT = 1e30


@dataclass(frozen=True)
class Config:
    """A text of this many bytes, and what there is to count it with.

    `memory` and `disk` are bytes of the machine that merges and of those that use the model; `disk_rate` and
    `network_rate` are bytes a second, of that machine; `price` is that of a core for an hour.
    """

    text: float = 1e12
    workers: int = 16
    memory: float = 64e9
    disk: float = 4e12
    disk_rate: float = 1e9
    network_rate: float = 1.25e9
    price: float = 0.05

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            number = real_number(value, name=name)
            if not (math.isfinite(number) and number > 0) and not (name == "price" and value == 0):
                raise ValueRangeError(f"{name} is a positive number; got {short(value)}")
        if self.text > MAX_TEXT:
            raise ValueRangeError(f"text is at most {MAX_TEXT:g} bytes, more than there is anywhere; got {self.text:g}")


def parse_size(text: str) -> float:
    """A number of bytes as people write it.

    >>> parse_size("1.5GB")
    1500000000.0
    """
    found = _SIZE.fullmatch(text)
    try:
        return float(found["number"]) * UNITS[found["unit"].upper()] if found else math.nan
    except ValueError:
        return math.nan


@dataclass(frozen=True)
class Stage:
    """A part of the work: who does it, how many hours of the processor it takes in all, and how many of the clock."""

    stage: str
    by: str
    cpu_hours: float
    hours: float


def plan_scale(config: Config | None = None) -> StudyTable:
    """The stages of counting a text, what they take together, and what would break first.

    >>> table = plan_scale(Config(text=1e9, workers=2))
    >>> table.columns
    ('stage', 'by', 'cpu_hours', 'hours')
    """
    config = config or Config()
    stages = find_stages(config)
    cpu, hours = sum(stage.cpu_hours for stage in stages), sum(stage.hours for stage in stages)
    ngrams = count_ngrams(config.text)
    longest = max(stages, key=lambda stage: stage.hours)
    limits = find_limits(config)
    totals: dict[str, Any] = {
        "cpu_hours": cpu,
        "hours": hours,
        "price": cpu * config.price,
        "ngrams": ngrams,
        "model_bytes": ngrams * MEASURED["model_bytes_per_ngram"].value,
        "disk_bytes": needed_disk(config.text),
        "memory_bytes": MEASURED["memory_bytes"].value,
        "breaks_first": limits[0][0],
        "limits": dict(limits),
    }
    return StudyTable(
        title=f"Counting {show_size(config.text)} of words, n-grams up to 3, on {config.workers} "
        f"worker{'s' * (config.workers > 1)}",
        columns=tuple(Stage.__dataclass_fields__),
        rows=tuple(tuple(asdict(stage).values()) for stage in stages),
        notes=_write_notes(totals, longest, limits, config),
        config={**asdict(config), "totals": totals, "measured": {name: asdict(m) for name, m in MEASURED.items()}},
    )


def find_stages(config: Config) -> list[Stage]:
    """What is to be done, one after the other."""
    gigabytes = config.text / 1e9

    def seconds(name: str) -> float:
        return MEASURED[name].value * gigabytes

    sent = config.text * MEASURED["sent_bytes"].value
    sorting = max(seconds("sort_seconds") / config.workers, sent / config.network_rate)
    looking_up = suffix_seconds(config.text, config.disk_rate)
    return [
        _stage("count words for the vocabulary", "one process", seconds("vocabulary_seconds")),
        _stage("cut into tokens, sort n-grams, send them", "workers", seconds("sort_seconds"), sorting),
        _stage("merge, write the tables", "one process", seconds("merge_seconds")),
        _stage("look up suffixes", "one process", seconds("suffix_seconds"), looking_up),
        _stage("digest of the text", "one process", seconds("digest_seconds")),
    ]


def _stage(name: str, by: str, cpu_seconds: float, seconds: float | None = None) -> Stage:
    return Stage(name, by, cpu_seconds / 3600, (cpu_seconds if seconds is None else seconds) / 3600)


def count_ngrams(n_bytes: float) -> float:
    """How many different n-grams a text has: each tenfold of the text brings less than ten times as many."""
    return MEASURED["ngrams"].value * (n_bytes / 1e9) ** MEASURED["ngrams_exponent"].value


def suffix_bytes(n_bytes: float) -> float:
    """What look-ups read and write: ten numbers of eight bytes for an n-gram of order 3, and eight for one of order 2.

    Of the one its key, twice, its count, its question, its change and its answer, each written and read, and its
    suffix; of the other its key and its count, twice, its suffix, written and read twice, and its continuations. By
    this 100 MB of text take 1.56 GB; they took 1.61. Where counts and ranks have four bytes, it is less.
    """
    ngrams, pairs = count_ngrams(n_bytes), MEASURED["pairs_share"].value
    return 8 * ngrams * (10 * (1 - pairs) + 8 * pairs)


def suffix_seconds(n_bytes: float, disk_rate: float) -> float:
    """How long look-ups take: they compute, and read and write."""
    return MEASURED["suffix_seconds"].value * n_bytes / 1e9 + suffix_bytes(n_bytes) / disk_rate


def needed_disk(n_bytes: float) -> float:
    """What workers have sorted, or later the tables and the model, whichever is more.

    Counts and ranks have four bytes each where the text has fewer than 2³¹ positions, and eight otherwise.
    """
    is_long = n_bytes / 1e9 * MEASURED["positions"].value > MAX_SHORT
    name = "long_disk_bytes_per_ngram" if is_long else "disk_bytes_per_ngram"
    return max(count_ngrams(n_bytes) * MEASURED[name].value, n_bytes * MEASURED["sent_bytes"].value)


def find_limits(config: Config) -> list[tuple[str, float]]:
    """The size of text, in bytes, from which each thing is too much; the smallest first."""
    week = 7 * 24 * 3600.0
    broken: dict[str, Callable[[float], bool]] = {
        "the model no longer fits into memory": lambda n: (
            count_ngrams(n) * MEASURED["loaded_bytes_per_ngram"].value > config.memory
        ),
        "the disk is full": lambda n: needed_disk(n) > config.disk,
        "looking up suffixes takes a week": lambda n: suffix_seconds(n, config.disk_rate) > week,
        "merging takes a week": lambda n: MEASURED["merge_seconds"].value * n / 1e9 > week,
        "sending what workers have sorted takes a week": lambda n: (
            n * MEASURED["sent_bytes"].value / config.network_rate > week
        ),
    }
    return sorted(((name, _first_size(is_broken)) for name, is_broken in broken.items()), key=lambda limit: limit[1])


def _first_size(is_broken: Callable[[float], bool]) -> float:
    """The smallest text, to a thousandth, that is too much."""
    low, high = 1e3, 1e21
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if is_broken(middle) else (middle, high)
    return high


def show_size(n_bytes: float) -> str:
    """Bytes for people.

    >>> show_size(1e12), show_size(2.5e9)
    ('1 TB', '2.5 GB')
    """
    name = next((unit for unit in reversed(UNITS) if n_bytes >= UNITS[unit]), "KB")
    return f"{n_bytes / UNITS[name]:.3g} {name}"


def _write_notes(
    totals: dict[str, Any], longest: Stage, limits: list[tuple[str, float]], config: Config
) -> tuple[str, ...]:
    first, size = limits[0]
    return (
        f"{totals['cpu_hours']:,.1f} core hours and {totals['hours']:,.1f} hours of the clock in all, "
        f"{totals['price']:,.2f} at {config.price:g} a core hour; the longest stage is: {longest.stage}",
        f"{totals['ngrams'] / 1e9:,.2f} billion n-grams: {show_size(totals['disk_bytes'])} of disk while counting, a "
        f"model of {show_size(totals['model_bytes'])}",
        f"memory of the process that counts: {show_size(totals['memory_bytes'])}, whatever the text; the words of the "
        "vocabulary and their counts come on top, some 100 bytes each",
        f"breaks first: {first}, from {show_size(size)} of text on; then "
        + ", ".join(f"{name} ({show_size(at)})" for name, at in limits[1:]),
        "a smaller --order or --vocabulary moves these limits; figures are from generated text on one shared machine",
    )
