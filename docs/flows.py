"""Draw the architecture from the code: `python docs/flows.py` writes docs/layers.svg and docs/flows.svg.

The layers are those of the contract in pyproject.toml, with the imports that are in the source. A flow is a request
followed through the functions that serve it; a step is refused unless an earlier step's module names it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from xml.sax.saxutils import escape

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "regard"
INK, DIM, BOX, LINE = "#1d2733", "#5b6875", "#eef3f8", "#7f96ad"
STYLE = "font-family:system-ui,sans-serif"

FLOWS: dict[str, list[str]] = {
    "regard study one-vs-many": [
        "cli.study.one_vs_many:study_one_vs_many",
        "studies.one_vs_many:run",
        "noise.law:output_law",
        "noise.joint:moments_of_each_head",
        "tables:StudyTable",
        "report.one_vs_many:draw_one_vs_many",
    ],
    "regard check": [
        "cli.check:check",
        "claims.check:check",
        "claims.verdict.readings:check_in",
        "claims.syntax.grammar:parse",
        "claims.meaning.statements:interpret_claim",
        "claims.verdict.judge:judge_statement",
        "claims.verdict.records:Verdict",
    ],
    "regard train transformer": [
        "cli.train.network:train_transformer",
        "studies.training.network:run",
        "training.network.run:Run",
        "training.network.learner:Learner",
        "models.checkpoint:load_model",
        "report.figures:draw_network_loss",
    ],
    "regard perplexity": [
        "cli.perplexity:perplexity",
        "models.checkpoint:load_model",
        "evaluation.perplexity:compare_perplexity",
        "evaluation.perplexity:evaluate_step_by_step",
        "models.base:LanguageModel",
        "records:PerplexityResult",
    ],
    "regard heads": [
        "cli.heads:heads",
        "studies.heads:run",
        "pretrained.load:load_pretrained",
        "pretrained.profile:profile_heads",
        "pretrained.capture:watch_pass",
        "report.heads_page:heads_page",
    ],
    "regard tour": [
        "cli.tour:tour",
        "studies.tour.run:run_tour",
        "studies.tour.evidence:Answering",
        "report.tour.answers:Answer",
        "report.tour.page:tour_page",
        "files:write_output",
    ],
}
"""Requests, and the functions and records that serve them, in the order in which they are met."""


def layers() -> list[list[str]]:
    """The packages from top to bottom, as the contract of imports has them; siblings stand in one row."""
    contract = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][
        0
    ]
    return [
        [name.strip().removeprefix("regard.") for name in row.replace(":", "|").split("|")]
        for row in contract["layers"]
    ]


def imports() -> dict[str, set[str]]:
    """For each package, the packages of Regard that its modules import."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(SOURCE.glob("*/**/*.py")):
        own = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("regard"):
                other = [*(node.module or "").split("."), *(alias.name for alias in node.names)][1]
                if other != own:
                    found[own].add(other)
    return dict(found)


def check_flow(steps: list[str]) -> None:
    """Raise ValueError where a step is not in the code, or no earlier step's module names it."""
    seen: list[str] = []
    for step in steps:
        module, _, name = step.partition(":")
        if not hasattr(import_module(f"regard.{module}"), name):
            raise ValueError(f"there is no {name} in regard.{module}")
        if seen and not any(re.search(rf"\b{name}\b", text) for text in seen):
            raise ValueError(f"no step before {step} names it")
        seen.append((SOURCE / f"{module.replace('.', '/')}.py").read_text("utf-8"))


def draw_layers() -> str:
    """The layers as rows of boxes; below each package's name, what it imports besides the lowest row."""
    rows, used = layers(), imports()
    lowest = set(rows[-1]) | {"__init__"}
    parts, y = [], 12
    for row in rows[:-1]:
        width = 912 / len(row)
        for place, name in enumerate(row):
            below = sorted(used.get(name, set()) - lowest - {"__version__"})
            shown = " ".join(each for each in below if not each.startswith("_"))
            parts += _box(
                14 + place * width, y, width - 10, 52, name, f"imports {shown}" if shown else "imports no other"
            )
        y += 66
    parts += _box(14, y, 902, 40, "  ".join(rows[-1]), "")
    return _svg(930, y + 54, parts)


def draw_flows() -> str:
    """Each request as a row of boxes with arrows."""
    parts, y = [], 12
    for title, steps in FLOWS.items():
        check_flow(steps)
        parts.append(_text(14, y + 14, title, 14, INK, weight=600))
        for place, step in enumerate(steps):
            module, _, name = step.partition(":")
            x = 14 + place * 198
            parts += _box(x, y + 24, 180, 46, name, module)
            if place:
                parts.append(
                    f'<path d="M{x - 17} {y + 47}h13m-5-4l5 4-5 4" fill="none" stroke="{LINE}" stroke-width="1.5"/>'
                )
        y += 92
    return _svg(14 + 6 * 198, y, parts)


def _box(x: float, y: float, width: float, height: float, title: str, below: str) -> list[str]:
    box = (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="6" fill="{BOX}" stroke="{LINE}"/>'
    )
    first = y + (height / 2 - 4 if below else height / 2 + 5)
    size = 13 if 7.5 * len(title) < width - 16 else 11
    texts = [_text(x + 10, first, title, size, INK, weight=600)]
    if below:
        texts.append(_text(x + 10, first + 17, below, 11 if 6 * len(below) < width - 16 else 9, DIM))
    return [box, *texts]


def _text(x: float, y: float, text: str, size: int, colour: str, *, weight: int = 400) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" font-weight="{weight}" fill="{colour}">{escape(text)}</text>'
    )


def _svg(width: float, height: float, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" style="{STYLE}">'
    return "\n".join([head, f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>', *parts, "</svg>", ""])


DRAWINGS = {"layers.svg": draw_layers, "flows.svg": draw_flows}

if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (DOCS / name).write_text(draw(), "utf-8")
