"""How long a run lasts, and how far along it is after each step.

Progress goes from 0 to 1 in straight legs. A run with a time budget starts with a guess; whenever its pace shows that
it would end too early or too late, a new leg is begun from where it stands, so progress never jumps or goes back:

    progress 1 ┤                    ╱·      · where the first leg would have ended
               │              ____╱·
               │        ____──   ·
               │    ╱──         ·          step 20: too fast, there is time for more steps
             0 ┼──╱────────────────────
               0     20         60  70  step

The learning rate is a function of progress alone, hence continuous too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from regard.errors import ValueRangeError

Preset = TypeVar("Preset")
MIN_TIMED_STEPS = 50
"""A step's time is a mean over at least this many; of a long run, over a twentieth."""


class Clock:
    """Seconds since a run began, those of earlier sittings included, and how long things take lately."""

    def __init__(self, now: Callable[[], float], *, before: float) -> None:
        self._now, self._began = now, now() - before
        self._step_seconds, self._n_steps = 0.0, 0
        self._checkpoint_seconds, self._n_checkpoints = 0.0, 0

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self._now() - self._began

    def pace(self) -> Pace:
        """What has been measured."""
        return Pace(self.elapsed(), self._step_seconds, self._checkpoint_seconds)

    @contextmanager
    def step(self, *, n_steps: int) -> Iterator[None]:
        """Measures a step of a run of `n_steps`; a sitting's first, which is slow, counts only while it is alone."""
        start = self._now()
        yield
        self._n_steps += 1
        weight = 1 / max(1, min(self._n_steps - 1, max(MIN_TIMED_STEPS, n_steps // 20)))
        self._step_seconds += weight * (self._now() - start - self._step_seconds)

    @contextmanager
    def checkpoint(self) -> Iterator[None]:
        """Measures an evaluation with all that comes with it; the first, a rehearsal, counts only while it is alone."""
        start = self._now()
        yield
        weight = 1 / max(1, self._n_checkpoints)
        self._n_checkpoints += 1
        self._checkpoint_seconds += weight * (self._now() - start - self._checkpoint_seconds)


FIRST_GUESS_STEPS = 1000
"""How many steps are planned until the first of them have been timed."""
MAX_MISS_OF_REST, MAX_MISS_OF_BUDGET = 0.02, 0.002
"""A run that would miss its end by more than this share of what is left, and of all, is planned again."""
MAX_CHECKPOINT_SHARE = 0.1
"""Evaluations and savings take at most about this share of the budget; where they would take more, there are fewer."""


@dataclass(frozen=True)
class ScheduleConfig:
    """How a network learns: for how long (`steps`, or `minutes` of wall time), and by which steps.

    The learning rate rises for the share `warm_up` of the run, then falls to the share `final` of its height.
    `sparse_learning_rate` is that of tables with sparse gradients; None: the same. `clip` bounds the gradient's norm.
    `average` > 0 keeps a running mean of the weights, a·mean + (1 − a)·weights after each step, and it is the mean that
    is evaluated and saved. There are `checkpoints` evaluations; after `patience` of them in a row that are no
    better than the best, the run ends.
    """

    learning_rate: float
    steps: int | None = None
    minutes: float | None = None
    sparse_learning_rate: float | None = None
    weight_decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.99)
    warm_up: float = 0.03
    decay: Literal["linear", "cosine"] = "cosine"
    final: float = 0.0
    clip: float = 1.0
    average: float = 0.0
    checkpoints: int = 20
    patience: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.minutes is None):
            raise ValueRangeError(f"expected either steps or minutes; got steps {self.steps}, minutes {self.minutes}")
        for name in ("steps", "checkpoints", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueRangeError(f"{name} must be at least 1; got {value}")
        for name in ("learning_rate", "minutes", "clip", "sparse_learning_rate"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueRangeError(f"{name} must be a positive number; got {value}")
        for name in ("warm_up", "average"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueRangeError(f"{name} must lie in [0, 1); got {getattr(self, name)}")
        if not 0 <= self.final <= 1:
            raise ValueRangeError(f"final must lie in [0, 1]; got {self.final}")

    def with_length(self, *, steps: int | None = None, minutes: float | None = None) -> ScheduleConfig:
        """This schedule with another length, if one is given."""
        return self if steps is None and minutes is None else replace(self, steps=steps, minutes=minutes)

    @property
    def budget_seconds(self) -> float:
        """The wall time that the run may take; infinite where steps are counted."""
        return math.inf if self.minutes is None else 60.0 * self.minutes

    def factor(self, progress: float) -> float:
        """The share of the learning rate at this progress: p/w up to w, then from 1 down to `final`.

        >>> schedule = ScheduleConfig(0.01, steps=100, warm_up=0.5, decay="linear", final=0.5)
        >>> [schedule.factor(p) for p in (0.25, 0.5, 0.75, 1.0)]
        [0.5, 1.0, 0.75, 0.5]
        """
        if progress < self.warm_up:
            return progress / self.warm_up
        fallen = (progress - self.warm_up) / (1 - self.warm_up)
        left = 1 - fallen if self.decay == "linear" else (1 + math.cos(math.pi * fallen)) / 2
        return self.final + (1 - self.final) * left


@dataclass(frozen=True)
class Leg:
    """From step `start`, where progress was `progress`, straight to progress 1 after step `end`."""

    start: int
    progress: float
    end: int


@dataclass(frozen=True)
class Pace:
    """What things take, in seconds: all so far, a step, an evaluation with saving."""

    elapsed: float
    step: float
    checkpoint: float


@dataclass(frozen=True)
class Plan:
    """The legs of a run, and how many checkpoints are spread evenly over its progress."""

    legs: tuple[Leg, ...]
    checkpoints: int

    @classmethod
    def start(cls, schedule: ScheduleConfig) -> Plan:
        """The plan before the first step."""
        n_steps = schedule.steps or FIRST_GUESS_STEPS
        return cls((Leg(0, 0.0, n_steps),), min(schedule.checkpoints, n_steps))

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> Plan:
        """The plan that `asdict` gave."""
        return cls(tuple(Leg(**leg) for leg in saved["legs"]), saved["checkpoints"])

    @property
    def n_steps(self) -> int:
        """How many steps the run will have, as it is planned now."""
        return self.legs[-1].end

    def progress(self, step: int) -> float:
        """How far the run is after this many steps, from 0 to 1.

        >>> Plan((Leg(0, 0.0, 100), Leg(25, 0.25, 75)), checkpoints=5).progress(50)
        0.625
        """
        leg = next(leg for leg in reversed(self.legs) if leg.start <= step)
        if step >= leg.end:
            return 1.0
        return leg.progress + (1 - leg.progress) * (step - leg.start) / (leg.end - leg.start)

    def learning_factor(self, step: int, schedule: ScheduleConfig) -> float:
        """The share of the learning rate for the step that follows `step` steps: that at the middle of it."""
        return schedule.factor((self.progress(step) + self.progress(step + 1)) / 2)

    def is_checkpoint(self, step: int) -> bool:
        """Whether the network is evaluated after this many steps: a multiple of 1/checkpoints has been passed."""
        return self._has_passed(step, self.checkpoints)

    def is_review(self, step: int) -> bool:
        """Whether to look at the clock: after 2, 4, 8, 16 … steps, and a hundred times in a run."""
        return (step >= 2 and step & (step - 1) == 0) or self._has_passed(step, 100)

    def _has_passed(self, step: int, parts: int) -> bool:
        return step > 0 and self._part(step, parts) > self._part(step - 1, parts)

    def _part(self, step: int, parts: int) -> int:
        # 0.15 · 20 is a hair less than 3 in binary, and a checkpoint must not come a step late for it
        return math.floor(self.progress(step) * parts + 1e-9)

    def checkpoints_left(self, step: int) -> int:
        """How many evaluations are yet to come."""
        return self.checkpoints - self._part(step, self.checkpoints)

    def replan(self, n_steps: int, *, step: int, checkpoints: int) -> Plan:
        """This plan up to `step`, then a new leg that ends after `n_steps`."""
        return Plan((*self.legs, Leg(step, self.progress(step), n_steps)), checkpoints)

    def restart(self, schedule: ScheduleConfig, *, step: int) -> Plan:
        """The plan up to `step`, where it ended; then progress goes from 0 to 1 again, to the schedule's length.

        >>> schedule = ScheduleConfig(0.01, steps=60, checkpoints=2)
        >>> plan = Plan((Leg(0, 0.0, 40),), checkpoints=4).restart(schedule, step=40)
        >>> [plan.progress(step) for step in (20, 40, 50, 60)]
        [0.5, 0.0, 0.5, 1.0]
        """
        n_more = FIRST_GUESS_STEPS if schedule.steps is None else schedule.steps - step
        return Plan((*self.legs, Leg(step, 0.0, step + n_more)), min(schedule.checkpoints, n_more))


def review_plan(plan: Plan, step: int, pace: Pace, *, budget_seconds: float) -> Plan:
    """The plan itself if it keeps the budget at this pace, else one that does, from here on."""
    most = max(1, int(MAX_CHECKPOINT_SHARE * budget_seconds / max(pace.checkpoint, 1e-9)))
    fewer = replace(plan, checkpoints=min(plan.checkpoints, most))
    left = budget_seconds - pace.elapsed - fewer.checkpoints_left(step) * pace.checkpoint
    needed = (plan.n_steps - step) * pace.step
    if fewer == plan and abs(left - needed) <= max(
        MAX_MISS_OF_REST * left, MAX_MISS_OF_BUDGET * budget_seconds, pace.step
    ):
        return plan
    n_more = max(0, int(left / max(pace.step, 1e-9)))
    return plan.replan(step + n_more, step=step, checkpoints=fewer.checkpoints)


def find_preset(presets: Mapping[str, Preset], name: str) -> Preset:
    """The network and schedule that go by this name; an error lists the names that there are."""
    if name not in presets:
        raise ValueRangeError(f"there is no preset {name!r}; choose from {', '.join(presets)}")
    return presets[name]
