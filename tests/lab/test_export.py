"""The exported pages in a real browser, opened as files: they compute, keep their view and ask nobody."""

import re

import pytest
from tests.lab.conftest import Visit
from tests.support.lab import expect, open_chapter, press, wait_until_drawn

from regard.lab import export
from regard.lab.contents import CHAPTERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return export(tmp_path_factory.mktemp("export") / "pages").folder


@pytest.fixture
def files(folder, page):
    """A visit to the exported pages, during which the console stays quiet and nothing but these files is read."""
    visit = Visit(page, f"file://{folder}/")
    yield visit
    visit.end()
    assert visit.errors == []
    inside = (f"file://{folder}/", "data:", "blob:")
    assert [url for url in visit.requests if not url.startswith(inside)] == []


def open_file(files, name):
    page = files.open(name)
    page.locator("body[data-ready]").wait_for()
    return page


def test_the_start_page_leads_to_every_chapter_and_back(files):
    page = files.open("index.html")
    expect(page.locator("a.card")).to_have_count(len(CHAPTERS))
    page.get_by_role("link", name="Look-up").click()
    page.locator("body[data-ready]").wait_for()
    page.get_by_role("link", name="Average and subspace →").click()
    page.locator("body[data-ready]").wait_for()
    page.get_by_role("link", name="All chapters").click()
    page.get_by_role("heading", name="Regard").wait_for()


WITHOUT_SLIDERS = ("perplexity", "reviews", "check")


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS if chapter.slug not in WITHOUT_SLIDERS])
def test_a_slider_moves_the_view_which_the_address_keeps(files, slug):
    page = open_file(files, f"{slug}.html")
    slider = page.get_by_role("slider").and_(page.locator("input:visible")).first
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_attribute("aria-valuetext", before)
    moved = slider.get_attribute("aria-valuetext")
    page.wait_for_url(re.compile(r"\?"))
    page.reload()
    expect(page.get_by_role("slider").and_(page.locator("input:visible")).first).to_have_attribute(
        "aria-valuetext", moved
    )
    page.go_back()
    expect(page.get_by_role("slider").and_(page.locator("input:visible")).first).to_have_attribute(
        "aria-valuetext", before
    )


def test_words_of_a_review_are_left_out(files):
    page = open_file(files, "reviews.html")
    page.get_by_role("button", name="bad", exact=True).click()
    page.wait_for_url(re.compile("out=4"))
    page.reload()
    expect(page.get_by_role("button", name="bad", exact=True)).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Find its worst mistakes")).to_be_disabled()


NEEDS_PYTHON = {
    "words": ("hidden=10&word=list", "What the model has learnt", "The comparison of derivatives", "This"),
    "perplexity": ("models=letters", "The comparison"),
    "check": ("claim=a+%3D+a", "A verdict"),
    "heads": ("bits=4", "This part"),
}
"""A view of each chapter that needs Python, and what it says that Python computes."""


@pytest.mark.parametrize("slug", NEEDS_PYTHON)
def test_what_only_python_computes_says_so_with_command_and_link(files, slug):
    query, *parts = NEEDS_PYTHON[slug]
    page = open_file(files, f"{slug}.html?{query}")
    for what in parts:
        sentence = f"{what} is computed by Python: run regard lab and open this view there."
        line = page.get_by_text(sentence, exact=True)
        expect(line).to_be_visible()
        address = f"http://127.0.0.1:8642/chapter/{slug}/?{query}"
        expect(line.get_by_role("link", name="this view there")).to_have_attribute("href", address)
    expect(page.locator(".failed")).to_have_count(0)


def test_words_without_python_keep_their_view_and_show_their_code(files):
    page = open_file(files, "words.html")
    expect(page.locator(".figure svg")).to_have_count(2)
    expect(page.locator(".figure svg:visible, .sentences:visible")).to_have_count(0)  # no empty figures
    expect(page.locator(".figure").get_by_text("What the model has learnt is computed by Python")).to_be_visible()
    page.get_by_label("a word", exact=True).fill("zebra")
    page.wait_for_url(re.compile("word=zebra"))
    link = page.get_by_role("link", name="this view there").first
    link.focus()
    expect(link).to_have_attribute("href", re.compile("word=zebra"))  # it follows the view
    page.get_by_label("mistake to make").select_option("sign")
    page.get_by_text("Show the Python for this").click()
    expect(page.locator("details.code code")).to_contain_text('mistake="sign"')
    expect(page.get_by_role("button", name="Train it again, and watch")).to_be_disabled()
    page.go_back()
    expect(page.get_by_label("mistake to make")).to_have_value("none")
    steps = page.get_by_role("region", name="Steps")
    steps.get_by_role("button", name="Next step").click()
    steps.get_by_role("button", name="Words that are followed by the same words").click()
    expect(steps.locator(".step-answer")).to_contain_text("Yes.")


def test_perplexity_without_python_keeps_its_passages_and_complains_of_empty_ones(files):
    page = open_file(files, "perplexity.html")
    expect(page.locator(".figure svg:visible")).to_have_count(0)
    expect(page.locator(".figure").get_by_text("The comparison is computed by Python")).to_be_visible()
    page.get_by_role("checkbox", name="bytes").click()
    page.wait_for_url(re.compile("models=letters,bytes"))
    page.get_by_role("textbox", name="passage A").fill("")
    expect(page.get_by_text("Passage A is empty: type or paste something.")).to_be_visible()
    page.get_by_text("Show the Python for this").click()
    expect(page.locator("details.code code")).to_contain_text('unit="byte"')
    page.reload()
    expect(page.get_by_role("textbox", name="passage A")).to_have_value("")
    expect(page.get_by_role("checkbox", name="bytes")).to_be_checked()


def test_the_robust_design_is_searched_in_the_page(files):
    page = open_file(files, "many-heads.html?n=5&everywhere=0.01")
    rows = page.get_by_role("row")
    others = [
        float(rows.filter(has_text=f"one {name} head").get_by_role("cell").last.inner_text())
        for name in ("pull", "push")
    ]
    page.get_by_role("button", name="Find the robust design").click()
    page.get_by_role("button", name="Find the robust design again").wait_for()
    wait_until_drawn(page)
    found = float(rows.filter(has_text="found by the search").get_by_role("cell").last.inner_text())
    assert found < 0.9 * min(others)
    expect(page.get_by_text(re.compile(r"^\d+ designs tried; the smallest error so far is [\d.e-]+$"))).to_be_visible()
    page.wait_for_url(re.compile("design="))


def test_a_search_in_the_plane_ends_or_is_stopped(files):
    page = open_file(files, "noisy-keys.html?view=plane")
    page.get_by_role("button", name="Search for the best").click()
    page.get_by_text(re.compile("^Found. .* designs tried")).wait_for()


def test_embedded_in_a_frame_only_figure_and_controls_are_there(files, folder, tmp_path):
    outer = tmp_path / "course.html"
    outer.write_text(
        f'<title>course</title><iframe width=900 height=700 src="{folder}/look-up.html?embed=1&scale=7"></iframe>'
    )
    files.page.goto(f"file://{outer}")
    files.requests.remove(f"file://{outer}")
    frame = files.page.frame_locator("iframe")
    scale = frame.get_by_role("slider", name="scale C of the query")
    expect(scale).to_have_attribute("aria-valuetext", "7.00")
    expect(frame.get_by_role("group", name=re.compile("plane", re.IGNORECASE)).first).to_be_visible()
    for hidden in ("nav", "h1", ".question", ".steps", ".save", "details.code"):
        expect(frame.locator(hidden).first).to_be_hidden()
    scale.focus()
    files.page.keyboard.press("ArrowRight")
    expect(scale).not_to_have_attribute("aria-valuetext", "7.00")


def save_page(page, path):
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").first.click()
    download.value.save_as(path)
    assert path.stat().st_size <= 1_500_000
    return download.value.suggested_filename


def test_a_view_is_saved_as_one_file_from_the_lab_and_again_from_that_file(chapter, window, tmp_path):
    page = open_chapter(chapter, "look-up", "scale=7&query=1,0.5")
    assert save_page(page, tmp_path / "first.html") == "look-up.html"

    alone = Visit(window.new_page(), f"file://{tmp_path}/")
    first = open_file(alone, "first.html")
    scale = first.get_by_role("slider", name="scale C of the query")
    expect(scale).to_have_attribute("aria-valuetext", "7.00")
    expect(first.locator("nav a")).to_have_count(0)
    press(first, "scale C of the query", "ArrowRight")
    first.wait_for_url(re.compile("scale="))
    again = scale.get_attribute("aria-valuetext")
    assert again != "7.00"
    first.get_by_text("Show the Python for this").click()
    expect(first.locator("details.code code")).to_contain_text("query = np.array([1.0, 0.5])")
    save_page(first, tmp_path / "second.html")
    second = open_file(alone, "second.html")
    expect(second.get_by_role("slider", name="scale C of the query")).to_have_attribute("aria-valuetext", again)
    assert alone.errors == []
    assert [url for url in alone.requests if not url.startswith((alone.address, "data:", "blob:"))] == []
    second.close()


def test_a_page_with_a_model_is_saved_with_it(chapter, window, tmp_path):
    page = open_chapter(chapter, "heads", "layer=2&head=1")
    save_page(page, tmp_path / "heads.html")
    alone = Visit(window.new_page(), f"file://{tmp_path}/")
    saved = open_file(alone, "heads.html")
    expect(saved.get_by_role("button", name="layer 2, head 1")).to_have_attribute("aria-pressed", "true")
    assert alone.errors == []
    saved.close()


def test_on_any_web_server_it_computes_alone(page, folder):
    """Pages from elsewhere ask nothing of the server that they came from."""
    visit = Visit(page, "http://pages.test/course/")
    page.route("http://pages.test/**", lambda route: route.fulfill(path=folder / route.request.url.rsplit("/", 1)[1]))
    open_file(visit, "look-up.html")
    expect(page.get_by_text("Computed in this page.")).to_be_visible()
    visit.end()
    assert visit.requests == ["http://pages.test/course/look-up.html"]
    assert visit.errors == []
