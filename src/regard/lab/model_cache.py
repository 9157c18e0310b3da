"""Models that the lab trains at the first visit and keeps in the cache folder, so that the next visitor need not wait.

A chapter says how its model is read, trained and written; everything else is done here:

    model = load_or_train("bigram", progress, load=load_model, train=train_bigram, save=save_model)
"""

from __future__ import annotations

import importlib
import itertools
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from regard.errors import CheckpointError
from regard.files import cache_folder
from regard.folders import AtomicFolder
from regard.lab.jobs import JobProgress
from regard.models.folder import EARLIER_NAMES, strangers
from regard.progress import Progress

Model = TypeVar("Model")
CONFIG = "config.json"
"""The file that every model folder has, and that is written again with the model."""
MAX_MODELS_IN_MEMORY = 24
NETWORK_MODULES = (
    "regard.training.network.recurrent",
    "regard.training.network.resume",
    "regard.training.network.transformer",
    "regard.training.averaging.train",
    "regard.lab.chapters.characters.page_model",
)
"""What loads torch, and what the lab's chapters need with it."""

_LOCKS: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def model_folder(name: str) -> Path:
    """Where the model of this name is kept, whether or not it exists yet."""
    return cache_folder() / "lab" / name


def load_cached(name: str, load: Callable[[Path], Model]) -> Model:
    """The kept model of this name, read once for all visitors; `load` reads it from its folder.

    Raises CheckpointError where there is none, or where it cannot be read.
    """
    config = model_folder(name) / CONFIG
    if not config.is_file():
        raise CheckpointError(f"there is no kept model {name!r}; train it first")
    return _load(load, config.parent, config.stat().st_mtime_ns)


def load_or_train(
    name: str,
    progress: JobProgress,
    *,
    load: Callable[[Path], Model],
    train: Callable[[JobProgress], Model],
    save: Callable[[Model, Path], object] | None = None,
    is_current: Callable[[], bool] = lambda: True,
) -> Model:
    """The kept model of this name or, where there is none that can be read, one that is trained now and kept.

    Of several visitors who want it, one trains it and the others wait. `is_current` is asked whether what is kept will
    do. Without `save`, `train` writes the model's folder itself.
    """
    with one_at_a_time(name, progress):
        if is_current():
            with suppress(CheckpointError):
                model = load_cached(name, load)
                progress(1.0, "kept from an earlier visit")
                return model
        _put_aside_damaged(model_folder(name))
        model = train(progress)
        try:
            if save is not None:
                save(model, model_folder(name))
        except (
            OSError,
            CheckpointError,
        ):  # a full disk, or others' files in the folder: this visitor has it all the same
            return model
        return load_cached(name, load)


def _put_aside_damaged(folder: Path) -> None:
    """Rename a model's folder to NAME.other where its list of files is damaged: nobody could write to it again.

    A folder with any other file in it, or one that somebody is writing to, is left alone.
    """
    found = set(os.listdir(folder)) if folder.is_dir() else set()
    if not found <= EARLIER_NAMES or not strangers(AtomicFolder(folder)):
        return
    names = (f"{folder.name}.other{number or ''}" for number in itertools.count())
    with suppress(OSError):
        folder.rename(next(path for path in map(folder.with_name, names) if not path.exists()))


@contextmanager
def one_at_a_time(name: str, progress: Progress) -> Iterator[None]:
    """Let one visitor at a time work on the model of this name; the others wait, and their page says so."""
    lock = _LOCKS[name]
    while not lock.acquire(timeout=0.2):
        progress(None, "another visitor has started this; waiting for the result")
    try:
        yield
    finally:
        lock.release()


def load_torch(progress: Progress) -> None:
    """Import torch and what trains and runs networks, one thread at a time: two at once may get half of a module."""
    with one_at_a_time("torch", progress):
        progress(None, "loading torch")
        for name in NETWORK_MODULES:
            importlib.import_module(name)


@lru_cache(maxsize=MAX_MODELS_IN_MEMORY)
def _load(load: Callable[[Path], Model], folder: Path, changed_ns: int) -> Model:
    """Read a model; a later `changed_ns`, the time of its last change, makes a rewritten model be read again."""
    return load(folder)
