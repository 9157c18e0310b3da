"""The widget's Python side: what it accepts from a user and from a browser."""

import numpy as np
import pytest
import traitlets

import regard
from regard.errors import ShapeError, ValueRangeError
from regard.lab.widgets.attention_plane import AttentionPlane


def test_it_is_public():
    assert regard.lab.AttentionPlane is AttentionPlane
    with pytest.raises(AttributeError, match=r"module 'regard\.lab' has no attribute 'Plane'"):
        regard.lab.Plane  # noqa: B018


def test_keys_of_any_kind_become_points():
    plane = AttentionPlane(np.eye(2), query=np.array([0.5, 0.0]), scale=2)
    assert plane.points == [[1.0, 0.0], [0.0, 1.0]]
    assert plane.query == [0.5, 0.0]
    np.testing.assert_allclose(plane.values[0], [0, 114 / 255, 178 / 255])


def test_its_module_stands_alone():
    module = AttentionPlane._esm if isinstance(AttentionPlane._esm, str) else str(AttentionPlane._esm)
    assert "import " not in module.replace("important", "")
    assert "https:" not in module
    assert module.count("export default") == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"keys": [[1, 2, 3]]}, r"expected 1 to 50 points with two coordinates each; got shape \(1, 3\)"),
        ({"keys": np.zeros((51, 2))}, r"got shape \(51, 2\)"),
        ({"keys": [[0, 0], [3, 0]]}, r"points must lie between −2 and 2; got \[3. 0.\]"),
        ({"keys": [[float("nan"), 0]]}, "points must lie between −2 and 2"),
        ({"keys": [[0, 0]], "colours": ["red"]}, r"colours are written as #rrggbb, no more than 50; got \['red'\]"),
        ({"keys": [[0, 0]], "colours": ["#000000"] * 2}, "each key needs one colour; got 1 keys and 2 colours"),
        ({"scale": 0}, "the scale must lie between 0.1 and 1000; got 0"),
    ],
)
def test_wrong_arguments_are_told(unchecked, settings, message):
    with pytest.raises((ShapeError, ValueRangeError), match=message):
        AttentionPlane(**settings)


@pytest.mark.parametrize(
    "sent",
    [
        {"points": [[0.0, 0.0]] * 51}, {"points": [[9.0, 0.0]]}, {"query": [0.0, 0.0, 0.0]}, {"scale": 1e9},
        {"weights": [0.0] * 51}, {"colours": ["url(http://evil.example)"]},
    ],
)  # fmt: skip
def test_a_browser_cannot_send_what_a_user_could_not(sent):
    plane = AttentionPlane()
    before = plane.get_state()
    with pytest.raises(traitlets.TraitError):
        plane.set_state(sent)
    assert plane.get_state(list(sent)) == {name: before[name] for name in sent}
