"""Questions to Python: answered, or refused in one line."""

import json
import threading
import time
from dataclasses import dataclass

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from regard.errors import ValueRangeError
from regard.lab.contents import CHAPTERS
from regard.lab.inputs import number
from regard.lab.server import api as api_module
from regard.lab.server.api import Api, Question, parse_json


@dataclass(frozen=True)
class Side:
    side: float = number(0, 10)


def refuse(asked):
    raise ValueRangeError("it cannot be")


def fail(asked):
    raise OSError("/home/somebody/secret")


def count(asked, progress):
    for step in range(3):
        progress(step / 3, f"step {step}")
        progress.add_point(step, 1.0)
        time.sleep(0.15)  # so that more than one line is sent
    progress.add_validation_point(2, 0.5)
    return {"sum": 3}


QUESTIONS = {
    "area": Question(Side, lambda asked: {"area": asked.side**2}),
    "refuse": Question(Side, refuse),
    "fail": Question(Side, fail),
    "count": Question(Side, count, is_long=True),
}


@pytest.fixture
def answers():
    answers = Api(CHAPTERS[:1])
    answers.questions = {"look-up": QUESTIONS}
    return answers


@pytest.fixture
def sign(answers):
    """The headers of somebody who has been given a name."""
    return lambda: {"cookie": f"regard_visitor_80={answers.visitors.new_cookie()}"}


@pytest.fixture
def client(answers):
    return TestClient(Starlette(routes=[Route("/{chapter}/{question}", answers.answer, methods=["POST"])]))


def until(condition):
    limit = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.005)


def test_a_question_is_answered(client):
    assert client.post("/look-up/area", json={"side": 3}).json() == {"area": 9.0}


@pytest.mark.parametrize(
    ("path", "body", "status", "line"),
    [
        ("/look-up/volume", b"{}", 404, "There is no such question."),
        ("/words/area", b"{}", 404, "There is no such question."),
        ("/look-up/area", b"", 400, "expected JSON, with finite numbers"),
        ("/look-up/area", b"[" * 60_000, 400, "expected JSON, with finite numbers"),
        ("/look-up/area", b'{"side": NaN}', 400, "expected JSON, with finite numbers"),
        ("/look-up/area", b'{"side": ' + b"9" * 5_000 + b"}", 400, "expected JSON, with finite numbers"),
        ("/look-up/area", b'{"side": 1e999}', 400, "side should be a number from 0 to 10, not inf"),
        ("/look-up/area", b'{"side": 1, "other": 2}', 400, "expected an object with side"),
        ("/look-up/area", b"\xff\xfe", 400, "expected JSON, with finite numbers"),
        ("/look-up/area", b" " * 64_001, 413, "a question has at most 64000 bytes"),
        ("/look-up/refuse", b'{"side": 1}', 400, "it cannot be"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(client, capfd, path, body, status, line):
    response = client.post(path, content=body)
    assert (response.status_code, response.json()) == (status, {"error": line})
    assert capfd.readouterr().err == ""  # nobody can fill the terminal with bad questions


def test_an_unforeseen_error_is_told_to_the_terminal_alone(client):
    response = client.post("/look-up/fail", json={"side": 1})
    assert (response.status_code, response.json()) == (500, {"error": "this went wrong; the lab's terminal says how"})


def test_a_long_question_tells_how_far_it_is_and_then_the_result(client):
    lines = [json.loads(line) for line in client.post("/look-up/count", json={"side": 1}).text.splitlines()]
    assert lines[-1]["state"] == "done"
    assert lines[-1]["result"] == {"sum": 3}
    assert [point for line in lines for point in line["points"]] == [[0, 1.0], [1, 1.0], [2, 1.0]]
    assert [point for line in lines for point in line["validation"]] == [[2, 0.5]]


def test_what_takes_too_long_is_given_up(client, monkeypatch):
    monkeypatch.setattr(api_module, "MAX_SECONDS", 0.05)
    monkeypatch.setitem(QUESTIONS, "slow", Question(Side, lambda asked: time.sleep(0.3) or {}))
    response = client.post("/look-up/slow", json={"side": 1})
    assert (response.status_code, response.json()) == (503, {"error": "this took longer than 0.05 seconds"})


def test_few_are_computed_at_once_and_only_so_many_wait(client, sign, monkeypatch):
    at_once, most = [], []

    def watch(asked):
        at_once.append(1)
        most.append(len(at_once))
        time.sleep(0.05)
        at_once.pop()
        return {}

    monkeypatch.setitem(QUESTIONS, "watch", Question(Side, watch))
    monkeypatch.setattr(api_module, "MAX_WAITING", 6)
    found = []
    with client:
        ask = lambda: found.append(client.post("/look-up/watch", json={"side": 1}, headers=sign()).status_code)
        threads = [threading.Thread(target=ask) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert max(most) <= 2
    assert set(found) == {200, 503}


def test_one_visitor_cannot_make_others_wait_for_many_answers(client, answers, sign, monkeypatch):
    gate = threading.Event()
    monkeypatch.setitem(QUESTIONS, "wait", Question(Side, lambda asked: {"waited": gate.wait(60)}))
    found, headers = {"ann": [], "bob": []}, {"ann": sign(), "bob": sign()}
    with client:

        def ask(name):
            answer = client.post("/look-up/wait", json={"side": 1}, headers=headers[name])
            found[name].append(answer.status_code)

        n_taken = 1 + api_module.MAX_WAITING_EACH  # one is computed
        threads = [threading.Thread(target=ask, args=("ann",)) for _ in range(20)]
        for thread in threads:
            thread.start()
        until(lambda: len(found["ann"]) == 20 - n_taken)
        threads.append(threading.Thread(target=ask, args=("bob",)))
        threads[-1].start()
        until(lambda: len(answers.turns.running) == 2)
        gate.set()
        for thread in threads:
            thread.join()
    assert sorted(found["ann"]) == [200] * n_taken + [503] * (20 - n_taken)
    assert found["bob"] == [200]


def test_a_visitor_whose_answers_take_long_leaves_the_other_turn_to_others(client, answers, sign, monkeypatch):
    gate = threading.Event()
    monkeypatch.setitem(QUESTIONS, "wait", Question(Side, lambda asked: {"waited": gate.wait(60)}))
    cookies = [sign(), sign()]
    with client:
        ask = lambda: client.post("/look-up/wait", json={"side": 1}, headers=cookies[0])
        threads = [threading.Thread(target=ask) for _ in range(5)]
        for thread in threads:
            thread.start()
        until(lambda: len(answers.turns.waiting) == 4)
        assert client.post("/look-up/area", json={"side": 2}, headers=cookies[1]).json() == {"area": 4.0}
        gate.set()
        for thread in threads:
            thread.join()
        assert client.post("/look-up/area", json={"side": 2}, headers=cookies[0]).json() == {"area": 4.0}


def test_an_answer_that_was_given_up_keeps_its_turn_until_its_thread_is_free(client, monkeypatch):
    monkeypatch.setattr(api_module, "MAX_SECONDS", 0.05)
    at_once, most = [], []

    def work(asked):
        at_once.append(1)
        most.append(len(at_once))
        time.sleep(0.2)
        at_once.pop()
        return {}

    monkeypatch.setitem(QUESTIONS, "work", Question(Side, work))
    with client:
        found = [client.post("/look-up/work", json={"side": 1}).status_code for _ in range(6)]
        time.sleep(0.5)
    assert found == [503] * 6
    assert max(most) <= 2


def test_every_page_has_questions_that_are_checked():
    answers = Api(CHAPTERS)
    for questions in answers._import_questions().values():
        assert questions
        for question in questions.values():
            with pytest.raises(ValueRangeError):
                api_module.read_input(question.kind, parse_json(b'{"x": 1}'))


@pytest.mark.parametrize("forged", [None, "regard_visitor_80=ann", "regard_visitor_80=ann.0123", "regard_visitor_80=."])
def test_who_has_no_name_or_forges_one_is_the_same_visitor_each_time(client, answers, monkeypatch, forged):
    gate = threading.Event()
    monkeypatch.setitem(QUESTIONS, "wait", Question(Side, lambda asked: {"waited": gate.wait(60)}))
    found = []
    with client:

        def ask(number):
            headers = {} if forged is None else {"cookie": f"{forged}{number}"}
            found.append(client.post("/look-up/wait", json={"side": 1}, headers=headers).status_code)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        until(lambda: len(found) == 12 - 1 - api_module.MAX_WAITING_EACH)
        assert len(answers.turns.running) == 1
        gate.set()
        for thread in threads:
            thread.join()
    assert found.count(503) == 3
