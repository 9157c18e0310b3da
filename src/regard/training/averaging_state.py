"""A run of training an averaging classifier as files, so that it can go on where it stopped.

training.json          settings, checksum of the texts, and the rounds so far
training.safetensors   the network as it is now and after its best round, and the optimiser's moments

Both change at once, after each round. The n-grams' part is not in them: it is found again in seconds, always the same.
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
from regard.models.averaging_network import AveragingNetwork
from regard.models.checkpoint import json_bytes, read_json, read_tensors, recover, tensor_bytes, under, write_folder
from regard.records import LabelledTexts
from regard.training.averaging_config import AveragingConfig
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
    folder: Path,
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
    for place, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{place}.{name}": tensor for name, tensor in moments.items()}
    arrays = {name: tensor.detach().numpy() for name, tensor in tensors.items()}
    write_folder(folder, {SETTINGS: json_bytes(settings), TENSORS: tensor_bytes(arrays)})


def read_state(
    folder: Path,
    network: AveragingNetwork,
    optimiser: torch.optim.Optimizer,
    *,
    config: AveragingConfig,
    data_sha256: str,
) -> Progress:
    """Put network and optimiser where the run in `folder` stands; where none was begun, at the start."""
    recover(folder)
    if not (folder / SETTINGS).exists():
        return Progress()
    saved = read_json(folder / SETTINGS)
    _require_same(folder, saved, config, data_sha256)
    tensors = read_tensors(folder / TENSORS)
    try:
        rounds = [Round(**each) for each in saved["rounds"]]
        network.load_state_dict(_tensors(under("now.", tensors)))
        _restore(optimiser, under("optimiser.", tensors))
    except (KeyError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{folder} is damaged ({error}); remove it to begin anew") from error
    return Progress(rounds, _tensors(under("best.", tensors)))


def _require_same(folder: Path, saved: dict[str, Any], config: AveragingConfig, data_sha256: str) -> None:
    if saved.get("data_sha256") != data_sha256:
        raise CheckpointError(f"{folder} was begun on other texts; remove it to begin anew")
    begun = saved.get("config") or {}
    for name, value in asdict(config).items():
        if begun.get(name) != value:
            raise CheckpointError(
                f"{folder} was begun with {name} {begun.get(name)}, now {value} is asked for; "
                "use the same, or remove it to begin anew"
            )


def _restore(optimiser: torch.optim.Optimizer, arrays: dict[str, np.ndarray]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in _tensors(arrays).items():
        place, moment = name.split(".", 1)
        state.setdefault(int(place), {})[moment] = tensor
    optimiser.load_state_dict({**optimiser.state_dict(), "state": state})


def _tensors(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
