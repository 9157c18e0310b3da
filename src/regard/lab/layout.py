"""Things side by side where the window has room for them, else one below the other."""

from __future__ import annotations

from typing import Any


def beside(*items: Any, least: str = "22rem") -> Any:
    """The items in columns of equal width, none of them narrower than `least` unless the window is."""
    import marimo as mo

    style = f"display:grid;gap:1rem 2rem;grid-template-columns:repeat(auto-fit,minmax(min({least},100%),1fr))"
    cells = "".join(f'<div style="min-width:0">{mo.as_html(item).text}</div>' for item in items)
    return mo.Html(f'<div style="{style}">{cells}</div>')
