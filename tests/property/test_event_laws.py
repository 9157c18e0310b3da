"""Every error of a probability or density holds, over laws of all sizes: a short run of benchmarks/audit/events.py."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "audit" / "events.py"


@pytest.fixture(scope="module")
def auditor():
    spec = importlib.util.spec_from_file_location("audit_events", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_errors_hold_over_ten_decades(auditor):
    results = auditor.audit(200, seed=20)
    outside = [result for result in results if result.ratio > auditor.HOLDS]
    assert not outside, "\n".join(map(str, outside))
    assert len(results) > 350
    assert max(result.seconds for result in results) < 10
