"""Look-ups in parts: as look-ups in memory, whatever the chunks and parts."""

import numpy as np
import pytest

from regard.models.ngram import disk_array
from regard.models.ngram.disk_array import BatchSearch, DiskArray


@pytest.mark.parametrize(("part", "chunk"), [(1, 1), (3, 5), (7, 100), (100, 2)])
def test_places_and_sums_are_those_in_memory(tmp_path, monkeypatch, part, chunk):
    monkeypatch.setattr(disk_array, "PART", part)
    monkeypatch.setattr(disk_array, "CHUNK", chunk)
    rng = np.random.default_rng(1)
    known = np.sort(rng.choice(1000, 40, replace=False))
    asked, changes = rng.choice(known, 90), rng.integers(-5, 5, 90)
    keys = DiskArray(tmp_path / "keys.part")
    keys.append(known)
    search = BatchSearch(keys)
    for start in range(0, 90, 8):
        search.ask(asked[start : start + 8], changes[start : start + 8])
    starts, sums = zip(*search.answer(), strict=True)
    assert list(starts) == list(range(0, 40, part))
    assert np.concatenate(sums).tolist() == [changes[asked == key].sum() for key in known]
    places = [search.take(asked[start : start + 8]) for start in range(0, 90, 8)]
    assert np.concatenate(places).tolist() == np.searchsorted(known, asked).tolist()
    search.close()
    assert list(tmp_path.iterdir()) == [keys.path]


def test_more_parts_than_two_bytes_can_number(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_array, "SHORT_PARTS", 3)
    test_places_and_sums_are_those_in_memory(tmp_path, monkeypatch, 1, 4)


def test_no_keys_and_nothing_asked(tmp_path):
    search = BatchSearch(DiskArray(tmp_path / "keys.part"))
    search.ask(np.zeros(0, np.int64))
    assert list(search.answer()) == []
    assert search.take(np.zeros(0, np.int64)).tolist() == []


def test_what_is_no_key(tmp_path):
    keys = DiskArray(tmp_path / "keys.part")
    keys.append(np.array([1, 5]))
    search = BatchSearch(keys)
    search.ask(np.array([5, 4]))
    with pytest.raises(AssertionError, match="a number that is no key"):
        list(search.answer())


@pytest.mark.parametrize("n_keys", [64, 256])
def test_what_is_read_grows_with_the_keys(tmp_path, monkeypatch, n_keys):
    """Each number is written and read a fixed number of times: a pass of all keys for each chunk would be a square."""
    monkeypatch.setattr(disk_array, "PART", 8)
    keys = DiskArray(tmp_path / "keys.part")
    keys.append(np.arange(n_keys))
    n_read, read = [0], DiskArray.read

    def count(array, start, end):
        found = read(array, start, end)
        n_read[0] += len(found)
        return found

    monkeypatch.setattr(DiskArray, "read", count)
    search = BatchSearch(keys)
    chunks = [np.random.default_rng(k).integers(0, n_keys, 8) for k in range(n_keys // 2)]
    for chunk in chunks:
        search.ask(chunk)
    list(search.answer())
    for chunk in chunks:
        search.take(chunk)
    assert n_read[0] == n_keys // 8 + n_keys + 2 * 4 * n_keys  # first keys, keys, and each number asked and found
