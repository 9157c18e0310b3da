"""The counting model in one call, and what it refuses."""

import pytest

from regard.errors import ValueRangeError
from regard.studies.training.ngram import require_memory


def test_more_than_fits_into_memory_is_refused():
    require_memory(1_000_000, order=10, unit="char")
    expected = r"counting 10,000,000,000,000 characters at order 10 takes about 5,000,000 GB of memory, this"
    with pytest.raises(ValueRangeError, match=expected):
        require_memory(10**13, order=10, unit="char")
