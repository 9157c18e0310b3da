"""Run every benchmark and write RESULTS.md: what was measured, on which machine, with which versions.

make bench
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
}
PACKAGES = ("numpy", "scipy", "torch", "array-api-compat")


def main() -> None:
    sys.path.insert(0, str(HERE))
    lines = ["# Measured", "", *where_and_when(), ""]
    for name, title in BENCHMARKS.items():
        print(title, file=sys.stderr)
        lines += [
            f"## {title}",
            "",
            f"`python benchmarks/{name}.py`",
            "",
            "| what | measured | to reach |",
            "| --- | --- | --- |",
        ]
        for row in importlib.import_module(name).measure():
            print("  " + " | ".join(row), file=sys.stderr)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
        lines.append("")
    (HERE / "RESULTS.md").write_text("\n".join(lines), encoding="utf-8")


def where_and_when() -> list[str]:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return [
        f"- {datetime.date.today().isoformat()}, commit {commit.stdout.strip() or 'unknown'}",
        f"- {processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"- Python {platform.python_version()}, {packages}",
        "- CPU time of one process, one thread for linear algebra, unless a row says otherwise; medians of repeats",
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
