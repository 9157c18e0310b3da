"""Classes: how large, how balanced, the same or not; and texts of each split into training and validation."""

import numpy as np
import pytest

from regard.errors import InputFileError, ValueRangeError
from regard.records import LabelledTexts
from regard.text.labelled.split import (
    align_labels,
    class_counts,
    class_notes,
    majority_share,
    require_classes,
    split_stretches,
    split_texts,
    stretch_folds,
)


def labelled(counts, texts=None):
    label_ids = np.repeat(np.arange(len(counts)), counts)
    texts = texts or tuple(f"text {i}" for i in range(len(label_ids)))
    return LabelledTexts(texts, label_ids, tuple("abcdef"[: len(counts)]))


def test_counts_and_the_commonest_class():
    data = labelled([30, 10])
    assert class_counts(data) == {"a": 30, "b": 10}
    assert majority_share(data) == 0.75


def test_notes_about_unbalanced_classes():
    assert class_notes(labelled([50, 50])) == []
    assert class_notes(labelled([59, 41])) == []
    (note,) = class_notes(labelled([80, 20]))
    assert note.startswith("the classes are unbalanced: 80.0 % of the texts are 'a', and always saying so")
    assert class_notes(labelled([90, 88, 4]))[-1] == "1 of 3 classes have fewer than 10 texts: 'c' 4"


def test_two_classes_are_required():
    data = labelled([3, 1])
    assert require_classes(data, name="x") is data
    with pytest.raises(InputFileError, match=r"x has one class only, 'a' \(3 texts\)"):
        require_classes(labelled([3, 0]), name="x")


def test_labels_of_another():
    found = align_labels(labelled([1, 2]), ("b", "c", "a"), name="x", whose="the model")
    assert found.label_ids.tolist() == [2, 0, 0]
    assert found.labels == ("b", "c", "a")
    with pytest.raises(InputFileError, match="x has labels that the model does not have: 'b'; the model has 'a', 'c'"):
        align_labels(labelled([1, 2]), ("a", "c"), name="x", whose="the model")
    align_labels(labelled([1, 0]), ("a",), name="x", whose="the model")  # a label that no text has is none


def test_a_share_of_each_class_is_split_off():
    data = labelled([100, 40])
    rest, part = split_texts(data, share=0.25)
    assert class_counts(part) == {"a": 25, "b": 10}
    assert sorted(rest.texts + part.texts) == sorted(data.texts)


def test_the_part_depends_on_the_texts_not_their_order():
    data = labelled([100])
    backwards = LabelledTexts(data.texts[::-1], data.label_ids, data.labels)
    part = set(split_texts(data, share=0.2)[1].texts)
    assert part == set(split_texts(backwards, share=0.2)[1].texts)
    assert part != set(split_texts(data, share=0.2, seed=1)[1].texts)


def test_shares_that_cannot_be():
    with pytest.raises(ValueRangeError, match="the share to split off must be between 0 and 1; got 1"):
        split_texts(labelled([5]), share=1.0)
    with pytest.raises(ValueRangeError, match=r"4 texts are too few to split off 0\.1 of each class"):
        split_texts(labelled([2, 2]), share=0.1)


def test_validation_is_a_stretch_in_the_middle_of_each_label():
    train, validation = split_stretches(np.array([0] * 10 + [1] * 10), share=0.2)
    assert validation.tolist() == [4, 5, 14, 15]
    assert sorted([*train, *validation]) == list(range(20))


def test_a_few_texts_still_give_some_for_validation():
    train, validation = split_stretches(np.array([0, 1]), share=0.1)
    assert (train.tolist(), validation.tolist()) == ([1], [0])


def test_folds_are_stretches_of_each_label():
    folds = stretch_folds(np.array([0] * 6 + [1] * 3), 3)
    assert folds.tolist() == [0, 0, 1, 1, 2, 2, 0, 1, 2]
