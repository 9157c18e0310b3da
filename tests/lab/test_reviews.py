"""Chapter 8 in a real browser: the page judges by itself, Python confirms, trains others and finds mistakes."""

import json
import re

import numpy as np
import pytest
from tests.support.lab import expect, open_chapter, run_listing, wait_until_drawn

from regard.lab.chapters.reviews.page_classifier import shipped_classifier

CHAPTER = "reviews"
NOT_BAD = "review=The+film+is+not+bad."


def positive(page):
    """What the bar says, in %."""
    wait_until_drawn(page)
    said = page.locator("svg.verdict-bar").get_attribute("aria-label")
    label, share = re.fullmatch(r"(positive|negative), (?:\w+ than )?([\d.]+) %", said).groups()
    return float(share) if label == "positive" else 100 - float(share)


def word(page, text):
    return page.locator(".review-words").get_by_role("button", name=text, exact=True)


def test_a_word_is_left_out_by_a_click_and_the_verdict_follows(chapter):
    page = open_chapter(chapter, CHAPTER, NOT_BAD)
    assert positive(page) == pytest.approx(7.4, abs=0.05)
    expect(page.get_by_text("Python agrees")).to_be_visible()
    word(page, "bad").click()
    page.wait_for_url(re.compile("out=4"))
    kept = np.array([[True, True, True, True, False, True]])
    expected = 100 * np.exp(shipped_classifier().log_probs_of_parts("The film is not bad.", kept)[0, 1])
    assert positive(page) == pytest.approx(expected, abs=0.05)
    expect(word(page, "bad")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Python agrees")).to_be_visible()
    page.go_back()
    expect(word(page, "bad")).to_have_attribute("aria-pressed", "true")
    assert positive(page) == pytest.approx(7.4, abs=0.05)


def test_colours_mean_the_same_whatever_the_verdict(chapter):
    """Blue is positive and orange is negative: in the bar, the words and the bars of words."""
    page = open_chapter(chapter, CHAPTER, "review=A+wonderful+film,+but+dull")
    for verdict in ("positive", "negative"):
        expect(page.locator("svg.verdict-bar")).to_have_attribute("aria-label", re.compile(verdict))
        fill = "(parts) => parts.map((part) => getComputedStyle(part).fill)"
        orange, blue = page.locator("svg.verdict-bar rect").evaluate_all(fill)
        assert "against" not in word(page, "wonderful").get_attribute("class")
        assert "against" in word(page, "dull").get_attribute("class")
        fills = page.locator(".figure .bar").evaluate_all(fill)
        signs = page.locator(".figure .plot-box .tick").all_text_contents()[3:]
        assert fills == [blue if sign.startswith("+") else orange for sign in signs]
        page.get_by_label("Your review").fill("A wonderful film, but dull and awful, bad, a boring mess")


def test_shuffled_words_give_the_same_verdict(chapter):
    page = open_chapter(chapter, CHAPTER)
    words = page.locator(".review-words .word").all_inner_texts()
    before = positive(page)
    page.get_by_role("button", name="Shuffle the words").click()
    page.wait_for_url(re.compile("seed="))
    wait_until_drawn(page)
    shuffled = page.locator(".review-words .word").all_inner_texts()
    assert shuffled != words
    assert sorted(shuffled) == sorted(words)
    assert positive(page) == before
    expect(page.get_by_text("Python agrees")).to_be_visible()
    page.reload()
    expect(page.locator(".review-words .word").first).to_have_text(shuffled[0])
    page.get_by_role("button", name="As it was written").click()
    expect(page.locator(".review-words .word").first).to_have_text(words[0])


def test_what_is_typed_is_text_and_unknown_words_count_for_nothing(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_label("Your review").fill("zyxw & <b onclick='x'> 2 < 3")
    expect(page.locator(".review-words .word").first).to_have_text("zyxw")
    expect(page.get_by_text("words are unknown to it and count for nothing")).to_be_visible()
    expect(word(page, "zyxw")).to_have_attribute("title", "unknown to the network")
    page.get_by_label("Your review").fill("")
    expect(page.get_by_text("Write something: without a word")).to_be_visible()
    page.get_by_label("Your review").fill("! " * 2_000)
    expect(page.locator(".review-words .word")).to_have_count(2_000)


def test_the_python_gives_the_numbers_on_screen(chapter):
    page = open_chapter(chapter, CHAPTER, f"{NOT_BAD}&out=3&seed=5")
    found = run_listing(page)["found"]
    assert sorted(found.text.split()) == [".", "The", "bad", "film", "is"]
    assert positive(page) == pytest.approx(100 * found.probabilities["positive"], abs=0.05)
    shown = page.get_by_text("Log-odds of positive:").inner_text().replace("−", "-")
    assert f"{-found.log_odds:.2f} nats" in shown


def test_steps_check_what_was_done(chapter):
    page = open_chapter(chapter, CHAPTER)
    steps = page.get_by_role("region", name="Steps")
    steps.get_by_role("button", name="Next step").click()
    expect(page.get_by_label("Your review")).to_have_value("A dull plot, but the actors are a joy to watch.")
    word(page, "dull").click()
    expect(steps.locator(".step-task")).to_have_text("Look for the words that are most orange.")
    word(page, "plot").click()
    expect(steps.locator(".step-task")).to_have_text("Done.")
    expect(steps.locator(".step-answer")).to_contain_text("Without dull and plot it is positive.")


def test_numbers_are_saved(chapter, tmp_path):
    page = open_chapter(chapter, CHAPTER, "review=bad+bad,+good")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").first.click()
    download.value.save_as(tmp_path / "words.csv")
    lines = (tmp_path / "words.csv").read_text().splitlines()
    assert lines[0] == "word,times,nats"
    assert any(line.startswith('"bad",2,-') for line in lines)
    total = sum(float(line.rsplit(",", 1)[1]) for line in lines[1:])
    assert f"Log-odds of positive: −{-total:.2f} nats" in page.locator(".side").inner_text()


def test_training_of_a_strong_classifier_is_offered_and_can_be_stopped(chapter):
    page = open_chapter(chapter, CHAPTER, "form=strong")
    region = page.get_by_role("region", name="A classifier that reads pairs of words")
    region.get_by_role("button", name="Train it (about 10 s)").click()
    region.get_by_role("button", name="Stop").click()
    expect(region.get_by_text("Stopped.")).to_be_visible()
    expect(region.get_by_role("button", name="Train it")).to_be_visible()


def test_a_strong_classifier_shows_what_the_order_does(chapter):
    written, backwards = ({"log_odds": odds, "baseline": 0.0, "pieces": [["not bad", odds]]} for odds in (0.5, -1.25))
    result = {"is_kept": True, "written": written, "shuffled": backwards, "familiarity": None}
    line = {"state": "done", "share": 1, "message": "", "points": [], "validation": [], "text": "", "result": result}
    chapter.page.route("**/api/reviews/judge", lambda route: route.fulfill(body=json.dumps(line) + "\n"))
    page = open_chapter(chapter, CHAPTER, "form=strong")
    expect(page.get_by_text("The order matters now: it moves the log-odds by 1.750 nats.")).to_be_visible()
    rows = page.get_by_role("region", name="A classifier that reads pairs").locator("tbody tr").all_inner_texts()
    assert rows == ["as it was written\tpositive\t62.2 %\t0.500", "backwards, word by word\tnegative\t22.3 %\t-1.250"]


def test_the_worst_mistakes_are_found_and_explained(chapter):
    page = open_chapter(chapter, CHAPTER)
    page.get_by_role("button", name="Find its worst mistakes").click()
    expect(page.get_by_text("Of 2,113 test reviews it is right about 77.8 ± 0.9 %.")).to_be_visible()
    expect(page.locator(".mistake")).to_have_count(5)
    for card in page.locator(".mistake h3").all_inner_texts():
        assert re.fullmatch(r"Called (\w+) \([\d.]+ %\); people say (?!\1)\w+", card)
    page.get_by_label("It learns from").select_option("imdb")
    expect(page.locator(".mistake")).to_have_count(0)  # those were another classifier's


def test_an_old_link_and_a_wrong_one(chapter):
    page = open_chapter(chapter, CHAPTER, "review=superb&form=deep&data=imdb")
    expect(page.get_by_text("form in this link should be one of classic, strong")).to_be_visible()
    assert positive(page) > 50
    offered = page.get_by_role("button", name=re.compile(r"Train it \(about \d+ s\)"))
    expect(offered.or_(page.get_by_text("put imdb.parquet into a folder, set REGARD_DATA"))).to_be_visible()
