"""Claims as people write them, with conditions, quantifiers and own letters: none gets the opposite verdict."""

import tomllib
from pathlib import Path

import pytest

from regard.claims.check import check

FOLDER = Path(__file__).parents[2] / "support" / "claims"
ROWS = [
    row
    for name in (
        *("natural", "lectures", "forums", "words", "slips", "handins", "siblings", "sentences_a", "sentences_b"),
        *("premises", "prose", "mended", "notations"),
        *(path.stem for path in sorted(FOLDER.glob("*_words.toml"))),
    )
    for row in tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["claim"]
]


@pytest.mark.parametrize("row", ROWS, ids=[row["claim"] for row in ROWS])
def test_verdict(row, unchecked):
    found = check(row["claim"], setting=row.get("setting"))
    expected = ("holds", "holds-in-limit") if row["is_true"] else ("fails", "ill-formed")
    allowed = ("undecided", "not-understood") if row.get("open") else ()
    assert found.verdict in (*expected, *allowed), found
