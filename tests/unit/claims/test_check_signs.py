"""The table of signs in chapter 12 of the tutorial says what the checker does."""

import re
from pathlib import Path

import pytest

from regard.claims.check import check
from regard.claims.verdict.records import VERDICT_WORDS

PAGE = Path(__file__).parents[3] / "docs" / "tutorial" / "12-check.md"
ROW = re.compile(r"^\| .+ \| (?:(?P<setting>[a-z-]+): )?`(?P<claim>[^`]+)` \| (?P<verdict>[a-z ]+) \|$", re.MULTILINE)
ROWS = [found.groupdict() for found in ROW.finditer(PAGE.read_text("utf-8"))]


def test_the_table_has_a_row_for_each_sign():
    assert len(ROWS) == 41


@pytest.mark.parametrize("row", ROWS, ids=[row["claim"] for row in ROWS])
def test_row(row, unchecked):
    found = check(row["claim"], setting=row["setting"])
    assert VERDICT_WORDS[found.verdict] == row["verdict"], found
