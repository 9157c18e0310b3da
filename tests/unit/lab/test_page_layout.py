"""Things side by side."""

import pytest

from regard.lab.page import side_by_side


def test_each_item_has_a_column_that_fits_a_phone():
    mo = pytest.importorskip("marimo")
    html = side_by_side(mo.md("left"), mo.md("right"), min_width="10rem").text
    assert html.count('<div style="min-width:0">') == 2
    assert html.index("left") < html.index("right")
    assert "minmax(min(10rem,100%),1fr)" in html
