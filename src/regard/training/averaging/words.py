"""A run of training an averaging classifier as files, so that it can go on where it stopped.

training.json          settings, checksum of the texts, and the rounds so far
training.safetensors   the network as it is now and after its best round, and the optimiser's moments

Both change at once, after each round, in a folder of their own inside the one that the classifier is to be written to;
they are gone once it is. The n-grams' part is not in them: it is found again in seconds, always the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard.errors import CheckpointError
from regard.models.checkpoint import parse_tensors, tensor_bytes, under
from regard.models.classifier.averaging import AveragingClassifier
from regard.models.classifier.network import AveragingNetwork
from regard.models.folder import FORMAT, json_bytes
from regard.models.folder_writer import BEGIN_ANEW, ModelFolder, read_run_files
from regard.records import LabelledTexts
from regard.training.averaging.config import AveragingConfig
from regard.training.averaging_loop import Progress, Round

SETTINGS, TENSORS = "training.json", "training.safetensors"


def data_digest(data: LabelledTexts) -> str:
    """A checksum of texts, labels and their order."""
    digest = hashlib.sha256(json.dumps(data.labels).encode())
    digest.update(np.ascontiguousarray(data.label_ids, np.int64).tobytes())
    for text in data.texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()


def write_state(
    place: ModelFolder,
    progress: Progress,
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    *,
    config: AveragingConfig,
    data_sha256: str,
) -> None:
    """Write where the run stands."""
    settings = {
        "config": asdict(config),
        "data_sha256": data_sha256,
        "rounds": [asdict(each) for each in progress.rounds],
    }
    tensors = {f"now.{name}": tensor for name, tensor in network.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in progress.best.items()}
    for number, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": tensor for name, tensor in moments.items()}
    arrays = {name: tensor.detach().numpy() for name, tensor in tensors.items()}
    place.keep_apart()  # it is no classifier yet
    ours = {"format": FORMAT, "kind": AveragingClassifier.kind}
    files = {SETTINGS: json_bytes(settings), TENSORS: tensor_bytes(arrays)}
    place.save({"regard": ours}, files, is_complete=False)


def read_state(
    place: ModelFolder,
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    *,
    config: AveragingConfig,
    data_sha256: str,
) -> Progress:
    """Put network and optimiser where the run stands that is to go on; where there is none, at the start."""
    folder = place.shown
    found = read_run_files(folder, (SETTINGS, TENSORS)) if place.goes_on else None
    if found is None:
        return Progress()
    saved = found.json(SETTINGS)
    _require_same(folder, saved, config, data_sha256)
    tensors = parse_tensors(found.need(TENSORS), folder / TENSORS)
    try:
        rounds = [Round(**each) for each in saved["rounds"]]
        network.load_state_dict(_tensors(under("now.", tensors)))
        _restore(optimiser, under("optimiser.", tensors))
    except (KeyError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{folder} is damaged ({error}); {BEGIN_ANEW}") from error
    return Progress(rounds, _tensors(under("best.", tensors)))


def _require_same(folder: Path, saved: dict[str, Any], config: AveragingConfig, data_sha256: str) -> None:
    if saved.get("data_sha256") != data_sha256:
        raise CheckpointError(f"{folder} was begun on other texts; {BEGIN_ANEW}")
    begun = saved.get("config") or {}
    for name, value in asdict(config).items():
        if begun.get(name) != value:
            raise CheckpointError(
                f"{folder} was begun with {name} {begun.get(name)}, now {value} is asked for; "
                f"use the same, or {BEGIN_ANEW}"
            )


def _restore(optimiser: torch.optim.Optimizer, arrays: dict[str, np.ndarray]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in _tensors(arrays).items():
        place, moment = name.split(".", 1)
        state.setdefault(int(place), {})[moment] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})


def _tensors(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
