"""Hostile claims for a while: nothing may crash, hang, or run anything that a text says.

python benchmarks/fuzz_claims.py [--seconds 600] [--engine atheris|mutation] [--seed 0] [--reading]

Every text is read (a claim, or a complaint about a place inside it), typeset in three notations, read back, and,
unless `--reading` is given, tried in a setting. An audit hook watches that no code is compiled, no file opened, no
program started meanwhile; memory and time are limited. With the engine `atheris` (pip install atheris; nothing else
needs it) coverage guides the search; `mutation` takes the claims of the test collection apart and joins them anew.
"""

from __future__ import annotations

import argparse
import importlib
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

COLLECTION = Path(__file__).parents[1] / "tests" / "support" / "claims"
FORBIDDEN = frozenset(
    {"exec", "compile", "open", "import", "os.system", "os.exec", "subprocess.Popen", "socket.connect"}
)
SLOW_SECONDS = 1.0
HANG_SECONDS = 30.0  # of processor time
MAX_MEMORY = 4 << 30
PARTS = (
    *"abcCqxTdeEσμΣθα123 ()[]{}|^_+-*/=<>~,;.'&$\\\n\t\x00\u200b\u202eа½²₁ᵀ‖∂∇√∞ŷ𝟏",
    *(
        "\\frac",
        "\\sum_{i}",
        "\\left(",
        "\\right)",
        "\\|",
        "\\hat ",
        "\\partial ",
        "\\text{",
        "\\mathrm{",
        "\\lim_{",
        "\\\\",
    ),
    *(
        "k_a",
        "^T",
        "^{-1}",
        "Σ_i ",
        "softmax(",
        "E[",
        "Var[",
        "σ'(",
        "\\sqrt[3]{",
        "\\langle ",
        " for all ",
        "**9**9",
        "1e99",
    ),
    *(
        "((((",
        "{{{{",
        "----",
        "e^{",
        "\\sum_{i=1}^n ",
        "\\prod_j ",
        "dJ/dx",
        " = ",
        " \\approx ",
        "; ",
        "diag(",
        "inv(",
    ),
)


class Trial:
    """Tries texts one by one, and keeps count."""

    def __init__(self, *, reading: bool) -> None:
        from regard.claims.check import check
        from regard.claims.meaning.recognition import choose_setting
        from regard.claims.syntax.grammar import parse
        from regard.claims.syntax.printer import as_plain
        from regard.claims.syntax.typeset import as_latex, as_mathml
        from regard.errors import NotUnderstood

        self.choose_setting = choose_setting
        self.not_understood = NotUnderstood
        self.check, self.parse, self.writers = check, parse, (as_latex, as_plain, as_mathml)
        self.reading = reading
        self.counts: Counter[str] = Counter()
        self.slowest = (0.0, "")
        self.armed = False
        self.start = self.told = time.monotonic()
        importlib.import_module("regard.claims.verdict.second_opinion")
        importlib.import_module("scipy.stats")  # whatever is imported late is imported now
        for claim, setting in collection()[::8]:
            self.check(claim, setting=setting)
        sys.addaudithook(self.watch)

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Complains of what no text may cause."""
        if self.armed and event in FORBIDDEN:
            self.armed = False
            raise RuntimeError(f"a claim made {event} happen: {arguments[:1]!r}")

    def __call__(self, text: str) -> None:
        """One text, timed."""
        start = time.process_time()
        self.armed = True
        signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)
        try:
            outcome = self.outcome(text)
        finally:
            self.armed = False
            signal.setitimer(signal.ITIMER_PROF, 0)
        took = time.process_time() - start
        self.counts[outcome] += 1
        self.counts["texts"] += 1
        self.slowest = max(self.slowest, (took, text))
        if took > SLOW_SECONDS:
            self.counts["slow"] += 1
            print(f"slow: {took:.2f} s for {text!r}", flush=True)
        if time.monotonic() - self.told > 60:
            self.tell()

    def outcome(self, text: str) -> str:
        """What became of a text."""
        try:
            claim = self.parse(text)
        except self.not_understood as error:
            if not 0 <= error.span[0] <= error.span[1] <= len(text):
                raise RuntimeError(f"{error.span} is no place in the text") from error
            return "not-understood"
        latex, plain, _ = (write(claim) for write in self.writers)
        for written in (latex, plain):
            self.read_back(written)
        if self.reading:
            return "read"
        verdict = self.check(text, setting=self.choose_setting(text)).verdict
        self.check(text)  # and by its letters
        return str(verdict)

    def read_back(self, written: str) -> None:
        """Brackets that were added may lead past a limit; what else is not read back is shown."""
        try:
            self.parse(written)
        except self.not_understood as error:
            if not ("at most" in error.expected or error.expected in ("something smaller", "the end of the claim")):
                self.counts["not-read-back"] += 1
                print(f"not read back: {written!r}: {error}", flush=True)

    def tell(self) -> None:
        """The counts so far."""
        self.told = time.monotonic()
        counts = ", ".join(f"{name} {number}" for name, number in sorted(self.counts.items()))
        took, text = self.slowest
        print(f"{self.told - self.start:.0f} s: {counts}; slowest {took:.3f} s: {text[:80]!r}", flush=True)


def collection() -> list[tuple[str, str | None]]:
    """Every claim of the test collection, with its setting; None where it is read by its letters."""
    files = [tomllib.loads(path.read_text("utf-8")) for path in sorted(COLLECTION.glob("*.toml"))]
    return [(row["claim"], row.get("setting") or file.get("setting")) for file in files for row in file["claim"]]


def mutated(claims: list[str], rng: random.Random) -> str:
    """A claim after a few cuts, repeats, insertions and grafts."""
    text = rng.choice(claims)
    for _ in range(rng.randint(1, 6)):
        i, j = sorted(rng.randint(0, len(text)) for _ in range(2))
        other = rng.choice(claims)
        k, m = sorted(rng.randint(0, len(other)) for _ in range(2))
        text = rng.choice(
            (
                text[:i] + text[j:],
                text[:j] + text[i:j] * rng.choice((1, 1, 1, 20)) + text[j:],
                text[:i] + rng.choice(PARTS) + text[i:],
                text[:i] + other[k:m] + text[j:],
                text[:i]
                + chr(rng.choice((rng.randrange(0x250), rng.randrange(0x2000, 0x2C00), rng.randrange(0xD800))))
                + text[j:],
            )
        )[:6000]
    return text


def by_mutation(trial: Trial, *, seconds: float, seed: int) -> None:
    claims, rng = [claim for claim, _ in collection()], random.Random(seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = mutated(claims, rng)
        guarded(trial, text)
    trial.tell()


def guarded(trial: Callable[[str], None], text: str) -> None:
    """Names the text that something went wrong with."""
    try:
        trial(text)
    except BaseException:
        print(f"failed: {text!r}", flush=True)
        raise


def by_atheris(*, seconds: float, seed: int, reading: bool) -> None:
    import atheris

    with atheris.instrument_imports(include=["regard.claims"]):
        trial = Trial(reading=reading)

    def one(data: bytes) -> None:
        guarded(trial, data.decode("utf-8", errors="ignore"))

    with tempfile.TemporaryDirectory() as folder:
        for number, (claim, _) in enumerate(collection()):
            (Path(folder) / f"{number}").write_text(claim, "utf-8")
        words = "".join(f'"{as_bytes(part)}"\n' for part in PARTS)
        (Path(folder) / "words").write_text(words)
        options = [f"-max_total_time={seconds:.0f}", f"-seed={seed + 1}", "-max_len=600", f"-dict={folder}/words"]
        atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", f"-artifact_prefix={folder}/", folder], one)
        atheris.Fuzz()


def hanging(number: int, frame: object) -> None:
    raise TimeoutError(f"no answer within {HANG_SECONDS:.0f} seconds of processor time")


def as_bytes(part: str) -> str:
    """A part as a dictionary of the fuzzer wants it."""
    return "".join(f"\\x{byte:02x}" for byte in part.encode())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--engine", choices=["atheris", "mutation"], default="mutation")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--reading", action="store_true")
    chosen = options.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    signal.signal(signal.SIGPROF, hanging)
    warnings.simplefilter("ignore")  # overflow in a claim nobody would make is no news
    if chosen.engine == "atheris":
        by_atheris(seconds=chosen.seconds, seed=chosen.seed, reading=chosen.reading)
    else:
        by_mutation(Trial(reading=chosen.reading), seconds=chosen.seconds, seed=chosen.seed)


if __name__ == "__main__":
    main()
