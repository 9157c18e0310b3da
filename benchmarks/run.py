"""Run the benchmarks and write RESULTS.md: what was measured, when, on which machine, with which versions.

make bench                                     all of them, which takes two hours
python benchmarks/run.py NAME...               only these; the other sections of RESULTS.md stay as they are
"""

from __future__ import annotations

import datetime
import importlib
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
BENCHMARKS = {
    "noise_speed": "Exact laws under noisy keys",
    "attention_speed": "Attention against torch's own kernel",
    "text_speed": "Tokenisers and streaming counts",
    "vectors_speed": "Word vectors and GloVe",
    "ngram_quality": "Counting models, and KenLM beside them",
    "bigram_quality": "The neural bigram model",
    "network_quality": "Networks that write, their mixture, and nanoGPT beside them",
    "classification_speed": "Classifying raw text, and scikit-learn and fastText beside it",
    "imdb_quality": "The averaging classifier on IMDb, and scikit-learn and fastText beside it",
    "domain_quality": "Film-review classifiers on texts from elsewhere, and scikit-learn beside them",
    "unknown_pairs": "Confidence of film-review classifiers where word pairs are unknown",
    "claims_quality": "Claims that nobody tuned the checker to",
    "heads_quality": "Heads of pretrained models: profile, noise, and keys in few bits",
    "lab_speed": "The lab in a browser",
    "lab_class": "A class in the lab: 30 and 100 visitors at once",
    "engine_speed": "The mathematics in the lab's pages",
    "scale_speed": "Counting a text that memory does not hold",
}
RESULTS = HERE / "RESULTS.md"
PICTURE = "![Ours beside peers, drawn from the tables below](../docs/benchmarks.png)"
HEAD = """CPU time of one process, one thread for linear algebra, unless a row says otherwise; medians of repeats. The
machine is shared with others, so seconds vary by some tens of per cent from run to run.
"""
PACKAGES = ("numpy", "scipy", "torch", "array-api-compat")


def main() -> None:
    sys.path.insert(0, str(HERE))
    wanted = sys.argv[1:] or list(BENCHMARKS)
    strange = [name for name in wanted if name not in BENCHMARKS]
    if strange:
        sys.exit(f"there is no benchmark {', '.join(strange)}; there are {', '.join(BENCHMARKS)}")
    for name in wanted:
        print(BENCHMARKS[name], file=sys.stderr)
        write_results({**read_results(), name: measured(name)})  # one by one, so that what was measured is kept
    draw_results()


def measured(name: str) -> str:
    """The section of one benchmark."""
    lines = [
        *where_and_when(),
        "",
        f"`python benchmarks/{name}.py`",
        "",
        "| what | measured | to reach |",
        "| --- | --- | --- |",
    ]
    for row in importlib.import_module(name).measure():
        print("  " + " | ".join(row), file=sys.stderr)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    return "\n".join(lines)


def read_results() -> dict[str, str]:
    """The sections that are there, by the names of their benchmarks."""
    if not RESULTS.exists():
        return {}
    parts = RESULTS.read_text(encoding="utf-8").split("\n## ")[1:]
    sections = {title: body.strip() for title, _, body in (part.partition("\n") for part in parts)}
    return {name: sections[title] for name, title in BENCHMARKS.items() if title in sections}


def write_results(sections: dict[str, str]) -> None:
    """All sections, in their order."""
    bodies = [f"## {title}\n\n{sections[name]}\n" for name, title in BENCHMARKS.items() if name in sections]
    RESULTS.write_text("\n".join([f"# Measured\n{PICTURE}\n", HEAD, *bodies]), encoding="utf-8")


def draw_results() -> None:
    """Draw the picture of the documentation anew, from the tables."""
    sys.path.insert(0, str(HERE.parent / "docs"))
    from benchmark_pictures import benchmarks_picture

    from regard.report.figures import save_figure

    save_figure(benchmarks_picture(), HERE.parent / "docs" / "benchmarks.png")


def where_and_when() -> list[str]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return [
        f"- {datetime.date.today().isoformat()}, after commit {commit.stdout.strip() or 'unknown'}",
        f"- {processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"- Python {platform.python_version()}, {packages}",
    ]


def processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


if __name__ == "__main__":
    main()
