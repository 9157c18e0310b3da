"""`regard lab` from top to bottom: address, port, token, end."""

import contextlib
import http.client
import json
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from tests.support.lab import free_port, require_lab, served_lab

from regard.cli.main import main

PATIENCE_SECONDS = 120
"""How long a machine that is busy with other things may take for what is a matter of a second."""


LOCAL = b"Host: 127.0.0.1\r\n"
ANSWERED = b"POST /api/look-up/confirm HTTP/1.1\r\n" + LOCAL + b"Content-Length: 2\r\n\r\n{}"
"""Refused once all is there that answers need."""
LONG_CLAIM = {"claim": r"E[\|k_a\|^3] = E[\|k_b\|^3]", "setting": "noisy-keys", "goal": ""}
"""Tried for a minute and more."""
HOSTILE = [
    b"\x00\xff\xfe\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\n" + LOCAL + b"\r\n",
    b"GET /%ED%A0%80 HTTP/1.1\r\n" + LOCAL + b"\r\n",
    b"GET /chapter/look-up/?scale=%ED%A0%80&%00 HTTP/1.1\r\n" + LOCAL + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"POST /api/look-up/confirm HTTP/1.1\r\nOrigin: http://[\r\n" + LOCAL + b"Content-Length: 2\r\n\r\n{}",
    b"POST /api/look-up/confirm HTTP/1.1\r\n" + LOCAL + b"Content-Length: 20\r\n\r\nhalf",
    b"POST /api/look-up/confirm HTTP/1.1\r\n" + LOCAL + b"Content-Length: -1\r\n\r\n",
    b"POST /api/look-up/confirm HTTP/1.1\r\n" + LOCAL + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/heads/read HTTP/1.1\r\n"
    + LOCAL
    + b'Content-Length: 54\r\n\r\n{"text":"\\ud800","bits":16,"layer":-1,"head":-1      }',
    b"POST /api/%ED%A0%80/x HTTP/1.1\r\n" + LOCAL + b"Content-Length: 2\r\n\r\n{}",
    b"PROPFIND / HTTP/1.1\r\n" + LOCAL + b"\r\n",
    b"GET / HTTP/1.1\r\n" + LOCAL + b"Cookie: " + b"a=b; " * 5_000 + b"\r\n\r\n",
]


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


def enter(address):
    """The cookie that the address with its token gives, as a header."""
    parts = urlsplit(address)
    answer = status(address, f"{parts.path}?{parts.query}")
    assert answer.status == 303
    return {"Cookie": answer.headers["set-cookie"].split(";")[0]}


def test_it_says_where_it_is_answers_and_ends_with_ctrl_c(tmp_path):
    port = free_port()
    with served_lab(tmp_path, "--port", str(port)) as (address, process):
        assert re.fullmatch(rf"http://127\.0\.0\.1:{port}/\?token=[\w-]{{22}}", address)
        entered = enter(address)
        assert status(address, headers=entered).status == 200
        assert status(address).status == 401  # other users of this machine are strangers
        assert status(address, headers=entered | {"Host": "evil.example"}).status == 400
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0
    assert rest.endswith("The lab is closed.\n")
    assert (tmp_path / "errors.txt").read_text() == ""


def test_it_ends_at_once_while_something_is_computed(tmp_path):
    with served_lab(tmp_path, "--port", str(free_port())) as (address, process):
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address).port, timeout=PATIENCE_SECONDS)
        connection.request("POST", "/api/check/try", body=json.dumps(LONG_CLAIM), headers=enter(address))
        assert any(b'"state": "working"' in line for line in connection.getresponse())
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE_SECONDS)
        connection.close()
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
        assert status(address).status == 401
        assert status(address, "/chapter/look-up/").status == 401
        assert status(address, "/web/style.css").status == 401
        assert status(address, headers=enter(address)).status == 200
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
        token = printed["token"]
        address = f"http://127.0.0.1:{port}/?token={token}"
        assert printed == {"address": address, "host": "127.0.0.1", "port": port, "token": token}
        assert status(address, headers=enter(address)).status == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == ""
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_another_address_of_this_machine_prints_one_that_answers(tmp_path):
    with served_lab(tmp_path, "--host", "127.0.0.2", "--port", str(free_port())) as (address, _):
        assert address.startswith("http://127.0.0.2:")
        connection = http.client.HTTPConnection("127.0.0.2", urlsplit(address).port, timeout=PATIENCE_SECONDS)
        connection.request("GET", address.removeprefix(address.split("?")[0][:-1]))
        assert connection.getresponse().status == 303
        connection.close()


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (["--host", ""], 1, "--host needs an address of this machine, such as 127.0.0.1; an empty one would be all"),
        (["--host", "0.0.0.0", "--no-token"], 2, "--no-token is for this machine alone; other machines need the token"),
    ],
)
def test_what_would_let_strangers_in_is_refused_in_one_line(capsys, options, code, complaint):
    assert main(["lab", "--no-browser", *options]) == code
    printed = capsys.readouterr()
    assert complaint in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_the_printed_address_opens_the_lab_in_a_browser_and_python_answers(page, tmp_path):
    with served_lab(tmp_path, "--port", str(free_port())) as (address, _):
        page.goto(address)
        page.get_by_role("link", name="Look-up").click()
        page.get_by_text("Python agrees").wait_for()
        assert "token" not in page.url
        page.context.clear_cookies()
        assert page.reload().status == 401


def test_what_is_no_request_or_a_hostile_one_is_refused_and_leaves_the_terminal_empty(tmp_path):
    with served_lab(tmp_path, "--no-token", "--port", str(free_port())) as (address, _):
        port = urlsplit(address).port
        for sent in [ANSWERED, *HOSTILE]:
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as sock:
                sock.sendall(sent)
                if sent is not ANSWERED:
                    sock.shutdown(socket.SHUT_WR)
                answer = sock.recv(1000)
            assert answer == b"" or 400 <= int(answer.split()[1]) < 500 or int(answer.split()[1]) == 200, (sent, answer)
        assert status(address).status == 200
    assert (tmp_path / "errors.txt").read_text() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux answers at all of 127.0.0.0/8")
def test_half_requests_from_many_addresses_take_neither_places_nor_files(tmp_path):
    """One machine of a network may have any number of addresses; many a system allows 1,024 open files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.ExitStack() as stack:
        options = ("--no-token", "--port", str(free_port()))
        address, _ = stack.enter_context(served_lab(tmp_path, *options, open_files=1024))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(3000, before[1]), before[1]))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, before)
        for number in range(1500):
            lab, source = ("127.0.0.1", urlsplit(address).port), (f"127.0.2.{number % 40 + 1}", 0)
            sock = socket.create_connection(lab, PATIENCE_SECONDS, source_address=source)
            stack.enter_context(sock).sendall(b"GET / HTTP/1.1\r\nHost: 127")
        began = time.monotonic()
        assert status(address).status == 200
        assert time.monotonic() - began < 5
    assert (tmp_path / "errors.txt").read_text() == ""
