"""Chapter 10: a small Transformer in the page, and a larger one that Python runs."""

import re

import pytest
from tests.support.lab import expect, open_chapter, run_listing
from tests.support.pretrained import transformers_library


@pytest.fixture
def heads(chapter):
    return open_chapter(chapter, "heads")


def test_the_small_model_is_there_at_once(heads):
    expect(heads.get_by_role("button", name="layer 2, head 3")).to_be_visible()
    expect(heads.get_by_text("This text surprises the model")).to_contain_text("bits a character")
    expect(heads.locator(".confirmation")).to_contain_text("Python agrees")


def test_without_a_story_it_says_so(heads):
    box = heads.get_by_label("Beginning of a story")
    box.fill("")
    expect(heads.get_by_text("Write the beginning of a story, and the model reads it.")).to_be_visible()
    expect(box).to_have_value("")
    expect(heads.locator(".stories .head-map")).to_be_hidden()


def test_the_python_gives_the_numbers_on_screen(heads):
    printed = run_listing(heads)["printed"]
    bits = float(printed.split()[0])
    expect(heads.get_by_text("This text surprises the model")).to_contain_text(f"{bits:.2f} bits")
    [first] = re.findall(r"\n'(.)' ([\d.]+)", printed)[:1]
    assert (
        heads.locator(".next-row").first.get_attribute("aria-label")
        == f"write {first[0]}, {100 * float(first[1]):.1f} %"
    )


def test_python_reads_a_story_with_keys_in_few_bits(heads):
    transformers_library()
    said = heads.locator(".stories [role=status]")
    expect(said).to_contain_text("bits of surprise a token.")
    heads.get_by_label("bits for each number of all keys").select_option("1")
    expect(said).to_contain_text("with keys in 1 bit")
    before, after = (float(number) for number in re.findall(r"(\d+\.\d\d)", said.text_content()))
    assert after > before
    assert heads.locator(".stories .head-map canvas").count() >= 12
    heads.wait_for_url("**bits=1**")
