"""Every chapter has a page, and Python that answers it."""

import importlib

import pytest

from regard.lab.contents import CHAPTERS


def test_chapters_are_numbered_and_have_names_of_their_own():
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))
    assert len({chapter.slug for chapter in CHAPTERS}) == len(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.slug)
def test_a_chapter_has_its_page_and_its_answers(chapter):
    assert chapter.script.is_file()
    assert importlib.import_module(f"regard.lab.chapters.{chapter.package}.view").QUESTIONS
