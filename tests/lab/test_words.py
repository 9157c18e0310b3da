"""Chapter 5 in a real browser."""

import re

import pytest
from tests.support.lab import expect

CHAPTER = "chapter/words/"
SMALL = "?hidden=10"
WIDTHS = {"phone": (390, 844), "laptop": (1280, 900), "projector": (1920, 1080)}


@pytest.fixture
def chapter(visit):
    opened(visit, CHAPTER + SMALL)
    yield visit
    assert visit.errors == []
    assert visit.outside() == []


def opened(visit, path):
    """The page, once its model is there."""
    page = visit.open(path)
    page.get_by_text("The loss fell from").wait_for()
    page.get_by_text("Show the Python for this").wait_for()
    return page


def gaps(page):
    return page.get_by_role("row").filter(has_text="W₁").get_by_role("cell")


def test_derivatives_hold_for_another_network_and_a_mistake_is_found(chapter):
    page = chapter.page
    before = gaps(page).all_inner_texts()
    expect(page.get_by_text("All derivatives hold.")).to_be_visible()
    page.get_by_role("button", name="Draw another network").click()
    page.get_by_text("Network 1:").wait_for()
    expect(gaps(page)).not_to_have_text(before)
    assert float(gaps(page).nth(3).inner_text()) < 1e-13
    page.get_by_label("mistake to make").select_option("the slope of the other σ")
    page.get_by_text("Wrong by x, W₁, b₁.").wait_for()
    page.wait_for_url(re.compile(r"network=1.*mistake=slope|mistake=slope.*network=1"))


def test_training_shows_its_curve_and_a_link_reproduces_the_view(chapter):
    page = chapter.page
    said = page.get_by_text("The loss fell from").inner_text()
    curve = page.get_by_role("img", name=re.compile(r"nats a word against step: [\d.]+ at first, now [\d.]+"))
    expect(curve).to_be_visible()
    again = opened(chapter, CHAPTER + SMALL + "&word=class&temperature=0.3&draw=5")
    expect(again.get_by_text("The loss fell from")).to_have_text(said)
    expect(again.get_by_text("kept from an earlier visit")).to_be_visible()
    again.get_by_role("img", name="The words nearest to class").wait_for()


def test_any_word_can_be_asked_for_and_sentences_drawn(chapter):
    page = chapter.page
    page.get_by_role("img", name="The words nearest to list").wait_for()
    box = page.get_by_label("word", exact=True)
    box.fill("Function")
    box.press("Enter")
    page.get_by_role("img", name="The words nearest to function").wait_for()
    page.wait_for_url(re.compile("word=function"))
    box.fill("zebra")
    box.press("Enter")
    page.get_by_text("'zebra' is not among the 998 most frequent words of the text; try").wait_for()
    sentence = page.locator("li").filter(has_text=re.compile(r"\w")).first
    before = sentence.inner_text()
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_url(re.compile("draw=1"))
    page.wait_for_function("before => document.querySelector('li').innerText !== before", arg=before)


def test_the_words_are_saved(chapter, tmp_path):
    page = chapter.page
    page.get_by_role("img", name="The words nearest to list").wait_for()
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").last.click()
    assert download.value.suggested_filename == "words.csv"
    download.value.save_as(tmp_path / "words.csv")
    assert (tmp_path / "words.csv").read_text().startswith("nearest,cosine,next,probability\n")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(visit, width, tmp_path):
    visit.page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[width], strict=True)))
    page = opened(visit, CHAPTER + SMALL)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=tmp_path / f"words-{width}.png")
