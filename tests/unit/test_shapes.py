"""Axes are words in annotations: without jaxtyping they cost nothing, with it every call is checked."""

import subprocess
import sys

import numpy as np
import pytest
from jaxtyping import TypeCheckError

from regard.arrays import entropy
from regard.noise.keys import n_normal_axes


def test_annotations_cost_nothing_where_jaxtyping_is_not_loaded():
    code = (
        "import sys; from regard.shapes import Array, Float; import regard.arrays\n"
        "print(Float[Array, 'query key'] is Array, 'jaxtyping' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True False\n"


def test_the_test_run_checks_every_call():
    with pytest.raises(TypeCheckError):
        entropy(np.array(["not", "numbers"]))
    with pytest.raises(TypeCheckError):
        n_normal_axes("no law")
