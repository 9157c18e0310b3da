"""Text to logits in the page: what is shown is what Python says of the model that ships, and heads can be changed."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.lab.conftest import hear
from tests.support.lab import expect, resize, wait_until_drawn

import regard.lab
from regard.lab.chapters.characters.page_model import shipped_model

WEB = Path(regard.lab.__file__).parent / "web"
ADDRESS = "http://web.test/"
KINDS = {".js": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Characters</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/style.css"></head>
<body data-chapter="characters"><nav></nav><main></main><script type="module">
import { openPage } from "/parts/page.js";
import { characterFields, fetchTransformer, makeCharacterModel } from "/chapters/characters-model.js";
const page = openPage({ fields: characterFields, question: "What does it read?", lead: "Point at a character." });
makeCharacterModel(page, await fetchTransformer("/models/shakespeare.safetensors"));
page.start();
</script></body></html>"""
SCENE = "JULIET:\nO Romeo, Romeo! wherefore art thou Romeo?"


def answer(route):
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    file = WEB / name
    if name and file.is_file():
        route.fulfill(body=file.read_bytes(), content_type=KINDS.get(file.suffix, "application/octet-stream"))
    else:
        route.fulfill(body=PAGE, content_type="text/html")


@pytest.fixture
def open_view(page):
    page.route(f"{ADDRESS}**", answer)

    def go(query=""):
        page.goto(ADDRESS + query)
        page.wait_for_selector("body[data-ready]")
        return page

    with hear(page) as said:
        yield go
    assert said == []


@pytest.fixture(scope="module")
def model():
    return shipped_model()


def shown_next(page):
    """The probability that each row shows, by the character that it would write."""
    wait_until_drawn(page)
    rows = page.locator(".next-row").evaluate_all("(rows) => rows.map((row) => row.getAttribute('aria-label'))")
    found = (re.fullmatch(r"write (.+), ([\d.]+) %", row) for row in rows)
    names = {"line end": "\n", "space": " "}
    return {names.get(row[1], row[1]): float(row[2]) / 100 for row in found}


def test_surprise_and_what_comes_next_are_pythons(open_view, model):
    page = open_view()
    page.get_by_label("Text, at most").fill(SCENE)
    ids = model.tokeniser.encode(SCENE).ids
    bits = -model.token_log_probs(ids).mean() / np.log(2)
    expect(page.get_by_text("This text surprises the model")).to_contain_text(f"{bits:.2f} bits a character")
    reader = model.reader()
    for token in ids:
        reader.read(int(token))
    powers = np.exp(reader.next_log_probs() / 0.8)
    powers[0] = 0
    expected = powers / powers.sum()
    for character, share in shown_next(page).items():
        assert share == pytest.approx(expected[model.tokeniser.encode(character).ids[0]], abs=0.0006)


def test_a_character_under_the_hand_shows_what_it_reads(open_view):
    page = open_view()
    page.locator(".characters span").nth(40).hover()
    expect(page.locator(".said").first).to_contain_text("head 0.0 reads")
    expect(page.locator(".attention-lines path")).not_to_have_count(0)
    page.get_by_role("button", name="layer 2, head 1").click()
    expect(page.locator(".said").first).to_contain_text("head 2.1 reads")
    strip = page.get_by_role("slider", name="Character whose attention is shown")
    before = int(strip.get_attribute("aria-valuenow"))
    strip.focus()
    page.keyboard.press("ArrowLeft")
    expect(strip).to_have_attribute("aria-valuenow", str(before - 1))


def test_a_head_is_switched_off_and_the_address_says_so(open_view):
    page = open_view()
    before = shown_next(page)
    page.get_by_label("switched off").check()
    expect(page.get_by_text("with your changes by")).to_be_visible()
    after = shown_next(page)
    assert after != before
    page.wait_for_url("**changes=0.0o**")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert shown_next(page) == after
    page.get_by_role("button", name="Undo all changes").click()
    expect(page.get_by_text("with your changes by")).to_have_count(0)
    assert shown_next(page) == before


def test_fewer_bits_and_noise_change_the_surprise(open_view):
    page = open_view("?changes=0.0n1b1;1.2s8")
    expect(page.get_by_text("with your changes by")).to_be_visible()
    assert page.get_by_role("slider", name="noise on its keys").input_value() == "1"
    assert page.get_by_role("slider", name="bits for each number of its keys").input_value() == "1"
    expect(page.get_by_role("button", name="layer 1, head 2")).to_contain_text("1.2 *")


def test_it_writes_until_it_is_stopped(open_view):
    page = open_view()
    text = page.get_by_label("Text, at most")
    before = text.input_value()
    page.get_by_role("button", name="Write on").click()
    page.wait_for_function("(n) => document.querySelector('textarea').value.length > n + 20", arg=len(before))
    page.get_by_role("button", name="Stop").click()
    wait_until_drawn(page)  # what was drawn last comes into the box with the next frame
    written = text.input_value()
    assert written.startswith(before)
    for _ in range(5):
        wait_until_drawn(page)
    assert text.input_value() == written
    page.locator(".next-row").first.click()
    page.wait_for_function("(n) => document.querySelector('textarea').value.length === n", arg=len(written) + 1)


def test_wrong_words_in_the_address_are_told(open_view):
    page = open_view("?changes=all-off")
    expect(page.get_by_role("alert")).to_contain_text("changes in this link should be changes of heads")


def test_a_phone_shows_it_all(open_view, page):
    resize(page, "phone")
    open_view()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_changes_of_heads_in_a_link_are_told_or_held_at_the_limits_of_their_sliders(open_view):
    page = open_view("?changes=0.0s1.2.3")
    expect(page.get_by_role("alert")).to_contain_text("changes in this link should be changes of heads")
    page = open_view("?changes=0.0s99n99b12;0.1n0")
    expect(page.get_by_role("alert")).to_have_count(0)
    for name, shown in {"logits multiplied by": "10", "noise on its keys": "2", "bits for each number": "all"}.items():
        expect(page.get_by_role("slider", name=name)).to_have_attribute("aria-valuetext", shown)
    expect(page.get_by_text("0.0 *", exact=True)).to_be_visible()
    expect(page.get_by_text("0.1", exact=True)).to_be_visible()


def test_what_has_left_the_model_s_view_is_told(open_view, model):
    page = open_view("?text=" + "to+be+" * 45)
    window = page.locator(".characters span").count()
    assert window <= model.config()["context"]
    told = f"The model sees the last {window} characters; those before them have left its view."
    expect(page.locator("section.figure > .said")).to_contain_text(told)


def test_without_a_text_it_says_so(open_view):
    page = open_view("?text=")
    expect(page.get_by_text("There is no text yet: write one, or let the model write.")).to_be_visible()
    page.locator(".next-row").first.click()
    expect(page.get_by_text("This text surprises the model")).to_be_visible()
