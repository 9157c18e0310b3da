"""Chapter 9 in a real browser."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from tests.support.lab import expect, open_chapter, run_listing

from regard.claims.check import check
from regard.claims.meaning.setting import builtin_settings

CHAPTER = "check"
EXAMPLES = """async () => {
  const { EXAMPLES, SETTINGS } = await import("/web/chapters/check-examples.js");
  return [EXAMPLES, SETTINGS];
}"""


def query(claim, setting, goal=""):
    return f"claim={quote(claim)}&setting={setting}" + (f"&goal={quote(goal)}" if goal else "")


def claim_box(page):
    return page.get_by_role("textbox", name="Claim", exact=True)


def expect_verdict(page, words):
    expect(page.locator(".evidence:not(.old) .verdict")).to_contain_text(words)


def test_a_claim_is_typeset_while_it_is_typed_and_gets_its_verdict(chapter):
    page = open_chapter(chapter, CHAPTER)
    expect_verdict(page, "Fails.")
    expect(page.get_by_role("img", name="Verdict: fails")).to_be_visible()
    expect(page.locator(".formula math")).to_have_count(2)
    expect(page.get_by_role("button", name="Save as SVG")).to_be_visible()
    expect(page.get_by_role("button", name="Save as a page")).to_have_count(1)
    page.get_by_role("combobox", name="what is known").select_option("orthonormal-keys")
    expect_verdict(page, "Holds in the limit.")
    claim_box(page).fill(r"c = \frac{1}{n} \sum_i v_i")
    expect_verdict(page, "Fails.")
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("claim") == [r"c = \frac{1}{n} \sum_i v_i"])
    expect(page.locator(".formula mfrac")).to_have_count(1)
    claim_box(page).fill("q = k_a + * k_b")
    expect_verdict(page, "Not understood.")
    expect_verdict(page, "at character 11")
    expect(page.locator(".formula")).to_have_count(0)


def test_back_brings_the_claim_and_its_verdict_again(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_role("combobox", name="examples").select_option("weights sum to one")
    expect_verdict(page, "Holds.")
    page.go_back()
    expect_verdict(page, "Fails.")
    expect(claim_box(page)).to_have_value(r"q = C k_a; \alpha_a \to 1")


def test_examples_are_right_or_wrong_as_they_say(chapter):
    page = open_chapter(chapter, CHAPTER)
    examples, settings = page.evaluate(EXAMPLES)
    assert [name for name, _ in settings] == ["", *builtin_settings()]
    for example in examples:
        verdict = check(example["claim"], setting=example["setting"] or None)
        assert verdict.verdict in {"holds", "holds-in-limit", "fails"}, example["name"]
        assert verdict.is_true == example["holds"], example["name"]
    page.get_by_role("combobox", name="examples").select_option("the gradient of cross-entropy")
    page.wait_for_url(re.compile("setting=softmax-cross-entropy"))
    expect_verdict(page, "Holds.")
    expect(claim_box(page)).to_have_value(r"\frac{\partial CE}{\partial \theta} = \hat{y} - y")
    page.get_by_text("What the letters mean").click()
    expect(page.locator(".letters")).to_contain_text("softmax-cross-entropy")


def test_a_counterexample_opens_in_chapter_one(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"q = k_a; \alpha_a \ge \alpha_b", "attention"))
    expect(page.get_by_role("img", name="Keys of the counterexample")).to_be_visible()
    expect(page.get_by_role("img", name="Both sides of the claim")).to_be_visible()
    side = page.get_by_role("row").filter(has_text="left side").get_by_role("cell").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert download.value.suggested_filename == "counterexample.csv"
    page.get_by_role("link", name="Open it in chapter 1").click()
    page.get_by_text("Python agrees").wait_for()
    keys = [page.get_by_role("slider", name=f"Key {i}").get_attribute("aria-valuetext") for i in (0, 1)]
    assert len({text.split(", weight")[0] for text in [*keys, "x 0.00, y 0.00"]}) == 3  # apart, and not at the origin
    assert float(re.search(r"weight ([\d.]+)", keys[0])[1]) == pytest.approx(float(side), abs=0.006)


def test_noise_opens_in_chapter_three_as_an_exercise_and_in_the_plane(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"q = C(\mu_a + \mu_b)", "magnitude-noise"))
    page.get_by_role("link", name="Open chapter 3 with this noise").click()
    cells = page.get_by_role("row").filter(has_text="one pull head").get_by_role("cell")
    assert float(cells.first.inner_text()) == pytest.approx(0.4888, abs=0.001)  # near one half: it flips
    page.go_back()
    page.get_by_role("link", name="See its noise in the plane of chapter 3").click()
    flips = page.get_by_role("row").filter(has_text="flips").get_by_role("cell").first
    assert float(flips.inner_text().removesuffix(" %")) > 90
    expect(page.locator(".complaint")).to_have_count(0)


def test_what_takes_long_shows_progress_and_can_be_stopped(chapter):
    page = open_chapter(chapter, CHAPTER, query(r"E[\|k_a\|^3] = E[\|k_b\|^3]", "noisy-keys"))
    page.get_by_text("s of processor time").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped: there is no verdict on this claim.").wait_for()
    expect(page.get_by_role("button", name="Try it again")).to_be_visible()
    claim_box(page).fill(r"E[\|k_a\|^2] = 1 + d\alpha")
    expect_verdict(page, "Holds.")


def test_what_is_typed_is_shown_and_never_run(chapter):
    page = open_chapter(
        chapter, CHAPTER, query("</pre><img src=x onerror=alert(1)>`\n```\n<b>q</b> = __import__('os')", "")
    )
    expect_verdict(page, "Not understood.")
    expect(page.locator("img")).to_have_count(0)
    expect_verdict(page, "at character 35")
    page = open_chapter(chapter, CHAPTER, "setting=/etc/passwd.toml")
    page.get_by_text("setting in this link should be one of").wait_for()


@pytest.mark.parametrize("claim", ["PP = 2^{CE}", r"q = k_a; c \approx v_a"])
def test_the_shown_python_gives_the_shown_verdict(chapter, claim):
    page = open_chapter(chapter, CHAPTER, query(claim, ""))
    expect_verdict(page, "Fails.")
    printed = run_listing(page)["printed"]
    assert printed.startswith("fails: ")
    shown = page.locator(".verdict p").first.inner_text()
    numbers = re.findall(r"\d+\.?\d*", printed.splitlines()[0].replace("_", ""))
    assert re.findall(r"\d+\.?\d*", shown) == numbers
    assert shown.endswith(printed.splitlines()[0][-12:] + ".")


def test_a_step_is_done_when_the_claim_holds(chapter):
    page = open_chapter(chapter, CHAPTER, "step=2")
    steps = page.get_by_role("region", name="Steps")
    expect_verdict(page, "Fails.")
    expect(steps).to_contain_text("Choose other keys")
    page.get_by_role("combobox", name="what is known").select_option("orthonormal-keys")
    expect(steps).to_contain_text("Done.")
    page.evaluate("localStorage.clear()")
