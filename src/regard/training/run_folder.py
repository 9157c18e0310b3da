"""A run as files beside its model, so that it can go on where it stopped.

config.json, …         the best network so far, as a model like any other
training.json          settings, plan, step, seconds, checksum of the text, versions, threads, whether it is finished
training.safetensors   the network as it is now, the optimisers' moments, the carried state; gone once finished
history.jsonl          a line for each checkpoint

All of them change at once. A run goes on only with the settings and the text that it was begun with; counted in steps,
it then ends in the same bits as if it had never stopped.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.errors import CheckpointError
from regard.models.checkpoint import json_bytes, read_json, read_tensors, save_model, tensor_bytes, write_folder
from regard.training.loop import Checkpoint, NetworkTask, Run
from regard.training.plan import Plan
from regard.training.processes import Processes

SETTINGS, TENSORS, HISTORY = "training.json", "training.safetensors", "history.jsonl"


def write_run(run: Run, folder: Path) -> None:
    """Write where the run stands, and the network if it is the best so far; else the folder's own stays."""
    files = run_files(run)
    if run.is_at_best:
        with run.learner.at_its_best() as network:
            save_model(run.task.as_model(network), folder, beside=files)
        return
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for name in (SETTINGS, TENSORS, HISTORY):
        kept.pop(name, None)
    write_folder(folder, kept | files)


def run_files(run: Run) -> dict[str, bytes]:
    """The files that stand beside the model, by name."""
    history = "".join(f"{json.dumps(asdict(checkpoint))}\n" for checkpoint in run.history)
    files = {SETTINGS: json_bytes(run_settings(run)), HISTORY: history.encode()}
    return files if run.finished else files | {TENSORS: tensor_bytes(run.learner.arrays())}


def run_settings(run: Run) -> dict[str, Any]:
    """What training.json says."""
    best = run.best
    return {
        **identity(run.task),
        "plan": asdict(run.plan),
        "step": run.step,
        "seconds": run.seconds,
        "losses": run.losses,
        "best": None if best is None else asdict(best),
        "versions": versions(),
        "threads": torch.get_num_threads(),
        "processes": run.processes.size,
        "finished": run.finished,
    }


def identity(task: NetworkTask) -> dict[str, Any]:
    """What must be the same for a run to go on: settings and text; as plain JSON."""
    kept = np.ascontiguousarray(task.held_back, np.int64)
    found = {
        "kind": task.as_model(task.network).kind,
        "unit": task.background.tokeniser.unit,
        "config": asdict(task.config),
        "schedule": asdict(task.schedule),
        "text_sha256": task.background.digest.sha256,
        "held_back_sha256": hashlib.sha256(kept.tobytes()).hexdigest(),
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


def read_run(folder: Path, task: NetworkTask, processes: Processes | None = None) -> Run | None:
    """The run in `folder`, where it stands; None where none was begun, CheckpointError where it is another one."""
    if not (folder / SETTINGS).exists():
        return None
    saved = read_json(folder / SETTINGS)
    require_same(folder, saved, identity(task))
    try:
        history = [Checkpoint(**json.loads(line)) for line in (folder / HISTORY).read_text("utf-8").splitlines()]
        run = Run(
            task=task,
            processes=processes or Processes(),
            plan=Plan.restore(saved["plan"]),
            step=saved["step"],
            seconds=saved["seconds"],
            losses=saved["losses"],
            history=history,
            finished=saved["finished"],
        )
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(f"{folder} is damaged ({error}); leave out --resume to begin anew") from error
    if not run.finished:
        run.learner.restore(read_tensors(folder / TENSORS), task.batches.n_rows)
    return run


def require_same(folder: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    """CheckpointError, which names the first difference, unless the saved run has these settings and this text."""
    _require_equal(folder, saved, wanted, ("kind", "unit"))
    for name in ("text_sha256", "held_back_sha256"):
        if saved.get(name) != wanted[name]:
            raise CheckpointError(f"{folder} was begun on another text; leave out --resume to begin anew")
    for part in ("config", "schedule"):
        _require_equal(folder, saved.get(part) or {}, wanted[part], wanted[part])


def _require_equal(folder: Path, saved: dict[str, Any], wanted: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if saved.get(name) != wanted[name]:
            raise CheckpointError(
                f"{folder} was begun with {name} {saved.get(name)}, now {wanted[name]} is asked for; "
                "use the same, or leave out --resume to begin anew"
            )
