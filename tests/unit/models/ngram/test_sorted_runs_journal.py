"""What a count on the disk has finished is taken over by the next process, if it is of the same count and whole."""

import pytest

from regard.models.ngram.sorted_runs import Finished, Journal


@pytest.fixture
def finished(tmp_path):
    """Two runs that a journal lists, and a file that it does not."""
    journal = Journal(tmp_path, "key")
    for name in ("run-1.part", "run-2.part", "run-3.part"):
        (tmp_path / name).write_bytes(name.encode())
    noted = Finished([5, 7], 2, [["run-1.part"], ["run-2.part"]])
    journal.write(noted, ["run-1.part", "run-2.part"])
    return noted


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_listed_is_taken_over_and_the_rest_removed(tmp_path, finished):
    assert Journal(tmp_path, "key").found == finished
    assert names(tmp_path) == ["journal.part", "run-1.part", "run-2.part"]


@pytest.mark.parametrize("damaged", ["run-1.part", "run-2.part", "journal.part"])
def test_a_damaged_file_lets_the_count_begin_anew(tmp_path, finished, damaged):
    content = (tmp_path / damaged).read_bytes()
    (tmp_path / damaged).write_bytes(content[:-1])
    assert Journal(tmp_path, "key").found == Finished()
    assert not list(tmp_path.glob("run-*.part"))


def test_another_count_begins_anew(tmp_path, finished):
    assert Journal(tmp_path, "another key").found == Finished()
    assert not list(tmp_path.glob("run-*.part"))


def test_files_that_are_no_longer_needed_are_removed_once_that_is_noted(tmp_path, finished):
    journal = Journal(tmp_path, "key")
    (tmp_path / "keys-1.part").write_bytes(b"12345678")
    journal.write(Finished([5, 7], 2, tables={"keys-1.part": [1, 9]}), ["keys-1.part"])
    assert names(tmp_path) == ["journal.part", "keys-1.part"]
    assert Journal(tmp_path, "key").found.tables == {"keys-1.part": [1, 9]}
