"""Batches on one process, several, and a real scheduler with real workers, some of which are killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from tests.support.cluster_tasks import refuse, square, square_once_killed
from tests.support.reviews import labelled_reviews
from tests.support.texts import VERSE

from regard import cluster
from regard.cli.output import jsonable
from regard.cluster import map_batches
from regard.errors import ClusterError, MissingExtraError, ValueRangeError
from regard.files import cache_folder
from regard.models.ngram.model import NgramConfig
from regard.records import Workers
from regard.studies import averaging, errors, one_vs_many
from regard.studies.claims import Config, check_folder
from regard.text import bigram_counts, cooccurrence
from regard.text.bigram_counts import count_text
from regard.text.cooccurrence import count_cooccurrences
from regard.text.tokenise.words import WordTokeniser
from regard.training import ngram_on_disk
from regard.training.ngram_on_disk import train_on_disk

WORDS = WordTokeniser.fit(VERSE)
ROOT = Path(__file__).parents[2]
SQUARES = [str(n * n).encode() for n in range(40)]


def batches(folder, n=40):
    return ((number, str(folder)) for number in range(n))


def left_over():
    return list((cache_folder() / cluster.FOLDER).glob("*")) if (cache_folder() / cluster.FOLDER).exists() else []


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(2)]

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, *command: str) -> subprocess.Popen:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        with (self.folder / f"log-{time.monotonic_ns()}").open("wb") as log:
            arguments = [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]]
            return subprocess.Popen(arguments, env=environment, cwd=self.folder, stdout=log, stderr=log)

    def start_scheduler(self) -> subprocess.Popen:
        place = self.folder / "scheduler.json"
        place.unlink(missing_ok=True)
        started = self.start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard",
            "--scheduler-file", str(place),
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not place.exists() or not place.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        import json

        self.port = int(json.loads(place.read_text())["address"].rsplit(":", 1)[1])
        return started

    def start_worker(self) -> subprocess.Popen:
        return self.start(
            "dask_worker", self.address, "--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--no-dashboard",
            "--local-directory", str(self.folder),
        )  # fmt: skip

    def close(self) -> None:
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """What one test leaves unfinished is not there for the next."""
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def has_dask():
    pytest.importorskip("distributed", reason="needs dask: pip install 'regard[scale]'")


@pytest.fixture(scope="module")
def dask(has_dask, tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    yield cluster
    cluster.close()


def test_alone_nothing_is_started_and_nothing_kept(tmp_path):
    shares = []
    found = map_batches(square, ((n,) for n in range(3)), total=3, progress=lambda share, message: shares.append(share))
    assert list(found) == SQUARES[:3]
    assert shares == [1 / 3, 2 / 3, 1.0]
    assert left_over() == []


def test_processes_give_the_same_in_order_though_one_is_killed(tmp_path):
    found = list(map_batches(square_once_killed, batches(tmp_path, 12), workers=Workers(2)))
    assert found == SQUARES[:12]
    assert (tmp_path / "killed").exists()
    assert left_over() == []


def test_a_run_that_is_left_goes_on_where_it_stopped(tmp_path):
    run = map_batches(square, batches(tmp_path, 20), workers=Workers(2))
    assert [next(run) for _ in range(8)] == SQUARES[:8]
    run.close()
    assert len(left_over()) >= 8
    (damaged,) = (path for path in left_over() if path.read_bytes().endswith(b"\n36"))
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    begun = {path.name for path in tmp_path.iterdir()}
    assert list(map_batches(square, batches(tmp_path, 20), workers=Workers(2))) == SQUARES[:20]
    again = {int(path.name.split("-")[0]) for path in tmp_path.iterdir() if path.name not in begun}
    assert again & set(range(8)) == {6}
    assert left_over() == []


def test_what_a_task_raises_is_raised_here():
    with pytest.raises(ValueRangeError, match=r"^1 is odd$"):
        list(map_batches(refuse, [(0,), (1,)], workers=Workers(2)))


def test_impossible_workers_are_refused(monkeypatch):
    with pytest.raises(ValueRangeError, match="from 1 to 1024 workers; got 0"):
        Workers(0)
    for address in ("somewhere", "tcp://", "tcp://host", "http://host:1", "tcp://host:1/x", "tcp://:8786"):
        with pytest.raises(ValueRangeError, match="such as tcp://"):
            Workers(scheduler=address)
    assert Workers(scheduler="tls://[::1]:8786").scheduler == "tls://[::1]:8786"
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"regard\[scale\]"):
        list(map_batches(square, [(1,)], workers=Workers(scheduler="tcp://127.0.0.1:9")))


def test_a_scheduler_that_is_not_there_is_told(has_dask, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    with pytest.raises(ClusterError, match=r"cannot reach tcp://127.0.0.1:9: .*dask scheduler"):
        list(map_batches(square, [(1,)], workers=Workers(scheduler="tcp://127.0.0.1:9")))


@pytest.mark.slow
def test_all_figures_are_those_of_one_process_to_the_last_bit(dask, tmp_path, monkeypatch):
    for module in (bigram_counts, ngram_on_disk):
        monkeypatch.setattr(module, "PIECE_CHARACTERS", 200)
    monkeypatch.setattr(cooccurrence, "CHUNK_TOKENS", 30)
    (tmp_path / "ada.md").write_text("# 1\nWe choose $M = A A^T$.\n")
    group = Workers(scheduler=dask.address)
    assert figures(group, tmp_path, "dask") == figures(Workers(), tmp_path, "alone")


def test_four_processes_count_what_one_counts(monkeypatch):
    monkeypatch.setattr(bigram_counts, "PIECE_CHARACTERS", 200)
    one, four = (count_text([VERSE], WORDS, workers=Workers(n)).matrix for n in (1, 4))
    assert (one != four).nnz == 0


def figures(workers, folder, name):
    """Bigrams, co-occurrences, n-grams, exact laws and verdicts, as text with every digit."""
    bigrams = count_text([VERSE], WORDS, workers=workers).matrix.toarray().tolist()
    ids = WORDS.encode(VERSE).ids
    near = count_cooccurrences(
        np.split(ids, np.flatnonzero(ids == 1) + 1), n_words=len(WORDS.vocabulary), workers=workers
    )
    (folder / name).mkdir()
    config = NgramConfig(unit="word", order=3)
    model = train_on_disk(lambda: iter([VERSE]), config, folder / name, workers=workers)
    model.write_tensors(folder / name / "model.part")
    law = one_vs_many.run(one_vs_many.Config(n_keys=3, wanted=1, scales=(3.0,), n_draws=10), workers=workers)
    sheets = check_folder(folder, Config(setting="two-subspaces"), workers=workers.count, scheduler=workers.scheduler)
    verdicts = [answer.verdict.verdict for answer in sheets]
    tensors = (folder / name / "model.part").read_bytes()
    counted = bigrams, near.counts.toarray().tolist(), near.n_tokens, tensors
    return repr((*counted, law.rows, law.notes, verdicts, *classifier_figures(workers)))


def classifier_figures(workers):
    """Averaging classifiers side by side, and the errors of one, without the seconds."""
    data, best = labelled_reviews(40), []
    settings = {"width": 6, "hidden": 4, "epochs": 1, "bits": 10, "iterations": 3}
    config = averaging.Config(questions=("weights",), settings=settings)
    table = averaging.run(data, data, config, workers=workers, on_best=best.append)
    found = errors.run(best[-1], data, errors.Config(n=1), workers=workers)
    rows = [{name: value for name, value in row.items() if name != "cpu_seconds"} for row in table.records()]
    return rows, jsonable(found)


@pytest.mark.slow
def test_a_killed_worker_loses_and_repeats_nothing_that_counts(dask, tmp_path):
    victim = dask.workers[0]
    threading.Timer(0.8, lambda: victim.send_signal(signal.SIGKILL)).start()
    assert list(map_batches(square, batches(tmp_path), workers=Workers(scheduler=dask.address))) == SQUARES
    victim.wait(timeout=20)
    dask.workers[0] = dask.start_worker()
    assert left_over() == []


@pytest.mark.slow
def test_a_scheduler_that_is_stopped_and_started_again_is_found_again(dask, tmp_path):
    def restart():
        dask.scheduler.kill()
        dask.scheduler.wait()
        for worker in dask.workers:
            worker.kill()
            worker.wait()
        dask.scheduler = dask.start_scheduler()
        dask.workers = [dask.start_worker() for _ in range(2)]

    again = threading.Timer(0.5, restart)
    again.start()
    assert list(map_batches(square, batches(tmp_path), workers=Workers(scheduler=dask.address))) == SQUARES
    again.join()
    assert left_over() == []
