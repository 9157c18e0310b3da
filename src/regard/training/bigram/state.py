"""A run of stochastic gradient descent as files beside the model, so that it can go on where it stopped.

training.json          iteration, settings, checksum of the training text, the generator's state, the history
training.safetensors   the loss of every batch so far, and which vectors learn

The network itself is the model's. A run goes on only with the settings and the text that it was begun with, for as many
iterations as are asked for: the result is then the same, bit for bit, as if it had never stopped.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from regard.errors import CheckpointError
from regard.models.bigram import BigramModel
from regard.models.checkpoint import MODEL_FILES, restore_language_model
from regard.models.folder import json_bytes, parse_tensors, tensor_bytes
from regard.models.folder_writer import BEGIN_ANEW, read_run_files
from regard.records import TrainingStep
from regard.training.bigram.sgd import SgdCheckpoint
from regard.training.bigram.train import BigramTask

SETTINGS, TENSORS = "training.json", "training.safetensors"


def state_files(checkpoint: SgdCheckpoint, task: BigramTask, history: list[TrainingStep]) -> dict[str, bytes]:
    """The two files, by name."""
    settings = {
        "iteration": checkpoint.iteration,
        "config": asdict(task.config),
        "text_sha256": task.background.digest.sha256,
        "generator_state": checkpoint.generator_state,
        "history": [asdict(step) for step in history],
    }
    tensors = {"losses": checkpoint.losses, "learns": checkpoint.learns}
    return {SETTINGS: json_bytes(settings), TENSORS: tensor_bytes(tensors)}


def read_state(folder: Path, task: BigramTask) -> tuple[SgdCheckpoint, list[TrainingStep]] | None:
    """Where the run for `folder` stands, and its history; None where there is none.

    CheckpointError where it is of another text or setting.
    """
    found = read_run_files(folder, (*MODEL_FILES, SETTINGS, TENSORS))
    if found is None:
        return None
    model, settings = restore_language_model(found), found.json(SETTINGS)
    tensors = parse_tensors(found.need(TENSORS), folder / TENSORS)
    if not isinstance(model, BigramModel):
        raise CheckpointError(f"{folder} holds a model of kind {model.kind!r}; expected a bigram model to go on with")
    if settings.get("text_sha256") != task.background.digest.sha256:
        raise CheckpointError(f"{folder} was begun on another text; {BEGIN_ANEW}")
    for name, value in asdict(task.config).items():
        # More iterations may be asked for: the length of a step does not depend on how many are to come.
        if name != "iterations" and settings["config"].get(name) != value:
            raise CheckpointError(
                f"{folder} was begun with {name} {settings['config'].get(name)}, now {value} is asked for; "
                f"use the same, or {BEGIN_ANEW}"
            )
    history = [TrainingStep(**step) for step in settings["history"]]
    state = settings["generator_state"]
    return SgdCheckpoint(settings["iteration"], model.network, tensors["learns"], tensors["losses"], state), history
