"""A short version of the audits in `benchmarks/audit`: every number with an error is inside it."""

import numpy as np
import pytest
from benchmarks.audit import designs, moments
from hypothesis import given, settings
from hypothesis import strategies as st

SEEDS = st.integers(0, 2**32 - 1)
# Beyond its interval once in 10,000: the few draws here would need more luck than that.
EXAMPLES = {"try_two_keys": 12, "try_many_keys": 2, "try_two_heads": 2, "try_shared": 1, "try_sampling": 8}
EXAMPLES |= {"try_whole_keys": 10, "try_query": 15, "try_scale": 20, "try_hull": 10, "try_search": 2}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_numbers_are_inside_their_errors(name):
    attempt = getattr(moments, name, None) or getattr(designs, name)

    @settings(max_examples=EXAMPLES[name], deadline=None, database=None, derandomize=True)
    @given(SEEDS)
    def check(seed):
        for trial in attempt(np.random.default_rng(seed)):
            assert trial.off <= trial.error, trial

    check()


def test_a_number_outside_its_error_is_counted():
    tally = moments.Tally()
    for off in (0.5, 2.0, np.nan):
        moments.count(tally, moments.Trial("a method", off, 1.0, 0.1, "a law"))
    assert (tally.count, tally.outside) == (3, 2)
    assert "outside, a method: off by 2, claimed 1: a law" in moments.show({"a method": tally})
