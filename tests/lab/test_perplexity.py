"""Chapter 7 in a real browser."""

import re
from urllib.parse import urlsplit

import pytest
from tests.support.lab import expect, open_chapter, run_listing

from regard.lab.chapters.perplexity.models import MODELS
from regard.text.normalise.prepare import STEPS

CHAPTER = "perplexity"


def cells(page, passage, model):
    """Tokens, line ends, unknown, perplexity, known only, bits per character, bits per byte, gained, of one row."""
    row = has_row(page, passage, model)
    row.wait_for()
    return row.get_by_role("cell").all_inner_texts()[1:]


def has_row(page, passage, model):
    honest = page.get_by_role("region", name="The honest table")
    return (
        honest.get_by_role("row").filter(has_text=passage).filter(has=page.get_by_role("cell", name=model, exact=True))
    )


def test_models_are_trained_at_the_first_visit_and_passages_are_scored(chapter):
    page = open_chapter(chapter, CHAPTER)
    names = page.locator(".ticks strong").all_inner_texts()
    assert names == [*MODELS, *STEPS]  # the page's own list is Python's
    tokens, line_ends, unknown, perplexity, _, bits, _, gained = cells(page, "passage A", "words")
    assert re.fullmatch(r"\d+ words", tokens)
    assert (line_ends, perplexity.split()[1:], gained) == ("8", ["per", "word"], "")
    assert 0 < float(unknown.split()[0]) < 20
    assert 1 < float(bits) < 3
    assert float(cells(page, "passage B", "words")[2].split()[0]) > 40  # Shakespeare, to who has read a manual
    page.get_by_text("Be wary").click()
    expect(page.get_by_text("perplexities in different units stand in one column")).to_be_visible()
    expect(page.locator(".asking")).to_be_hidden()


def test_a_pasted_passage_is_scored_and_goes_into_the_address(chapter):
    page = open_chapter(chapter, CHAPTER, "models=letters")
    cells(page, "passage A", "letters")
    passage = page.get_by_role("textbox", name="passage A")
    passage.fill("The value of the expression is the value of the last operand.")
    page.wait_for_url(re.compile("a=The"))
    has_row(page, "passage A", "letters").filter(has_text="61 characters").wait_for()
    expect(page.locator(".heat")).to_have_count(1)
    again = open_chapter(chapter, CHAPTER, urlsplit(page.url).query)
    assert cells(again, "passage A", "letters")[0] == "61 characters"
    again.get_by_role("textbox", name="passage A").fill("")
    again.get_by_text("Passage A is empty: type or paste something.").wait_for()
    expect(has_row(again, "passage A", "letters")).to_have_count(0)
    expect(has_row(again, "passage B", "letters")).to_be_visible()
    again.go_back()
    has_row(again, "passage A", "letters").filter(has_text="61 characters").wait_for()


def test_what_is_too_long_for_an_address_survives_a_reload(chapter):
    page = open_chapter(chapter, CHAPTER, "models=letters")
    page.get_by_role("textbox", name="passage A").fill("\u4e2d" * 4000)  # nine characters each in an address
    has_row(page, "passage A", "letters").filter(has_text="4,000 characters").wait_for()
    assert len(page.url) < 13_000
    page.reload()
    has_row(page, "passage A", "letters").filter(has_text="4,000 characters").wait_for()


def test_models_and_changes_are_ticked_and_each_change_has_its_gain(chapter):
    page = open_chapter(chapter, CHAPTER)
    before = cells(page, "passage B", "words")
    page.get_by_role("checkbox", name="bytes").focus()
    page.keyboard.press("Space")
    has_row(page, "passage B", "bytes").wait_for()
    for step in ("split-words", "lower"):
        page.get_by_role("checkbox", name=step).click()
    page.get_by_role("row").filter(has_text="+ lower").wait_for()
    page.wait_for_url(re.compile(r"steps=split-words,lower"))
    after = cells(page, "passage B", "words")
    gained = float(before[5]) - float(after[5])
    assert number(after[7]) == pytest.approx(gained, abs=0.0015)
    steps = [
        page.get_by_role("row").filter(has_text=name).get_by_role("cell").all_inner_texts()
        for name in ("+ split-words", "+ lower")
    ]
    assert sum(number(row[-1]) for row in steps) == pytest.approx(gained, abs=0.002)


def number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


def test_a_wrong_link_is_told(chapter):
    page = open_chapter(chapter, CHAPTER, "models=oracle&steps=lower&on=passage+A&gains=letters")
    expect(page.get_by_text("models in this link should be some of letters, bytes")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="+ lower")).to_be_visible()


def test_figures_and_numbers_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER)
    cells(page, "passage A", "words")
    begins = {
        "Save as SVG": ("perplexity.svg", b"<svg"), "Save as CSV": ("perplexity.csv", b"passage,model,unit"),
        "Save the surprises as CSV": ("surprise.csv", b"passage,model,place"),
    }  # fmt: skip
    for button, (name, begin) in begins.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(begin)


def test_the_shown_python_gives_the_shown_numbers(chapter):
    page = open_chapter(chapter, CHAPTER, "models=letters,few+words&steps=lower")
    shown = [
        cells(page, passage, name)[5] for passage in ("passage A", "passage B") for name in ("letters", "few words")
    ]
    rows = [line.split("; ") for line in run_listing(page)["printed"].splitlines()]
    assert [f"{float(row[4]):.3f}" for row in rows] == shown


def test_a_passage_as_the_manual_would_say_it_is_cheap(chapter):
    page = open_chapter(chapter, CHAPTER, "step=4&models=letters")
    steps = page.get_by_role("region", name="Steps")
    expect(steps).to_contain_text("write like that")
    cells(page, "passage A", "letters")
    page.get_by_role("textbox", name="passage A").fill(
        "If the object is not a string, a TypeError exception is raised. The function returns the value."
    )
    expect(steps).to_contain_text("Done.")
    page.evaluate("localStorage.clear()")
