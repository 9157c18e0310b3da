"""Values in the address of a view."""

import pytest

from regard.lab.chapters.check.links import number, points, whole_number

FIELDS = {
    "scale": number(3.0, 0.1, 10.0),
    "n": whole_number(2, 1, 5),
    "keys": points([[1.0, 0.0]], most=3, extent=2.0),
}


@pytest.mark.parametrize(("name", "value"), [("scale", 2.5), ("n", 5), ("keys", [[0.25, -2.0], [1.125, 0.0]])])
def test_writing_and_reading_change_nothing(name, value):
    assert FIELDS[name].read(FIELDS[name].write(value)) == value


def test_points_are_written_shortly():
    assert FIELDS["keys"].write([[0.25, -2.0], [1.125, 0.0]]) == "0.25,-2;1.125,0"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scale", "nan"), ("scale", "inf"), ("scale", "11"), ("scale", ""), ("n", "2.5"), ("n", "1e9"),
        ("keys", "1"), ("keys", "1,2,3"), ("keys", "0,0;0,0;0,0;0,0"), ("keys", "3,0"), ("keys", ";"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(name, text):
    with pytest.raises(ValueError, match=r".*"):
        FIELDS[name].read(text)
