"""A collection of claims, right and subtly wrong: each verdict is verified apart from the checker, then asked of it."""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.support.claim_oracles import NOT_COMPARED, ORACLES, Misfit

from regard.claims.check import check

FOLDER = Path(__file__).parents[2] / "support" / "claims"


def collected(setting):
    return tomllib.loads((FOLDER / f"{setting}.toml").read_text("utf-8"))["claim"]


ROWS = [pytest.param(setting, row, id=f"{setting}:{row['name']}") for setting in ORACLES for row in collected(setting)]


@cache
def instances(setting):
    rng = np.random.default_rng(7)
    return [ORACLES[setting][0](rng) for _ in range(100)]


def true_verdict(setting, name):
    """Computed in plain NumPy on a hundred random instances."""
    try:
        answers = [ORACLES[setting][1][name](instance) for instance in instances(setting)]
    except Misfit:
        return "ill-formed"
    return "holds" if all(answers) else "fails"


@pytest.mark.parametrize(("setting", "row"), ROWS)
def test_expected_verdict_is_true(setting, row):
    if row["verdict"] == "not-understood":
        assert row["name"] not in ORACLES[setting][1]
    elif row["name"] not in NOT_COMPARED.get(setting, ()):
        assert true_verdict(setting, row["name"]) == row["verdict"]


@pytest.mark.parametrize(("setting", "row"), ROWS)
def test_verdict(setting, row, unchecked):
    verdict = check(row["claim"], setting=setting)
    assert verdict.verdict == row["verdict"], verdict
