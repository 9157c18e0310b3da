"""The model of a text that is sorted on the disk: the one that is trained in memory, to the last bit."""

import itertools

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import MethodError, NothingScoredError, ValueRangeError
from regard.models.folder import tensor_bytes
from regard.models.ngram import disk_array, disk_counts, sorted_runs
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.models.ngram.sorted_runs import Journal, SortedRuns
from regard.records import Workers
from regard.text.corpora.reader import cut
from regard.training import ngram_on_disk as trained
from regard.training.ngram_on_disk import Tail, train_on_disk

TEXT = "\n".join(VERSE.splitlines() * 3 + ["A LINE of its own, of 1,250 words, né </s>", "", "the end"])
CONFIGS = [
    NgramConfig(order=10),
    NgramConfig(unit="byte", order=7, method="kneser-ney"),
    NgramConfig(unit="word"),
    NgramConfig(unit="word", order=3, method="kneser-ney", vocabulary=12),
    NgramConfig(unit="course", order=4),
    NgramConfig(order=1),
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda c: f"{c.unit}-{c.method}-{c.chosen_order}")
def test_the_model_is_that_of_memory_to_the_last_bit(tmp_path, monkeypatch, config):
    monkeypatch.setattr(disk_array, "BLOCK", 64)
    for module in (disk_counts, disk_array):
        monkeypatch.setattr(module, "CHUNK", 100)
    monkeypatch.setattr(disk_array, "PART", 50)
    expected = fit_ngram(TEXT, config)
    model = train_on_disk(lambda: cut(iter([TEXT]), 97), config, tmp_path)
    model.write_tensors(tmp_path / "model.part")
    assert (tmp_path / "model.part").read_bytes() == tensor_bytes(expected.arrays())
    ours, theirs = model.background, expected.background
    assert (ours.notes, ours.tokeniser.settings()) == (theirs.notes, theirs.tokeniser.settings())
    assert ours.digest.sha256 == theirs.digest.sha256
    assert ours.digest.hashes.tolist() == theirs.digest.hashes.tolist()
    assert tensor_bytes(ours.speller.arrays()) == tensor_bytes(theirs.speller.arrays())
    assert model.config() == expected.config()
    new = "the king, and another line\nof new words"
    assert model.score(new).log_probs_nats.tolist() == expected.score(new).log_probs_nats.tolist()


@pytest.mark.parametrize("config", [CONFIGS[0], CONFIGS[1], CONFIGS[4]], ids=lambda c: c.unit)
def test_pieces_sorted_apart_give_the_same_bits(tmp_path, monkeypatch, config):
    monkeypatch.setattr(trained, "PIECE_CHARACTERS", 150)
    monkeypatch.setattr(Workers, "are_here", False)  # the way of several workers, without their processes
    monkeypatch.setattr(trained, "map_batches", lambda task, batches, workers: (task(*batch) for batch in batches))
    text = TEXT + "\n\n \n" * 80 + "the king"
    model = train_on_disk(lambda: cut(iter([text]), 97), config, tmp_path)
    model.write_tensors(tmp_path / "model.part")
    assert (tmp_path / "model.part").read_bytes() == tensor_bytes(fit_ngram(text, config).arrays())


class Killed(BaseException):
    """As a kill from outside: nothing is tidied up after it."""


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of a few characters, so that there are many runs; what is sorted is counted."""
    found = []
    monkeypatch.setattr(trained, "PIECE_CHARACTERS", 250)
    monkeypatch.setattr(trained, "PIECE_POSITIONS", 250)
    monkeypatch.setattr(sorted_runs, "FAN_IN", 3)
    monkeypatch.setattr(trained, "map_batches", lambda task, batches, workers: (task(*batch) for batch in batches))
    keep = SortedRuns._keep_piece
    monkeypatch.setattr(SortedRuns, "_keep_piece", lambda runs, *piece: found.append(1) or keep(runs, *piece))
    return found


def count(folder, config, text=TEXT):
    model = train_on_disk(lambda: cut(iter([text]), 97), config, folder)
    model.write_tensors(folder / "model.part")
    return (folder / "model.part").read_bytes()


@pytest.mark.parametrize(("config", "is_alone"), [(CONFIGS[0], True), (CONFIGS[2], False)], ids=["alone", "workers"])
def test_a_count_that_is_killed_goes_on_to_the_same_bits(tmp_path, monkeypatch, small_pieces, config, is_alone):
    monkeypatch.setattr(Workers, "are_here", is_alone)
    (tmp_path / "whole").mkdir()
    whole, n_pieces = count(tmp_path / "whole", config), len(small_pieces)
    small_pieces.clear()
    write, numbers, lost = Journal.write, itertools.count(), []

    def write_or_die(journal, finished, new=()):
        number = next(numbers)
        if number % 5 == 2:
            lost.append(finished.tables is None)
            raise Killed
        write(journal, finished, new)
        if number % 5 == 4:
            raise Killed

    monkeypatch.setattr(Journal, "write", write_or_die)
    folder, n_killed = tmp_path / "killed", 0
    folder.mkdir()
    while True:
        try:
            assert count(folder, config) == whole
            break
        except Killed:
            n_killed += 1
            (folder / "run-999.part").write_bytes(b"half of a run")
    assert n_killed > 2
    assert len(small_pieces) == n_pieces + sum(lost)  # nothing was sorted twice but what had not been noted
    assert not list(folder.glob("run-*.part"))


def test_finished_tables_are_not_built_again_and_damaged_ones_are(tmp_path, monkeypatch, small_pieces):
    def die(*_, **__):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(disk_counts.DiskCounts, "find_suffixes", die)
        with pytest.raises(Killed):
            count(tmp_path, CONFIGS[0])
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    expected = tensor_bytes(fit_ngram(TEXT, CONFIGS[0]).arrays())
    for damaged, text, is_sorted_again in (
        (None, TEXT, False),
        ("keys-3.part", TEXT, True),
        ("journal.part", TEXT, True),
        (None, TEXT.upper(), True),
    ):
        small_pieces.clear()
        for path in tmp_path.iterdir():
            path.unlink()
        for name, content in kept.items():
            (tmp_path / name).write_bytes(content[:-1] + b"x" if name == damaged else content)
        assert (count(tmp_path, CONFIGS[0], text) == expected) is (text is TEXT)
        assert bool(small_pieces) is is_sorted_again


def test_two_processes_give_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(trained, "PIECE_CHARACTERS", 300)
    model = train_on_disk(lambda: iter([TEXT]), NgramConfig(unit="word"), tmp_path, workers=Workers(2))
    model.write_tensors(tmp_path / "model.part")
    expected = fit_ngram(TEXT, NgramConfig(unit="word"))
    assert (tmp_path / "model.part").read_bytes() == tensor_bytes(expected.arrays())


def test_what_it_cannot_do_is_told(tmp_path):
    model = train_on_disk(lambda: iter(["to be or not to be"]), NgramConfig(order=2), tmp_path)
    for ask in (model.reader, model.arrays, lambda: model.restore({}, {}, model.background)):
        with pytest.raises(MethodError, match="load"):
            ask()
    with pytest.raises(NothingScoredError, match="empty"):
        train_on_disk(lambda: iter([]), NgramConfig(order=2), tmp_path)
    with pytest.raises(ValueRangeError, match="between 1 and 10"):
        train_on_disk(lambda: iter(["a"]), NgramConfig(order=11), tmp_path)


def test_words_seen_once_are_refused_in_a_vocabulary(tmp_path):
    config = NgramConfig(unit="word", order=2, vocabulary=5)
    with pytest.raises(ValueRangeError, match="of 5 only 4 are: give --vocabulary 4 or less"):
        train_on_disk(lambda: iter(["to be or not to be"]), config, tmp_path)


def test_the_tail_of_a_sequence_is_kept():
    tail = Tail(5)
    parts = np.array_split(np.arange(23), 6)
    assert np.concatenate(list(tail.follow(parts))).tolist() == list(range(23))
    assert (tail.n_read, tail.last(5).tolist(), tail.last(2).tolist()) == (23, [18, 19, 20, 21, 22], [21, 22])
