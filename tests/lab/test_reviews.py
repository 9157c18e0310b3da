"""Chapter 8 in a real browser."""

import re
from urllib.parse import urlsplit

from tests.support.lab import expect, open_chapter

CHAPTER = "reviews"


def verdict(page):
    return page.locator(".verdict").inner_text()


def both_orders(page):
    """The two probabilities, to their last digits, and the two texts."""
    return page.locator(".pair .number").all_inner_texts(), page.locator(".pair .text").all_inner_texts()


def test_the_verdict_follows_what_is_typed(chapter):
    page = open_chapter(chapter, CHAPTER)
    assert verdict(page).startswith("negative, ")
    review = page.get_by_role("textbox", name="your review")
    review.fill("A moving, funny and wonderful film")
    page.locator(".verdict").filter(has_text="positive").wait_for()
    review.press_sequentially(", but <i>dull</i>")
    page.locator(".judged .text").first.filter(has_text="but <i>dull</i>").wait_for()  # text, not markup
    assert page.locator(".judged span[title]", has_text="dull").first.get_attribute("title").startswith("−")
    page.wait_for_url(re.compile("review=A"))
    again = open_chapter(chapter, CHAPTER, urlsplit(page.url).query)
    expect(again.locator(".judged .text").first).to_contain_text("but <i>dull</i>")
    again.get_by_role("textbox", name="your review").fill("")
    again.get_by_text("your review is empty: type or paste something").wait_for()
    again.get_by_role("textbox", name="your review").fill("good " * 801)
    again.get_by_text("your review has 4,005 characters; at most 4,000 are taken").wait_for()


def test_shares_add_up_and_say_from_where(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER, "review=bad+bad+bad+bad")
    shown = page.locator(".judged").first.inner_text()
    assert "bad (×4) +" in shown
    assert "No word" not in shown
    (total, baseline, words), = re.findall(
        r"They add up: log-odds of negative against positive: (\S+) nats = (\S+) before any word (\S+) for the words",
        shown,
    )  # fmt: skip
    total, baseline, words = (float(number.replace("−", "-")) for number in (total, baseline, words))
    assert total > 1
    assert abs(baseline + words - total) < 0.02
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").first.click()
    download.value.save_as(tmp_path / "words.csv")
    rows = [line.rsplit(",", 2) for line in (tmp_path / "words.csv").read_text().splitlines()[1:]]
    assert [word for word, *_ in rows] == ["bad", "(before any word)"]
    assert abs(sum(float(nats) for *_, nats in rows) - total) < 0.01
    page.get_by_role("textbox", name="your review").fill("zyzzyva")
    page.get_by_text("No word changes the answer: the classifier says the same of an empty text.").wait_for()


def test_shuffling_changes_nothing_in_the_classic_form_but_the_strong_one_sees_it(chapter):
    page = open_chapter(chapter, CHAPTER)
    (first, second), texts = both_orders(page)
    assert first == second
    page.get_by_role("button", name="Shuffle the words").click()
    page.wait_for_url(re.compile("seed=1"))
    page.wait_for_function("before => document.querySelectorAll('.pair .text')[1].innerText !== before", arg=texts[1])
    (third, fourth), shuffled = both_orders(page)
    assert third == fourth == first
    assert shuffled[0] == texts[0]
    expect(page.get_by_text("to the last bit")).to_be_visible()
    page.get_by_role("radio", name="strong").click()
    page.get_by_text("The order matters: the log-odds").wait_for()
    (fifth, sixth), _ = both_orders(page)
    assert fifth != sixth
    page.wait_for_url(re.compile("form=strong"))


def test_the_worst_mistakes_are_found_and_explained(chapter):
    page = open_chapter(chapter, CHAPTER)
    search = page.get_by_role("button", name="Find its worst mistakes")
    found = page.get_by_text("The mistakes it was surest of")
    search.or_(found).first.wait_for()
    if search.is_visible():  # else somebody has found them before
        search.click()
    found.wait_for()
    expect(page.get_by_text(re.compile(r"right in 7\d\.\d ± 0\.9 %"))).to_be_visible()
    expect(page.locator("article")).to_have_count(5)
    cards = page.locator("article").all_inner_texts()
    for card in cards:
        assert re.search(r"called (\w+) \([\d.]+ %\), is (?!\1)\w+", card)
        assert "Words that decided, in nats" in card


def test_longer_training_is_offered_or_what_it_needs_is_told(chapter):
    page = chapter.open(f"chapter/{CHAPTER}/?data=imdb")
    offered = page.get_by_role("button", name=re.compile(r"Train the classifier \(about \d+ s\)"))
    offered.or_(page.get_by_text("put imdb.parquet into a folder, set REGARD_DATA")).wait_for()
    expect(page.locator(".verdict")).to_have_count(0)


def test_a_wrong_link_is_told_and_bars_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER, "form=deep")
    expect(page.get_by_text("form in this link should be one of classic, strong")).to_be_visible()
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").first.click()
    download.value.save_as(tmp_path / "words.csv")
    assert (tmp_path / "words.csv").read_text().startswith("word,times,nats\n")
