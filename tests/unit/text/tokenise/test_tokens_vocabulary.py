"""Which words there are: counted, merged, chosen."""

import pytest

from regard.errors import ValueRangeError
from regard.text.tokenise.tokens import WordCounts, count_words, merge, most_frequent


def test_words_are_counted_wherever_the_text_is_cut():
    for chunks in (["b ab a\nb\u3000ab a"], ["b a", "b a\n", "b\u3000", "ab ", "", "a"]):
        assert dict(count_words(chunks).counts) == {"b": 2, "ab": 2, "a": 2}
    assert count_words([]).total == 0


def test_parts_are_added_up():
    together = merge([WordCounts({"a": 1, "b": 2}), WordCounts({"b": 3}), WordCounts({})])
    assert dict(together.counts) == {"a": 1, "b": 5}
    assert together.total == 6


def test_the_most_frequent_come_first_and_ties_go_by_first_appearance():
    counts = WordCounts({"b": 3, "a": 3, "c": 5, "once": 1, "<unk>": 9, "</s>": 9, "\ud800": 9})
    assert most_frequent(counts) == ("<unk>", "</s>", "c", "b", "a")
    assert most_frequent(counts, size=4) == ("<unk>", "</s>", "c", "b")
    assert most_frequent(counts, size=2) == ("<unk>", "</s>")
    assert most_frequent(counts, size=100) == ("<unk>", "</s>", "c", "b", "a", "once")


def test_forms_are_counted_together():
    assert dict(WordCounts({"A": 1, "a": 2, "B": 4}).merge_by(str.lower).counts) == {"a": 3, "b": 4}


def test_a_vocabulary_has_room_for_its_marks():
    with pytest.raises(ValueRangeError) as caught:
        most_frequent(WordCounts({}), size=1)
    assert str(caught.value) == "a vocabulary needs size 2 or more, for its marks <unk> and </s>; got 1"
