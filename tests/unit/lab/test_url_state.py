"""A view in the address bar."""

import pytest

from regard.lab.url_state import choice, number, points, read_link, whole_number, write_link

FIELDS = {
    "scale": number(3.0, 0.1, 10.0),
    "n": whole_number(2, 1, 5),
    "family": choice("dual", ("dual", "push")),
    "keys": points([[1.0, 0.0]], most=3, extent=2.0),
}
DEFAULTS = {name: field.default for name, field in FIELDS.items()}


class Parameters(dict):
    """What marimo gives: a dict with set and remove."""

    def set(self, name, value):
        self[name] = value

    def remove(self, name):
        del self[name]


def test_an_empty_address_is_the_default_view():
    link = read_link({}, FIELDS)
    assert link.values == DEFAULTS
    assert link.complaints == ()


def test_writing_and_reading_a_view_change_nothing():
    values = {"scale": 2.5, "n": 5, "family": "push", "keys": [[0.25, -2.0], [1.125, 0.0]]}
    parameters = Parameters()
    write_link(parameters, values, FIELDS)
    assert parameters == {"scale": "2.5", "n": "5", "family": "push", "keys": "0.25,-2;1.125,0"}
    assert read_link(parameters, FIELDS).values == values


def test_what_is_at_its_default_leaves_the_address():
    parameters = Parameters(scale="2.5", other="kept")
    write_link(parameters, DEFAULTS, FIELDS)
    assert parameters == {"other": "kept"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scale", "nan"), ("scale", "inf"), ("scale", "11"), ("scale", ""), ("n", "2.5"), ("n", "1e9"),
        ("family", "pull"), ("keys", "1"), ("keys", "1,2,3"), ("keys", "0,0;0,0;0,0;0,0"), ("keys", "3,0"),
        ("keys", ";"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_the_default_is_used(name, text):
    link = read_link({name: text}, FIELDS)
    assert link.values == DEFAULTS
    (complaint,) = link.complaints
    assert complaint.startswith(f"{name} in this link should be ")


def test_a_long_text_is_told_in_short():
    (complaint,) = read_link({"n": "9" * 5000}, FIELDS).complaints
    assert len(complaint) < 150


def test_of_several_the_last_counts():
    assert read_link({"n": ["1", "4"]}, FIELDS).values["n"] == 4
