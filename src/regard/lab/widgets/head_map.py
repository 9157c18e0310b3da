"""The map of heads of a pretrained model, as a widget: choose a head, and see its pattern and figures.

Works wherever anywidget does: Jupyter, marimo, the lab. It draws with the script of the page that `regard heads --html`
writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from regard.report.heads_page import script, study_data, style
from regard.text.corpora.corpus import TextSource, find_text

if TYPE_CHECKING:
    from regard.pretrained.load import Pretrained


class HeadMap(anywidget.AnyWidget):
    """Every head of a model on a text; `study` is what the script draws."""

    _esm = script()
    _css = style()
    study: Any = traitlets.Dict().tag(sync=True)

    @classmethod
    def of(cls, model: str | Path | Pretrained, text: TextSource, **settings: Any) -> HeadMap:
        """The map for a model and a text, as `regard.heads` takes them, noise included."""
        from regard.pretrained.profile import KINDS, capture_patterns
        from regard.studies import heads

        pretrained, corpus = heads.open_pretrained(model), find_text(text)
        table = heads.heads(pretrained, corpus, **settings)
        blocks = heads.cut_text(pretrained, corpus.text, heads.Config(**table.config))
        patterns = capture_patterns(pretrained, max(blocks, key=len))
        return cls(study=study_data(table, patterns, kinds=[(name, rule) for name, rule, _ in KINDS]))
