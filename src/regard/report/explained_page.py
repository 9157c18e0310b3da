"""Explained texts as a page of HTML that needs nothing beside it."""

from __future__ import annotations

import html
from collections.abc import Sequence

from regard.records import ExplainedText
from regard.report.attributed_text import STYLE, as_html, decided_by, sum_line
from regard.report.figures import INK


def headline(explained: ExplainedText) -> str:
    """What the classifier says of a text, how sure it is, and whether it is right, where that is known."""
    said = f"{explained.label} {explained.probability:.3f}, {explained.against} {explained.against_probability:.3f}"
    if explained.true_label is None:
        return said
    return (
        f"{said} (right)"
        if explained.true_label == explained.label
        else f"{said} (wrong: it is {explained.true_label})"
    )


def explained_page(texts: Sequence[ExplainedText], *, title: str, most: int = 10) -> str:
    """A page with each text, its words coloured by what they did, and the words that decided."""
    parts = [_section(number, each, most) for number, each in enumerate(texts, start=1)]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_page_style()}{STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        '<p>Words in <span class="p2">blue</span> speak for the answer, in <span class="c2">orange</span> against '
        "it; the numbers are nats of log-odds between the answer and the label named after it, counted from those of "
        "an empty text.</p>"
        f"{''.join(parts)}</body></html>\n"
    )


def _section(number: int, explained: ExplainedText, most: int) -> str:
    decided = f"decided by ({explained.attribution.method}): {decided_by(explained, most=most)}"
    words = f"<p>{html.escape(decided)}<br>{html.escape(sum_line(explained))}</p>"
    return f"<h2>{number}. {html.escape(headline(explained))}</h2>{as_html(explained)}{words}"


def _page_style() -> str:
    return (
        f":root{{color-scheme:light;--rule:{INK}}}body{{font:16px/1.5 system-ui,sans-serif;color:{INK};"
        "background:#fff;max-width:62rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.4rem}"
        "h2{font-size:1.1rem;margin-top:2rem}.text{border:1px solid #ccc;border-radius:4px;padding:.8rem}"
    )
