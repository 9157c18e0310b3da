"""What a change does to a thing."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Doubling x quadruples x^2.", ("((2) x)^2 = 4 (x^2)",)),
        ("If x is doubled, then x^2 is quadrupled.", ("((2) x)^2 = 4 (x^2)",)),
        ("Doubling x multiplies x^3 by 8.", ("((2) x)^3 = (8) (x^3)",)),
    ],
)
def test_effects(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize("sentence", ["Doubling x improves x^2.", "Doubling y quadruples x^2."])
def test_effects_that_are_not_known_or_not_seen(sentence):
    assert read_prose(sentence) is None
