"""The plan of a run: learning rates by hand, and a clock that is made up."""

import math
from dataclasses import asdict
from itertools import pairwise

import pytest

from regard.errors import ValueRangeError
from regard.training.network.schedule import Leg, Pace, Plan, ScheduleConfig, review_plan


def test_learning_rates_by_hand():
    cosine = ScheduleConfig(0.1, steps=10, warm_up=0.2, final=0.1)
    assert [cosine.factor(p) for p in (0.0, 0.1, 0.2, 0.6, 1.0)] == pytest.approx([0, 0.5, 1, 0.55, 0.1])
    linear = ScheduleConfig(0.1, steps=10, warm_up=0.0, decay="linear", final=0.0)
    assert [linear.factor(p) for p in (0.0, 0.25, 1.0)] == [1, 0.75, 0]
    flat = ScheduleConfig(0.1, steps=10, warm_up=0.0, final=1.0)
    assert {flat.factor(p / 10) for p in range(11)} == {1}
    # at the middle of each step, so that neither the first nor the last is wasted on a rate of 0
    assert [Plan.start(linear).learning_factor(step, linear) for step in (0, 9)] == pytest.approx([0.95, 0.05])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "expected either steps or minutes; got steps None, minutes None"),
        ({"steps": 1, "minutes": 1}, "expected either steps or minutes; got steps 1, minutes 1"),
        ({"steps": 0}, "steps must be at least 1; got 0"),
        ({"minutes": 0}, "minutes must be a positive number; got 0"),
        ({"minutes": math.inf}, "minutes must be a positive number; got inf"),
        ({"steps": 1, "learning_rate": -1}, "learning_rate must be a positive number; got -1"),
        ({"steps": 1, "patience": 0}, "patience must be at least 1; got 0"),
        ({"steps": 1, "warm_up": 1}, r"warm_up must lie in \[0, 1\); got 1"),
        ({"steps": 1, "final": 2}, r"final must lie in \[0, 1\]; got 2"),
    ],
)
def test_impossible_schedules(settings, message, unchecked):
    with pytest.raises(ValueRangeError, match=f"^{message}$"):
        ScheduleConfig(**{"learning_rate": 0.1, **settings})


def test_another_length():
    schedule = ScheduleConfig(0.1, minutes=10.0)
    assert schedule.budget_seconds == 600
    assert schedule.with_length() is schedule
    assert (schedule.with_length(steps=5).steps, schedule.with_length(steps=5).minutes) == (5, None)
    assert schedule.with_length(steps=5).budget_seconds == math.inf


@pytest.mark.parametrize("n_steps", [1, 7, 20, 100, 1013])
@pytest.mark.parametrize("checkpoints", [1, 3, 20])
def test_checkpoints_are_spread_evenly_and_the_last_step_has_one(n_steps, checkpoints):
    plan = Plan.start(ScheduleConfig(0.1, steps=n_steps, checkpoints=checkpoints))
    found = [step for step in range(n_steps + 1) if plan.is_checkpoint(step)]
    n_expected = min(n_steps, checkpoints)
    assert found == [-(-n_steps * k // n_expected) for k in range(1, n_expected + 1)]
    assert [plan.checkpoints_left(step) for step in (0, n_steps)] == [n_expected, 0]


def test_a_new_leg_begins_where_the_old_one_stood():
    plan = Plan((Leg(0, 0.0, 100),), checkpoints=4).replan(60, step=20, checkpoints=4)
    assert [plan.progress(step) for step in (0, 10, 20, 40, 60, 70)] == pytest.approx([0, 0.1, 0.2, 0.6, 1, 1])
    assert plan.n_steps == 60
    assert Plan.restore(asdict(plan)) == plan


class Simulation:
    """A run whose steps take `step_seconds(elapsed)` and whose checkpoints `checkpoint_seconds`."""

    def __init__(self, minutes, step_seconds, checkpoint_seconds=0.0, checkpoints=20):
        schedule = ScheduleConfig(0.1, minutes=minutes, checkpoints=checkpoints)
        budget, plan = schedule.budget_seconds, Plan.start(schedule)
        self.elapsed, self.factors, self.n_checkpoints, step, lately = checkpoint_seconds, [], 0, 0, 0.0
        self.progress = [0.0]
        while step < plan.n_steps:
            self.factors.append(plan.learning_factor(step, schedule))
            took = step_seconds(self.elapsed)
            lately = took if step < 2 else lately + (took - lately) / min(step, 50)
            self.elapsed += took
            step += 1
            is_late = self.elapsed + checkpoint_seconds > budget
            if step < plan.n_steps and (is_late or plan.is_review(step)):
                plan = review_plan(plan, step, Pace(self.elapsed, lately, checkpoint_seconds), budget_seconds=budget)
            self.progress.append(plan.progress(step))
            if plan.is_checkpoint(step) or step >= plan.n_steps:
                self.elapsed += checkpoint_seconds
                self.n_checkpoints += 1
        self.n_steps, self.share, self.plan = step, self.elapsed / budget, plan


@pytest.mark.parametrize(
    ("pace", "checkpoint_seconds"),
    [
        (lambda t: 0.1, 0.0),
        (lambda t: 0.1, 0.5),
        (lambda t: 0.02 if t < 30 else 0.04, 0.1),  # another program starts
        (lambda t: 0.3 if t < 40 else 0.1, 0.1),  # another program ends
        (lambda t: 0.03 if t < 55 else 0.15, 0.1),  # late, and five times slower
        (lambda t: 2.0, 0.2),
        (lambda t: 0.05 + 0.04 * math.sin(t), 0.2),
        (lambda t: 0.05, 6.0),  # a checkpoint takes a tenth of the budget
    ],
)
def test_a_run_ends_when_its_budget_does(pace, checkpoint_seconds):
    run = Simulation(1.0, pace, checkpoint_seconds)
    assert 0.9 < run.share <= 1.05
    assert run.progress[-1] == 1
    assert all(a <= b for a, b in pairwise(run.progress))


def test_the_learning_rate_never_jumps():
    run = Simulation(1.0, lambda t: 0.02 if t < 30 else 0.06, 0.1)
    assert len(run.plan.legs) > 5
    assert run.n_steps > 1500
    assert max(abs(a - b) for a, b in pairwise(run.factors[300:])) < 0.006
    assert run.factors[-1] < 0.01  # and comes down to its end
    assert max(run.factors) == pytest.approx(1, abs=1e-4)


def test_a_steady_run_is_planned_a_few_times_only():
    run = Simulation(10.0, lambda t: 0.4, 1.0)
    assert len(run.plan.legs) <= 4
    assert run.n_checkpoints == 20
    assert run.n_steps == pytest.approx((600 - 21) / 0.4, rel=0.02)


def test_evaluations_that_take_long_become_fewer():
    run = Simulation(1.0, lambda t: 0.1, 3.0)
    assert run.n_checkpoints == 2
    assert run.share <= 1.05
    assert Simulation(0.01, lambda t: 5.0, 1.0).n_steps == 1  # no time for anything: one step, one evaluation


def test_a_plan_that_fits_stays_as_it_is():
    plan = Plan((Leg(0, 0.0, 100),), checkpoints=10)
    fits = Pace(elapsed=20.0, step=1.0, checkpoint=0.0)
    assert review_plan(plan, 20, fits, budget_seconds=100.0) is plan
    assert review_plan(plan, 20, fits, budget_seconds=101.0) is plan
    assert review_plan(plan, 20, fits, budget_seconds=110.0).legs[-1] == Leg(20, 0.2, 110)
    assert review_plan(plan, 20, Pace(20.0, 1.0, 0.5), budget_seconds=100.0).legs[-1] == Leg(
        20, 0.2, 96
    )  # 8 checkpoints to come
