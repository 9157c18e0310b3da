"""Heads of several models on several texts: the rows of each pair, one after the other."""

import pytest
from tests.support.pretrained import SENTENCES, save_tiny, transformers_library

from regard.errors import ArgumentError
from regard.studies.heads import heads, sweep_heads


def test_rows_are_those_of_each_pair(tmp_path):
    transformers_library()
    save_tiny("gpt2", tmp_path / "model")
    text = "\n".join(SENTENCES) + "\n"
    table = sweep_heads([tmp_path / "model"] * 2, [text], lines=True, progress=False)
    assert table.title == "8 heads: 2 models on 1 text"
    assert table.columns[:4] == ("model", "text", "layer", "head")
    alone = heads(tmp_path / "model", text, lines=True, progress=False)
    for row, expected in zip(table.rows[4:], alone.rows, strict=True):
        assert row[2:5] == expected[:3]
        assert row[5:] == pytest.approx(expected[3:], rel=1e-5)


def test_nothing_to_measure_is_refused():
    with pytest.raises(ArgumentError, match="got 0 models and 1 texts"):
        sweep_heads([], ["a\n"])
