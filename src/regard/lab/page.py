"""How every chapter begins: the way back and on, its title, one paragraph, and what was wrong in the link."""

from __future__ import annotations

from typing import Any

from regard.lab.contents import Chapter, written_chapters


def opening(slug: str, text: str, complaints: tuple[str, ...] = ()) -> Any:
    """The top of a chapter's page."""
    import marimo as mo

    chapters = written_chapters()
    here = next(place for place, chapter in enumerate(chapters) if chapter.slug == slug)
    title = f"{_way(chapters, here)}\n\n# {chapters[here].title}\n\n{text}"
    warnings = [mo.callout(mo.plain_text(complaint), kind="warn") for complaint in complaints]
    return mo.vstack([mo.md(title), *warnings])


def _way(chapters: tuple[Chapter, ...], here: int) -> str:
    """Links to the start page and to the neighbours."""
    ways = ["[All chapters](/)"]
    if here > 0:
        ways.append(f"[← {chapters[here - 1].title}](/chapter/{chapters[here - 1].slug}/)")
    if here + 1 < len(chapters):
        ways.append(f"[{chapters[here + 1].title} →](/chapter/{chapters[here + 1].slug}/)")
    return " · ".join(ways)
