"""Chapter 5 in a real browser."""

import re

import pytest
from tests.support.lab import SMALL, expect, open_chapter, run_listing, wait_for_answers

from regard.lab.chapters.words import view
from regard.lab.texts import OFFERED

CHAPTER = "words"


def gaps(page):
    return page.get_by_role("row").filter(has_text="W₁").get_by_role("cell")


def bars(page, name):
    return page.get_by_role("group", name=name)


def test_derivatives_hold_for_another_network_and_a_mistake_is_found(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    expect(page.get_by_text("All derivatives are right.")).to_be_visible()
    before = gaps(page).nth(1).inner_text()
    page.get_by_role("button", name="Draw another network").click()
    page.wait_for_url(re.compile("network=1"))
    expect(gaps(page).nth(1)).not_to_have_text(before)
    assert float(gaps(page).nth(3).inner_text()) < 1e-13
    page.get_by_label("mistake to make").select_option("the slope of the other function")
    expect(page.locator(".derivatives [role=status]")).to_have_text(
        "Wrong derivatives: those by the word vector x, the weights W1 of the first layer, its offsets b1."
    )
    page.wait_for_url(re.compile(r"network=1.*mistake=slope|mistake=slope.*network=1"))


def test_training_shows_its_curve_and_a_link_reproduces_the_view(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    said = page.get_by_text("The loss fell from").inner_text()
    expect(page.get_by_role("img", name="The loss while it learns")).to_be_visible()
    assert [
        option.get_attribute("value") for option in page.get_by_label("it learns from").locator("option").all()
    ] == [*OFFERED]
    first = page.locator(".sentences li").first.inner_text()
    again = open_chapter(chapter, CHAPTER, SMALL[CHAPTER] + "&word=class&temperature=0.3&draw=5")
    expect(again.get_by_text("The loss fell from")).to_have_text(said)
    expect(bars(again, "The nearest words")).to_contain_text("nearest to “class”")
    assert again.locator(".sentences li").first.inner_text() != first


def test_stop_leaves_what_was_shown_and_says_so(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    said = page.get_by_text("The loss fell from").inner_text()
    page.get_by_role("button", name="Train it again, and watch").click()
    page.locator(".long-work:not(.asking)").get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped. What is shown is the model that was trained before.").wait_for()
    expect(page.get_by_text("The loss fell from")).to_have_text(said)
    expect(bars(page, "The nearest words").get_by_role("button")).to_have_count(view.N_NEAREST)
    page.get_by_role("button", name="Train it again, and watch").click()
    page.get_by_text("Trained, and kept.").wait_for()
    expect(page.get_by_text("The loss fell from")).to_have_text(said)


def test_words_are_clicked_typed_and_brought_back_and_sentences_are_drawn(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    near = bars(page, "The nearest words")
    expect(near).to_contain_text("nearest to “list”")
    word = near.get_by_role("button").first.get_attribute("aria-label").split(",")[0]
    near.get_by_role("button").first.press("Enter")
    expect(near).to_contain_text(f"nearest to “{word}”")
    page.get_by_label("a word", exact=True).fill("Function")
    expect(near).to_contain_text("nearest to “function”")
    page.get_by_label("a word", exact=True).fill("zebra")
    page.get_by_text("“zebra” is not among the 998 words that the model knows; try").wait_for()
    page.wait_for_url(re.compile("word=zebra"))
    page.go_back()
    expect(page.get_by_text("“zebra” is not among")).to_be_hidden()
    expect(near.get_by_role("button")).to_have_count(view.N_NEAREST)
    sentence = page.locator(".sentences li").first
    before = sentence.inner_text()
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_url(re.compile("draw=1"))
    expect(sentence).not_to_have_text(before)


def test_the_words_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    with page.expect_download() as download:
        page.locator(".figure").get_by_role("button", name="Save as CSV").click()
    assert download.value.suggested_filename == "words.csv"
    download.value.save_as(tmp_path / "words.csv")
    assert (tmp_path / "words.csv").read_text().startswith("nearest,cosine,next,probability\n")


@pytest.mark.parametrize("mistake", ["none", "sign"])
def test_the_shown_python_gives_the_shown_numbers(chapter, mistake):
    page = open_chapter(chapter, CHAPTER, f"{SMALL[CHAPTER]}&mistake={mistake}&network=5")
    wait_for_answers(page, CHAPTER)
    shown = [float(gap.inner_text()) for gap in gaps(page).all()[2:4]]
    names = run_listing(page)
    lines = names["printed"].splitlines()
    row = next(line for line in lines if line.startswith("w1")).split()
    assert [float(f"{float(gap):.1e}") for gap in row[1:]] == shown
    near = bars(page, "The nearest words").get_by_role("button")
    word, cosine = names["near"][0]
    assert near.first.get_attribute("aria-label") == f"{word}, {float(f'{cosine:.2g}'):g}"
    sentences = [line.removesuffix(" …") for line in page.locator(".sentences li").all_inner_texts()]
    assert sentences == [line.strip() for line in lines[-view.N_SENTENCES :]]
