"""What fuzzing has found is read soundly now, and a few new inputs are; `make faults` tries many more."""

import numpy as np
import pytest

from tests.faults.fuzz_parsers import FINDINGS, fuzz, mutate, try_input
from tests.faults.parsers import PARSERS

BY_NAME = {parser.name: parser for parser in PARSERS}
KEPT = sorted(path for path in FINDINGS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_finding_is_mended(path, tmp_path, unchecked):
    outcome = try_input(BY_NAME[path.parent.name], path.read_bytes(), tmp_path)
    assert not outcome.is_fault, outcome


@pytest.mark.slow
def test_a_few_inputs_are_read_or_refused(unchecked):
    for name in BY_NAME.keys() - {"check", "claim"}:
        fuzzer = fuzz(BY_NAME[name], 60, seed=1, max_inputs=5)
        assert (name, fuzzer.findings) == (name, {})
        assert fuzzer.kinds.total() == 5


def test_inputs_are_changed():
    rng = np.random.default_rng(0)
    assert len({mutate(b"q = C k_a", [b"c = v_a"], rng) for _ in range(50)}) > 30
