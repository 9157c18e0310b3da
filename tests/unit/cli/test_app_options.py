"""Options that several commands share: what is typed, what is refused, and in which words."""

import os
from pathlib import Path

import pytest
import typer

from regard.cli.app import (
    MAX_SEED,
    THREADS,
    KeyIndices,
    Scales,
    check_seed,
    drawable,
    example,
    fraction_or_name,
    move_arguments_last,
    refuse_resume_with_force,
    use_one_thread,
    writable,
)
from regard.errors import RegardError


def test_seeds_are_as_large_as_torch_takes():
    assert check_seed(0) == 0
    assert check_seed(MAX_SEED) == 9223372036854775807
    with pytest.raises(typer.BadParameter, match="whole number up to 9223372036854775807; got 9223372036854775808"):
        check_seed(MAX_SEED + 1)


def test_an_example_keeps_its_lines():
    assert example("regard a", "regard b") == "\b\nExample:\n  regard a\n  regard b"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["q = k", "--json"], ["q = k", "--json"]),
        (["-q = k", "--json"], ["--json", "--", "-q = k"]),
        (["--goal", "-c = v", "q"], ["--goal", "-c = v", "q"]),
        (["--goal=-c", "-(q)"], ["--goal=-c", "--", "-(q)"]),
        (["-1", "-h"], ["-h", "--", "-1"]),
        (["--json", "--", "-q", "--goal"], ["--json", "--", "-q", "--goal"]),
        (["-", "-q = k"], ["--", "-", "-q = k"]),
        (["--goal"], ["--goal"]),
        ([], []),
    ],
)
def test_arguments_with_a_minus_stand_after_the_options(typed, expected):
    assert move_arguments_last(typed, {"--goal"}) == expected


def test_a_file_to_write_is_checked_before_any_work(tmp_path):
    check = writable(".csv")
    assert check(None) is None
    assert check(tmp_path / "a.csv") == tmp_path / "a.csv"
    assert not (tmp_path / "a.csv").exists()
    with pytest.raises(typer.BadParameter, match=r"expected a name that ends in \.csv; got '.*a\.txt'"):
        check(tmp_path / "a.txt")
    with pytest.raises(RegardError):
        check(tmp_path / "nowhere" / "a.csv")
    assert check(Path("/dev/stdout")) == Path("/dev/stdout")
    assert writable()(tmp_path / "a.txt") == tmp_path / "a.txt"


def test_a_figure_needs_a_format_that_is_known(tmp_path):
    assert drawable(None) is None
    assert drawable(tmp_path / "a.svg") == tmp_path / "a.svg"
    with pytest.raises(RegardError, match=r"\.png"):
        drawable(tmp_path / "a.gif")


def test_numbers_with_commas_between():
    assert KeyIndices.parse("0,1, 5") == [0, 1, 5]
    assert Scales.parse("1,2.5,1e2") == (1.0, 2.5, 100.0)
    with pytest.raises(typer.BadParameter, match=r"whole numbers with commas between, as in 0,1,5; got '0,1\.5'"):
        KeyIndices.parse("0,1.5")
    with pytest.raises(typer.BadParameter, match="expected numbers with commas between, as in 1,10,100; got '1,'"):
        Scales.parse("1,")


def test_a_fraction_or_a_name():
    assert [fraction_or_name(text) for text in ("0.1", "0", "valid.txt", "-")] == [0.1, 0.0, "valid.txt", "-"]


def test_a_run_goes_on_or_is_replaced():
    for resume, force in ((False, False), (True, False), (False, True)):
        refuse_resume_with_force(resume=resume, force=force)
    with pytest.raises(typer.BadParameter, match="expected --resume, to go on, or --force, to start over; not both"):
        refuse_resume_with_force(resume=True, force=True)


def test_one_thread_unless_another_number_was_asked_for(monkeypatch):
    for name in THREADS:
        monkeypatch.setenv(name, "unset")  # so that what is set here is undone
        monkeypatch.delenv(name)
    monkeypatch.setenv("MKL_NUM_THREADS", "4")
    use_one_thread()
    assert {name: os.environ[name] for name in THREADS} == {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "4",
    }
