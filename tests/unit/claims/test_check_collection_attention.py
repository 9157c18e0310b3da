"""The collection's claims about attention: each verdict is verified apart from the checker, then asked of it."""

import tomllib
from pathlib import Path

import pytest
from tests.support.attention_claims import verdict
from tests.support.attention_oracles import ORACLES
from tests.support.attention_samples import SAMPLED

from regard.claims.check import check

FOLDER = Path(__file__).parents[2] / "support" / "claims"


def collected(setting):
    return tomllib.loads((FOLDER / f"{setting}.toml").read_text("utf-8"))["claim"]


ROWS = [pytest.param(setting, row, id=f"{setting}:{row['name']}") for setting in ORACLES for row in collected(setting)]


@pytest.mark.parametrize("setting", ORACLES)
def test_each_claim_has_its_oracle(setting):
    assert [row["name"] for row in collected(setting)] == list(ORACLES[setting])


def test_what_has_no_oracle_is_verified_by_samples_or_cannot_be_read():
    without = {
        (setting, row["name"])
        for setting in ORACLES
        for row in collected(setting)
        if ORACLES[setting][row["name"]] is None and row["verdict"] != "not-understood"
    }
    assert without == set(SAMPLED)


@pytest.mark.parametrize(("setting", "row"), ROWS)
def test_expected_verdict_is_true(setting, row):
    if row["verdict"] == "not-understood":
        assert ORACLES[setting][row["name"]] is None
    elif (setting, row["name"]) in SAMPLED:
        assert SAMPLED[setting, row["name"]]() == row["verdict"]
    else:
        kind, claim = ORACLES[setting][row["name"]]
        n_worlds = 8 if "\\to" in row["claim"] and setting == "magnitude-noise" else 40  # each by fine quadrature
        assert verdict(claim, setting, is_approximate=kind == "~", n_worlds=n_worlds) == row["verdict"]


@pytest.mark.parametrize(("setting", "row"), ROWS)
def test_verdict(setting, row, unchecked):
    found = check(row["claim"], setting=setting)
    assert found.verdict == row["verdict"], found
