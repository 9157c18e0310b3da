"""The search for the robust design, looked on and stopped."""

import numpy as np
import pytest
from tests.unit.lab.chapters.many_heads.test_designs import printed

from regard.design import robust
from regard.lab.chapters.many_heads.designs import Exercise, evaluate_queries
from regard.lab.chapters.many_heads.search import QuerySearch, figure, heads_text, step_columns, text_bars
from regard.lab.chapters.many_heads.view import python_for
from regard.lab.jobs import JobProgress, WorkStopped

NOW = Exercise(n_keys=4, everywhere=1e-3)


def nothing():
    """No wish to stop."""


@pytest.fixture(scope="module")
def found():
    search = QuerySearch(NOW, 1)
    progress = JobProgress(nothing)
    return search, search(progress), progress


def test_it_finds_what_the_package_finds(found):
    search, design, _ = found
    alone = robust(NOW.keys, np.eye(4), NOW.target)
    np.testing.assert_array_equal(design.queries, alone.queries)
    last = evaluate_queries(NOW, "last", search.steps[-1].queries)
    assert last.error == pytest.approx(design.mean_squared_error, abs=1e-5)


def test_errors_fall_from_step_to_step_and_are_told(found):
    search, _, progress = found
    errors = [step.error for step in search.steps]
    assert len(errors) > 3
    assert errors == sorted(errors, reverse=True)
    assert progress.message.endswith(f"the smallest error so far is {errors[-1]:.4g}")
    assert progress.points[-1][1] == errors[-1]
    assert progress.text == text_bars(search.steps[-1].queries, n_wanted=2)


def test_a_search_that_is_stopped_keeps_its_way():
    search = QuerySearch(NOW, 2)
    asked = 0

    def check():
        nonlocal asked
        asked += 1
        if asked > 5:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        search(JobProgress(check))
    assert 0 < len(search.steps) <= 6
    assert figure(search, 0).axes


def test_the_figure_and_its_data(found):
    search, _, _ = found
    falling, bars = figure(search, len(search.steps) - 1).axes
    assert falling.get_title() == "error of the best so far"
    assert [label.get_text() for label in bars.get_yticklabels()] == [
        "head 0, key 0",
        "head 0, key 1",
        "head 0, others",
    ]
    data = step_columns(search)
    assert list(data) == ["design", "error", "q_0_0", "q_0_1", "q_0_2", "q_0_3"]
    assert len({len(column) for column in data.values()}) == 1
    assert heads_text(search.steps[-1].queries).startswith("one head of length ")


def test_the_shown_python_finds_the_same_design(found):
    _, design, _ = found
    name, variance, error = printed(python_for(NOW, 5.0, robust_heads=1))[-1]
    assert name == "robust"
    assert [float(variance), float(error)] == pytest.approx([design.law.variance, design.mean_squared_error])
