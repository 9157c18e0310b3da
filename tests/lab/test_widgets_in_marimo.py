"""The widgets in a marimo notebook of a user's own, as the documentation shows them: one notebook, opened once.

The plane: what is dragged reaches the next cell. A long computation: progress, curve, streamed text, stop and result.
"""

import os
import re
import socket
import subprocess
import sys
import time

import pytest
from tests.support.lab import expect, free_port, require_lab

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import time
    from pathlib import Path

    import marimo as mo

    from regard.lab import AttentionPlane
    from regard.lab.widgets.long_work import LongWork

    go = Path("go")
    return AttentionPlane, LongWork, go, mo, time


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


@app.cell
def _(LongWork, go, mo, time):
    def count(progress):
        for step in range(40):
            progress(step / 40, f"step {step}")
            progress.add_point(step, 5 / (step + 1))
            progress.write("abc ")
            while step == 20 and not go.exists():  # until the test has seen it at work
                progress(step / 40, f"step {step}")
                time.sleep(0.05)
        return 42

    work = mo.ui.anywidget(LongWork(count, label="Count", seconds=2, axes=("step", "loss")))
    work
    return (work,)


@app.cell
def _(mo, work):
    mo.md(f"It is {work.value['state']}: {work.widget.result}.")


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("notebook")


@pytest.fixture(scope="module")
def notebook(folder, tab):
    """The notebook, run by marimo alone as a user may run it, and opened."""
    require_lab()
    (folder / "mine.py").write_text(NOTEBOOK, encoding="utf-8")
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "mine.py", "--headless", "--no-token", "--port", str(port)]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "MARIMO_SKIP_UPDATE_CHECK": "1"}
    with (
        (folder / "printed.txt").open("w") as printed,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=printed, stderr=printed) as process,
    ):
        wait_for(port)
        tab.goto(f"http://127.0.0.1:{port}/")
        yield tab
        process.terminate()


def wait_for(port):
    limit = time.monotonic() + 120
    while True:
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < limit
        time.sleep(0.1)


def test_what_is_dragged_reaches_the_next_cell(notebook):
    expect(notebook.get_by_text(re.compile(r"query \[0\.5, 0(\.0)?\], weights \[0\.731, 0\.269\]"))).to_be_visible()
    expect(notebook.get_by_text("the widget itself has 2 points")).to_be_visible()
    query = notebook.get_by_role("slider", name="Query", exact=True)
    query.focus()
    notebook.keyboard.press("Shift+ArrowUp")
    expect(notebook.get_by_text(re.compile(r"query \[0\.5, 0\.25\], weights \[0\.622, 0\.378\]"))).to_be_visible()
    notebook.get_by_role("button", name="Add a key").click()
    expect(notebook.get_by_text("the widget itself has 3 points")).to_be_visible()


def test_long_work_shows_how_far_it_is_ends_begins_again_and_stops(notebook, folder):
    notebook.get_by_role("button", name="Count (about 2 s)").click()
    notebook.get_by_role("img", name="loss against step").wait_for()
    expect(notebook.get_by_role("progressbar", name="Count")).to_be_visible()
    expect(notebook.get_by_label("What has been written")).to_have_text(re.compile("^abc abc"))
    (folder / "go").touch()
    notebook.get_by_text("It is done: 42.").wait_for()
    (folder / "go").unlink()
    expect(notebook.get_by_label("What has been written")).to_have_text(" ".join(["abc"] * 40))
    notebook.get_by_role("button", name="Count again").click()
    notebook.get_by_text("It is ready: None.").wait_for()
    notebook.get_by_role("button", name="Stop").click()
    notebook.get_by_text("It is stopped: None.").wait_for()
    expect(notebook.get_by_role("status").filter(has_text="Stopped. step")).to_be_visible()
