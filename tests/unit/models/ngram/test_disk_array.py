"""Numbers in a file: as those in memory, a block at a time."""

import numpy as np

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
