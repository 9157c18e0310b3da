"""Long computations: their turns, their status and their end."""

import threading
import time

import pytest

from regard.errors import ValueRangeError
from regard.lab import jobs
from regard.lab.jobs import Computation, WorkStopped


def ended(work, seconds=120.0):
    """The work once it is over."""
    limit = time.monotonic() + seconds
    while not work.is_over:
        assert time.monotonic() < limit, work.status()
        time.sleep(0.005)
    return work


def begun(compute, **settings):
    work = Computation(compute, **settings)
    work.start()
    return work


def test_what_is_reported_is_shown_and_what_is_returned_is_the_result():
    def compute(progress):
        progress(0.25, "first")
        progress.add_point(0, 2.5)
        progress.write("to be ")
        progress(0.5, "second")
        progress.add_point(1, 1.5)
        progress.write("or not")
        return "model"

    work = ended(begun(compute))
    assert work.result == "model"
    assert work.status() == jobs.Status("done", 0.5, "second", ((0, 2.5), (1, 1.5)), "to be or not")


def test_it_stops_at_its_next_report():
    reached = threading.Event()

    def compute(progress):
        while True:
            reached.set()
            progress(None, "for ever")
            time.sleep(0.001)

    work = begun(compute)
    assert reached.wait(120)
    work.stop()
    assert ended(work).state == "stopped"
    assert work.result is None


def test_without_anybody_asking_it_stops():
    def compute(progress):
        while True:
            progress(None, "for nobody")
            time.sleep(0.001)

    assert ended(begun(compute, max_silence_seconds=0.05)).state == "stopped"


def test_a_stop_is_no_fault_that_could_be_caught_on_the_way():
    assert not issubclass(WorkStopped, Exception)


def test_wrong_input_is_told_and_other_faults_go_to_the_terminal(capfd):
    def wrong(progress):
        raise ValueRangeError("expected 1 to 5; got 7")

    def broken(progress):
        raise ZeroDivisionError("inside")

    work = ended(begun(wrong))
    assert (work.state, work.status().message) == ("failed", "expected 1 to 5; got 7")
    assert capfd.readouterr().err == ""
    work = ended(begun(broken))
    assert work.status().message == "this went wrong; the lab's terminal says how"
    assert "ZeroDivisionError: inside" in capfd.readouterr().err


def test_it_begins_once():
    began = []

    def compute(progress):
        began.append(1)

    work = begun(compute)
    work.start()
    ended(work)
    work.start()
    assert (began, work.state) == ([1], "done")


def test_no_more_run_at_once_than_there_are_turns(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", threading.BoundedSemaphore(1))
    go = threading.Event()
    first = begun(lambda progress: go.wait(20))
    limit = time.monotonic() + 120
    while first.state != "working":
        assert time.monotonic() < limit
        time.sleep(0.005)
    second = begun(lambda progress: "second")
    assert second.status().message == "waiting for other computations"
    given_up = begun(lambda progress: "never")
    given_up.stop()
    assert ended(given_up).state == "stopped"
    go.set()
    assert ended(second).result == "second"


@pytest.mark.parametrize("kind", ["points", "text"])
def test_news_have_a_limit(monkeypatch, kind):
    monkeypatch.setattr(jobs, "MAX_POINTS", 3)
    monkeypatch.setattr(jobs, "MAX_CHARACTERS", 3)

    def compute(progress):
        for step in range(5):
            progress.add_point(step, 0)
            progress.write("x")

    assert len(getattr(ended(begun(compute)).status(), kind)) == 3
