"""Where the output lies."""

import pytest

from regard.claims.syntax.prose.reading import read_prose

HULL = ("min_i u^T v_i ≤ u^T c", "u^T c ≤ max_i u^T v_i")


@pytest.mark.parametrize(
    "sentence",
    [
        "c is a convex combination of the values.",
        "The output never leaves the convex hull of the values.",
        "c always stays inside the convex hull of the v_i.",
        "The output can not lie outside of the convex hull of the value vectors.",
        "c is always contained in the convex hull of all the values.",
    ],
)
def test_in_the_hull_is_between_the_extremes_in_every_direction(sentence):
    assert read_prose(sentence).claims == HULL


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("c is a weighted average of the values with weights α_i.", ("c = \\sum_i α_i v_i",)),
        ("The output always equals one of the values.", ("min_i ‖c - v_i‖ = 0",)),
        ("c is a convex combination of the keys.", ("min_i u^T k_i ≤ u^T c", "u^T c ≤ max_i u^T k_i")),
    ],
)
def test_other_places(sentence, claims):
    assert read_prose(sentence).claims == claims


@pytest.mark.parametrize("sentence", ["q is a convex combination of the values.", "c leaves the convex hull."])
def test_what_is_no_output_and_no_hull_is_not_read(sentence):
    assert read_prose(sentence) is None
