"""The loop with a tiny network: it learns, keeps the best, ends in time, and stops when it is told to."""

from dataclasses import replace

import numpy as np
import pytest
from tests.support.networks import tiny_task

from regard.errors import ValueRangeError
from regard.training.network.run import Checkpoint, Interrupted, Run, StepReport, train


def scores(*values):
    """Held-back losses that are made up."""
    left = list(values)
    return lambda network, ids: left.pop(0)


def checkpoints(run, **settings):
    return [event for event in train(run, **settings) if isinstance(event, Checkpoint)]


def test_a_network_learns():
    run = Run.begin(tiny_task(steps=60))
    events = list(train(run))
    assert sum(isinstance(event, StepReport) for event in events) == 60
    first, second, last = (event for event in events if isinstance(event, Checkpoint))
    assert [first.step, second.step, last.step] == [20, 40, 60]
    assert last.characters == 60 * 4 * 16
    assert last.train_nats < second.train_nats < first.train_nats < np.log(run.task.network.vocab)
    assert last.validation_nats < first.validation_nats
    assert run.finished
    assert run.is_at_best
    assert list(train(run)) == []


def test_the_losses_of_a_checkpoint_are_those_since_the_one_before():
    run, losses, found = Run.begin(tiny_task(steps=7, checkpoints=2)), [], []
    take_step = run.take_step
    run.take_step = lambda: losses.append(take_step()) or losses[-1]
    found = checkpoints(run)
    assert [point.step for point in found] == [4, 7]
    assert [point.train_nats for point in found] == [np.mean(losses[:4]), np.mean(losses[4:])]


def test_the_mean_of_the_weights_is_what_is_evaluated():
    weights = []
    score = lambda network, ids: weights.append(network.output.weight.detach().clone()) or 1.0
    run = Run.begin(replace(tiny_task(steps=4, checkpoints=1, average=0.5), score=score))
    checkpoints(run)
    with run.learner.mean_weights() as network:
        np.testing.assert_array_equal(weights[0], network.output.weight.detach())
    assert not np.allclose(weights[0], run.task.network.output.weight.detach())


@pytest.mark.parametrize(
    ("found", "n_evaluated", "best"),
    [
        ((3.0, 2.0, 2.5, 2.6, 2.7, 1.0, 1.0, 1.0, 1.0, 1.0), 5, 2.0),  # three in a row that are no better
        ((3.0, 2.0, 2.5, 2.6, 1.9, 2.0, 2.0, 1.8, 1.8, 1.8), 10, 1.8),
        ((1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 4, 1.0),  # the same is not better
    ],
)
def test_a_run_ends_when_it_gets_no_better(found, n_evaluated, best):
    run = Run.begin(replace(tiny_task(steps=10, checkpoints=10, patience=3), score=scores(*found)))
    assert len(checkpoints(run)) == n_evaluated
    assert run.finished
    assert run.best.validation_nats == best
    assert run.best.step == found.index(best) + 1
    assert run.is_at_best == (run.best.step == run.step)


def test_stopped_between_two_steps():
    run = Run.begin(tiny_task(steps=60))
    events = list(train(run, stop=lambda: run.step == 25))
    assert events[-1] == Interrupted(25, 60)
    assert not run.finished
    assert [point.step for point in run.history] == [20]
    assert len(run.losses) == 5


def test_stopped_before_the_first_checkpoint_there_is_one_nevertheless():
    run = Run.begin(tiny_task(steps=60))
    events = list(train(run, stop=lambda: True))
    assert [type(event) for event in events] == [StepReport, Checkpoint, Interrupted]
    assert run.is_at_best


class SlowTask:
    """A task and a clock: a step takes 0.5 seconds, twice that after a while; an evaluation 2, and saving 1."""

    def __init__(self, minutes):
        self.time = 0.0
        task = tiny_task(minutes=minutes, checkpoints=5, n_rows=1, length=4)
        forward = task.network.forward

        def slow_forward(ids, state=None):
            if task.network.training:
                self.time += 0.5 if self.time < 30 else 1.0
            return forward(ids, state)

        task.network.forward = slow_forward
        self.task = replace(task, score=self.score)

    def score(self, network, ids):
        self.time += 2
        return 1.0 / self.time

    def run(self, before=None):
        run = before or Run.begin(self.task)
        for event in train(run, now=lambda: self.time):
            if isinstance(event, Checkpoint):
                self.time += 1.0  # as if it were saved
        return run


def test_a_run_ends_when_its_budget_does():
    slow = SlowTask(minutes=1.5)
    run = slow.run()
    assert 0.93 * 90 < slow.time <= 1.05 * 90
    assert run.plan.progress(run.step) == 1
    assert len(run.history) == 4  # five would take more than a tenth of the budget
    assert run.history[-1].seconds == pytest.approx(slow.time - 1)
    assert len(run.plan.legs) > 2


def test_what_a_first_sitting_took_is_gone_from_the_budget():
    slow = SlowTask(minutes=1.5)
    run = Run.begin(slow.task)
    run.seconds = 60.0
    slow.run(run)
    assert slow.time <= 30 * 1.05 + 4


def test_a_loss_that_is_no_number_ends_the_run():
    run = Run.begin(replace(tiny_task(steps=10), score=scores(float("nan"))))
    with pytest.raises(
        ValueRangeError, match=r"^the held-back text's loss became nan at step 4; the learning rate 0.02 is"
    ):
        checkpoints(run)


def test_patience_is_counted_anew_after_a_restart():
    found = [2.0, 3.0, 3.0, 4.0, 5.0, 6.0]
    run = Run.begin(replace(tiny_task(steps=30, checkpoints=30, patience=2), score=scores(*found)))
    assert [event.step for event in train(run) if isinstance(event, Checkpoint)] == [1, 2, 3]
    assert run.finished
    run.restart()
    assert (run.finished, run.restarts, run.plan.progress(3), run.plan.n_steps) == (False, [3], 0.0, 30)
    # the best network is one from before; patience is what it was all the same
    assert [event.step for event in train(run) if isinstance(event, Checkpoint)] == [4, 5]
    assert run.best.step == 1


def test_a_run_is_shown_in_one_line():
    run = Run.begin(tiny_task(steps=3))
    run.losses = [0.5] * 1000
    assert repr(run).startswith("Run(task=NetworkTask(")
    assert len(repr(run)) <= 160
    assert "<th>losses</th><td>[1000 items]</td>" in run._repr_html_()
