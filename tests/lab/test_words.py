"""Chapter 5 in a real browser."""

import re

from tests.support.lab import SMALL, expect, open_chapter

CHAPTER = "words"


def gaps(page):
    return page.get_by_role("row").filter(has_text="W₁").get_by_role("cell")


def test_derivatives_hold_for_another_network_and_a_mistake_is_found(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    before = gaps(page).all_inner_texts()
    expect(page.get_by_text("All derivatives are right.")).to_be_visible()
    page.get_by_role("button", name="Draw another network").click()
    page.get_by_text("Network 1:").wait_for()
    expect(gaps(page)).not_to_have_text(before)
    assert float(gaps(page).nth(3).inner_text()) < 1e-13
    page.get_by_label("mistake to make").select_option("the slope of the other σ")
    page.get_by_text("The derivatives with respect to x, W₁, b₁ are wrong.").wait_for()
    page.wait_for_url(re.compile(r"network=1.*mistake=slope|mistake=slope.*network=1"))


def test_training_shows_its_curve_and_a_link_reproduces_the_view(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    said = page.get_by_text("The loss fell from").inner_text()
    curve = page.get_by_role("img", name=re.compile(r"nats a word against step: [\d.]+ at first, now [\d.]+"))
    expect(curve).to_be_visible()
    again = open_chapter(chapter, CHAPTER, SMALL[CHAPTER] + "&word=class&temperature=0.3&draw=5")
    expect(again.get_by_text("The loss fell from")).to_have_text(said)
    expect(again.get_by_text("kept from an earlier visit")).to_be_visible()
    again.get_by_role("img", name="The words nearest to class").wait_for()


def test_any_word_can_be_asked_for_and_sentences_drawn(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
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
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    page.get_by_role("img", name="The words nearest to list").wait_for()
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").last.click()
    assert download.value.suggested_filename == "words.csv"
    download.value.save_as(tmp_path / "words.csv")
    assert (tmp_path / "words.csv").read_text().startswith("nearest,cosine,next,probability\n")
