"""The architecture page: its drawings are those that the code gives, and a flow that is no longer true is refused."""

import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def docs_on_the_path(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])


@pytest.mark.parametrize("name", ["layers.svg", "flows.svg"])
def test_a_drawing_is_what_the_code_gives(name):
    import flows

    drawn = flows.DRAWINGS[name]()
    assert (DOCS / name).read_text("utf-8") == drawn, "run `python docs/flows.py`"
    assert f"({name})" in (DOCS / "architecture.md").read_text("utf-8")


def test_layers_import_downwards_only():
    import flows

    rank = {name: place for place, row in enumerate(flows.layers()) for name in row}
    upwards = {
        (own, other)
        for own, others in flows.imports().items()
        for other in others
        if own in rank and other in rank and rank[own] >= rank[other]
    }
    assert upwards == {("models", "evaluation")}  # model.perplexity(text), as the contract says


def test_a_flow_that_is_not_in_the_code_is_refused():
    import flows

    good = flows.FLOWS["regard check"]
    flows.check_flow(good)
    with pytest.raises(ValueError, match=r"there is no bark in regard\.claims\.check"):
        flows.check_flow([good[0], "claims.check:bark"])
    with pytest.raises(ValueError, match=r"no step before noise\.law:output_law names it"):
        flows.check_flow([good[0], "noise.law:output_law"])


def test_the_benchmark_picture_is_read_from_the_results():
    import benchmark_pictures

    assert benchmark_pictures.number("strong, mean of 3 seeds", r"[\d.]+") > 90
    assert len(benchmark_pictures.cost_points()) >= 5
    assert all(axes.get_ylabel() for axes in benchmark_pictures.benchmarks_picture().axes)
    with pytest.raises(ValueError, match="has no row that begins 'no such tool'"):
        benchmark_pictures.row("no such tool")
