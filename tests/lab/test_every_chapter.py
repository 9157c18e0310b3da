"""What holds for every chapter: it fits every width, axe-core finds nothing grave, a keyboard is enough,
its console is quiet, and it asks nobody else."""

import pytest
from tests.lab.conftest import Visit, assert_quiet
from tests.support.accessibility import assert_accessible
from tests.support.lab import SMALL, WIDTHS, expect, open_chapter, resize, wait_for_answers, wait_until_drawn

from regard.lab.contents import CHAPTERS

FITS = "document.documentElement.scrollWidth <= innerWidth"
VIEWS = [
    *((chapter.slug, SMALL.get(chapter.slug, "")) for chapter in CHAPTERS),
    ("look-up", "step=2"),
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


@pytest.fixture(scope="module", params=VIEWS, ids="?".join)
def answered_page(request, reading_tab, lab_address):
    """One visit to each view for all that only looks at it, once Python has answered; nothing moves by itself."""
    visit = Visit(reading_tab, lab_address)
    reading_tab.emulate_media(color_scheme="null", reduced_motion="reduce")
    resize(reading_tab, "laptop")
    page = open_chapter(visit, *request.param)
    wait_for_answers(page, request.param[0])
    yield page
    visit.end()
    assert_quiet(visit)


@pytest.fixture
def answered(answered_page):
    answered_page.bring_to_front()
    return answered_page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_every_width_in_light_and_dark(answered, scheme):
    answered.emulate_media(color_scheme=scheme)
    paper, ink = answered.evaluate(
        "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    assert (brightness(paper) > brightness(ink)) == (scheme == "light")
    for width in WIDTHS:
        resize(answered, width)
        wait_until_drawn(answered)
        assert answered.evaluate(FITS), width
        assert answered.evaluate(HIGHER) == [], width
        if width != "phone":  # the figure stands beside its controls, above the fold
            figure, side = (answered.locator(f".board > .{name}").bounding_box() for name in ("figure", "side"))
            assert figure["x"] + figure["width"] <= side["x"]
            assert figure["y"] < 250
            assert answered.locator(".figure svg:visible").first.bounding_box()["y"] < 300


def test_a_page_fits_narrower_screens_than_those(answered):
    for width in (320, 360, 700, 900):
        answered.set_viewport_size({"width": width, "height": 700})
        wait_until_drawn(answered)
        assert answered.evaluate(FITS), width
        assert answered.evaluate(HIGHER) == [], width


NOT_REACHED = """
() => [...document.querySelectorAll("main *")].filter((part) => part.getClientRects().length
  && part.scrollWidth > part.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(part).overflowX)
  && !part.matches("[tabindex='0'], textarea, input, select")).map((part) => part.className)
"""
"""Parts that scroll sideways and that the keyboard does not reach."""
LOWEST_PLOT = """
() => Math.min(...[...document.querySelectorAll("main svg.plot:has(.axis-name)")]
  .filter((plot) => plot.getClientRects().length)
  .map((plot) => plot.getBoundingClientRect().height / parseFloat(getComputedStyle(document.documentElement).fontSize)))
"""
"""The height of the lowest plot with axes, in letters."""


def test_what_scrolls_sideways_is_reached_by_keyboard_in_front_of_a_class_too(answered):
    resize(answered, "laptop")
    answered.get_by_role("button", name="Present").click()
    for width in (320, 1280, 1920):
        answered.set_viewport_size({"width": width, "height": 900})
        wait_until_drawn(answered)
        assert answered.evaluate(NOT_REACHED) == [], width
        low = answered.evaluate(LOWEST_PLOT)
        assert low > 14  # letters of the axes leave room for the plot
    answered.get_by_role("button", name="End presenting").click()


def test_one_button_saves_the_page(answered):
    resize(answered, "phone")
    expect(answered.get_by_role("button", name="Save as a page")).to_have_count(1)
    expect(answered.get_by_role("button", name="Save as a page")).to_be_visible()


def test_axe_finds_nothing_grave(answered):
    resize(answered, "laptop")
    answered.locator("details.code summary").click()
    wait_until_drawn(answered)
    assert_accessible(answered)


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


HERE = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def go_to(page, name, key="Tab"):
    """Press the key until the focus is on what has this name, or is one of these."""
    names = [name] if isinstance(name, str) else name
    for _ in range(120):
        page.keyboard.press(key)
        if page.evaluate(HERE) in names:
            return
    raise AssertionError(f"{key} leads to none of {names}")


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_every_step_is_reached_and_revealed_by_keyboard_alone(chapter, slug):
    page = open_chapter(chapter, slug, SMALL.get(slug, ""))
    steps = page.get_by_role("region", name="Steps")
    count = int(steps.get_by_role("heading").inner_text().split()[0])
    assert 3 <= count <= 5
    for number in range(1, count + 1):
        go_to(page, "Next step", "Tab" if number == 1 else "Shift+Tab")
        page.keyboard.press("Enter")
        expect(steps.get_by_role("heading")).to_have_text(f"Step {number} of {count}")
        expect(steps.locator(".step-answer")).to_be_empty()  # no task is done before it is begun
        go_to(page, [*steps.locator(".choices button").all_inner_texts(), "Reveal"])
        page.keyboard.press("Enter")
        expect(steps.locator(".step-answer")).not_to_be_empty()
    expect(steps.get_by_role("button", name="Next step")).to_be_disabled()
    present_by_keyboard(page, steps, count)
    page.evaluate("localStorage.clear()")


def present_by_keyboard(page, steps, count):
    """From the last step back to the first; answers are hidden until asked for."""
    page.get_by_role("button", name="Present").focus()
    page.keyboard.press("Enter")
    for number in range(count, 0, -1):
        expect(steps.get_by_role("heading")).to_have_text(f"Step {number} of {count}")
        if number < count:
            expect(steps.locator(".step-answer")).to_be_empty()
            page.keyboard.press("r")
            expect(steps.locator(".step-answer")).not_to_be_empty()
        page.keyboard.press("PageUp")
    page.keyboard.press("PageDown")
    expect(steps.get_by_role("heading")).to_have_text(f"Step 1 of {count}")
