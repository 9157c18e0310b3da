"""Rows of text and label: gaps are named, labels are few and sorted, folders are read in order."""

import pytest

from regard.errors import InputFileError
from regard.text.labelled.rows import LabelledRows, check_rows, label_name, read_folder, sort_labels


def place(i):
    return f"row {i + 1}"


def test_labels_get_their_usual_names_and_are_numbered_in_order():
    rows = check_rows("x", ["good", "bad", "fine"], ["pos", "neg", "pos"], place=place)
    assert rows.labels == ["positive", "negative", "positive"]
    found = rows.encode()
    assert (found.labels, found.label_ids.tolist()) == (("negative", "positive"), [1, 0, 1])
    assert rows.encode(["positive", "other", "negative"]).label_ids.tolist() == [0, 2, 0]


def test_names_for_the_labels_of_one_file():
    rows = check_rows("x", ["good", "bad"], [1, 0.0], place=place, label_names={"0": "negative", "1": "positive"})
    assert rows.labels == ["positive", "negative"]


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        ([], [], "x has no texts; expected rows of text and label"),
        (["a", 3], ["p", "n"], "row 2: expected a text; got 3"),
        (["a", " \n", None], ["p", "n", "n"], "x: 2 of 3 texts are empty, the first at row 2; leave such rows out"),
        (["a", "b"], ["p", None], "x: 1 of 2 texts has no label, the first at row 2; leave such rows out"),
        (["a", "b"], ["p", ["q"]], "row 2: expected one label, a word or a number; got ['q']"),
        (
            [f"t{i}" for i in range(30)],
            list(range(30)),
            "x has 30 different labels in 30 texts ('0', '1',",
        ),
    ],
)
def test_rows_that_cannot_be_used(texts, labels, message):
    with pytest.raises(InputFileError) as caught:
        check_rows("x", texts, labels, place=place)
    assert str(caught.value).startswith(message)


def test_the_rows_of_a_part():
    rows = LabelledRows("x", ["a", "b", "c"], ["p", "n", "p"], ["train", "test", "train"])
    part = rows.part(lambda name: name == "train")
    assert (part.texts, part.labels, part.parts) == (["a", "c"], ["p", "p"], None)


def test_numbers_are_sorted_by_size_and_words_by_the_alphabet():
    assert sort_labels({"10", "9.5", "-1"}) == ("-1", "9.5", "10")
    assert sort_labels({"10", "9", "b"}) == ("10", "9", "b")


@pytest.mark.parametrize(
    ("value", "name"), [(" pos ", "pos"), (2.0, "2"), (0.5, "0.5"), (False, "false"), (None, ""), (float("nan"), "")]
)
def test_the_name_of_a_label(value, name):
    assert label_name(value) == name


def test_a_folder_is_read_by_part_and_label_in_the_order_of_names(tmp_path):
    for name, text in (
        ("test/neg/1", "no\r\n"),
        ("Train/pos/2", "yes"),
        ("Train/pos/1", "\ufeffwell"),
        ("Train/unsup/1", "?"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "Train" / "pos" / ".hidden").write_text("never read")
    rows = read_folder(tmp_path)
    assert rows.texts == ["well", "yes", "no\n"]
    assert rows.labels == ["positive", "positive", "negative"]
    assert rows.parts == ["train", "train", "test"]


def test_a_file_of_a_folder_that_is_no_utf8_is_named(tmp_path):
    (tmp_path / "pos").mkdir()
    (tmp_path / "pos" / "1.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputFileError, match=r"1.txt is not UTF-8: byte 0xe9 at offset 3; save it as UTF-8"):
        read_folder(tmp_path)
