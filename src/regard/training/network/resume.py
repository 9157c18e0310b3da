"""A run as files beside its model, so that it can go on where it stopped, or go further once it is finished.

config.json, …         the best network so far, as a model like any other
training.json          settings, plan, step, seconds, checksum of the text, versions, threads, whether it is finished
training.safetensors   the network as it is now, the optimisers' moments, the carried state; gone once finished
history.jsonl          a line for each checkpoint

All of them change at once. Where a folder holds an older model, the run stays apart from it until it is finished.
A run goes on only with the settings and the text that it was begun with; counted in steps, it then ends in the same
bits as if it had never stopped. A finished run goes further, if more steps or minutes are asked for, by a warm restart:
from the best network, with new optimisers, and with a learning rate that rises and falls once more.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Collection, Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.errors import CheckpointError
from regard.models.checkpoint import restore_language_model
from regard.models.folder import MODEL_FILES, Snapshot, json_bytes, parse_tensors, tensor_bytes
from regard.models.folder_writer import START_OVER, ModelFolder, read_run_files, save
from regard.models.network import NetworkModel
from regard.training.network.processes import Processes
from regard.training.network.run import Checkpoint, NetworkTask, Run
from regard.training.network.schedule import Plan

SETTINGS, TENSORS, HISTORY = "training.json", "training.safetensors", "history.jsonl"
LENGTH = ("steps", "minutes")
"""The settings by which a run that goes further may differ from the one that was finished."""


def write_run(run: Run, place: ModelFolder) -> None:
    """Write where the run stands, and the network if it is the best so far; else the one before it stays."""
    files = run_files(run)
    if run.is_at_best:
        with run.learner.mean_weights() as network:
            save(run.task.as_model(network), place, beside=files, is_complete=run.finished)
        return
    place.update(files, without=(SETTINGS, TENSORS, HISTORY), is_complete=run.finished)


def run_files(run: Run) -> dict[str, bytes]:
    """The files that stand beside the model, by name."""
    history = "".join(f"{json.dumps(checkpoint.to_json())}\n" for checkpoint in run.history)
    files = {SETTINGS: json_bytes(run_settings(run)), HISTORY: history.encode()}
    return files if run.finished else files | {TENSORS: tensor_bytes(run.learner.arrays())}


def run_settings(run: Run) -> dict[str, Any]:
    """What training.json says."""
    best = run.best
    return {
        **run_identity(run.task),
        "plan": asdict(run.plan),
        "restarts": run.restarts,
        "step": run.step,
        "seconds": run.seconds,
        "losses": run.losses,
        "best": None if best is None else best.to_json(),
        "versions": versions(),
        "threads": torch.get_num_threads(),
        "processes": run.processes.size,
        "finished": run.finished,
    }


def run_identity(task: NetworkTask) -> dict[str, Any]:
    """What must not change for a run to go on: settings and text; as plain JSON."""
    validation = np.ascontiguousarray(task.validation, np.int64)
    found = {
        "kind": task.as_model(task.network).kind,
        "unit": task.background.tokeniser.unit,
        "config": asdict(task.config),
        "schedule": asdict(task.schedule),
        "text_sha256": task.background.digest.sha256,
        "held_back_sha256": hashlib.sha256(validation.tobytes()).hexdigest(),
    }
    return json.loads(json.dumps(found))


def versions() -> dict[str, str]:
    """What the run's numbers depend on besides its settings."""
    return {
        "regard": version("regard"),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def read_settings(folder: Path) -> dict[str, Any]:
    """What training.json says of the run for this folder; nothing where none was begun."""
    found = read_run_files(folder, (SETTINGS,))
    return {} if found is None else found.json(SETTINGS)


def read_run(
    folder: Path, task: NetworkTask, processes: Processes | None = None, *, may_go_further: bool = False
) -> Run | None:
    """The run for `folder`, where it stands; None where none was begun, CheckpointError where it is another one.

    A finished run may go further: for as many steps or minutes, all in all, as the task asks for.
    """
    found = read_run_files(folder, (SETTINGS, TENSORS, HISTORY, *MODEL_FILES))
    if found is None:
        return None
    saved, wanted = found.json(SETTINGS), run_identity(task)
    goes_further = may_go_further and _is_asked_for_more(folder, saved, wanted)
    require_same(folder, saved, wanted, but_for=LENGTH if goes_further else ())
    if goes_further:
        _load_weights(task, found)
    try:
        run = _restore_run(found, saved, task, processes or Processes())
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{folder} is damaged ({error}); {START_OVER}") from error
    if goes_further:
        run.restart()
    elif not run.finished:
        run.learner.restore(parse_tensors(found.need(TENSORS), folder / TENSORS), task.batches.n_rows)
    return run


def _restore_run(found: Snapshot, saved: dict[str, Any], task: NetworkTask, processes: Processes) -> Run:
    lines = found.need(HISTORY).decode().splitlines()
    return Run(
        task=task,
        processes=processes,
        plan=Plan.restore(saved["plan"]),
        step=saved["step"],
        seconds=saved["seconds"],
        losses=saved["losses"],
        history=[Checkpoint.from_json(json.loads(line)) for line in lines],
        finished=saved["finished"],
        restarts=saved.get("restarts", []),
    )


def _is_asked_for_more(folder: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether a finished run is asked for more; CheckpointError where it is asked for less than it has done."""
    before, now = ({name: one["schedule"].get(name) for name in LENGTH} for one in (saved, wanted))
    if not saved.get("finished") or before == now:
        return False
    is_more = saved["step"] < now["steps"] if now["steps"] else saved["seconds"] < 60 * now["minutes"]
    if not is_more:
        raise CheckpointError(
            f"{folder} is finished, after {saved['step']:,} steps and {saved['seconds'] / 60:.2f} minutes; "
            "ask for more than that to train it further"
        )
    return True


def _load_weights(task: NetworkTask, found: Snapshot) -> None:
    """Give the task's network the weights of the model that was saved."""
    model = restore_language_model(found)
    assert isinstance(model, NetworkModel)  # the kind has been compared
    task.network.load_state_dict(model.network.state_dict())


def require_same(folder: Path, saved: dict[str, Any], wanted: dict[str, Any], *, but_for: Collection[str] = ()) -> None:
    """CheckpointError, which names the first difference, unless the saved run has these settings and this text."""
    _require_equal(folder, saved, wanted, ("kind", "unit"))
    for name in ("text_sha256", "held_back_sha256"):
        if saved.get(name) != wanted[name]:
            raise CheckpointError(f"{folder} was begun on another text; {START_OVER}")
    for part in ("config", "schedule"):
        names = [name for name in wanted[part] if name not in but_for]
        _require_equal(folder, saved.get(part) or {}, wanted[part], names)


def _require_equal(folder: Path, saved: dict[str, Any], wanted: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if saved.get(name) != wanted[name]:
            raise CheckpointError(
                f"{folder} was begun with {name} {saved.get(name)}, now {wanted[name]} is asked for; "
                f"use the same, or {START_OVER}"
            )
