"""One page that needs no other file: a map of all heads, the pattern of the one chosen, its figures and errors.

The pattern of every head lies packed in the page; `heads_page.js` unpacks it in the browser and draws. The same script
and `study_data` make the widget of the lab.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from pathlib import Path
from typing import Any

from regard.display import Markup, element, html_page
from regard.records import HeadPatterns
from regard.tables import StudyTable

FOLDER = Path(__file__).parent
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob:"
PAGE_STYLE = """
body { margin: 1.5rem; background: #ffffff; color: #222222; font-family: system-ui, sans-serif; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e4e6ea; } }
"""


def script() -> str:
    """The JavaScript module that draws a study into an element."""
    return (FOLDER / "heads_page.js").read_text(encoding="utf-8")


def style() -> str:
    """Its style sheet."""
    return (FOLDER / "heads_page.css").read_text(encoding="utf-8")


def heads_page(table: StudyTable, patterns: HeadPatterns, *, kinds: list[tuple[str, str]]) -> str:
    """The page for a table of heads and their patterns; `kinds` are the names of kinds with their rules."""
    data = json.dumps(study_data(table, patterns, kinds=kinds), ensure_ascii=False, allow_nan=False)
    data = data.replace("</", "<\\/")  # "</script>" in a token would end the script
    call = (
        f"const study = {data};\nconst css = document.querySelector('style').textContent;\n"
        "render({ model: { get: (name) => (name === 'study' ? study : css) }, el: document.querySelector('main') });"
    )
    module = script().replace("export default { render };", "")
    return html_page(
        table.title,
        element("h1", table.title),
        Markup("<main></main>"),
        Markup(f'<script type="module">\n{module}\n{call}\n</script>'),
        style=style() + PAGE_STYLE,
        policy=POLICY,
    )


def study_data(table: StudyTable, patterns: HeadPatterns, *, kinds: list[tuple[str, str]]) -> dict[str, Any]:
    """What the script draws, as JSON takes it: numbers that are no numbers become null."""
    n_layers, n_heads, _, places = patterns.keys.shape
    packed = zlib.compress(patterns.keys.astype("<u2").tobytes() + patterns.levels.tobytes(), 9)
    rows = [{name: _plain(value) for name, value in row.items()} for row in table.records()]
    shown = f"shown: the first {len(patterns.tokens)} tokens; the {places} largest weights of a query hold "
    return {
        "columns": list(table.columns),
        "rows": rows,
        "notes": [*table.notes, f"{shown}{patterns.covered:.1%} of all weight".replace("%", " %")],
        "kinds": [list(kind) for kind in kinds],
        "tokens": list(patterns.tokens),
        "n_layers": n_layers,
        "n_heads": n_heads,
        "places": places,
        "packed": base64.b64encode(packed).decode(),
    }


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
