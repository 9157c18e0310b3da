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
    monkeypatch.setattr(jobs, "TURNS", jobs.Turns(1))
    go = threading.Event()
    first = begun(lambda progress: go.wait(20))
    limit = time.monotonic() + 120
    while first.state != "working":
        assert time.monotonic() < limit
        time.sleep(0.005)
    second = begun(lambda progress: "second")
    assert second.status().message == "waiting for other computations: number 1 in the queue"
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


def test_nobody_with_one_running_is_before_somebody_with_none(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", jobs.Turns(2))
    gates = {name: threading.Event() for name in "abcd"}
    began = []

    def compute(name):
        def run(progress):
            began.append(name)
            assert gates[name].wait(120)

        return run

    greedy = [begun(compute("a"), visitor="ann")]
    wait_until(lambda: began == ["a"])
    greedy += [begun(compute(name), visitor="ann") for name in "bc"]
    wait_until(lambda: len(jobs.TURNS.waiting) == 2)
    other = begun(compute("d"), visitor="bob")
    wait_until(lambda: began == ["a", "d"])  # two may run, but not two of ann's
    assert greedy[2].status().message == "waiting for other computations: number 2 in the queue"
    for gate in gates.values():
        gate.set()
    for work in (*greedy, other):
        assert ended(work).state == "done"
    assert began == ["a", "d", "b", "c"]
    assert (jobs.TURNS.waiting, jobs.TURNS.running) == ([], [])


def test_a_full_queue_is_told_and_what_stops_while_it_waits_leaves_it(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", jobs.Turns(1))
    monkeypatch.setattr(jobs, "MAX_QUEUE", 1)
    gate = threading.Event()
    first = begun(lambda progress: gate.wait(120))
    wait_until(lambda: first.state == "working")
    second = begun(lambda progress: None)
    wait_until(lambda: len(jobs.TURNS.waiting) == 1)
    third = ended(begun(lambda progress: None))
    assert third.status().message == "1 computations wait already; try again in a few minutes"
    second.stop()
    assert ended(second).state == "stopped"
    assert jobs.TURNS.waiting == []
    gate.set()
    assert ended(first).state == "done"


def test_one_visitor_fills_only_a_part_of_the_queue(monkeypatch):
    turns = jobs.Turns(1)
    monkeypatch.setattr(jobs, "TURNS", turns)
    gate = threading.Event()
    first = begun(lambda progress: gate.wait(120), visitor="ann")
    wait_until(lambda: first.state == "working")
    anns = [begun(lambda progress: 1, visitor="ann") for _ in range(jobs.MAX_QUEUE_EACH)]
    wait_until(lambda: len(turns.waiting) == jobs.MAX_QUEUE_EACH)
    further = begun(lambda progress: 1, visitor="ann")
    wait_until(lambda: further.is_over)
    assert further.status().message == "4 computations of yours wait already; stop one, or wait for them"
    bobs = begun(lambda progress: 1, visitor="bob")
    wait_until(lambda: len(turns.waiting) == jobs.MAX_QUEUE_EACH + 1)
    gate.set()
    wait_until(lambda: all(work.is_over for work in [bobs, *anns]))
    assert {work.state for work in [bobs, *anns]} == {"done"}


def test_many_names_of_one_address_leave_room_in_the_queue_and_are_not_before_others(monkeypatch):
    turns = jobs.Turns(1)
    monkeypatch.setattr(jobs, "TURNS", turns)
    monkeypatch.setattr(jobs, "MAX_QUEUE_PEER", 3)
    gates, began = [threading.Event(), threading.Event()], []

    def compute(number, gate):
        def run(progress):
            began.append(number)
            assert gates[gate].wait(120)

        return run

    works = [begun(compute(0, 0), visitor="name 0", peer="10.0.0.1")]
    wait_until(lambda: began == [0])
    for number in range(1, 4):
        works.append(begun(compute(number, 1), visitor=f"name {number}", peer="10.0.0.1"))
        wait_until(lambda: len(turns.waiting) == number)  # noqa: B023
    refused = ended(begun(compute(4, 1), visitor="name 4", peer="10.0.0.1"))
    assert refused.status().message == "3 computations from your address wait already; try again in a few minutes"
    turns.n_at_once = 2
    wait_until(lambda: began == [0, 1])
    other = begun(compute("other", 1), visitor="bob", peer="10.0.0.2")
    wait_until(lambda: len(turns.waiting) == 3)
    assert other.status().message == "waiting for other computations: number 1 in the queue"
    gates[0].set()
    wait_until(lambda: len(began) == 3)
    assert began == [0, 1, "other"]
    gates[1].set()
    assert {ended(work).state for work in (*works, other)} == {"done"}


def test_an_unforeseen_error_is_shown_once_for_each_place(capfd):
    def fail(progress):
        raise OSError("no such thing")

    for _ in range(3):
        work = begun(fail)
        wait_until(lambda: work.is_over)  # noqa: B023
        assert work.status().message == "this went wrong; the lab's terminal says how"
    assert capfd.readouterr().err.count("Traceback") == 1


def wait_until(is_so):
    limit = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.005)


def test_long_work_gives_way_to_short_answers_and_goes_on_when_there_are_none(monkeypatch):
    monkeypatch.setattr(jobs, "MAX_PAUSE_SECONDS", 120.0)
    foreground = jobs.Foreground()
    foreground.begin()
    foreground.begin()
    long_work = threading.Thread(target=foreground.give_way, args=(1000.0,))
    long_work.start()
    foreground.end()
    long_work.join(0.05)
    assert long_work.is_alive()
    foreground.end()
    long_work.join(60)
    assert not long_work.is_alive()
    foreground.give_way(1000.0)  # at once


def test_long_work_keeps_a_quarter_of_the_time():
    foreground = jobs.Foreground()
    foreground.begin()
    began = time.monotonic()
    for _ in range(10):
        foreground.give_way(0.001)
    assert 0.03 <= time.monotonic() - began < 10
