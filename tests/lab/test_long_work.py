"""A long computation in a notebook of its own: progress, curve, streamed text, stop and result, in a real browser."""

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

    from regard.lab.widgets.long_work import LongWork

    go = Path("go")
    return LongWork, go, mo, time


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
"""


@pytest.fixture
def notebook(tmp_path):
    """The address of the notebook, run by marimo alone as a user may run it."""
    require_lab()
    (tmp_path / "count.py").write_text(NOTEBOOK)
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "count.py", "--headless", "--no-token", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/"
        process.terminate()


def wait_for(port):
    limit = time.monotonic() + 120
    while True:
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < limit
        time.sleep(0.1)


def test_it_shows_how_far_it_is_ends_begins_again_and_stops(notebook, page, tmp_path):
    page.goto(notebook)
    page.get_by_role("button", name="Count (about 2 s)").click()
    page.get_by_role("img", name="loss against step").wait_for()
    expect(page.get_by_role("progressbar", name="Count")).to_be_visible()
    expect(page.get_by_label("What has been written")).to_have_text(re.compile("^abc abc"))
    (tmp_path / "go").touch()
    page.get_by_text("It is done: 42.").wait_for()
    (tmp_path / "go").unlink()
    expect(page.get_by_label("What has been written")).to_have_text(" ".join(["abc"] * 40))
    page.get_by_role("button", name="Count again").click()
    page.get_by_text("It is ready: None.").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("It is stopped: None.").wait_for()
    expect(page.get_by_role("status").filter(has_text="Stopped. step")).to_be_visible()
