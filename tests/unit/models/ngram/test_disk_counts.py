"""Tables on a disk: against those that `NgramCounts` builds in memory."""

import numpy as np
import pytest

from regard.models.ngram import disk_array, disk_counts
from regard.models.ngram.context_mixing import Levels
from regard.models.ngram.counts import NgramCounts
from regard.models.ngram.disk_counts import DiskCounts
from regard.models.ngram.kneser_ney import continuations
from regard.models.ngram.sorted_runs import Packing, SortedRuns, pack_ngrams


@pytest.fixture(params=[None, 6])
def both(request, tmp_path, monkeypatch):
    """One random text, counted on the disk, in small blocks, and in memory; with marks of lines and without."""
    monkeypatch.setattr(disk_array, "BLOCK", 16)
    for module in (disk_counts, disk_array):
        monkeypatch.setattr(module, "CHUNK", 20)
    monkeypatch.setattr(disk_array, "PART", 12)
    rng, mark, order = np.random.default_rng(3), request.param, 4
    ids = rng.integers(0, 6, 400)
    if mark is not None:
        ids[rng.random(400) < 0.1] = mark
    packing = Packing(6 + (mark is not None), order)
    runs = SortedRuns(tmp_path, packing)
    for columns in pack_ngrams([ids], packing=packing, start_id=mark, size=50):
        runs.add(columns)
    disk = DiskCounts.build(runs.merge(), tmp_path, packing=packing, vocab_size=6, start_id=mark, n_positions=400)
    disk.find_suffixes(continuations=True)
    return ids, disk, NgramCounts.count(ids, vocab_size=6, order=order, start_id=mark)


def test_tables_suffixes_and_continuations_are_those_in_memory(both):
    _, disk, memory = both
    assert disk.n_ngrams == sum(len(table.keys) for table in memory.tables)
    for on_disk, table in zip(disk.tables, memory.tables, strict=True):
        for name in ("keys", "counts", "suffixes"):
            assert getattr(on_disk, name).read(0, 10**6).tolist() == getattr(table, name).tolist()
    for on_disk, ways in zip(disk.tables, continuations(memory), strict=False):
        assert on_disk.continuations.read(0, 10**6).tolist() == ways.tolist()


@pytest.mark.parametrize("take_out", [False, True])
def test_levels_at_some_positions_say_what_those_of_all_do(both, take_out):
    ids, disk, memory = both
    seen = memory.occurrences(ids).after(300)
    absolute = disk.occurrences(ids).after(300)
    assert absolute.ngrams.tolist() == seen.ngrams.tolist()
    whole = Levels.of(memory.without(seen) if take_out else memory)
    levels, compact = disk.levels_at(absolute, take_out=take_out)
    for look in ("along", "learning"):
        expected, found = getattr(whole, look)(seen), getattr(levels, look)(compact)
        uniform = np.full(100, 1 / 6)
        assert found.features.tolist() == expected.features.tolist()
        for ours, theirs in zip(found.orders(uniform), expected.orders(uniform), strict=True):
            assert ours.tolist() == theirs.tolist()
