"""How a chapter begins."""

from regard.lab.page import introduction


def test_the_way_to_the_neighbours_and_the_title():
    page = introduction("average-and-subspace", "About *it*.").text
    assert 'href="/"' in page
    assert 'href="/chapter/look-up/"' in page
    assert 'href="/chapter/noisy-keys/"' in page
    assert "Average and subspace</h1>" in page
    assert "<em>it</em>" in page


def test_what_a_link_says_is_never_markup():
    page = introduction("look-up", "", ("scale should be a number; '<img src=x onerror=alert(1)>' is not",)).text
    assert "<img" not in page
    assert "onerror" in page
