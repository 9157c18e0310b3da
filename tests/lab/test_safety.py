"""The running server gives away no path, no file and no way to run code."""

import dataclasses
import http.client
import json
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

import regard
from regard.lab.contents import CHAPTERS
from regard.lab.server.api import Api

HOME, PROJECT = str(Path.home()), str(Path(regard.__file__).resolve().parents[2])
CHAPTER = "/chapter/characters"


@pytest.fixture
def ask(lab_address):
    def ask(method, path, *, headers=(), body=None):
        connection = http.client.HTTPConnection(urlsplit(lab_address).netloc, timeout=120)
        connection.request(method, path, body=body, headers=dict(headers))
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        assert_tells_nothing(text + str(response.headers))
        return response.status, text

    return ask


def assert_tells_nothing(text):
    for folder in (HOME, PROJECT, "site-packages"):
        assert folder not in text
        assert quote(folder, safe="") not in text


def test_a_chapter_names_no_folder(ask):
    status, text = ask("GET", CHAPTER + "/")
    assert status == 200
    assert "<main>" in text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/"), ("OPTIONS", "/"), ("POST", "/api/kernel/run"), ("POST", "/api/files/list_files"),
        ("GET", "/api/environment"), ("GET", "/public/notebook.py"), ("GET", "/terminal/ws"),
    ],
)  # fmt: skip
def test_what_could_read_files_or_run_code_is_not_there(ask, method, path):
    assert ask(method, CHAPTER + path, body="{}" if method == "POST" else None) == (404, "There is nothing here.\n")


@pytest.mark.parametrize(
    "path",
    [
        "/web/../contents.py", "/web/%2e%2e/contents.py", "/web/..%2fcontents.py", "/marimo/assets/../index.html",
        "/marimo/assets/%2e%2e/index.html", "/marimo/index.html", "/chapter/../../etc/passwd", "/chapter/x/",
        "/chapter/look-up/..%2f..%2fcontents.py", "/chapter/look-up/@file/99-..%2f..%2fcontents.py", "//etc/passwd",
    ],
)  # fmt: skip
def test_no_file_of_the_machine_is_read(ask, path):
    status, text = ask("GET", path)
    assert status in {400, 404}
    assert len(text) < 100


def test_the_query_changes_nothing_of_what_is_sent(ask):
    chosen = ask("GET", CHAPTER + "/?file=" + quote(str(Path(regard.__file__).resolve())))
    assert chosen == ask("GET", CHAPTER + "/")


def test_errors_tell_nothing(ask):
    assert ask("GET", "/nowhere") == (404, "There is nothing here.\n")


def test_large_bodies_and_other_names_are_refused(ask):
    assert ask("POST", "/api/characters/kept", body="x" * 2_000_001)[0] == 413
    assert ask("GET", "/", headers={"Host": "evil.example"})[0] == 400
    assert ask("POST", "/api/characters/kept", headers={"Origin": "http://evil.example"})[0] == 403


@pytest.mark.parametrize(
    "body", ["", "{}", "[]", "\x00", '{"x": 1}', "[" * 20_000, '{"scale": 1e999}', '"/etc/passwd"']
)
def test_wrong_questions_are_refused_in_one_line_that_names_no_folder(ask, body):
    for slug, questions in Api(CHAPTERS)._import_questions().items():
        for name, question in questions.items():
            if body == "{}" and not dataclasses.fields(question.kind):
                continue  # a question without particulars, asked rightly
            status, text = ask("POST", f"/api/{slug}/{name}", body=body)
            assert status == 400
            assert "\n" not in json.loads(text)["error"]
    assert ask("POST", "/api/look-up/..%2f..%2fcontents", body=body)[0] == 404
    assert ask("GET", "/api/look-up/confirm")[0] in {404, 405}
