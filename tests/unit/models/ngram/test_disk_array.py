"""Numbers in a file: as those in memory, a block at a time."""

import numpy as np
import pytest

from regard.models.ngram import disk_array
from regard.models.ngram.disk_array import DiskArray


def test_numbers_are_read_and_found_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_array, "BLOCK", 4)
    numbers = DiskArray(tmp_path / "numbers.part")
    for start in (0, 7):
        numbers.append(np.arange(start, start + 7) * 10)
    assert (len(numbers), numbers.max) == (14, 130)
    assert numbers.gather(np.array([0, 3, 3, 4, 13])).tolist() == [0, 30, 30, 40, 130]
    assert numbers.search(np.array([-5, 0, 35, 40, 130, 999])).tolist() == [-1, 0, -1, 4, 13, -1]
    assert numbers.search(np.zeros(0, np.int64)).tolist() == []
    numbers.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("bound", "size"), [(None, 8), (2**31, 8), (2**31 - 1, 4), (3, 4)])
def test_small_numbers_take_four_bytes(tmp_path, bound, size):
    numbers = DiskArray(tmp_path / "numbers.part", bound=bound)
    numbers.append(np.array([-3, 0, 3]))
    assert numbers.path.stat().st_size == 3 * size
    assert numbers.read(1, 3).tolist() == [0, 3]
    assert numbers.read(0, 3).dtype == np.int64


def test_a_number_beyond_its_bound_is_not_written(tmp_path):
    numbers = DiskArray(tmp_path / "numbers.part", bound=3)
    with pytest.raises(AssertionError, match="a number beyond its bound"):
        numbers.append(np.array([2**31]))
    assert numbers.path.read_bytes() == b""
