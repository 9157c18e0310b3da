"""Chapter 7 in a real browser."""

import re
from urllib.parse import urlsplit

import pytest
from tests.support.lab import expect, open_chapter

CHAPTER = "perplexity"


def cells(page, passage, model):
    """Tokens, line ends, unknown, perplexity, known only, bits per character, bits per byte of one row."""
    row = has_row(page, passage, model)
    row.wait_for()
    return row.get_by_role("cell").all_inner_texts()[2:]


def has_row(page, passage, model):
    return page.get_by_role("row").filter(has_text=passage).filter(has=page.get_by_role("cell", name=model, exact=True))


def test_models_are_trained_at_the_first_visit_and_then_kept(chapter):
    page = open_chapter(chapter, CHAPTER)
    tokens, line_ends, unknown, perplexity, _, bits, _ = cells(page, "passage A", "words")
    assert re.fullmatch(r"\d+ words", tokens)
    assert (line_ends, perplexity.split()[1:]) == ("8", ["per", "word"])
    assert 0 < float(unknown.split()[0]) < 20
    assert 1 < float(bits) < 3
    assert float(cells(page, "passage B", "words")[2].split()[0]) > 40  # Shakespeare, to who has read a manual
    expect(page.get_by_text("perplexities in different units stand in one column")).to_be_visible()
    again = open_chapter(chapter, CHAPTER)
    expect(again.get_by_text("5 models are at hand: trained once, then kept.")).to_be_visible()
    assert cells(again, "passage A", "words")[5] == bits


def test_a_pasted_passage_is_scored_and_goes_into_the_address(chapter):
    page = open_chapter(chapter, CHAPTER)
    passage = page.get_by_role("textbox", name="passage A")
    passage.fill("The value of the expression is the value of the last operand.")
    page.wait_for_url(re.compile("a=The"))
    has_row(page, "passage A", "letters").filter(has_text="61 characters").wait_for()
    page.locator("pre").filter(has_text="The value of the expression").nth(2).wait_for()  # a map for each model
    again = open_chapter(chapter, CHAPTER, urlsplit(page.url).query)
    assert cells(again, "passage A", "letters")[0] == "61 characters"
    again.get_by_role("textbox", name="passage A").fill("x" * 4_001)
    again.get_by_text("passage A has 4,001 characters; at most 4,000 are taken: shorten it").wait_for()
    again.get_by_text("The passages are too long for a link").wait_for()
    again.get_by_role("textbox", name="passage A").fill("")
    again.get_by_text("passage A is empty: type or paste something").wait_for()
    expect(has_row(again, "passage B", "letters").first).to_be_visible()


def test_models_and_steps_are_ticked_and_each_step_has_its_gain(chapter):
    page = open_chapter(chapter, CHAPTER)
    before = cells(page, "passage B", "words")
    page.get_by_role("checkbox", name="bytes").focus()
    page.keyboard.press("Space")
    has_row(page, "passage B", "bytes").wait_for()
    for step in ("split-words", "lower"):
        page.get_by_role("checkbox", name=step).click()
    page.get_by_role("row").filter(has_text="+ lower").wait_for()
    page.wait_for_url(re.compile(r"steps=split-words(,|%2C)lower"))
    page.get_by_role("columnheader", name="gained by the steps").wait_for()
    after = cells(page, "passage B", "words")
    assert float(after[2].split()[0]) < float(before[2].split()[0])  # fewer unknown words
    gained = float(before[5]) - float(after[5])
    assert float(after[7]) == pytest.approx(gained, abs=0.0015)
    steps = [
        page.get_by_role("row").filter(has_text=name).get_by_role("cell").all_inner_texts()
        for name in ("+ split-words", "+ lower")
    ]
    assert sum(float(row[-1]) for row in steps) == pytest.approx(gained, abs=0.002)


def test_a_wrong_link_is_told(chapter):
    page = open_chapter(chapter, CHAPTER, "models=oracle&steps=lower&on=passage+A&gains=letters")
    expect(page.get_by_text("models in this link should be some of letters, bytes")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="+ lower")).to_be_visible()


def test_maps_and_figures_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER)
    begins = {
        "perplexity.svg": b"<?xml", "perplexity.csv": b"text,model,unit", "surprise.csv": b"passage,model,place",
        "surprise.html": b"<!doctype html>",
    }  # fmt: skip
    for name, begin in begins.items():
        with page.expect_download() as download:
            page.locator(f'marimo-download[data-filename*="{name}"] a').click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begin)
