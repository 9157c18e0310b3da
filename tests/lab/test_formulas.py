"""The browser's own arithmetic against the package's."""

import json

import numpy as np
import pytest

from regard.arrays import attention_weights
from regard.design import hull_bound
from regard.lab.contents import WEB
from regard.lab.html_pages import join_modules

CASES = {
    "random": np.random.default_rng(0).normal(size=(12, 2)).round(3),
    "many": np.random.default_rng(1).normal(size=(50, 2)).round(3),
    "square and centre": np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [0, 0]], dtype=float),
    "on the rim": np.array([[1, 1], [-1, 1], [0, 1], [0, -1]], dtype=float),
    "a line": np.array([[0, 0], [1, 1], [0.25, 0.25], [2, 2]], dtype=float),
    "twins": np.array([[1, 0], [1, 0], [0, 1], [-1, 0]], dtype=float),
    "two": np.array([[1, 0], [0, 1]], dtype=float),
}


@pytest.fixture(scope="module")
def browser_page(window):
    page = window.new_page()
    page.add_script_tag(content=join_modules(WEB / "engine" / "hull.js"))
    yield page
    page.close()


@pytest.mark.parametrize("name", CASES)
def test_bounds_agree(browser_page, name):
    keys = CASES[name]
    shown = browser_page.evaluate(f"hullBounds({json.dumps(keys.tolist())}).map((found) => found.bound)")
    bounds = [hull_bound(keys, index) for index in range(len(keys))]
    np.testing.assert_allclose(shown, [1.0 if bound is None else bound.bound for bound in bounds], atol=1e-9)


def test_bounds_found_from_those_before_are_the_same(browser_page):
    keys = CASES["random"]
    moved = keys + np.random.default_rng(2).normal(scale=0.1, size=keys.shape).round(3)
    afresh = browser_page.evaluate(f"hullBounds({json.dumps(moved.tolist())}).map((found) => found.bound)")
    warm = browser_page.evaluate(
        f"hullBounds({json.dumps(moved.tolist())}, hullBounds({json.dumps(keys.tolist())})).map((found) => found.bound)"
    )
    np.testing.assert_allclose(warm, afresh, rtol=1e-9)


@pytest.mark.parametrize("scale", [0.1, 3.0, 1000.0])
def test_weights_agree(browser_page, scale):
    keys, query = CASES["many"], np.array([0.6, -1.2])
    shown = browser_page.evaluate(f"softmax({json.dumps((scale * keys @ query).tolist())})")
    np.testing.assert_allclose(shown, attention_weights(query[None], keys, scale=scale)[0], rtol=1e-12, atol=1e-300)
