"""The page of heads in a real browser: ready at once, heads can be chosen by mouse and by key, views can be saved."""

import numpy as np
import pytest
from tests.lab.conftest import hear
from tests.support.head_study import KINDS, head_patterns, head_table
from tests.support.lab import expect

from regard.report.heads_page import heads_page
from regard.tables import StudyTable


@pytest.fixture
def opened(page, tmp_path):
    """The page of four heads, and what it complained of."""
    (tmp_path / "heads.html").write_text(heads_page(head_table(), head_patterns(), kinds=KINDS), encoding="utf-8")
    with hear(page) as said:
        page.said = said
        page.goto(f"file://{tmp_path}/heads.html")
        page.wait_for_selector("[data-ready=yes]")
        yield page


def test_heads_are_chosen_by_mouse_and_key(opened):
    expect(opened.locator(".cell")).to_have_count(4)
    opened.get_by_role("button", name="layer 1 head 1: previous token").click()
    expect(opened.get_by_role("heading", level=2).last).to_have_text("Layer 1, head 1: previous token")
    opened.keyboard.press("ArrowLeft")
    expect(opened.get_by_role("heading", level=2).last).to_have_text("Layer 1, head 0: broad")
    assert opened.said == []


def test_a_query_tells_what_it_reads(opened):
    box = opened.locator(".pattern").bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.95)
    expect(opened.locator(".read")).to_have_text("Query 5, “.”, reads: so (4) 0.80, . (5) 0.20")


def test_heads_are_coloured_by_any_figure(opened):
    opened.get_by_label("coloured by").select_option("previous")
    cells = opened.locator(".cell")
    for place, colour in ((0, "rgb(250,250,245)"), (2, "rgb(250,250,245)"), (1, "rgb(0,84,140)")):
        expect(cells.nth(place)).to_have_attribute("fill", colour)


def test_views_are_saved_as_svg(opened):
    for place, name in ((0, "heads.svg"), (1, "layer-0-head-0.svg")):
        with opened.expect_download() as download:
            opened.get_by_role("button", name="Save SVG").nth(place).click()
        assert download.value.suggested_filename == name
        text = download.value.path().read_text(encoding="utf-8")
        assert text.startswith("<svg")
        assert "<style>" in text


def test_512_tokens_and_72_heads_are_ready_within_two_seconds_of_the_processor(page, tmp_path):
    table = head_table(noise=False)
    rows = tuple((i // 12, i % 12, *table.rows[0][2:]) for i in range(72))
    patterns = head_patterns(512, layers=6, heads=12)
    generator = np.random.default_rng(0)
    noisy = type(patterns)(
        patterns.tokens,
        generator.integers(0, 512, (6, 12, 512, 24)).astype(np.uint16),
        generator.integers(0, 255, (6, 12, 512, 24)).astype(np.uint8),
        1.0,
    )
    text = heads_page(StudyTable("large", table.columns, rows), noisy, kinds=KINDS)
    (tmp_path / "large.html").write_text(text, encoding="utf-8")
    debugger = page.context.new_cdp_session(page)
    debugger.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"file://{tmp_path}/large.html")
    page.wait_for_selector("[data-ready=yes]")
    measured = {row["name"]: row["value"] for row in debugger.send("Performance.getMetrics")["metrics"]}
    assert 0 < measured["TaskDuration"] < 2
    debugger.detach()
    page.locator(".cell").nth(40).click()
    expect(page.get_by_role("heading", level=2).last).to_have_text("Layer 3, head 4: broad")
