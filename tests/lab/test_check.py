"""Chapter 9 in a real browser."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from tests.support.lab import expect, open_chapter

CHAPTER = "check"


def query(claim, setting, goal=""):
    return f"claim={quote(claim)}&setting={setting}" + (f"&goal={quote(goal)}" if goal else "")


def claim_box(page):
    return page.get_by_role("textbox", name="the claim, in LaTeX, plain text or Unicode")


def wait_for(page, words):
    page.get_by_text(words).first.wait_for()


def test_a_claim_is_typeset_while_it_is_typed_and_gets_its_verdict(chapter):
    page = open_chapter(chapter, CHAPTER)
    wait_for(page, "Fails")
    expect(page.locator(".claim .katex")).to_have_count(2)
    page.get_by_role("combobox", name="what the letters mean").select_option("orthonormal-keys")
    wait_for(page, "Holds in the limit")
    claim_box(page).fill(r"c = \frac{1}{n} \sum_i v_i")
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("claim") == [r"c = \frac{1}{n} \sum_i v_i"])
    wait_for(page, "Fails")
    expect(page.locator(".claim .katex .mfrac")).to_have_count(1)
    expect(page.locator(".claim .katex-error")).to_have_count(0)
    claim_box(page).fill("q = k_a + * k_b")
    wait_for(page, "Not understood")
    wait_for(page, "at character 11")
    expect(page.locator(".claim .katex")).to_have_count(0)
    claim_box(page).fill("x" * 4001)
    wait_for(page, "a claim may have 4000 characters; this one has 4001")
    wait_for(page, "This is too long for a link.")


def test_an_example_is_put_into_the_box(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_role("combobox", name="an example").select_option("the gradient of cross-entropy")
    page.wait_for_url(re.compile("setting=softmax-cross-entropy"))
    wait_for(page, "Holds")
    expect(claim_box(page)).to_have_value(r"\frac{\partial CE}{\partial \theta} = \hat{y} - y")
    page.get_by_role("button", name="What the letters mean").click()
    wait_for(page.get_by_role("region", name="What the letters mean"), "softmax-cross-entropy")


def test_a_counterexample_opens_in_chapter_one(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"q = k_a; \alpha_a \ge \alpha_b", "attention"))
    wait_for(page, "Fails")
    row = page.get_by_role("row").filter(has_text="left side")
    row.wait_for()
    sides = row.get_by_role("cell").all_inner_texts()
    with page.expect_download() as download:
        page.locator("marimo-download").filter(has_text="CSV").locator("a").click()
    assert download.value.suggested_filename == "counterexample.csv"
    page.get_by_role("link", name="Open it in chapter 1").click()
    page.get_by_text("Python agrees").wait_for()
    first = page.locator('.plane .handle[aria-label="Key 0"]').get_attribute("aria-valuetext")
    weight = float(re.search(r"weight ([\d.]+)", first)[1])
    assert weight == pytest.approx(float(sides[1]), abs=0.006)


def test_noise_opens_in_chapter_three(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"q = C(\mu_a + \mu_b)", "magnitude-noise"))
    wait_for(page, "Fails")
    page.get_by_role("link", name="Open its noise in chapter 3").click()
    page.wait_for_url(re.compile("chapter/noisy-keys/"))
    page.get_by_text("Show the Python for this").wait_for()
    row = page.get_by_role("row").filter(has_text="one pull head")
    row.wait_for()
    cells = row.get_by_role("cell").all_inner_texts()
    assert float(cells[0]) == pytest.approx(0.4888, abs=0.001)  # near one half: it flips


def test_what_takes_long_shows_progress_and_can_be_stopped(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"E[\|k_a\|^3] = E[\|k_b\|^3]", "noisy-keys"))
    wait_for(page, "trying instances")
    page.get_by_role("button", name="Stop").click()
    wait_for(page, "Stopped.")
    claim_box(page).fill(r"E[\|k_a\|^2] = 1 + d\alpha")
    wait_for(page, "Holds")


def test_what_is_typed_is_shown_and_never_run(chapter):
    page = open_chapter(
        chapter, CHAPTER, query("</pre><img src=x onerror=alert(1)>`\n```\n<b>q</b> = __import__('os')", "")
    )
    wait_for(page, "Not understood")
    expect(page.locator("img[src=x]")).to_have_count(0)
    wait_for(page, "at character 35")
    page = open_chapter(chapter, CHAPTER, "setting=/etc/passwd.toml")
    wait_for(page, "setting in this link should be one of")
