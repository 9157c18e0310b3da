"""Models written to folders: `save`, who may write to a folder, and when a new model takes the place of an older one.

    with writing(folder, kind="recurrent", force=True) as place:      one process at a time; refused before any training
        place.save(config, files, is_complete=False)                  a checkpoint
        place.save(config, files)                                     the model

A model that is there stays until the new one is complete: until then checkpoints go to a folder of their own inside,
from which a run goes on if it is killed. In an empty folder the best network so far is its model at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import CheckpointError, OutputFileError
from regard.files import is_alive
from regard.folders import HIDDEN, AtomicFolder, hold_lock
from regard.models.base import LanguageModel
from regard.models.classifier.base import Classifier
from regard.models.folder import (
    BACKGROUND,
    CONFIG,
    EARLIER_NAMES,
    FORMAT,
    TENSORS,
    TOKENISER,
    Snapshot,
    json_bytes,
    listed_files,
    our_names,
    owned_files,
    parse_json,
    read_snapshot,
    require_ours,
    require_safetensors,
    seal,
    stamps,
    tensor_bytes,
)

START_OVER = "give --force instead of --resume to start over"
RUN_STATE = "training.json"
"""Where a run stands; a folder that has it can be gone on with."""


def save(
    model: LanguageModel | Classifier,
    folder: Path | str | ModelFolder,
    *,
    beside: Mapping[str, bytes] | None = None,
    force: bool = False,
    is_complete: bool = True,
    tensors: Path | None = None,
) -> None:
    """Write `model` to `folder`, with further files `beside` it; an older model is replaced only by `force`.

    A `ModelFolder` is a folder that is being written already: `writing`, which gave it, has asked about `force`. A
    model too large for memory has its learnt numbers in a file of the folder's work folder, `tensors`.
    """
    require_safetensors()
    if not isinstance(folder, ModelFolder):
        with writing(folder, kind=model.kind, force=force) as place:
            save(model, place, beside=beside, is_complete=is_complete, tensors=tensors)
        return
    config: dict[str, Any]
    files: Mapping[str, bytes | Path]
    if isinstance(model, LanguageModel):
        config, files = _language_model_files(model, tensors)
    else:
        config, files = _classifier_files(model)
    folder.save(config, {**files, **(beside or {})}, is_complete=is_complete)


def _language_model_files(
    model: LanguageModel, tensors: Path | None = None
) -> tuple[dict[str, Any], dict[str, bytes | Path]]:
    """What config.json is to say of a language model, and its other files, by name."""
    background, foreign = model.background, model.for_other_tools()
    digest = {name: getattr(background.digest, name) for name in ("n_characters", "sha256", "stride")}
    learnt = {f"speller.{name}": array for name, array in background.speller.arrays().items()}
    learnt["digest.hashes"] = background.digest.hashes
    files: dict[str, bytes | Path] = {
        TENSORS: tensors or tensor_bytes(model.arrays()),
        BACKGROUND: tensor_bytes(learnt),
        TOKENISER: json_bytes(background.tokeniser.settings()),
    }
    return {**foreign.config, "regard": _settings(model, digest=digest)}, {**foreign.files, **files}


def _classifier_files(classifier: Classifier) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What config.json is to say of a classifier, and its other files, by name."""
    settings, arrays = classifier_parts(classifier)
    return {"regard": settings}, {TENSORS: tensor_bytes(arrays)}


def _settings(model: LanguageModel | Classifier, **details: Any) -> dict[str, Any]:
    """Our part of config.json."""
    notes = model.background.notes if isinstance(model, LanguageModel) else model.notes
    return {"format": FORMAT, "kind": model.kind, "config": model.config(), **details, "notes": notes}


def model_parts(model: LanguageModel) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A model apart from its background: its kind and settings as plain JSON, its learnt numbers by name."""
    return {"kind": model.kind, "config": model.config()}, model.arrays()


def classifier_parts(classifier: Classifier) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A classifier as its settings, which are plain JSON, and its learnt numbers by name."""
    return _settings(classifier, labels=list(classifier.labels)), classifier.arrays()


@dataclass(frozen=True)
class Occupant:
    """The model that is in a folder: its kind, when it was saved, whether it is complete, whether it can go on."""

    kind: str
    saved: str
    is_complete: bool
    is_run: bool

    def __str__(self) -> str:
        return f"{'a' if self.is_complete else 'an unfinished'} model of kind {self.kind}, saved {self.saved}"


class ModelFolder:
    """A model folder that this process alone may write to."""

    def __init__(self, place: AtomicFolder, *, is_apart: bool, goes_on: bool = False, was_forced: bool = False) -> None:
        self.place, self.is_apart, self.goes_on, self.was_forced = place, is_apart, goes_on, was_forced

    @property
    def shown(self) -> Path:
        """The folder, by the name that it was given."""
        return self.place.shown

    def save(self, config: Mapping[str, Any], files: Mapping[str, bytes | Path], *, is_complete: bool = True) -> None:
        """Make these files, and config.json, all that there is: the model, or while it is not complete, its run.

        A path is a file of the work folder that has the content.
        """
        self._write(self._target(is_complete), config, files, {}, is_complete)

    def update(self, files: Mapping[str, bytes], *, without: Collection[str] = (), is_complete: bool = True) -> None:
        """Write these files beside those of the last save, `without` some of them."""
        source, target = self._latest(), self._target(is_complete)
        config = parse_json(source.read(CONFIG), source.shown / CONFIG)
        gone = {CONFIG, *files, *without}
        names = (our_names(source) or set()) - gone
        if source.path == target.path and (listed := listed_files(config)) is not None:
            self._write(target, config, files, {name: listed[name] for name in sorted(names)}, is_complete)
            return
        stay = read_snapshot(source.shown, sorted(names), place=source).files
        self._write(target, config, {**stay, **files}, {}, is_complete)

    def keep_apart(self) -> None:
        """Keep checkpoints apart in an empty folder too, for they are no models."""
        self.is_apart = True

    def promote(self) -> None:
        """Make a run that was kept apart the folder's model as it stands: the user who stopped it wants to keep it."""
        run = self.place.run
        if self.is_apart and CONFIG in run.names():
            found = read_snapshot(run.shown, sorted((our_names(run) or set()) - {CONFIG}), place=run)
            self._write(self.place, found.config, found.files, {}, is_complete=False)
            self.is_apart = False

    def _target(self, is_complete: bool) -> AtomicFolder:
        return self.place.run if self.is_apart and not is_complete else self.place

    def _latest(self) -> AtomicFolder:
        return self.place.run if self.is_apart and CONFIG in self.place.run.names() else self.place

    def _write(
        self,
        target: AtomicFolder,
        config: Mapping[str, Any],
        files: Mapping[str, bytes | Path],
        kept: Mapping[str, Mapping[str, Any]],
        is_complete: bool,
    ) -> None:
        complete = {**config, "regard": {**config["regard"], "complete": is_complete}}
        content = json_bytes(seal(complete, {**kept, **stamps(files)}))
        # config.json goes first: without it there is no run to go on with
        ended = [] if target.path != self.place.path else sorted(our_names(self.place.run) or (), key=CONFIG.__ne__)
        target.change({**files, CONFIG: content}, before=owned_files(target), kept=list(kept), run=ended)


@contextmanager
def writing(
    folder: Path | str,
    *,
    kind: str | None = None,
    force: bool = False,
    resume: bool = False,
    keep_work: bool = False,
) -> Iterator[ModelFolder]:
    """The right to write a model of this kind to a folder; FolderBusyError while another process has it.

    A folder with anything of others in it is refused. One with a model of ours is, too, unless it may be replaced
    (`force`) or holds a run of this kind to go on with (`resume`). Work files of a process that was killed are removed,
    unless the caller looks after them (`keep_work`).
    """
    shown = Path(folder)
    path = Path(os.path.realpath(shown))  # a link stays, what it points to is written
    place = AtomicFolder(path, shown=shown)
    if not (path / HIDDEN).exists():  # else another process may be at work, which is reported first
        require_ours(place)
    with _explain_errors(shown):
        restore_earlier(path)
    with hold_lock(path, shown=shown):
        place.recover()
        place.run.recover()
        if not keep_work:
            place.remove_work()
        require_ours(place)
        is_apart = _is_apart(place, kind, force=force, resume=resume)
        remove_earlier(place)
        yield ModelFolder(place, is_apart=is_apart, goes_on=resume, was_forced=force)


def run_place(folder: Path | str) -> AtomicFolder:
    """The folder of the run for a model folder: apart from the model if there is one, else beside it."""
    place = AtomicFolder(Path(os.path.realpath(folder)), shown=Path(folder))
    return place.run if CONFIG in place.run.names() else place


def read_run_files(folder: Path | str, names: Collection[str]) -> Snapshot | None:
    """The files of these names that the run for a model folder has; None where no run was begun."""
    place = run_place(folder)
    if our_names(place) is None:
        return None
    found = read_snapshot(place.shown, names, place=place)
    return found if RUN_STATE in found.files else None


def _is_apart(place: AtomicFolder, kind: str | None, *, force: bool, resume: bool) -> bool:
    """Whether checkpoints go to a folder of their own; CheckpointError where nothing may be written at all."""
    model, run = occupant(place), occupant(place.run)
    if resume:
        found = run or model
        if found is None:
            return False
        if found.kind != kind:
            raise CheckpointError(
                f"{place.shown} was begun as a model of kind {found.kind}; got {kind}: "
                f"ask for that kind again, or {START_OVER}"
            )
        if not found.is_run:
            raise CheckpointError(
                f"{place.shown} holds {found}, but no training run that --resume could go on with; "
                "--force replaces it, or choose another --out"
            )
        return model is not None and (run is not None or model.is_complete)
    if (model is None and run is None) or force:
        return model is not None
    found = model or run
    assert found is not None
    advice = "--resume goes on with it, --force starts over" if _can_go_on(model, run) else "--force replaces it"
    raise CheckpointError(f"{place.shown} holds {found}; {advice} (in Python: force=True), or choose another --out")


def _can_go_on(model: Occupant | None, run: Occupant | None) -> bool:
    return run is not None or (model is not None and model.is_run and not model.is_complete)


def occupant(place: AtomicFolder) -> Occupant | None:
    """What model is in a folder; None where there is none."""
    if our_names(place) is None:
        return None
    ours = parse_json(place.read(CONFIG), place.shown / CONFIG)["regard"]
    is_run = RUN_STATE in place.names()
    is_complete = ours.get("complete")
    if not isinstance(is_complete, bool):
        is_complete = not is_run or _was_complete(place)
    changed = time.strftime("%Y-%m-%d %H:%M", time.localtime((place.path / CONFIG).stat().st_mtime))
    return Occupant(str(ours.get("kind")), changed, is_complete, is_run)


def _was_complete(place: AtomicFolder) -> bool:
    """Whether a run of an earlier version had come to its end."""
    try:
        state = parse_json(place.read(RUN_STATE), place.shown / RUN_STATE)
        return bool(state.get("finished", False) or state["iteration"] >= state["config"]["iterations"])
    except (CheckpointError, KeyError, TypeError):
        return False


@contextmanager
def _explain_errors(shown: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputFileError(f"cannot write to {shown}: {error.strerror}; choose another --out") from error


def restore_earlier(folder: Path) -> None:
    """Give a model its name back, if an earlier version was ended between its two renames.

    An empty folder that has been made since gives way to it.
    """
    aside = folder.with_name(f".{folder.name}.old")
    if our_names(AtomicFolder(aside)) is not None:
        with contextlib.suppress(OSError):
            folder.rmdir()
        if not folder.exists():
            aside.rename(folder)


def remove_earlier(place: AtomicFolder) -> None:
    """Remove what killed processes of earlier versions left beside a folder, if there is nothing else in it.

    The model that stepped aside is removed only where the one that took its place is there.
    """
    folder = place.path
    with contextlib.suppress(OSError):
        for path in folder.parent.iterdir():
            found = re.fullmatch(rf"\.{re.escape(folder.name)}\.(\d+|old)", path.name)
            if found is None or not _is_leftover(path):
                continue
            if occupant(place) is not None if found[1] == "old" else not is_alive(int(found[1])):
                for name in os.listdir(path):
                    (path / name).unlink()
                path.rmdir()


def _is_leftover(path: Path) -> bool:
    """Whether a folder holds but files that an earlier version wrote, with a config.json that is ours or none."""
    if path.is_symlink() or not path.is_dir():
        return False
    names = set(os.listdir(path))
    if not names <= EARLIER_NAMES or not all((path / name).is_file() for name in names):
        return False
    return CONFIG not in names or our_names(AtomicFolder(path)) is not None or _is_cut_short(path / CONFIG)


def _is_cut_short(config: Path) -> bool:
    """Whether it is the beginning of a config.json as those versions wrote it."""
    content = config.read_bytes()
    try:
        json.loads(content)
    except ValueError:
        return content[:3] in (b"", b"{", b"{\n", b"{\n ")
    return False
