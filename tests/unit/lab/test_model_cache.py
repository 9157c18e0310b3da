"""Models kept between visits."""

import threading

from regard.lab.jobs import Report
from regard.lab.model_cache import kept_folder, one_at_a_time


def test_models_are_kept_in_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    assert kept_folder("bigram") == tmp_path / "lab" / "bigram"


def test_the_second_waits_for_the_first_and_says_so():
    order, reports = [], []
    inside, go = threading.Event(), threading.Event()

    def first():
        with one_at_a_time("model", Report(lambda: None)):
            inside.set()
            go.wait(20)
            order.append("first")

    def waiting():
        reports.append("asked")
        go.set()

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(20)
    report = Report(waiting)
    with one_at_a_time("model", report):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]
    assert reports
    assert report.line == "somebody else is training this; waiting for it"


def test_others_do_not_wait():
    with one_at_a_time("one", Report(lambda: None)), one_at_a_time("two", Report(lambda: None)):
        pass
