"""A network that learns: one step of AdamW at a time, and everything that the next step depends on.

AdamW takes the dense parameters, with decay on matrices alone; tables whose gradients are sparse go to RowSteps,
which touches only the rows that were read. A step's randomness is seeded from (seed, step), so that there is no
generator to be kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from regard.errors import CheckpointError, ValueRangeError
from regard.models.network import BATCH_SHARE, BatchShare, Network, State
from regard.training.network.batches import Batch
from regard.training.network.processes import Processes
from regard.training.network.schedule import ScheduleConfig

TINY = 1e-20
"""Where a row's gradient has been zero so far, it stays where it is."""


class RowSteps(torch.optim.Optimizer):
    """Gradient descent with one scale for each row of a table; gradients must be sparse, other rows are not touched."""

    def __init__(self, params: Iterable[Tensor], lr: float = 0.002) -> None:
        super().__init__(params, {"lr": lr})

    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Move every row that has a gradient."""
        assert closure is None, "the gradients must be there already"
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None:
                    with torch.no_grad():
                        self._move(table, group["lr"])

    def _move(self, table: Tensor, rate: float) -> None:
        state = self.state[table]
        if not state:
            state["squares"], state["readings"] = table.new_zeros(len(table)), table.new_zeros(len(table))
        gradient = table.grad.coalesce()
        rows, values = gradient.indices()[0], gradient.values()
        squares, readings = state["squares"][rows] + values.square().mean(dim=1), state["readings"][rows] + 1
        state["squares"][rows], state["readings"][rows] = squares, readings
        table.index_add_(0, rows, values * (-rate * (readings / (squares + TINY)).sqrt())[:, None])


EARLY = 10
"""The mean of the weights forgets its first values fast: a ≤ (1 + step)/(10 + step)."""


class Learner:
    """A network, its optimisers, the state that it carries from batch to batch, the mean of its weights."""

    def __init__(self, network: Network, schedule: ScheduleConfig, processes: Processes) -> None:
        self.network, self._schedule, self._processes = network, schedule, processes
        self.state: State | None = None
        sparse = {id(p) for p in sparse_parameters(network)}
        named = dict(network.named_parameters())
        self._dense = {name: p for name, p in named.items() if id(p) not in sparse and p.requires_grad}
        self._sparse = {name: p for name, p in named.items() if id(p) in sparse}
        self._mean = {name: p.detach().clone() for name, p in self._dense.items()} if schedule.average else {}
        self._optimisers = self._new_optimisers()

    def _new_optimisers(self) -> list[torch.optim.Optimizer]:
        schedule = self._schedule
        matrices, others = split_by_decay(self.network, list(self._dense.values()))
        groups = [{"params": matrices, "weight_decay": schedule.weight_decay}, {"params": others, "weight_decay": 0.0}]
        optimisers: list[torch.optim.Optimizer] = [
            torch.optim.AdamW([g for g in groups if g["params"]], betas=schedule.betas, fused=True)
        ]
        if self._sparse:
            optimisers.append(RowSteps(self._sparse.values()))
        return optimisers

    def learn(self, batch: Batch, *, step: int, factor: float) -> float:
        """The batch's mean surprise in nats before the step that it makes the network take."""
        processes = self._processes
        # not torch.manual_seed: that keeps a traceback of every call, for graphics cards that were never asked for
        torch.default_generator.manual_seed(step_seed(self._schedule.seed, step))
        self.network.train()
        loss = self._gradients(batch)
        processes.sum_in_place([*(p.grad for p in self.network.parameters() if p.grad is not None), loss])
        nats = float(loss)
        if not math.isfinite(nats):
            raise ValueRangeError(
                f"the loss became {nats} at step {step + 1}; the learning rate "
                f"{self._schedule.learning_rate} is too high for this network: choose a lower one"
            )
        # Adam's steps do not depend on a gradient's scale: only the dense one, which is shared, needs a bound
        torch.nn.utils.clip_grad_norm_(self._dense.values(), self._schedule.clip)
        self._descend(factor)
        self._update_mean(step)
        return nats

    def _gradients(self, batch: Batch) -> Tensor:
        """This process's part of the batch's mean loss, whose gradients its parameters now hold."""
        rows = self._processes.rows(len(batch.inputs))
        inputs, targets = torch.from_numpy(batch.inputs[rows]), torch.from_numpy(batch.targets[rows])
        token = BATCH_SHARE.set(BatchShare(rows, len(batch.inputs)))
        try:
            logits, state = self.network(inputs, None if batch.fresh else self.state)
        finally:
            BATCH_SHARE.reset(token)
        loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum") / batch.targets.size
        self.network.zero_grad(set_to_none=True)
        loss.backward()
        self.state = tuple(part.detach() for part in state)
        return loss.detach()

    def _descend(self, factor: float) -> None:
        dense_rate = self._schedule.learning_rate
        for optimiser, rate in zip(
            self._optimisers, (dense_rate, self._schedule.sparse_learning_rate or dense_rate), strict=False
        ):
            for group in optimiser.param_groups:
                group["lr"] = factor * rate
            optimiser.step()

    def _update_mean(self, step: int) -> None:
        if self._mean:
            a = min(self._schedule.average, (1 + step) / (EARLY + step))
            weights = [p.detach() for p in self._dense.values()]
            torch._foreach_lerp_(list(self._mean.values()), weights, 1 - a)

    @contextmanager
    def mean_weights(self) -> Iterator[Network]:
        """The network as it is evaluated and saved: with the mean of its weights, if there is one, for a while."""
        if not self._mean:
            yield self.network
            return
        own = {name: p.detach().clone() for name, p in self._dense.items()}
        _assign(self._dense, self._mean)
        try:
            yield self.network
        finally:
            _assign(self._dense, own)

    def gather(self, n_rows: int, *, is_carried: bool) -> None:
        """Make the carried state that of all `n_rows` rows, ready to be saved; all processes have to call this."""
        self._whole = ()
        if is_carried and self.state is not None:
            self._whole = tuple(self._processes.gather_rows(part, n_rows) for part in self.state)

    _whole: State = ()

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that the next steps depend on, by name; the carried state as it was last gathered."""
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        tensors |= {f"mean.{name}": value for name, value in self._mean.items()}
        tensors |= {f"state.{i}": value for i, value in enumerate(self._whole)}
        for name, parameter, optimiser in self._learning():
            for key, value in optimiser.state[parameter].items():
                tensors[f"optimiser.{name}.{key}"] = torch.as_tensor(value)
        return {name: value.detach().cpu().numpy() for name, value in tensors.items()}

    def restore(self, arrays: dict[str, np.ndarray], n_rows: int) -> None:
        """Go on from where `arrays` were taken."""
        tensors = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
        try:
            self.network.load_state_dict(_tensors_under("network.", tensors))
            _assign(self._mean, _tensors_under("mean.", tensors))
        except (KeyError, RuntimeError) as error:
            line = str(error).splitlines()[0]
            raise CheckpointError(f"the saved run does not fit its network: {line}; start over") from error
        whole = _tensors_under("state.", tensors)
        rows = self._processes.rows(n_rows)
        # cloned, for a tensor has to begin where rounding is the same as in a run that never stopped: at 64 bytes
        self.state = tuple(whole[str(i)][rows].clone() for i in range(len(whole))) or None
        for name, parameter, optimiser in self._learning():
            saved = _tensors_under(f"optimiser.{name}.", tensors)
            optimiser.state[parameter] = {key: _restore_moment(key, value) for key, value in saved.items()}

    def _learning(self) -> Iterator[tuple[str, Tensor, torch.optim.Optimizer]]:
        """Each parameter with its name and its optimiser."""
        for optimiser, parameters in zip(self._optimisers, (self._dense, self._sparse), strict=False):
            for name, parameter in parameters.items():
                yield name, parameter, optimiser


def sparse_parameters(network: Network) -> list[Tensor]:
    """The tables of a network whose gradients are sparse, if it has such."""
    own = getattr(network, "sparse_parameters", None)
    return [] if own is None else list(own())


def split_by_decay(network: Network, parameters: list[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    """The parameters that decay, and those that do not: biases, scales, embeddings."""
    embeddings = {id(m.weight) for m in network.modules() if isinstance(m, torch.nn.Embedding)}
    decays = [p.ndim >= 2 and id(p) not in embeddings for p in parameters]
    chosen = list(zip(parameters, decays, strict=True))
    return [p for p, does in chosen if does], [p for p, does in chosen if not does]


def step_seed(seed: int, step: int) -> int:
    """What the randomness of a step starts from, in every process."""
    return int(np.random.SeedSequence([seed, step, 0]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _assign(parameters: dict[str, Any], values: dict[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(values[name])


def _tensors_under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _restore_moment(key: str, value: Tensor) -> Tensor:
    """A moment as it is; a number of steps without the axis that saving gives it."""
    return value.reshape(()) if key == "step" else value.clone()
