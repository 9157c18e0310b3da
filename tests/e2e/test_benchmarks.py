"""`make bench-quick` fails where a ratio falls, and only there."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def quick():
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("bench_quick", FOLDER / "quick.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.parametrize(
    ("found", "code", "note"),
    [
        ({"words": 1.51}, 0, "words: 1.51, recorded 2.0\n"),
        ({"words": 1.49}, 1, "words: 1.49, recorded 2.0  FALLEN by more than a quarter\n"),
        ({"bits": 9.0}, 1, "bits: 9, recorded nowhere  FALLEN by more than a quarter\n"),
    ],
)
def test_a_ratio_that_falls_by_more_than_a_quarter_fails(quick, capsys, found, code, note):
    assert quick.report(found, {"words": 2.0}) == code
    assert capsys.readouterr().out == note


def test_a_ratio_is_the_median_of_rounds_without_the_first(quick, monkeypatch):
    seconds = iter([99.0, 1.0, 4.0, 2.0, 9.0, 3.0, 4.0, 1.0])  # the peer's and ours, in turn
    monkeypatch.setattr(quick, "timed", lambda call: (call(), next(seconds)))
    assert quick.ratio_of(lambda: None, lambda: None, repeats=3) == 3.0


def test_every_comparison_is_recorded_for_every_processor(quick):
    everywhere = json.loads(quick.RATIOS.read_text("utf-8"))
    assert everywhere
    assert all(one["ratios"].keys() == quick.COMPARISONS.keys() for one in everywhere.values())


def test_a_processor_that_was_never_measured_is_held_against_the_least_ratio(quick, capsys):
    everywhere = {"one": {"ratios": {"words": 2.0, "bits": 1.0}}, "other": {"ratios": {"words": 3.0, "bits": 0.5}}}
    assert quick.recorded_ratios(everywhere, "other") == {"words": 3.0, "bits": 0.5}
    assert capsys.readouterr().err == ""
    assert quick.recorded_ratios(everywhere, "third") == {"words": 2.0, "bits": 0.5}
    assert "third is not recorded" in capsys.readouterr().err
