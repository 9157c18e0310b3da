"""Things side by side."""

import pytest

from regard.lab.page import beside


def test_each_item_has_a_column_that_fits_a_phone():
    mo = pytest.importorskip("marimo")
    shown = beside(mo.md("left"), mo.md("right"), least="10rem").text
    assert shown.count('<div style="min-width:0">') == 2
    assert shown.index("left") < shown.index("right")
    assert "minmax(min(10rem,100%),1fr)" in shown
