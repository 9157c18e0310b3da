"""Alignments: what an edit makes of a text, and two changes one after the other."""

from regard.text.normalise.prepare import align_to_itself, apply_edits, compose


def test_changes_of_changes():
    """abc → aXc → aYYc: X becomes YY, so b became YY; what is inserted into an insertion stays one segment."""
    _, first = apply_edits("abc", [(1, 2, "X")])
    text, second = apply_edits("aXc", [(1, 2, "YY")])
    both = compose(first, second)
    assert text == "aYYc"
    assert both.before.tolist() == [0, 1, 2, 3]
    assert both.after.tolist() == [0, 1, 3, 4]
    assert both.is_same.tolist() == [True, False, True]


def test_a_change_across_an_older_one_is_one_segment():
    """abcd → aBCd → a-d, where the second change covers half of what the first one made, and more."""
    _, first = apply_edits("abcd", [(1, 2, "BB"), (2, 3, "C")])
    _, second = apply_edits("aBBCd", [(2, 4, "-")])
    both = compose(first, second)
    assert both.before.tolist() == [0, 1, 3, 4]
    assert both.after.tolist() == [0, 1, 3, 4]
    assert both.is_same.tolist() == [True, False, True]


def test_deleted_by_one_and_inserted_by_the_next_is_one_change():
    _, first = apply_edits("a,b", [(1, 2, "")])
    _, second = apply_edits("ab", [(1, 1, " ")])
    both = compose(first, second)
    assert both.before.tolist() == [0, 1, 2, 3]
    assert both.after.tolist() == [0, 1, 2, 3]
    assert both.is_same.tolist() == [True, False, True]


def test_a_change_taken_back_leaves_nothing():
    _, first = apply_edits("ab", [(1, 1, " ")])
    _, second = apply_edits("a b", [(1, 2, "")])
    both = compose(first, second)
    assert both.before.tolist() == both.after.tolist() == [0, 2]
    assert both.is_same.tolist() == [True]


def test_edits_cut_both_texts_into_as_many_segments():
    text, found = apply_edits("It's OK", [(0, 1, "i"), (2, 2, " "), (5, 7, "ok")])
    assert text == "it 's ok"
    assert found.before.tolist() == [0, 1, 2, 2, 5, 7]
    assert found.after.tolist() == [0, 1, 2, 3, 6, 8]
    assert found.is_same.tolist() == [False, True, False, True, False]


def test_a_text_is_aligned_to_itself_as_one_segment():
    found = align_to_itself("abc")
    assert (found.before.tolist(), found.after.tolist(), found.is_same.tolist()) == ([0, 3], [0, 3], [True])
    assert align_to_itself("").before.tolist() == [0]


def test_a_change_after_none_is_that_change():
    _, change = apply_edits("abc", [(1, 2, "")])
    both = compose(align_to_itself("abc"), change)
    assert both.before.tolist() == change.before.tolist()
    assert both.after.tolist() == change.after.tolist()
    assert both.is_same.tolist() == change.is_same.tolist()
