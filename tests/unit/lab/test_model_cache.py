"""Models that are trained once, kept between visits, and read once for all visitors."""

import json
import threading

import pytest

from regard.errors import CheckpointError
from regard.lab import model_cache
from regard.lab.jobs import JobProgress, WorkStopped
from regard.lab.model_cache import load_cached, load_or_train, model_folder, one_at_a_time


def read(folder):
    """A model that is a list, in the place of a real one."""
    try:
        return list(json.loads((folder / "config.json").read_text())["list"])
    except ValueError as error:
        raise CheckpointError("damaged") from error


def write(model, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"regard": {"format": 1}, "list": model}))


@pytest.fixture
def visit(monkeypatch, tmp_path):
    """A visit to the model; it returns what was found, whether it was trained, and the last message."""
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    model_cache._load.cache_clear()
    n_trained = 0

    def visit(save=write, **settings):
        nonlocal n_trained
        before, progress = n_trained, JobProgress(lambda: None)

        def train(progress):
            nonlocal n_trained
            n_trained += 1
            progress(0.5, "training")
            return [n_trained]

        found = load_or_train("list", progress, load=read, train=train, save=save, **settings)
        return found, n_trained > before, progress.message

    return visit


def test_models_are_kept_in_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path))
    assert model_folder("bigram") == tmp_path / "lab" / "bigram"


def test_a_model_is_trained_at_the_first_visit_and_kept_for_the_next(visit):
    first = visit()
    assert first == ([1], True, "training")
    second = visit()
    assert second == ([1], False, "kept from an earlier visit")
    assert second[0] is first[0] is load_cached("list", read)  # one for all visitors


def test_what_is_not_current_is_trained_anew_and_read_anew(visit):
    visit()
    assert visit(is_current=lambda: False) == ([2], True, "training")
    assert visit() == ([2], False, "kept from an earlier visit")


def test_a_damaged_model_is_trained_again(visit):
    visit()
    (model_folder("list") / "config.json").write_text("{")
    assert visit()[:2] == ([2], True)


def test_a_folder_whose_list_is_damaged_is_put_aside_so_that_the_next_model_can_be_kept(visit, tmp_path):
    visit()
    for left in ({"list.other"}, {"list.other", "list.other1"}):
        (model_folder("list") / "config.json").write_text("{")
        assert visit()[1]
        assert {path.name for path in (tmp_path / "lab").iterdir()} == {"list", *left}
        assert not visit()[1]


def test_a_damaged_folder_with_a_file_of_somebody_elses_stays(visit, tmp_path):
    visit()
    (model_folder("list") / "config.json").write_text("{")
    (model_folder("list") / "thesis.txt").write_text("mine")
    visit()
    assert [path.name for path in (tmp_path / "lab").iterdir()] == ["list"]


@pytest.mark.parametrize("error", [OSError("no space left on device"), CheckpointError("these are others' files")])
def test_a_folder_that_cannot_be_written_costs_no_visit(visit, error):
    def refuse(model, folder):
        raise error

    assert visit(save=refuse)[:2] == ([1], True)
    with pytest.raises(CheckpointError, match="there is no kept model 'list'; train it first"):
        load_cached("list", read)


def test_what_is_stopped_is_not_kept_and_frees_the_place(visit, monkeypatch):
    def stop(progress):
        raise WorkStopped

    with pytest.raises(WorkStopped):
        load_or_train("list", JobProgress(lambda: None), load=read, train=stop, save=write)
    assert visit()[:2] == ([1], True)


def test_the_second_visitor_waits_for_the_first_and_is_told_so():
    order, progress = [], None
    inside, go = threading.Event(), threading.Event()

    def first():
        with one_at_a_time("model", JobProgress(lambda: None)):
            inside.set()
            go.wait(20)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(20)
    progress = JobProgress(go.set)  # the first goes on once the second has said that it waits
    with one_at_a_time("model", progress):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]
    assert progress.message == "another visitor has started this; waiting for the result"


def test_who_wants_another_model_does_not_wait():
    progress = JobProgress(lambda: None)
    done = threading.Event()

    def other():
        with one_at_a_time("two", progress):
            done.set()

    with one_at_a_time("one", progress):
        threading.Thread(target=other, daemon=True).start()
        assert done.wait(20)
    assert progress.message == ""
