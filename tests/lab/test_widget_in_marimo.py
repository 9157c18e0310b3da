"""The widget in a marimo notebook of a user's own, as the documentation shows it."""

import contextlib
import os
import re
import subprocess
import sys

import pytest
from tests.support.lab import expect, free_port, require_lab

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from regard.lab import AttentionPlane

    return AttentionPlane, mo


@app.cell
def _(AttentionPlane, mo):
    plane = mo.ui.anywidget(AttentionPlane(keys=[[1, 0], [0, 1]], query=[0.5, 0], scale=2))
    plane
    return (plane,)


@app.cell
def _(mo, plane):
    mo.md(f"query {plane.value['query']}, weights {[round(weight, 3) for weight in plane.value['weights']]}")


@app.cell
def _(mo, plane):
    mo.md(f"the widget itself has {len(plane.widget.points)} points")


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def notebook_address(tmp_path):
    require_lab()
    (tmp_path / "mine.py").write_text(NOTEBOOK, encoding="utf-8")
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "mine.py", "--headless", "--no-token", "--port", str(port)]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "MARIMO_SKIP_UPDATE_CHECK": "1"}
    with (tmp_path / "printed.txt").open("w") as printed:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=printed, stderr=printed)
        yield f"http://127.0.0.1:{port}/"
        process.terminate()
        process.wait(60)


def open_patiently(page, address):
    """The page, once the notebook's server listens."""
    for _ in range(240):
        with contextlib.suppress(Exception):
            return page.goto(address)
        page.wait_for_timeout(500)
    raise AssertionError("marimo did not come up")


def test_what_is_dragged_reaches_the_next_cell(page, notebook_address):
    open_patiently(page, notebook_address)
    expect(page.get_by_text(re.compile(r"query \[0\.5, 0(\.0)?\], weights \[0\.731, 0\.269\]"))).to_be_visible()
    expect(page.get_by_text("the widget itself has 2 points")).to_be_visible()
    query = page.get_by_role("slider", name="Query", exact=True)
    query.focus()
    page.keyboard.press("Shift+ArrowUp")
    expect(page.get_by_text(re.compile(r"query \[0\.5, 0\.25\], weights \[0\.622, 0\.378\]"))).to_be_visible()
    page.get_by_role("button", name="Add a key").click()
    expect(page.get_by_text("the widget itself has 3 points")).to_be_visible()
