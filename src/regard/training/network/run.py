"""One training loop for all networks: steps, evaluations, the best network, an end in time.

`train` is a generator: it takes steps and yields what happened, a `StepReport` after each step, a `Checkpoint` after
each evaluation. Whoever drives it shows that and writes the run to a folder; files and terminals are not its business,
and the clock is an argument.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np

from regard.display import short_repr
from regard.errors import ValueRangeError
from regard.models.background import Background
from regard.models.base import LanguageModel
from regard.models.network import Network
from regard.shapes import Int
from regard.training.network.batches import Batches
from regard.training.network.learner import Learner
from regard.training.network.processes import Processes
from regard.training.network.schedule import Clock, Pace, Plan, ScheduleConfig, review_plan
from regard.training.network.validation import mean_nats

Score: TypeAlias = Callable[[Network, np.ndarray], float]
"""Mean nats of each id, given those before it, of a network in evaluation mode."""

JSON_NAMES = {"validation_nats": "held_back_nats"}
"""Fields whose name in files and printed JSON is older than the one in the code."""

N_RECENT = 50
"""The loss of a single batch is noisy: progress shows the mean of this many."""


@dataclass(frozen=True)
class NetworkTask:
    """Everything that a run is made of, apart from its progress.

    `network` is at its start, seeded; `config` is the frozen record of its family. `as_model` makes a language model of
    the network at any time. `score` replaces reading the validation ids in one go with carried state, for networks that
    read windows. `characters_per_id` is 1, less for bytes.
    """

    network: Network
    config: Any
    schedule: ScheduleConfig
    batches: Batches
    background: Background
    validation: Int[np.ndarray, " position"]
    start_id: int
    as_model: Callable[[Network], LanguageModel]
    score: Score | None = None
    characters_per_id: float = 1.0

    def validation_nats(self, network: Network) -> float:
        """The mean surprise of the validation ids."""
        network.eval()
        if self.score is not None:
            return self.score(network, self.validation)
        return mean_nats(network, self.validation, start_id=self.start_id)


@dataclass(frozen=True)
class Checkpoint:
    """An evaluation: nats per id of those trained on since the one before, and of those for validation.

    `seconds` and `characters` are those that went by and were read since the run began.
    """

    step: int
    n_steps: int
    train_nats: float
    validation_nats: float
    seconds: float
    characters: int

    def to_json(self) -> dict[str, Any]:
        """The fields as history.jsonl and `--json` name them."""
        found = asdict(self)
        return {JSON_NAMES.get(name, name): value for name, value in found.items()}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Checkpoint:
        """The checkpoint that `to_json` was asked of."""
        return cls(**{name: saved[JSON_NAMES.get(name, name)] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class StepReport:
    """A step: the loss lately in nats per id, and since the start, seconds and characters."""

    step: int
    n_steps: int
    train_nats: float
    seconds: float
    seconds_left: float
    characters: int


@dataclass(frozen=True)
class Interrupted:
    """The run was asked to stop, and stands so that it can be saved and taken up again."""

    step: int
    n_steps: int


Event: TypeAlias = Checkpoint | StepReport | Interrupted


@short_repr
@dataclass
class Run:
    """The state of a run. `losses` are those since the last evaluation, `seconds` those of all sittings together.

    `restarts` are the steps after which it had been finished, and went further.
    """

    task: NetworkTask
    processes: Processes
    plan: Plan
    step: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)
    history: list[Checkpoint] = field(default_factory=list)
    finished: bool = False
    restarts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.learner = Learner(self.task.network, self.task.schedule, self.processes)

    @classmethod
    def begin(cls, task: NetworkTask, processes: Processes | None = None) -> Run:
        """A run before its first step."""
        return cls(task, processes or Processes(), Plan.start(task.schedule))

    @property
    def best(self) -> Checkpoint | None:
        """The evaluation with the lowest surprise; the first of equals."""
        return min(self.history, key=lambda checkpoint: checkpoint.validation_nats, default=None)

    @property
    def is_at_best(self) -> bool:
        """Whether the network is the best so far, as evaluated just now."""
        return self.best is not None and self.best.step == self.step

    @property
    def is_out_of_patience(self) -> bool:
        """Whether the last evaluations, as many as there is patience for, were no better than one before them."""
        since = max(self.restarts, default=0)
        good = [i for i, point in enumerate(self.history) if point is self.best or point.step <= since]
        last_best = max(good, default=0)
        return len(self.history) - 1 - last_best >= self.task.schedule.patience

    def restart(self) -> None:
        """Go further after the end: a new plan begins here and goes to the length that the task's schedule has."""
        self.restarts.append(self.step)
        self.plan = self.plan.restart(self.task.schedule, step=self.step)
        self.finished = False

    @property
    def characters(self) -> int:
        """How many characters were read in all steps."""
        batches = self.task.batches
        return round(self.step * batches.n_rows * batches.length * self.task.characters_per_id)

    @property
    def has_budget(self) -> bool:
        """Whether it is time, not steps, that the run may take."""
        return math.isfinite(self.task.schedule.budget_seconds)

    @property
    def is_due(self) -> bool:
        """Whether the network is to be evaluated after this step."""
        return self.step >= self.plan.n_steps or self.plan.is_checkpoint(self.step)

    def take_step(self) -> float:
        """Let the network learn from the next batch; the mean loss before it did."""
        factor = self.plan.learning_factor(self.step, self.task.schedule)
        loss = self.learner.learn(self.task.batches.batch(self.step), step=self.step, factor=factor)
        self.losses.append(loss)
        self.step += 1
        return loss

    def evaluate(self) -> float:
        """The mean surprise of the validation ids, as the first process finds it."""
        nats = 0.0
        if self.processes.is_first:
            with self.learner.mean_weights() as network:
                nats = self.task.validation_nats(network)
        return self.processes.agree([nats])[0]

    def checkpoint(self, elapsed: Callable[[], float]) -> Checkpoint:
        """Evaluate the network, and see whether the run is over."""
        train, validation = float(np.mean(self.losses)), self.evaluate()
        if not math.isfinite(validation):
            raise ValueRangeError(
                f"the held-back text's loss became {validation} at step {self.step}; the learning rate "
                f"{self.task.schedule.learning_rate} is too high for this network: choose a lower one"
            )
        found = Checkpoint(self.step, self.plan.n_steps, train, validation, elapsed(), self.characters)
        self.history.append(found)
        self.losses.clear()
        self.finished = self.step >= self.plan.n_steps or self.is_out_of_patience
        self.gather(found.seconds)
        return found

    def gather(self, seconds: float) -> None:
        """Gather what the processes carry, so that the run can be saved as it stands after this many seconds."""
        batches, self.seconds = self.task.batches, seconds
        self.learner.gather(batches.n_rows, is_carried=not batches.batch(self.step).fresh)


def train(
    run: Run, *, now: Callable[[], float] = time.perf_counter, stop: Callable[[], bool] = lambda: False
) -> Iterator[Event]:
    """Go on with a run to its end, or until `stop` says so; what happens, as it happens.

    When a `Checkpoint` or `Interrupted` comes, the run is ready to be saved, and `run.is_at_best` tells whether the
    network is to be kept. The time that the receiver takes counts towards the budget.
    """
    clock, recent = Clock(now, before=run.seconds), deque[float](maxlen=N_RECENT)
    if run.has_budget and not run.finished:
        with clock.checkpoint():  # to know what an evaluation takes before the first one is due
            run.evaluate()
    while not run.finished:
        with clock.step(n_steps=run.plan.n_steps):
            recent.append(run.take_step())
            yield _report_step(run, clock.pace(), train_nats=sum(recent) / len(recent))
        is_stopped = _decide_to_stop(run, clock, stop)
        if run.is_due or (is_stopped and not run.history):  # an interrupted run keeps a network too
            with clock.checkpoint():
                yield run.checkpoint(clock.elapsed)
        if is_stopped and not run.finished:
            run.gather(clock.elapsed())
            yield Interrupted(run.step, run.plan.n_steps)
            return


def _decide_to_stop(run: Run, clock: Clock, stop: Callable[[], bool]) -> bool:
    """Whether to stop here; and the plan is reviewed, if it is time. All processes do what the first one decides."""
    plan, pace = run.plan, clock.pace()
    budget = run.task.schedule.budget_seconds
    is_late = pace.elapsed + pace.checkpoint > budget
    if run.has_budget and run.step < plan.n_steps and (is_late or plan.is_review(run.step)):
        plan = review_plan(plan, run.step, pace, budget_seconds=budget)
    stopped, n_steps, checkpoints = map(int, run.processes.agree([stop(), plan.n_steps, plan.checkpoints]))
    if (n_steps, checkpoints) != (run.plan.n_steps, run.plan.checkpoints):
        run.plan = run.plan.replan(n_steps, step=run.step, checkpoints=checkpoints)
    return bool(stopped)


def _report_step(run: Run, pace: Pace, *, train_nats: float) -> StepReport:
    left = (run.plan.n_steps - run.step) * pace.step + run.plan.checkpoints_left(run.step) * pace.checkpoint
    return StepReport(run.step, run.plan.n_steps, train_nats, pace.elapsed, left, run.characters)
