"""Counting models: what they reach, and what it costs; beside them KenLM on the same tokens.

python benchmarks/ngram_quality.py

Needs tinyshakespeare and the Penn Treebank in REGARD_DATA, and for KenLM a compiler, cmake and Boost.
"""

from __future__ import annotations

import math
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from timing import timed

from regard.errors import RegardError
from regard.files import cache_folder
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram
from regard.text.corpora.corpus import find_corpus
from regard.text.corpora.registry import fetch_sdist
from regard.text.corpora.sources import Sdist

Row = tuple[str, str, str]
KENLM = Sdist(
    project="kenlm",
    version="0.3.0",
    sha256="c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8",
    size=427_500,
    members=(),
)


def measure() -> list[Row]:
    """Rows of what was measured, what came out, and what is to be reached."""
    return [*character_rows(), *word_rows()]


def character_rows() -> list[Row]:
    text = find_corpus("tinyshakespeare").text
    cut = int(0.9 * len(text))
    train, valid = text[:cut], text[cut:]
    name = "tinyshakespeare, all 111,540 validation characters, nats a character"
    rows = []
    for method, order, what, goal in (
        ("kneser-ney", 7, "Kneser–Ney, order 7", "1.5165 in 0.8 s; ≥ 0.5 M/s"),
        ("mixing", 7, "mixing of orders 1–7, static", "≥ 0.5 M/s"),
        ("mixing", 10, "mixing of orders 1–10, static", "≤ 1.480 in ≤ 5 s"),
    ):
        config = NgramConfig(method=method, order=order)
        model, train_seconds = timed(lambda config=config: fit_ngram(train, config))
        _, first = timed(lambda model=model: model.score(valid))
        scored, seconds = timed(lambda model=model: model.score(valid))
        speed = f"{len(valid) / seconds / 1e6:.2f} M characters/s"
        took = f"{train_seconds:.2f} s training, {first:.2f} s scoring, {speed} from then on"
        rows.append((f"{name}: {what}", f"{-scored.log_probs_nats.mean():.4f}; {took}", goal))
    scored, seconds = timed(lambda: model.score(valid, adaptive=True))
    rows.append(
        (f"{name}: the same, adaptive", f"{-scored.log_probs_nats.mean():.4f}; scoring {seconds:.2f} s", "≤ 1.400")
    )
    return rows


def word_rows() -> list[Row]:
    texts = {part: find_corpus(f"ptb/{part}").text for part in ("train", "valid", "test")}
    goals = {2: "69.11, 70.23 in 0.4 s", 3: "55.9 valid", 5: "52.7 valid"}
    rows, models = [], {}
    for order, goal in goals.items():
        config = NgramConfig(unit="word", method="kneser-ney", order=order, vocabulary=2000)
        model, seconds = timed(lambda config=config: fit_ngram(texts["train"], config))
        (valid, test), scoring = timed(lambda model=model: [perplexity(model, texts[p]) for p in ("valid", "test")])
        models[order] = (model, seconds, valid, test)
        rows.append(
            (
                f"Penn Treebank, 2,000 words: Kneser–Ney, order {order}, perplexity valid, test",
                f"{valid:.3f}, {test:.3f}; {seconds:.2f} s training with tokenising, {scoring:.2f} s scoring both",
                goal,
            )
        )
    return rows + kenlm_rows(texts, models)


def perplexity(model: NgramModel, text: str) -> float:
    return math.exp(-model.score(text).log_probs_nats.mean())


def kenlm_rows(texts: dict[str, str], models: dict[int, Any]) -> list[Row]:
    try:
        programs = kenlm_programs()
    except (RegardError, OSError, subprocess.CalledProcessError) as error:
        return [("KenLM on the same tokens", f"not built here: {error}", "the same to 1e-3")]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for order, (model, seconds, valid, test) in models.items():
            theirs = kenlm(programs, Path(folder), order, {part: closed(model, text) for part, text in texts.items()})
            gap = max(abs(theirs["valid"] / valid - 1), abs(theirs["test"] / test - 1))
            rows.append(
                (
                    f"KenLM's lmplz on the same tokens, order {order}",
                    f"{theirs['valid']:.3f}, {theirs['test']:.3f}: differs by {gap:.0e} of itself; training "
                    f"{theirs['training']:.2f} s CPU (ours {seconds:.2f} s with tokenising and speller), scoring both "
                    f"{theirs['scoring']:.2f} s with reading the ARPA file",
                    "the same to 1e-3",
                )
            )
    return rows


def closed(model: NgramModel, text: str) -> str:
    """The text with every unknown word written as one ordinary word, since KenLM keeps <unk> for itself."""
    tokeniser = model.tokeniser
    words = [word.replace("<unk>", "UNKNOWN") for word in tokeniser.vocabulary]
    return "".join("\n" if i == tokeniser.line_end else words[i] + " " for i in tokeniser.encode(text).ids)


def kenlm(programs: Path, folder: Path, order: int, texts: dict[str, str]) -> dict[str, float]:
    """Perplexities and CPU seconds of KenLM, without pruning."""
    for part, text in texts.items():
        (folder / f"{part}.txt").write_text(text, encoding="utf-8")
    arpa = folder / f"{order}.arpa"
    # The vocabulary is closed, so that no word was seen once or twice: lmplz then wants to be told to go on.
    command = [programs / "lmplz", "--order", str(order), "--discount_fallback", "-S", "1G", "-T", folder / "sort"]
    done = subprocess.run(
        [*command, "--text", folder / "train.txt", "--arpa", arpa], check=True, capture_output=True, text=True
    )
    result = {"training": cpu_seconds(done.stderr), "scoring": 0.0}
    for part in ("valid", "test"):
        with (folder / f"{part}.txt").open() as text:
            answer = subprocess.run(
                [programs / "query", "-v", "summary", arpa], stdin=text, check=True, capture_output=True, text=True
            )
        result[part] = float(re.search(r"including OOVs:\s+(\S+)", answer.stdout)[1])
        result["scoring"] += cpu_seconds(answer.stderr)
    return result


def run(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True)


def cpu_seconds(said: str) -> float:
    return float(re.search(r"CPU:(\S+)", said)[1])


def kenlm_programs() -> Path:
    """The folder with lmplz and query, built from the registry's source archive."""
    folder = cache_folder() / "benchmarks" / f"kenlm-{KENLM.version}"
    programs = folder / "build" / "bin"
    if not (programs / "query").exists():
        with tarfile.open(fetch_sdist(KENLM)) as archive:
            archive.extractall(folder.parent, filter="data")
        build = folder / "build"
        run("cmake", "-S", folder, "-B", build, "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", build, "--target", "lmplz", "query")
    return programs


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row))
