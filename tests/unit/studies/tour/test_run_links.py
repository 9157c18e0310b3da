"""Links into the lab lead to chapters that are there, and carry values that these accept."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from regard.lab import url_state
from regard.lab.contents import CHAPTERS
from regard.studies.tour.run import QUESTIONS

CHAPTERS_BY_SLUG = {chapter.slug: chapter for chapter in CHAPTERS}
KINDS = {name: getattr(url_state, name) for name in ("number", "whole_number", "choice")}


@pytest.mark.parametrize("identifier", QUESTIONS)
def test_the_chapter_takes_the_link(answer, identifier):
    link = urlsplit(answer(identifier).link)
    chapter = CHAPTERS_BY_SLUG[link.path.removeprefix("chapter/").rstrip("/")]
    source = chapter.notebook.read_text()
    for name, (value,) in parse_qs(link.query, keep_blank_values=True).items():
        found = re.search(rf'"{name}": ((\w+)\(.*\)),\n', source)
        assert found is not None, f"chapter {chapter.slug} has no parameter {name}"
        try:
            field = eval(found[1], {"__builtins__": {}}, KINDS)
        except (NameError, TypeError):  # its bounds are names of the notebook
            continue
        assert url_state.read_link({name: value}, {name: field}).complaints == ()


def test_every_parameter_is_looked_for():
    field = eval("number(10.0, 0.3, 100)", {"__builtins__": {}}, KINDS)
    assert url_state.read_link({"scale": "1000"}, {"scale": field}).complaints
