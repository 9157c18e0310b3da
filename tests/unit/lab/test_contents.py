"""Every chapter is a plain page or a notebook; a notebook runs from top to bottom, as a script would."""

import importlib

import pytest

from regard.lab.contents import CHAPTERS, available_chapters, notebook_chapters, page_chapters


def test_every_chapter_is_there_once_as_page_or_notebook():
    assert available_chapters() == CHAPTERS
    assert {*page_chapters(), *notebook_chapters()} == {*CHAPTERS}
    assert not {*page_chapters()} & {*notebook_chapters()}
    assert not any(chapter.notebook.is_file() for chapter in page_chapters())


@pytest.mark.parametrize("chapter", notebook_chapters(), ids=lambda chapter: chapter.slug)
def test_a_chapter_runs(chapter):
    pytest.importorskip("marimo")
    module = importlib.import_module(f"regard.lab.chapters.{chapter.notebook.parent.name}.notebook")
    outputs, _ = module.app.run()
    assert len(outputs) > 4
    assert f'<h1 id="{chapter.slug}">{chapter.title}</h1>' in "".join(getattr(output, "text", "") for output in outputs)
