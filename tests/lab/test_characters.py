"""Chapter 6 in a real browser; the Transformer takes the fewest steps that the page offers."""

import re

from tests.support.lab import SMALL, expect, open_chapter, press

CHAPTER = "characters"


def written(page):
    return page.get_by_label("What has been written").last.inner_text()


def written_anew(page, before):
    """What stands there when it is something else, and whole."""
    expect(page.get_by_label("What has been written").last).not_to_have_text(before)
    page.get_by_text("50 of 50 characters").wait_for()
    return written(page)


def test_it_writes_at_once_and_anew_as_the_controls_move(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    first = written(page)
    assert len(first) >= 50
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_url(re.compile("draw=1"))
    second = written_anew(page, first)
    press(page, "temperature", "Home")
    page.wait_for_url(re.compile("temperature=0.1"))
    third = written_anew(page, second)
    box = page.get_by_label("go on from")
    box.fill("The ☃ is")
    box.press("Enter")
    page.get_by_text("The model has never seen '☃'").wait_for()
    assert written_anew(page, third).startswith("The ☃ is")


def test_a_pasted_text_is_shaded_and_a_link_reproduces_it(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    area = page.get_by_label(re.compile("text, up to 20,000 characters"))
    area.fill("A list, xq a list.")
    group = page.get_by_role("group", name=re.compile("counts of python-manual on this text: "))
    page.wait_for_url(re.compile(r"text=A(\+|%20)list"))
    # the address may be there before the page has been drawn again
    expect(group.locator("span")).to_have_count(len("A list, xq a list."))
    cost = {span.inner_text(): float(span.get_attribute("title").split()[0]) for span in group.locator("span").all()}
    assert cost["q"] > cost["s"]
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").first.click()
    download.value.save_as(tmp_path / "surprise.csv")
    assert len((tmp_path / "surprise.csv").read_text().splitlines()) == 1 + len("A list, xq a list.")
    area.fill(" ")
    page.get_by_text("the text is empty: type or paste something").wait_for()
    again = open_chapter(chapter, CHAPTER, SMALL[CHAPTER] + "&text=A+list&temperature=0.5&top_p=0.5")
    expect(again.get_by_label(re.compile("text, up to"))).to_have_value("A list")


def test_the_transformer_is_trained_kept_and_shows_its_heads(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER])
    expect(page.get_by_text("The model that counts has no heads")).to_be_visible()
    area = page.get_by_label(re.compile("text, up to 20,000 characters"))
    area.fill("A list of lists.")
    page.wait_for_url(re.compile(r"text=A(\+|%20)list"))
    page.get_by_role("button", name="Train the Transformer (about 4 s)").click()
    page.get_by_text("Layer 1, head 1 looks").wait_for()
    expect(area).to_have_value("A list of lists.")  # what was typed meanwhile stays
    expect(page.get_by_role("img", name=re.compile("nats a character against step"))).to_be_visible()
    assert page.get_by_label("model", exact=True).input_value().startswith("Transformer of python-manual, 20 steps")
    page.get_by_label("layer", exact=True).select_option("2")
    page.get_by_label("head", exact=True).select_option("3")
    page.get_by_text("Layer 2, head 3 looks").wait_for()
    page.wait_for_url(re.compile("layer=2.*head=3|head=3.*layer=2"))
    said = page.get_by_text("Layer 2, head 3 looks").inner_text()
    page.goto(page.url)  # as somebody who was sent the link
    page.get_by_text("Layer 2, head 3 looks").wait_for()
    assert page.get_by_text("Layer 2, head 3 looks").inner_text() == said


def test_training_that_is_stopped_leaves_the_best_so_far(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER].replace("steps=20", "steps=4000"))
    page.get_by_role("button", name="Train the Transformer (about 2 min)").click()
    page.get_by_text(re.compile(r"step \d+ of 4,000 · .* s left")).wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text(re.compile(r"Stopped\. step \d+ of 4,000")).wait_for()
    page.get_by_label("model", exact=True).select_option("Transformer of python-manual, 4,000 steps, stopped early")
    page.get_by_text("Layer 1, head 1 looks").wait_for()


def test_a_model_that_is_not_kept_is_told(chapter):
    page = open_chapter(chapter, CHAPTER, SMALL[CHAPTER] + "&model=characters-transformer-7-x-0123456789ab&layer=0")
    expect(page.get_by_text("there is no kept model 'characters-transformer-7-x-0123456789ab' here")).to_be_visible()
    expect(
        page.get_by_text("layer in this link should be a whole number from 1 to 99, not '0'; 1 is used instead")
    ).to_be_visible()
