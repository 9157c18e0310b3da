"""Networks that write: what they reach on tinyshakespeare and what it costs; beside them nanoGPT's recipe for a CPU.

python benchmarks/network_quality.py                    all runs take about 50 minutes of one core
NANOGPT=FOLDER python benchmarks/network_quality.py     with a clone of nanoGPT, its recipe is trained too
RUNS=FOLDER python benchmarks/network_quality.py        keeps models and reports there; what it finds is not run again

Every figure is of all 111,540 validation characters, nats a character; every network is trained by the command itself,
on one thread, which costs least CPU time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from nanogpt import nanogpt_rows
from timing import timed

from regard.models.checkpoint import load_model
from regard.models.sampling import stream

Row = tuple[str, str, str]
TEXT = "tinyshakespeare"
N_DRAWN = 5000
MEMBERS = {"best": "recurrent best", "plain": "recurrent plain", "large": "Transformer best"}
MIXTURES = {"mixture": ("best",), "mixture-of-three": ("best", "plain"), "mixture-of-four": ("best", "plain", "large")}
"""Networks beside the n-gram model; the largest mixture is fitted without its adaptive part, which takes minutes."""


def measure() -> list[Row]:
    """Rows of what was measured, what came out, and what is to be reached."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(os.environ.get("RUNS", folder)).resolve()
        runs.mkdir(exist_ok=True)
        rows = [*transformer_rows(runs), *nanogpt_rows(runs), *recurrent_rows(runs), *mixture_rows(runs)]
        return rows + sampling_rows(runs)


def trained(kind: str, out: Path, *options: str) -> dict[str, Any]:
    """What `regard train` reports of a model that it trains on tinyshakespeare; kept beside the model."""
    report = out.with_suffix(".json")
    if not report.exists():
        place = ("--text", TEXT, "--out", str(out), "--force", "--json")
        command = [sys.executable, "-m", "regard", "train", kind, *options, *place]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        report.write_text(done.stdout)
    facts: dict[str, Any] = json.loads(report.read_text())
    return facts


def figures(facts: dict[str, Any]) -> str:
    return (
        f"{facts['valid_nats_per_character']:.4f}; {facts['cpu_seconds']:.0f} s CPU, {facts['seconds']:.0f} s, "
        f"{facts['parameters']:,} parameters, {facts['steps']:,} steps"
    )


def transformer_rows(runs: Path) -> list[Row]:
    small = trained("transformer", runs / "transformer", "--preset", "small", "--threads", "1")
    best = trained("transformer", runs / "large", "--preset", "best", "--threads", "1", "--minutes", "9.5")
    return [
        ("Transformer, preset small", figures(small), "≤ 1.62 at ≤ 189 s CPU"),
        ("Transformer, preset best, 9.5 minutes of one core", figures(best), ""),
    ]


def recurrent_rows(runs: Path) -> list[Row]:
    course = trained("recurrent", runs / "course", "--preset", "course", "--threads", "1")
    best = trained("recurrent", runs / "best", "--preset", "best", "--threads", "1", "--minutes", "12")
    plain = trained("recurrent", runs / "plain", "--preset", "plain", "--threads", "1", "--minutes", "12")
    return [
        ("recurrent, preset course", figures(course), "≤ 45 s CPU; originally 10 min 46 s"),
        ("recurrent, preset best, 12 minutes of one core: a single network", figures(best), "≤ 1.46 in ≤ 1,200 s CPU"),
        ("recurrent, preset plain, 12 minutes of one core", figures(plain), ""),
    ]


def mixture_rows(runs: Path) -> list[Row]:
    counting = trained("ngram", runs / "ngram")
    rows = [("n-gram model by itself", f"{counting['valid_nats_per_character']:.4f}", "")]
    for name, networks in MIXTURES.items():
        members = [str(runs / member) for member in ("ngram", *networks)]
        facts = trained("mixture", runs / name, *members, *(["--no-adaptive"] if len(networks) > 2 else []))
        what = f"mixture of n-gram model, {', '.join(MEMBERS[network] for network in networks)}"
        fitting = f"fitting {facts['cpu_seconds']:.0f} s CPU"
        rows.append((f"{what}; static", f"{facts['valid_nats_per_character']:.4f}; {fitting}", "≤ 1.395"))
        adaptive = facts.get("adaptive_valid_nats_per_character")
        if adaptive is not None:
            rows.append((f"{what}; adaptive: it learns from what it has scored", f"{adaptive:.4f}", "≤ 1.345"))
    return rows


def sampling_rows(runs: Path) -> list[Row]:
    goals = {"best": "≥ 3,000 characters/s", "transformer": "≥ 1,000 characters/s", "course": "", "mixture": ""}
    rows = []
    for name, goal in goals.items():
        model = load_model(runs / name)
        "".join(stream(model, np.random.default_rng(1), length=100))
        written, seconds = timed(lambda model=model: "".join(stream(model, np.random.default_rng(0), length=N_DRAWN)))
        rows.append((f"sampling, one stream: {name}", f"{len(written) / seconds:,.0f} characters/s", goal))
    return rows


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
