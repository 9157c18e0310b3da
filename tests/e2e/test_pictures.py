"""Pictures and formulas of the documentation: each one is there, shown, and can be drawn."""

import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS.parent / "README.md", *(page for page in DOCS.glob("**/*.md") if "_build" not in page.parts)]
FORMULA = re.compile(r"^\$\$\n(.+?)\n\$\$$|(?<![$`])\$(?![$\s])([^$\n`]+?)\$", re.MULTILINE | re.DOTALL)
LOADING = pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")  # as ziamath looks for its font
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def docs_on_the_path(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), str(DOCS / "_extensions"), *sys.path])


def shown_pictures():
    return {
        (page.parent / name).resolve()
        for page in PAGES
        for name in re.findall(r"!\[[^\]]*\]\(([^)]+\.png)\)", page.read_text("utf-8"))
    }


def test_every_picture_that_a_page_shows_is_there_and_no_other():
    assert shown_pictures() == set(DOCS.glob("*.png"))


def test_every_picture_of_the_script_is_shown():
    import pictures

    assert {DOCS / f"{name}.png" for name in [*pictures.FIGURES, *pictures.SCREENSHOTS]} <= shown_pictures()


@pytest.mark.parametrize("name", ["copy-scale", "hull", "weight-density"])
def test_a_picture_is_drawn_with_labelled_axes(name):
    import pictures

    figure = pictures.FIGURES[name]()
    assert all(axes.get_ylabel() for axes in figure.axes)


@pytest.mark.parametrize("name", ["copy-scale", "hull", "weight-density"])
def test_no_line_runs_through_a_name(name):
    import pictures

    figure = pictures.FIGURES[name]()
    figure.draw_without_rendering()
    for axes in figure.axes:
        legends = [axes.get_legend()] if axes.get_legend() else []
        boxes = {each: each.get_window_extent() for each in [*axes.texts, *legends]}
        paths = [line.get_path().transformed(line.get_transform()) for line in axes.lines]
        struck = [each for each, box in boxes.items() if any(path.intersects_bbox(box, filled=False) for path in paths)]
        assert not struck


def formulas():
    for page in PAGES:
        for displayed, inline in FORMULA.findall(CODE.sub("", page.read_text("utf-8"))):
            yield displayed or inline


@LOADING
def test_every_formula_of_the_pages_can_be_typeset():
    from formulas import svg

    found = set(formulas())
    assert len(found) > 30
    for formula in found:
        picture = svg(formula, inline=False)
        assert picture.startswith('<svg role="img" aria-label=')
        assert "currentColor" in picture
        assert "black" not in picture  # it follows the theme, dark or light


@LOADING
def test_an_unknown_command_in_a_formula_stops_the_build():
    from formulas import svg

    with pytest.raises(ValueError, match=r"^\\foo cannot be typeset, in the formula x \+ \\foo$"):
        svg(r"x + \foo", inline=True)
