r"""The start page and the chapters as HTML, and JavaScript modules joined into one text.

Modules of the lab import each other in one way only, so that they can be joined without a build step:

    import { softmax, mixValues } from "../engine/softmax.js";
    export function draw() {}          export const SIZE = 600;
"""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

from regard.lab.contents import CHAPTERS, WEB, Chapter

IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
CARD = """\
      <li><a class="card" href="chapter/{slug}/">
        <canvas data-picture="{slug}" width="480" height="240" aria-hidden="true"></canvas>
        <span class="number">{number}</span> <strong>{title}</strong>
        <span class="line">{line}</span>
      </a></li>
"""


def start_page(chapters: tuple[Chapter, ...]) -> str:
    """The page with a card for each chapter."""
    cards = "".join(
        CARD.format(
            number=chapter.number, slug=chapter.slug, title=html.escape(chapter.title), line=html.escape(chapter.line)
        )
        for chapter in chapters
    )
    return (WEB / "start.html").read_text(encoding="utf-8").replace("<!-- cards -->", cards)


def chapter_page(chapter: Chapter) -> str:
    """The frame of a plain chapter; its script fills it. All addresses are relative to /chapter/<slug>/."""
    parts = {
        "title": html.escape(chapter.title),
        "number": str(chapter.number),
        "slug": chapter.slug,
        "line": html.escape(chapter.line),
        "neighbours": _neighbour_links(chapter),
        "preloads": "\n    ".join(
            f'<link rel="modulepreload" href="../../web/{_address(path)}">' for path in module_order(chapter.script)
        ),
    }
    shell = (WEB / "shell.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        shell = shell.replace(f"<!-- {name} -->", text)
    return shell


def _neighbour_links(chapter: Chapter) -> str:
    here = next(place for place, other in enumerate(CHAPTERS) if other.slug == chapter.slug)
    links = []
    if here > 0:
        links.append(("prev", "← ", CHAPTERS[here - 1]))
    if here + 1 < len(CHAPTERS):
        links.append(("next", "", CHAPTERS[here + 1]))
    return " ".join(
        f'<a rel="{way}" href="../{other.slug}/">{arrow}{html.escape(other.title)}{" →" if way == "next" else ""}</a>'
        for way, arrow, other in links
    )


def _address(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


def module_order(script: Path) -> list[Path]:
    """The script and all modules that it needs, each after those it imports."""
    found: list[Path] = []

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        assert path not in above, f"{path.name} imports itself through {above[-1].name}"
        if path in found:
            return
        for name in IMPORT.findall(path.read_text(encoding="utf-8")):
            visit(Path(os.path.normpath(path.parent / name)), (*above, path))
        found.append(path)

    visit(script, ())
    return found


def join_modules(script: Path) -> str:
    """The script and all modules that it needs as one text, without imports; a default export stays as it is."""
    texts = (path.read_text(encoding="utf-8") for path in module_order(script))
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)
