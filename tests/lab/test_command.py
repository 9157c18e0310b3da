"""`regard lab` from top to bottom: address, port, token, end."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from tests.support.lab import free_port, require_lab, served_lab

PATIENCE_SECONDS = 120
"""How long a machine that is busy with other things may take for what is a matter of a second."""


@pytest.fixture(autouse=True)
def _lab_is_installed():
    require_lab()


def status(address, path="/", headers=()):
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address).port, timeout=PATIENCE_SECONDS)
    connection.request("GET", path, headers=dict(headers))
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def test_it_says_where_it_is_answers_and_ends_with_ctrl_c(tmp_path):
    port = free_port()
    with served_lab(tmp_path, "--port", str(port)) as (address, process):
        assert address == f"http://127.0.0.1:{port}/"
        assert status(address).status == 200
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert rest.endswith("The lab is closed.\n")
    assert (tmp_path / "errors.txt").read_text() == ""


def test_it_ends_at_once_while_something_is_computed(tmp_path):
    with served_lab(tmp_path, "--port", str(free_port())) as (address, process):
        assert status(address, "/chapter/words/").status == 200  # all is built: the chapters are being rehearsed
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert rest.endswith("The lab is closed.\n")
    assert (tmp_path / "errors.txt").read_text() == ""


def test_a_port_in_use_is_told_in_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "regard", "lab", "--no-browser", "--port", str(port)],
            cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"regard: cannot serve at 127.0.0.1, port {port}: Address already in use; "
        "choose another with --port, or leave it out\n"
    )


def test_without_a_port_the_next_free_one_is_taken():
    from regard.lab.server.app import listen

    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        assert second.getsockname()[1] > first.getsockname()[1] >= 8642


def test_elsewhere_it_says_what_that_means_and_asks_for_a_token(tmp_path):
    with served_lab(tmp_path, "--host", "0.0.0.0", "--port", str(free_port())) as (address, process):
        token = re.search(r"\?token=([\w-]{20,})$", address)[1]
        assert status(address).status == 401
        assert status(address, "/chapter/look-up/").status == 401
        assert status(address, "/marimo/assets/").status == 401
        entered = status(address, f"/?token={token}")
        assert entered.status == 303
        cookie = entered.headers["set-cookie"].split(";")[0]
        assert status(address, headers={"Cookie": cookie}).status == 200
        assert process.poll() is None


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_that_is_not_ours_is_told(tmp_path, host):
    done = subprocess.run(
        [sys.executable, "-m", "regard", "lab", "--no-browser", "--host", host],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(f"regard: cannot serve at {host}: ")
    assert done.stderr.endswith("; --host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0\n")
    assert done.stderr.count("\n") == 1


def test_json_is_one_object(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "regard", "lab", "--no-browser", "--json", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        printed = json.loads(process.stdout.readline())
        assert printed == {"address": f"http://127.0.0.1:{port}/", "host": "127.0.0.1", "port": port, "token": None}
        assert status(printed["address"]).status == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
    assert process.returncode == 0
