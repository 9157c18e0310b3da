"""Chapter 6 in a real browser: the model that ships reads and writes at once; others are trained from the page."""

import re

import pytest
from tests.support.lab import expect, open_chapter, press, run_listing

CHAPTER = "characters"


def model_list(page):
    return page.get_by_role("combobox", name="Model")


def test_the_shipped_model_is_there_at_once_and_python_agrees(chapter):
    page = open_chapter(chapter, CHAPTER)
    expect(page.get_by_text("This text surprises the model by 1.83 bits a character.")).to_be_visible()
    expect(page.locator(".confirmation")).to_contain_text("Python agrees")
    page.get_by_label("Text, at most").fill("The ☃ is")
    expect(page.get_by_text('It has never seen "☃"')).to_be_visible()
    page.wait_for_url(re.compile("text=The"))  # the hand rests
    expect(page.locator(".confirmation")).to_contain_text("Python agrees")


def test_what_python_is_not_asked_is_said(chapter):
    page = open_chapter(chapter, CHAPTER, "text=&changes=")
    expect(page.locator(".confirmation")).to_be_empty()
    page = open_chapter(chapter, CHAPTER, "changes=0.0o")
    expect(page.locator(".confirmation")).to_have_text(
        "With your changes of heads, the numbers are the page's own: Python checks the model as it was trained."
    )
    page.get_by_role("button", name="Undo all changes").click()
    expect(page.locator(".confirmation")).to_contain_text("Python agrees")


@pytest.mark.parametrize("slug", [CHAPTER, "heads"])
def test_the_python_of_an_empty_text_says_nothing_untrue(chapter, slug):
    assert run_listing(open_chapter(chapter, slug, "text="))["printed"].startswith(("0.0 bits", "-0.0 bits"))


def test_pictures_of_heads_follow_the_theme(chapter):
    page = open_chapter(chapter, CHAPTER)
    ink = """bright => {
      const canvas = document.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return (data[0] > 128) === bright;
    }"""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(ink, arg=scheme == "dark")


def test_the_python_gives_the_numbers_on_screen(chapter):
    page = open_chapter(chapter, CHAPTER, "text=What+light&temperature=0.5&top_p=0.5")
    found = run_listing(page)
    expect(page.get_by_text("This text surprises the model")).to_contain_text(f"{found['bits'].mean():.2f} bits")
    rows = page.locator(".next-value").all_inner_texts()
    shares = sorted(found["shares"], reverse=True)[: len(rows)]
    assert rows == [f"{100 * share:.1f} %" for share in shares]
    assert rows[-1] == "0.0 %"  # only the likeliest may be drawn


def test_temperature_and_back(chapter):
    page = open_chapter(chapter, CHAPTER)
    first = page.locator(".next-value").first.inner_text()
    press(page, "temperature", "Home")
    page.wait_for_url(re.compile("temperature=0.1"))
    expect(page.locator(".next-value").first).not_to_have_text(first)
    page.go_back()
    expect(page.locator(".next-value").first).to_have_text(first)


def test_old_links_are_understood(chapter):
    page = open_chapter(
        chapter, CHAPTER, "prompt=Now+is+the+&layer=2&head=3&length=50&draw=4&window=2&corpus=ptb%2Ftrain"
    )
    expect(page.get_by_label("Text, at most")).to_have_value("Now is the ")
    expect(page.get_by_role("button", name="layer 1, head 2")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Text to learn from")).to_have_value("ptb/train")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.goto(page.url.split("?")[0] + f"?text={'to+be+' * 100}&layer=0")
    expect(page.get_by_label("Text, at most")).to_have_value(re.compile("^.{300}$"))
    expect(page.get_by_role("alert")).to_have_text(
        "layer in this link should be a whole number from 1 to 99, not '0'; 1 is used instead"
    )


def test_a_model_that_is_not_kept_is_told(chapter):
    page = open_chapter(chapter, CHAPTER, "model=characters-transformer-7-x-0123456789ab")
    said = "there is no kept model 'characters-transformer-7-x-0123456789ab' here: train it first."
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_text("This text surprises the model by 1.83 bits")).to_be_visible()


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_a_model_is_trained_drawn_as_two_lines_and_runs_in_the_page(chapter, kind):
    page = open_chapter(chapter, CHAPTER, f"kind={kind}&corpus=python-manual&steps=20&text=A+list+of+")
    page.get_by_role("button", name="Train it (about 6 s)").click()
    page.wait_for_url(re.compile(f"model=characters-{kind}-20-python-manual"))
    expect(page.locator(".loss-curve .line.s0")).to_have_count(2)  # in the plot and in its legend
    expect(page.locator(".loss-curve .line.s1")).to_have_count(2)
    name = {"recurrent": "recurrent network", "transformer": "Transformer"}[kind]
    expect(model_list(page).locator("option:checked")).to_have_text(f"{name}, 20 steps on python-manual")
    expect(page.locator(".confirmation")).to_contain_text("Python agrees")
    expect(page.get_by_role("button", name="layer 2, head 3")).to_have_count(0)  # the shipped model's, which has left
    expect(page.get_by_role("button", name="layer 1, head 3")).to_be_visible(visible=kind == "transformer")
    expect(page.locator("details.code code")).to_contain_text(f"characters-{kind}-20-python-manual")
    shown = page.get_by_text("This text surprises the model").inner_text()
    page.reload()
    expect(page.get_by_text("This text surprises the model")).to_have_text(shown)
    model_list(page).select_option("")
    expect(page.get_by_role("button", name="layer 2, head 3")).to_be_visible()


def test_training_that_is_stopped_leaves_the_best_so_far_and_goes_on(chapter):
    page = open_chapter(chapter, CHAPTER, "corpus=python-manual&steps=4000")
    page.get_by_role("button", name="Train it (about 2 min)").click()
    page.get_by_text(re.compile(r"step \d+ of 4,000 · .* s left")).wait_for()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text(re.compile(r"Stopped\. Step \d+ of 4,000")).wait_for()
    expect(model_list(page).locator("option:checked")).to_have_text(
        "Transformer, 4,000 steps on python-manual, stopped early"
    )
    expect(page.get_by_role("button", name="layer 1, head 3")).to_be_visible()
