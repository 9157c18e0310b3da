"""Fuzzing of everything that reads data from outside: each input is refused in one line, or read.

    python -m tests.faults.fuzz_parsers --minutes 10 [--parser archive] [--seed 0]
    python -m tests.faults.fuzz_parsers --minutes 10 --keep corpora

Inputs are seeds that are changed over and over: bits flipped, parts removed, repeated or taken from another input,
numbers and words put in that have hurt others. What is packed is changed inside its packing, too. An input whose
outcome is new (another error message, another length) becomes a seed. Findings are written to tests/faults/findings,
where a test reads them.

Parsers take turns of half a minute, the one with the least time first. Minutes are those of the processor. With
`--keep` the seeds that were found and the minutes of each parser are kept in that folder; the next run goes on from
them until every parser has had so many minutes, in all runs together.
"""

from __future__ import annotations

import argparse
import gzip
import re
import resource
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.faults.fuzz_corpora import MAX_KEPT, Record, read_corpus, write_corpus
from tests.faults.harness import Outcome, try_use
from tests.faults.parsers import PARSERS, Parser

FINDINGS = Path(__file__).parent / "findings"
SECONDS = 20.0
TURN_SECONDS = 30.0
DISTIL_SECONDS = 2.0
MAX_BYTES = 20_000
MAX_SEEDS = 400
REFUSED_SHARE = 0.25
"""How often an input that was refused is changed further, rather than one that was read."""
WORDS = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"9" * 400, b"-1", b"0", b"1e999", b"nan", b"inf", b"-0.0", b"1" * 20,
    b"18446744073709551616", b"2147483648", b"../../../etc/passwd", b"/etc/passwd", b"C:\\x", b"[" * 2000, b"(" * 2000,
    b'{"a":' * 1500, b"\\frac{" * 200, b"^" * 50, b"_{" * 300, b"\r", b"\r\n", b"\t", b'"', b"'", b",", b";", b"=",
    b"null", b"true", b"\\u0000", b"\\ud800", b"%00", b"%ff", b"<script>", b"$$", b"\\begin{cases}", b"\\sum_{",
    "𝛼∞‖\u202e\u0301".encode(), b"\x7f\xff\xff\xff", b"\xff" * 8, b"PK\x03\x04", b"\x1f\x8b\x08", b"PAR1", b"#",
    b"[[a]]", b"a.b.c = 1\n", b"\n\n",
)  # fmt: skip
"""What has hurt other readers."""


class Finding(NamedTuple):
    """An input that let a user down, and how."""

    parser: str
    outcome: Outcome
    content: bytes


def mutate(content: bytes, others: list[bytes], rng: np.random.Generator) -> bytes:
    """The input, changed in one to three places."""
    for _ in range(int(rng.integers(1, 4))):
        content = _change(content, others[rng.integers(len(others))], rng)[:MAX_BYTES]
    return content


def _change(content: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """The input, changed in one place."""
    start = int(rng.integers(len(content) + 1))
    end = min(len(content), start + int(rng.integers(1, 2 ** int(rng.integers(1, 10)))))
    before, within, after = content[:start], content[start:end], content[end:]
    word = WORDS[rng.integers(len(WORDS))]
    cut = int(rng.integers(len(other) + 1))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: before + after,
        lambda: before + within * int(rng.integers(2, 40)) + after,
        lambda: before + bytes(byte ^ (1 << int(rng.integers(8))) for byte in within[:1]) + within[1:] + after,
        lambda: before + rng.bytes(int(rng.integers(1, 9))) + within + after,
        lambda: before + word + within + after,
        lambda: before + word + after,
        lambda: before + other[cut:],
        lambda: before + other[cut : cut + len(within)] + within + after,
        lambda: before,
        lambda: re.sub(rb"[0-9]+", lambda _: word, content, count=int(rng.integers(1, 4))),
    )
    return ways[rng.integers(len(ways))]()


def try_input(parser: Parser, content: bytes, folder: Path) -> Outcome:
    """Have the parser read this, and say what it came to."""
    path = folder / parser.filename
    path.write_bytes(content)
    return try_use(lambda: parser.use(path), seconds=SECONDS, judge=lambda _: Outcome("answered"))


def summarise(outcome: Outcome) -> str:
    """What an input came to, without what is of this input alone."""
    return re.sub(r"[0-9]+|'.*?'", "", f"{outcome.kind} {outcome.detail}")


class Fuzzer:
    """One parser, its seeds so far, and what it was seen to answer."""

    def __init__(self, parser: Parser, rng: np.random.Generator, folder: Path) -> None:
        self.parser, self.rng, self.folder = parser, rng, folder
        self.seeds = list(parser.seeds())
        self.refused = list[bytes]()
        self.kinds: Counter[str] = Counter()
        self.findings: dict[str, Finding] = {}
        self._seen: set[str] = set()

    def run(self, seconds: float, *, max_inputs: int = sys.maxsize) -> float:
        """Try inputs for so many seconds of the processor; those that it took."""
        began = now = _cpu_seconds()
        while now - began < seconds and self.kinds.total() < max_inputs:
            self.step()
            now = _cpu_seconds()
        return now - began

    def step(self) -> None:
        """Try one more input."""
        pool = self.refused if self.refused and self.rng.random() < REFUSED_SHARE else self.seeds
        seed = pool[self.rng.integers(len(pool))]
        content = self._inside(seed) if self.parser.is_packed and self.rng.random() < 0.6 else None
        content = content or mutate(seed, self.seeds, self.rng)
        outcome = try_input(self.parser, content, self.folder)
        self.kinds[outcome.kind] += 1
        kind = summarise(outcome)
        if outcome.is_fault:
            self.findings.setdefault(kind, Finding(self.parser.name, outcome, content))
        pool = self.seeds if outcome.kind == "answered" else self.refused
        shape = f"{kind} {len(content) // 64}"
        if not outcome.is_fault and shape not in self._seen and len(pool) < MAX_SEEDS:
            self._seen.add(shape)
            pool.append(content)

    def _inside(self, seed: bytes) -> bytes | None:
        """Change what is packed, and pack it again."""
        try:
            return gzip.compress(mutate(gzip.decompress(seed), self.parser.insides(), self.rng), 1, mtime=0)
        except (OSError, EOFError, ValueError, zlib.error):
            return None


def _cpu_seconds() -> float:
    """What this process has used, and those that it has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in used)


def fuzz(parser: Parser, seconds: float, seed: int, *, max_inputs: int = sys.maxsize) -> Fuzzer:
    """Try inputs for so long."""
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(parser, np.random.default_rng([seed, 17]), Path(folder))
        fuzzer.run(seconds, max_inputs=max_inputs)
    return fuzzer


def keep(finding: Finding) -> Path:
    """Write a finding to where the test reads it."""
    (FINDINGS / finding.parser).mkdir(parents=True, exist_ok=True)
    words = re.sub(r"[^a-z]+", "-", f"{finding.outcome.kind} {finding.outcome.detail}".lower()).strip("-")[:50]
    path = FINDINGS / finding.parser / words
    path.write_bytes(finding.content)
    return path


def take_turns(parsers: list[Parser], record: Record, *, minutes: float, seed: int) -> int:
    """Try the parser with the least time for a turn, until each has had its minutes; how many findings there are."""
    fuzzers: dict[str, Fuzzer] = {}
    n_findings = 0
    with tempfile.TemporaryDirectory() as place:
        while record.minutes(parser := min(parsers, key=record.minutes)) < minutes:
            fuzzer = fuzzers.get(parser.name)
            if fuzzer is None:
                folder = Path(place, parser.name)
                folder.mkdir()
                # Another run with the same seed goes on with other inputs.
                so_far = round(1000 * record.minutes(parser))
                fuzzer = fuzzers[parser.name] = Fuzzer(parser, np.random.default_rng([seed, 17, so_far]), folder)
                fuzzer.seeds.extend(record.load_seeds(parser, "read"))
                fuzzer.refused.extend(record.load_seeds(parser, "refused") or read_corpus(parser.name))
            fuzzer.kinds.clear()
            left = 60 * (minutes - record.minutes(parser))
            record.add(parser, fuzzer.run(min(TURN_SECONDS, left)), fuzzer.kinds)
            record.save_seeds(parser, "read", fuzzer.seeds)
            record.save_seeds(parser, "refused", fuzzer.refused)
            for finding in fuzzer.findings.values():
                print(f"{parser.name}: {finding.outcome.kind} {finding.outcome.detail}: {keep(finding)}", flush=True)
            n_findings += len(fuzzer.findings)
            fuzzer.findings.clear()
    return n_findings


def distil(parser: Parser, record: Record) -> list[bytes]:
    """The shortest seed for each outcome; at most so many that were read, and so many that were refused.

    The shortest seeds are looked at, for as long as `DISTIL_SECONDS` of the processor.
    """
    kept: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("refused", "read"):
            found: dict[str, bytes] = {}
            began = _cpu_seconds()
            for content in sorted(record.load_seeds(parser, name), key=len):
                if len(found) == MAX_KEPT or _cpu_seconds() - began > DISTIL_SECONDS:
                    break
                # what is read has no message to tell it by: its length stands for it
                size = f" {len(content).bit_length()}" if name == "read" else ""
                found.setdefault(summarise(try_input(parser, content, Path(folder))) + size, content)
            kept += found.values()
    return kept


def print_table(parsers: list[Parser], record: Record) -> None:
    """Minutes and outcomes of each parser."""
    print(f"{'parser':16}{'minutes':>8}{'inputs':>10}{'answered':>10}{'refused':>10}{'findings':>10}")
    for parser in parsers:
        counts = {kind: int(count) for kind, count in record.rows.get(parser.name, {}).items() if kind != "minutes"}
        n_inputs, answered, refused = sum(counts.values()), counts.get("answered", 0), counts.get("refused", 0)
        row = f"{parser.name:16}{record.minutes(parser):8.1f}{n_inputs:10,}{answered:10,}{refused:10,}"
        print(f"{row}{n_inputs - answered - refused:10,}", flush=True)


def main() -> None:
    command = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    command.add_argument("--minutes", type=float, default=10.0, help="of the processor, for each parser")
    command.add_argument("--seconds", type=float, help="instead of minutes")
    command.add_argument("--parser", choices=[parser.name for parser in PARSERS], action="append")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--keep", type=Path, help="a folder for seeds and minutes of all runs")
    command.add_argument("--distil", action="store_true", help="put a few of the seeds kept into tests/faults/corpora")
    given = command.parse_args()
    parsers = [parser for parser in PARSERS if not given.parser or parser.name in given.parser]
    record = Record(given.keep)
    if given.distil:
        for parser in parsers:
            write_corpus(parser.name, distil(parser, record))
        return
    minutes = given.minutes if given.seconds is None else given.seconds / 60
    n_findings = take_turns(parsers, record, minutes=minutes, seed=given.seed)
    print_table(parsers, record)
    sys.exit(n_findings > 0)


if __name__ == "__main__":
    main()
