"""Damaged caches and runs: what a disk has changed is told or made anew, and never used.

    python -m tests.faults.damaged_caches --cases 2000 --seed 0

A bit is flipped in one of the files that Regard keeps to read again, or it is cut short, emptied or made longer. A
cache has to give the answer that it gave before; a run that was to go on has to be refused, in one line.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regard.claims.sheets.totals import answer_record
from regard.cluster import _Kept
from regard.lab import model_cache
from regard.lab.jobs import JobProgress
from regard.models.checkpoint import load
from regard.models.folder_writer import save, writing
from regard.studies.claims import check_folder
from regard.text.corpora.archive import obtain
from regard.text.vectors.cache import open_vectors
from regard.training.averaging.train import AveragingConfig, train_averaging
from regard.training.network.resume import read_run, write_run
from regard.training.network.run import Checkpoint, Interrupted, Run, train
from tests.faults.harness import Outcome, search, try_use
from tests.support.averaging import SMALL, TWO
from tests.support.local_index import packed, pinned
from tests.support.models import MODELS
from tests.support.networks import tiny_task

SECONDS = 20.0
ARCHIVE = packed([("play-1.0/text.txt", b"to be or not to be\n" * 100)])
CLASSIFIER = AveragingConfig(form="classic", patience=99, **SMALL)


class Kept(NamedTuple):
    """Something that is kept in a folder: how it is made there, which files may be damaged, and how it is used.

    A cache answers as before; a run does not go on (`is_refused`).
    """

    name: str
    make: Callable[[Path], Any]
    files: str
    use: Callable[[Path], Any]
    is_refused: bool = False


class Stopped(BaseException):
    """Ends a training from outside, as a kill does."""


def _use_archive(place: Path) -> bytes:
    archive = pinned(ARCHIVE)
    path = place / "archives" / archive.filename
    return obtain(path, sha256=archive.sha256, fill=lambda part: part.write_bytes(ARCHIVE) and None).read_bytes()


def _make_vectors(place: Path) -> None:
    (place / "v.txt").write_bytes(b"".join(b"word%d %d 0.5 -2\n" % (i, i) for i in range(20)))
    _use_vectors(place)


def _use_vectors(place: Path) -> Any:
    found = open_vectors(place / "v.txt", cache=place)
    return found.words, np.array(found.vectors).tobytes(), repr(found.report)


def _make_answers(place: Path) -> None:
    (place / "sheets").mkdir()
    (place / "sheets/a.md").write_text("$M = A A^T$ and $1 = 2$\n")
    _use_answers(place)


def _use_answers(place: Path) -> Any:
    return [answer_record(answer) for answer in check_folder(place / "sheets")]


def _make_result(place: Path) -> None:
    _Kept(_use_result).write((1, "a"), b"12 345")


def _use_result(place: Path) -> bytes:
    found = _Kept(_use_result).read((1, "a"))
    return b"12 345" if found is None else found


def _use_model(place: Path) -> Any:
    """Two visits: if the first had to train, the second finds what it kept."""
    trainings = list[int]()

    def visit() -> Any:
        model_cache._load.cache_clear()

        def make(_: JobProgress) -> Any:
            trainings.append(1)
            return MODELS["ngram-mixing-char"]()

        return model_cache.load_or_train(
            "letters",
            JobProgress(lambda: None),
            load=load,
            train=make,
            save=lambda model, path: save(model, path, force=True),
        )

    answers = [np.asarray(visit().token_log_probs(np.arange(8))).tobytes() for _ in range(2)]
    assert len(trainings) < 2, "the second visit had to train again"
    return answers


def _make_network(place: Path) -> None:
    run = Run.begin(tiny_task(steps=30))
    with writing(place / "run", kind="tiny") as folder:
        for event in train(run, stop=lambda: run.step == 12):
            if isinstance(event, Checkpoint | Interrupted):
                write_run(run, folder)


def _use_network(place: Path) -> Any:
    with writing(place / "run", kind="tiny", resume=True):
        return read_run(place / "run", tiny_task(steps=30))


def _make_classifier(place: Path) -> None:
    def stop(done: Any) -> None:
        if done.epoch == 2:
            raise Stopped

    try:
        with writing(place / "films") as folder:
            train_averaging(TWO, CLASSIFIER, place=folder, on_round=stop)
    except Stopped:
        return


def _use_classifier(place: Path) -> Any:
    with writing(place / "films", kind="averaging", resume=True) as folder:
        return train_averaging(TWO, CLASSIFIER, place=folder)


KEPT = (
    Kept("archive", _use_archive, "archives/[!.]*", _use_archive),
    Kept("word vectors", _make_vectors, "vectors/*/*", _use_vectors),
    Kept("answers", _make_answers, "claims/*", _use_answers),
    Kept("results of batches", _make_result, "batches/*", _use_result),
    Kept("the lab's model", _use_model, "lab/letters/*", _use_model),
    Kept("run of a network", _make_network, "run/[!.]*", _use_network, is_refused=True),
    Kept("run of a classifier", _make_classifier, "films/.regard/run/[!.]*", _use_classifier, is_refused=True),
)


def damage(file: Path, rng: np.random.Generator) -> str:
    """Change a file as disks and copies do it, and say how."""
    content = bytearray(file.read_bytes())
    way = ("flipped", "flipped", "cut", "emptied", "longer")[rng.integers(5)]
    place = int(rng.integers(len(content)))
    if way == "flipped":
        content[place] ^= 1 << int(rng.integers(8))
    else:
        content = {"cut": content[:place], "emptied": bytearray(), "longer": content + rng.bytes(8)}[way]
    file.write_bytes(content)
    return f"{file.name}: {way}" + (f" at byte {place}" if way in ("flipped", "cut") else "")


def try_damaged(kept: Kept, place: Path, answer: Any) -> Outcome:
    """Use what is damaged, and say what it came to."""

    def judge(found: Any) -> Outcome:
        if kept.is_refused:
            return Outcome("a damaged run went on")
        return Outcome("answered") if found == answer else Outcome("another answer", repr(found)[:60])

    outcome = try_use(lambda: kept.use(place), seconds=SECONDS, judge=judge)
    return Outcome("not made anew", outcome.detail) if outcome.kind == "refused" and not kept.is_refused else outcome


@contextmanager
def cache_in(place: Path) -> Iterator[None]:
    """Let this folder be the cache."""
    before = os.environ.get("REGARD_CACHE")
    os.environ["REGARD_CACHE"] = str(place)
    try:
        yield
    finally:
        del os.environ["REGARD_CACHE"]
        if before is not None:
            os.environ["REGARD_CACHE"] = before


def run(seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[str]]]:
    """How often each kind of outcome came, and for each fault what shows it; case n is of kind n mod the kinds."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        root, place, answers = Path(folder), Path(folder, "place"), dict[str, Any]()
        with cache_in(place):
            for kept in KEPT:
                place.mkdir()
                kept.make(place)
                answers[kept.name] = None if kept.is_refused else kept.use(place)
                place.rename(root / kept.name)
            for seed in seeds:
                kept, rng = KEPT[seed % len(KEPT)], np.random.default_rng([seed, 23])
                shutil.copytree(root / kept.name, place)
                files = sorted(path for path in place.glob(kept.files) if path.is_file())
                what = damage(files[rng.integers(len(files))], rng)
                outcome = try_damaged(kept, place, answers[kept.name])
                shutil.rmtree(place)
                kinds[f"{kept.name}: {outcome.kind}"] += 1
                if outcome.is_fault:
                    faults.setdefault((kept.name, outcome.kind, outcome.detail), []).append(f"{seed}: {what}")
    return kinds, faults


if __name__ == "__main__":
    search(__doc__ or "", 2000, run)
