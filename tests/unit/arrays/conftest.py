"""What the tests of attention share: both array libraries."""

import numpy as np
import pytest
import torch

torch.set_num_threads(1)  # tiny arrays: threads would only wait for each other


@pytest.fixture(params=["numpy", "torch"])
def make(request):
    """From lists or a NumPy array to an array of each library in turn; float64 unless told otherwise."""

    def build(data, *, dtype="float64"):
        array = np.asarray(data, dtype=dtype)
        return array if request.param == "numpy" else torch.from_numpy(array.copy())

    return build
