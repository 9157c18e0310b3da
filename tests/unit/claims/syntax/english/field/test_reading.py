"""Every rewriter of the field in its order."""

from regard.claims.syntax.english.field.reading import read_field


def test_a_sentence_that_is_not_of_the_field_stays_letter_by_letter():
    text = "The  matrix A is symmetric. Then A = A^T"
    assert read_field(text) == text


def test_first_words_may_be_large_or_small():
    assert read_field("Doubling all values doubles the output") == read_field("doubling all values doubles the output")


def test_a_reason_in_words_is_no_part_of_a_sentence():
    text = "Adding a constant to all logits does not change the softmax"
    assert read_field(f"{text}, since only differences of logits matter.") == read_field(f"{text}.")
