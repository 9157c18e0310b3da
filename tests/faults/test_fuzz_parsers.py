"""What fuzzing has found is read soundly now, and a few new inputs are; `make faults` tries many more."""

from collections import Counter

import numpy as np
import pytest

from tests.faults.fuzz_corpora import Record, read_corpus
from tests.faults.fuzz_parsers import FINDINGS, distil, fuzz, mutate, take_turns, try_input
from tests.faults.parsers import PARSERS

BY_NAME = {parser.name: parser for parser in PARSERS}
KEPT = sorted(path for path in FINDINGS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_finding_is_mended(path, tmp_path, unchecked):
    outcome = try_input(BY_NAME[path.parent.name], path.read_bytes(), tmp_path)
    assert not outcome.is_fault, outcome


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_inputs_that_fuzzing_has_kept_are_read_or_refused(name, tmp_path, unchecked):
    kept = read_corpus(name)
    assert kept
    outcomes = [try_input(BY_NAME[name], content, tmp_path) for content in kept]
    assert [outcome for outcome in outcomes if outcome.is_fault] == []


def test_seeds_and_minutes_are_kept_and_added_up(tmp_path):
    parser = BY_NAME["rows-json"]
    for _ in range(2):
        record = Record(tmp_path)
        record.add(parser, 30, Counter(refused=3))
        record.save_seeds(parser, "refused", [b"[", b"[["])
    again = Record(tmp_path)
    assert (again.minutes(parser), again.rows[parser.name]["refused"]) == (1.0, 6)
    assert sorted(again.load_seeds(parser, "refused")) == [b"[", b"[["]
    assert again.load_seeds(parser, "read") == []
    assert len(distil(parser, again)) == 1  # both are refused for the same reason


def test_turns_go_to_the_parser_with_the_least_time(tmp_path):
    parsers = [BY_NAME["rows-json"], BY_NAME["lab-input"]]
    Record(tmp_path).add(parsers[0], 0.3, Counter(refused=1))
    record = Record(tmp_path)
    assert take_turns(parsers, record, minutes=0.004, seed=0) == 0
    assert record.rows["rows-json"] == {"minutes": 0.005, "refused": 1}
    assert 0.004 <= record.minutes(parsers[1]) < 0.1


@pytest.mark.slow
def test_a_few_inputs_are_read_or_refused(unchecked):
    for name in BY_NAME.keys() - {"check", "claim"}:
        fuzzer = fuzz(BY_NAME[name], 60, seed=1, max_inputs=5)
        assert (name, fuzzer.findings) == (name, {})
        assert fuzzer.kinds.total() == 5


def test_inputs_are_changed():
    rng = np.random.default_rng(0)
    assert len({mutate(b"q = C k_a", [b"c = v_a"], rng) for _ in range(50)}) > 30
