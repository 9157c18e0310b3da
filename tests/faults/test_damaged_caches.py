"""A short run of damaged caches and runs; `make faults` tries many more."""

import numpy as np
import pytest

from tests.faults.damaged_caches import KEPT, Kept, damage, run, try_damaged


@pytest.mark.slow
def test_what_is_damaged_is_told_or_made_anew(unchecked):
    kinds, faults = run(range(4 * len(KEPT)))
    assert faults == {}
    assert len(kinds) == len(KEPT)


def test_a_cache_without_a_checksum_and_a_run_that_goes_on_are_found(tmp_path):
    (tmp_path / "kept").write_bytes(bytes(20))
    damage(tmp_path / "kept", np.random.default_rng(0))
    for is_refused, kind in ((False, "another answer"), (True, "a damaged run went on")):
        rash = Kept("rash", lambda _: None, "*", lambda place: (place / "kept").read_bytes(), is_refused)
        assert try_damaged(rash, tmp_path, bytes(20)).kind == kind
