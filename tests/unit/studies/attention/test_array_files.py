"""Arrays from files: what is read, and one line that names file and place for everything else."""

import json
import pickle
import zipfile

import numpy as np
import pytest

from regard.errors import InputFileError
from regard.studies.attention.array_files import read_array, read_mask, read_queries, read_rows


def written(path, content):
    """The path as typed, after writing bytes, text, JSON, an array or several to it."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content)
    elif path.suffix == ".json":
        path.write_text(json.dumps(content))
    elif path.suffix == ".npz":
        np.savez(path, **content)
    else:
        np.save(path, np.asarray(content), allow_pickle=True)
    return str(path)


def complaint(path, read=read_array, name=""):
    with pytest.raises(InputFileError) as caught:
        read(f"{path}{name}")
    return str(caught.value).replace(str(path), path.name)


class TestReading:
    def test_integers_become_float64(self, tmp_path):
        array = read_array(written(tmp_path / "a.npy", [[1, 2], [3, 4]]))
        assert array.dtype == np.float64
        assert array.tolist() == [[1.0, 2.0], [3.0, 4.0]]

    def test_float32_becomes_float64(self, tmp_path):
        assert read_array(written(tmp_path / "a.npy", np.float32([0.5]))).dtype == np.float64

    def test_one_array_of_several(self, tmp_path):
        source = written(tmp_path / "a.npz", {"keys": np.eye(2), "values": np.ones(3)})
        assert read_array(f"{source}:values").tolist() == [1.0, 1.0, 1.0]

    def test_a_single_member_needs_no_name(self, tmp_path):
        assert read_array(written(tmp_path / "a.npz", {"keys": [2.0]})).tolist() == [2.0]
        assert read_array(written(tmp_path / "a.json", {"keys": [2.0]})).tolist() == [2.0]

    def test_nested_lists(self, tmp_path):
        assert read_array(written(tmp_path / "a.json", [[1, 2.5]])).tolist() == [[1.0, 2.5]]

    def test_an_object_of_names(self, tmp_path):
        source = written(tmp_path / "a.json", {"keys": [[1]], "query": [3]})
        assert read_array(f"{source}:query").tolist() == [3.0]

    def test_a_name_with_a_suffix_in_it(self, tmp_path):
        source = written(tmp_path / "a.json.npz", {"b.npz": [1.0], "c": [2.0]})
        assert read_array(f"{source}:b.npz").tolist() == [1.0]

    def test_a_relative_path_starts_at_the_folder(self, tmp_path):
        written(tmp_path / "a.npy", [1.0])
        assert read_array("a.npy", folder=tmp_path).tolist() == [1.0]

    def test_a_single_query_needs_no_rows(self, tmp_path):
        assert read_queries(written(tmp_path / "q.npy", [1.0, 2.0])).shape == (1, 2)
        assert read_queries(written(tmp_path / "q.npy", np.ones((3, 2)))).shape == (3, 2)

    @pytest.mark.parametrize("content", [[[True, False]], [[1, 0]], [[1.0, 0.0]]])
    def test_masks(self, tmp_path, content):
        assert read_mask(written(tmp_path / "m.json", content)).tolist() == [[True, False]]


class TestRefusing:
    def test_a_missing_file(self, tmp_path):
        assert complaint(tmp_path / "no.npy") == "cannot read no.npy: No such file or directory"
        assert complaint(tmp_path / "no.json") == "cannot read no.json: No such file or directory"

    def test_a_folder(self, tmp_path):
        (tmp_path / "a.npy").mkdir()
        assert complaint(tmp_path / "a.npy") == "cannot read a.npy: Is a directory"

    def test_an_unknown_kind_of_file(self, tmp_path):
        assert complaint(tmp_path / "a.csv") == (
            "a.csv: arrays are read from .npy, .npz[:NAME] and .json[:NAME], keys also from .toml"
        )

    @pytest.mark.parametrize("suffix", [".npy", ".npz"])
    def test_a_pickle(self, tmp_path, suffix):
        written(tmp_path / f"a{suffix}", pickle.dumps([1.0, 2.0]))
        assert complaint(tmp_path / f"a{suffix}") == (
            f"a{suffix}: not a sound NumPy file: it is pickled or holds Python objects, which are never loaded; "
            "save plain numbers"
        )

    def test_python_objects_in_an_array(self, tmp_path):
        written(tmp_path / "a.npy", np.array([{}, None], dtype=object))
        assert "never loaded" in complaint(tmp_path / "a.npy")
        np.savez(tmp_path / "b.npz", a=np.array([{}, None], dtype=object))
        assert "never loaded" in complaint(tmp_path / "b.npz")

    @pytest.mark.parametrize("length", [0, 5, 60, 150])
    def test_a_file_cut_short(self, tmp_path, length):
        written(tmp_path / "whole.npy", np.ones(20))
        written(tmp_path / "cut.npy", (tmp_path / "whole.npy").read_bytes()[:length])
        assert complaint(tmp_path / "cut.npy").startswith("cut.npy: not a sound NumPy file: ")

    def test_a_damaged_archive(self, tmp_path):
        written(tmp_path / "whole.npz", {"a": np.ones(20)})
        written(tmp_path / "cut.npz", (tmp_path / "whole.npz").read_bytes()[:100])
        assert complaint(tmp_path / "cut.npz").startswith("cut.npz: not a sound NumPy file: ")

    def test_a_header_that_asks_for_more_memory_than_there_is(self, tmp_path):
        written(tmp_path / "two.npy", np.ones(2))
        data = (tmp_path / "two.npy").read_bytes()
        before = b"(2,), }" + b" " * 15
        assert before in data
        written(tmp_path / "huge.npy", data.replace(before, b"(2000000000000000,), }"))
        assert complaint(tmp_path / "huge.npy").startswith("huge.npy: not a sound NumPy file: ")

    def test_an_archive_of_something_else(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("readme.txt", "hello")
        assert complaint(tmp_path / "a.npz") == "a.npz: expected real numbers; got dtype |S5"

    def test_names(self, tmp_path):
        written(tmp_path / "a.npz", {"keys": [1.0], "values": [2.0]})
        written(tmp_path / "a.npy", [1.0])
        written(tmp_path / "a.json", {})
        assert complaint(tmp_path / "a.npz") == "a.npz: holds keys, values; choose one, as in a.npz:NAME"
        assert complaint(tmp_path / "a.npz", name=":kyes") == "a.npz: holds no 'kyes'; it holds keys, values"
        assert complaint(tmp_path / "a.npy", name=":x") == "a.npy: holds one array without a name; leave out ':x'"
        assert complaint(tmp_path / "a.json") == "a.json: holds nothing; choose one, as in a.json:NAME"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[[1, 2], [3]]", "a.json[1]: expected 2 entries as in the first entry; got 1 entries"),
            ("[1, [2]]", "a.json[1]: expected a number as in the first entry; got 1 entries"),
            ("[[[1]], [[1, 2]]]", "a.json[1]: expected shape (1, 1) as in the first entry; got shape (1, 2)"),
            ('[[1, "two"]]', 'a.json[0][1]: expected a number or a list of them; got "two"'),
            ("[null]", "a.json[0]: expected a number or a list of them; got null"),
            ("[1, NaN]", "a.json: every number must be finite; entry [1] is nan"),
            ("[[1, -Infinity]]", "a.json: every number must be finite; entry [0, 1] is -inf"),
            (f"[1{'0' * 400}]", "a.json: a number is too large for float64"),
            ("[true]", "a.json: expected real numbers; got dtype bool"),
            ("[1, 2", "a.json: not JSON: Expecting ',' delimiter: line 1 column 6 (char 5)"),
            ("[" * 400 + "]" * 400, "a.json: the lists are nested deeper than the 3 axes an array here may have"),
            ("[[[[1]]]]", "a.json: the lists are nested deeper than the 3 axes an array here may have"),
            ("[" * 100_000, "a.json: lists or tables are nested too deeply; write them flatter"),
        ],
    )
    def test_json(self, tmp_path, text, message):
        written(tmp_path / "a.json", text)
        assert complaint(tmp_path / "a.json").startswith(message)

    def test_a_place_inside_an_object(self, tmp_path):
        written(tmp_path / "a.json", {"keys": [[1], [2, 3]], "q": [1]})
        message = complaint(tmp_path / "a.json", name=":keys")
        assert message == "a.json:keys[1]: expected 1 entries as in the first entry; got 2 entries"

    def test_complex_numbers_and_text(self, tmp_path):
        written(tmp_path / "a.npy", [1j])
        assert complaint(tmp_path / "a.npy") == "a.npy: expected real numbers; got dtype complex128"
        written(tmp_path / "a.npy", ["one"])
        assert complaint(tmp_path / "a.npy") == "a.npy: expected real numbers; got dtype <U3"

    def test_not_a_number(self, tmp_path):
        written(tmp_path / "a.npy", [[0.0, 1.0], [np.nan, 2.0]])
        assert complaint(tmp_path / "a.npy") == "a.npy: every number must be finite; entry [1, 0] is nan"

    @pytest.mark.parametrize("shape", [(2,), (0, 2), (2, 0), (1, 2, 3), ()])
    def test_rows_of_another_shape(self, tmp_path, shape):
        written(tmp_path / "a.npy", np.zeros(shape))
        message = complaint(tmp_path / "a.npy", read_rows)
        assert message == f"a.npy: expected rows of numbers, at least one; got shape {shape}"

    def test_another_number_of_rows(self, tmp_path):
        written(tmp_path / "a.npy", np.zeros((2, 1)))
        with pytest.raises(InputFileError, match="expected one row for each of the 3 keys; got 2"):
            read_rows(str(tmp_path / "a.npy"), n_rows=3)

    def test_a_mask_of_other_numbers(self, tmp_path):
        written(tmp_path / "a.npy", [0, 1, 2])
        message = complaint(tmp_path / "a.npy", read_mask)
        assert message == "a.npy: a mask holds true and false, or 1 and 0, and nothing else"

    def test_an_archive_that_unpacks_to_more_than_fits(self, tmp_path, monkeypatch):
        np.savez_compressed(tmp_path / "a.npz", keys=np.zeros((1000, 100)))
        assert (tmp_path / "a.npz").stat().st_size < 2000
        assert read_rows(str(tmp_path / "a.npz")).shape == (1000, 100)
        monkeypatch.setattr("regard.studies.attention.array_files.MAX_MEMBER_BYTES", 800_000)
        message = complaint(tmp_path / "a.npz", read_rows)
        assert message == "a.npz: keys.npy unpacks to 800,128 bytes; at most 800,000 are read"
