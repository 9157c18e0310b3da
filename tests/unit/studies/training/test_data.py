"""Labelled texts by name, path or pairs, and what is set aside of them."""

import pytest

from regard.errors import ArgumentError, ValueRangeError
from regard.studies.training.data import class_facts, find_labelled, own_parts, split_data

PAIRS = [
    (f"{word} film number {i}", label) for i in range(10) for word, label in (("superb", "good"), ("awful", "bad"))
]


def test_pairs_are_labelled_texts():
    data = find_labelled(PAIRS)
    assert data.labels == ("bad", "good")
    assert [data.labels[i] for i in data.label_ids[:2]] == ["good", "bad"]
    assert find_labelled(data) is data


@pytest.mark.parametrize("pairs", [["a film"], [("a film",)], [("a film", 1)], [("a film", "good", "bad")]])
def test_what_are_no_pairs_is_refused(pairs):
    with pytest.raises((ArgumentError, TypeError)):
        find_labelled(pairs)


def test_a_share_other_texts_or_none(tmp_path):
    parts = split_data(PAIRS, 0.2)
    assert (len(parts.train), len(parts.test), parts.test_name) == (16, 4, "0.2 of the texts")
    assert class_facts(parts) == {"classes": {"bad": 8, "good": 8}, "test_classes": {"bad": 2, "good": 2}}
    assert len(split_data(PAIRS).test) == 2
    assert split_data(PAIRS, 0).test is None
    other = split_data(PAIRS, [("a film", "good")])
    assert (other.test.texts, other.test.labels) == (("a film",), ("bad", "good"))
    with pytest.raises(ValueRangeError, match=r"test must be a fraction from 0 to below 1, or labelled texts; got 1.5"):
        split_data(PAIRS, 1.5)


def test_a_source_in_its_own_parts(tmp_path):
    path = tmp_path / "reviews.csv"
    rows = [f"{text},{label},{'test' if i < 4 else 'train'}" for i, (text, label) in enumerate(PAIRS)]
    path.write_text("text,label,split\n" + "\n".join(rows) + "\n")
    for parts in (split_data(path), own_parts(path)):
        assert (len(parts.train), len(parts.test), parts.test_name) == (16, 4, f"test part of {path}")
    assert own_parts(PAIRS).test is None
