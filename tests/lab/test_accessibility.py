"""axe-core on the start page and on every plain page: nothing that it calls serious or critical, in light and dark.

axe-core is a script of its own, brought by the package axe-playwright-python. The browser's debugger evaluates it in
the page, so that the lab's policy, which allows no foreign script, stays as it is.
"""

import importlib.util
from pathlib import Path

import pytest
from tests.support.lab import open_chapter

from regard.lab.contents import CHAPTERS

GRAVE = ("serious", "critical")
VIEWS = [*((chapter.slug, "") for chapter in CHAPTERS), ("noisy-keys", "view=plane"), ("look-up", "step=2")]
RUN = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"


@pytest.fixture(scope="session")
def axe():
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None, "there is no axe-core: pip install 'regard[test]'"
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


def findings(page, axe):
    """What axe-core finds grave, as lines: the rule, and the elements that break it."""
    page.evaluate(axe)
    return [
        f"{found['impact']}: {found['id']}: {node['html'][:120]} {node['failureSummary'].splitlines()[-1][:160]}"
        for found in page.evaluate(RUN)
        if found["impact"] in GRAVE
        for node in found["nodes"][:4]
    ]


def test_what_it_finds_is_found(page, axe):
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><button></button><img src=x></main>")
    assert {line.split(": ")[1] for line in findings(page, axe)} == {"button-name", "image-alt"}


def assert_accessible(page, axe):
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert findings(page, axe) == [], scheme


def test_the_start_page(visit, axe):
    assert_accessible(visit.open(""), axe)


@pytest.mark.parametrize(("slug", "query"), VIEWS)
def test_a_plain_page(visit, axe, slug, query):
    page = open_chapter(visit, slug, query)
    page.locator("details.code summary").click()
    assert_accessible(page, axe)


def test_a_colour_that_is_hard_to_read_in_the_dark_is_found(visit, axe):
    page = open_chapter(visit, "look-up")
    page.evaluate("document.documentElement.style.setProperty('--soft', '#59616e')")  # the light theme's
    with pytest.raises(AssertionError, match="dark"):
        assert_accessible(page, axe)
