import pytest

from regard.training.network.schedule import Clock


class Hands:
    """A clock that is moved by hand."""

    time = 100.0

    def __call__(self):
        return self.time


def test_times_by_hand():
    hands = Hands()
    clock = Clock(hands, before=7.0)
    for took in (9.0, 1.0, 3.0):  # the first step is slow, and is left out once there is another
        with clock.step(n_steps=10):
            hands.time += took
    assert clock.pace().step == 2
    for took in (0.5, 4.0, 6.0):  # the first is a rehearsal
        with clock.checkpoint():
            hands.time += took
    assert clock.pace().checkpoint == 5
    assert clock.elapsed() == clock.pace().elapsed == 7 + 13 + 10.5


def test_lately_is_what_counts():
    hands = Hands()
    clock = Clock(hands, before=0.0)
    for took in [1.0] * 200 + [2.0] * 200:
        with clock.step(n_steps=400):
            hands.time += took
    assert clock.pace().step == pytest.approx(2, abs=0.02)


@pytest.mark.parametrize(
    ("n_steps", "memory"),
    [(10, 50), (2000, 100)],  # at least fifty steps; of a long run, a twentieth
)
def test_how_many_steps_a_mean_remembers(n_steps, memory):
    hands = Hands()
    clock = Clock(hands, before=0.0)
    for took in [9.0] + [1.0] * (memory + 20) + [1.0 + memory]:  # the last one is late by as many seconds as it weighs
        with clock.step(n_steps=n_steps):
            hands.time += took
    assert clock.pace().step == pytest.approx(2.0)
