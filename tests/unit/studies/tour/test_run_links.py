"""Links into the lab lead to chapters that are there, and carry values that these accept."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from regard.lab.chapters.check import links
from regard.lab.contents import CHAPTERS
from regard.lab.html_pages import module_order
from regard.studies.tour.run import QUESTIONS

CHAPTERS_BY_SLUG = {chapter.slug: chapter for chapter in CHAPTERS}
PAGE_FIELD = r"^\s*{name}: (\w+Field)\((.*)\),$"
NUMBER_FIELDS = {"numberField": links.number, "wholeField": links.whole_number}


def find_field(chapter, name):
    """Whether a chapter knows a parameter, and a field to check values with unless its bounds are names."""
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in module_order(chapter.script))
    found = re.search(PAGE_FIELD.format(name=name), scripts, re.MULTILINE)
    bounds = found and re.search(r", (-?[\d._]+), (-?[\d._]+)$", found[2])
    if not bounds or found[1] not in NUMBER_FIELDS:
        return found, None
    low, high = map(int if found[1] == "wholeField" else float, bounds.groups())
    return found, NUMBER_FIELDS[found[1]](low, low, high)


@pytest.mark.parametrize("identifier", QUESTIONS)
def test_the_chapter_takes_the_link(answer, identifier):
    link = urlsplit(answer(identifier).link)
    chapter = CHAPTERS_BY_SLUG[link.path.removeprefix("chapter/").rstrip("/")]
    for name, (value,) in parse_qs(link.query, keep_blank_values=True).items():
        found, field = find_field(chapter, name)
        assert found is not None, f"chapter {chapter.slug} has no parameter {name}"
        if field is not None:
            field.read(value)


def test_every_parameter_is_looked_for():
    _, field = find_field(CHAPTERS_BY_SLUG["noisy-keys"], "scale")
    with pytest.raises(ValueError, match="1000"):
        field.read("1000")
    assert find_field(CHAPTERS_BY_SLUG["noisy-keys"], "no_such") == (None, None)
