"""Every chapter runs from top to bottom, as a script would."""

import importlib

import pytest

from regard.lab.contents import available_chapters


@pytest.mark.parametrize("chapter", available_chapters(), ids=lambda chapter: chapter.slug)
def test_a_chapter_runs(chapter):
    pytest.importorskip("marimo")
    module = importlib.import_module(f"regard.lab.chapters.{chapter.notebook.parent.name}.notebook")
    outputs, _ = module.app.run()
    assert len(outputs) > 4
    assert f'<h1 id="{chapter.slug}">{chapter.title}</h1>' in "".join(getattr(output, "text", "") for output in outputs)
