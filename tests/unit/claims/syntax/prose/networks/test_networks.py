"""How many parameters a network has."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "A network with D inputs, one hidden layer of H units and K outputs, with biases in both "
            "layers, has (D + 1)H + (H + 1)K parameters.",
            ("D · H + H · K + H + K = (D + 1)H + (H + 1)K",),
        ),
        (
            "A network with D inputs, one hidden layer of H units and K outputs has DH + HK + H + K "
            "parameters if both layers have a bias.",
            ("D · H + H · K + H + K = DH + HK + H + K",),
        ),
        (
            "With 10 inputs, 20 hidden units, 5 outputs and biases everywhere, the number of parameters is 325.",
            ("10 · 20 + 20 · 5 + 20 + 5 = 325",),
        ),
        (
            "An MLP with d inputs, m hidden units and k outputs without biases has m(d + k) parameters in total.",
            ("d · m + m · k = m(d + k)",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("the number of parameters is (D_x+1)H + (H+1)D_y", ("D_x · H + H · D_y + H + D_y = (D_x+1)H + (H+1)D_y",)),
        ("the network has D_x H parameters", None),
        ("the number of parameters is D_x H + H D_y, without biases", ("D_x · H + H · D_y = D_x H + H D_y",)),
        ("the number of parameters is D_x H + H D_y, with biases", ("D_x · H + H · D_y + H + D_y = D_x H + H D_y",)),
    ],
)
def test_the_letters_of_the_course_need_no_words(sentence, claims):
    reading = read_prose(sentence)
    assert (None if reading is None else reading.claims) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "A network with D inputs and K outputs has DK parameters.",
        "A network with D inputs, one hidden layer of H units and K outputs has DH + HK parameters.",
        "A graph with D inputs, one hidden layer of H units and K outputs, with biases in both "
        "layers, has DH parameters.",
    ],
)
def test_what_says_something_else_is_not_understood(sentence):
    reading = read_prose(sentence)
    assert reading is None or reading.unread
