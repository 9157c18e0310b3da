"""Typed texts and several choices in the address bar."""

import pytest

from regard.lab.url_state import choices, fits_link, free_text, length_complaint, read_link, replace_surrogates


def test_a_link_gives_the_text_or_is_told_wrong():
    fields = {"a": free_text("default", most=10)}
    assert read_link({"a": "two\nlines"}, fields).values["a"] == "two\nlines"
    link = read_link({"a": "x" * 11}, fields)
    assert link.values["a"] == "default"
    assert link.complaints == (
        "a in this link should be a text of at most 10 characters, not 'xxxxxxxxxxx'; default is used instead",
    )


def test_several_choices_come_in_their_own_order():
    field = choices(("b",), ("a", "b", "few words"))
    assert field.read("few words,a") == ("a", "few words")
    assert field.write(()) == ""
    with pytest.raises(ValueError, match="nothing"):
        field.read("nothing")


def test_only_short_texts_go_into_a_link():
    assert fits_link("x" * 1_000, "y" * 1_000)
    assert not fits_link("x" * 1_000, "y" * 1_001)
    assert not fits_link("🎬" * 1_001)  # twelve characters each, once they are spelled in a link


def test_texts_that_cannot_be_used_are_told():
    assert length_complaint("passage A", "enough", most=6) is None
    assert length_complaint("passage A", " \n", most=6) == "passage A is empty: type or paste something"
    assert length_complaint("passage A", "x" * 4_001, most=4_000) == (
        "passage A has 4,001 characters; at most 4,000 are taken: shorten it"
    )


def test_half_a_character_is_no_text():
    assert replace_surrogates("\ud83d film") == "? film"
