"""The widget of a long computation, spoken to as the browser does."""

import time

import pytest
import traitlets

from regard.lab.jobs import FINAL_STATES
from regard.lab.widgets.long_work import LongWork


@pytest.fixture
def work():
    widget = LongWork(lambda progress: progress(1, "there") or 42, label="Count", seconds=3)
    widget.sent = []
    widget.send = widget.sent.append
    return widget


def asked(widget, what):
    widget._handle_custom_msg({"ask": what}, [])
    return widget.sent[-1]


def until(widget, state):
    limit = time.monotonic() + 120
    while (status := asked(widget, "status"))["state"] != state:
        assert time.monotonic() < limit, status
        assert status["state"] not in FINAL_STATES, status
        time.sleep(0.005)


def test_it_starts_when_asked_and_has_a_result(work):
    assert asked(work, "status")["state"] == "ready"
    assert work.result is None
    asked(work, "start")
    until(work, "done")
    expected = {"state": "done", "share": 1, "message": "there", "points": (), "text": "", "validation": ()}
    assert work.sent[-1] == expected
    assert work.result == 42


def test_the_browser_cannot_say_that_it_is_over_when_it_is_not(work):
    with pytest.raises(traitlets.TraitError, match="the work is not over"):
        work.state = "done"
    asked(work, "start")
    until(work, "done")
    work.state = "stopped"
    assert work.state == "done"


def test_it_can_be_done_again(work):
    for _ in range(2):
        asked(work, "start")
        until(work, "done")
        first = work.computation
    asked(work, "start")
    assert work.computation is not first


@pytest.mark.parametrize("nonsense", [None, "start", {"ask": "rm -rf"}, []])
def test_nonsense_is_answered_with_the_status(work, nonsense):
    work._handle_custom_msg(nonsense, [])
    assert work.sent[-1]["state"] == "ready"
