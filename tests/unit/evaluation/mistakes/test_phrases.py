"""Ratings that a text states itself, and numbers that are none."""

import pytest

from regard.evaluation.mistakes.phrases import own_rating, ratings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i give it 9.5/10", 0.95),
        ("3 out of 10.", 0.3),
        ("a solid 7 / 10!", 0.7),
        ("eight out of ten", 0.8),
        ("4 1/2 out of 5 stars", 0.9),
        ("two and a half out of five", 0.5),
        ("45/100", 0.45),
        ("11/10", 1.0),
        ("**** out of *****", 0.8),
        ("***1/2 out of ****", 0.875),
        ("**/****", 0.5),
        ("* out of 5", 0.2),
        ("zero stars", 0.0),
        ("no stars for this", 0.0),
        ("half a star", 0.1),
        ("one star", 0.2),
        ("10 stars", 1.0),
        ("i gave it a 2", 0.2),
        ("i'd rate this movie an 8.", 0.8),
        ("my rating: 3", 0.3),
        ("grade: d", 0.3),
        ("it had 5/10 at first, now it is 8/10", 0.8),
    ],
)
def test_what_a_rating_is_worth(text, value):
    assert own_rating(text).value == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "on 9/11 we saw it, at 24/7",
        "9/10/2001",
        "3/4 of the film is dull",
        "it has four stars in it",  # of four, of five or of ten
        "a star wars film with two star cast members",
        "give it 10 minutes",
        "give it 2 thumbs",
        "90/10",
        "f*** this",
        "",
    ],
)
def test_other_numbers(text):
    assert ratings(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "whoever gave this film ten out of ten needs help",
        "it could have been a 10/10",
        "i wanted to give this a 10",
        "imdb says 8.1/10",
        "-10 out of 10",
    ],
)
def test_ratings_that_are_not_the_writers(text):
    assert len(ratings(text)) == 1
    assert own_rating(text) is None


def test_which_way_it_leans():
    assert [own_rating(f"{n}/10").leaning for n in range(11)] == [-1] * 5 + [0, 0] + [1] * 4
    assert own_rating("so: 9/10 it is")[:2] == (4, 8)
