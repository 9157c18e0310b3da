"""What holds for every chapter: it fits phone, laptop and projector, its console is quiet, it asks nobody else."""

import pytest
from tests.support.lab import WIDTHS, expect, open_chapter, resize

from regard.lab.contents import CHAPTERS

FITS = "document.documentElement.scrollWidth <= innerWidth"
VIEWS = [
    *((chapter.slug, "") for chapter in CHAPTERS),
    ("noisy-keys", "view=plane"),
    ("many-heads", "noise=each&heads=4"),
    ("check", "claim=q+%3D+C%28%5Cmu_a+%2B+%5Cmu_b%29&setting=magnitude-noise"),  # its example takes the most room
]
HIGHER = """
() => [...document.querySelectorAll("main svg, main table, main .steps, main .control, main p, main button")]
  .filter((part) => part.getClientRects().length && !part.closest(".handle"))
  .map((part) => [part.className.baseVal ?? part.className, part.getBoundingClientRect()])
  .filter(([, box]) => box.left < -1 || box.right > innerWidth + 1).map(([name]) => name)
"""
"""Parts of the page that stick out to the left or right."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("slug", "query"), VIEWS)
def test_a_plain_page_fits_every_width_in_light_and_dark(chapter, slug, query, scheme, tmp_path):
    chapter.page.emulate_media(color_scheme=scheme)
    resize(chapter.page, "phone")
    page = open_chapter(chapter, slug, query)
    paper, ink = page.evaluate(
        "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    assert (brightness(paper) > brightness(ink)) == (scheme == "light")
    for width in WIDTHS:
        resize(page, width)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate(FITS), width
        assert page.evaluate(HIGHER) == [], width
        if width != "phone":  # the figure stands beside its controls, above the fold
            figure, side = (page.locator(f".board > .{name}").bounding_box() for name in ("figure", "side"))
            assert figure["x"] + figure["width"] <= side["x"]
            assert figure["y"] < 250
            assert page.locator(".figure svg:visible").first.bounding_box()["y"] < 300
        page.screenshot(path=tmp_path / f"{slug}-{width}-{scheme}.png")


def brightness(colour):
    return sum(float(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))


def test_every_figure_has_the_colours_of_its_theme(chapter):
    """No line is drawn in the colour of the paper, and dark figures are not the light ones."""
    found = {}
    for scheme in ("light", "dark"):
        chapter.page.emulate_media(color_scheme=scheme)
        page = open_chapter(chapter, "many-heads")
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        strokes = page.evaluate(
            "[...document.querySelectorAll('.plot .line, .plot text')].map((part) => {"
            " const look = getComputedStyle(part); return part.tagName === 'text' ? look.fill : look.stroke; })"
        )
        assert strokes
        assert paper not in strokes
        found[scheme] = set(strokes)
    assert not found["light"] & found["dark"]


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_every_step_is_reached_and_revealed_by_keyboard_alone(chapter, slug):
    page = open_chapter(chapter, slug)
    page.get_by_role("button", name="Present").focus()
    page.keyboard.press("Enter")
    steps = page.get_by_role("region", name="Steps")
    count = int(steps.get_by_role("heading").inner_text().split()[-1])
    assert 3 <= count <= 5
    for number in range(1, count + 1):
        expect(steps.get_by_role("heading")).to_have_text(f"Step {number} of {count}")
        expect(steps.locator(".step-answer")).to_be_empty()
        page.keyboard.press("r")
        expect(steps.locator(".step-answer")).not_to_be_empty()
        page.keyboard.press("PageDown")
    expect(steps.get_by_role("button", name="Next step")).to_be_disabled()
    page.evaluate("localStorage.clear()")
