"""The running server gives away no path, no file and no way to run code."""

import http.client
import json
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from tests.support.lab import PYTHON

import regard
from regard.lab.contents import page_chapters
from regard.lab.server.api import Api

HOME, PROJECT = str(Path.home()), str(Path(regard.__file__).resolve().parents[2])
CHAPTER = "/chapter/characters"
"""A chapter that is still a notebook."""


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
    assert '"filename": "/characters/notebook.py"' in text
    assert "serviceWorker" not in text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/kernel/run"), ("POST", "/api/kernel/execute"), ("POST", "/api/kernel/scratchpad/run"),
        ("POST", "/api/kernel/read_code"), ("POST", "/api/kernel/save"), ("POST", "/api/export/html"),
        ("POST", "/api/files/list_files"), ("POST", "/api/files/file_details"), ("POST", "/api/packages/add"),
        ("POST", "/api/secrets/keys"), ("POST", "/api/home/workspace_files"), ("GET", "/api/environment"),
        ("GET", "/api/status/connections"), ("GET", "/sse"), ("GET", "/public/notebook.py"), ("GET", "/og/thumbnail"),
        ("GET", "/assets/index.html"), ("GET", "/auth/token"), ("OPTIONS", "/"), ("GET", "/terminal/ws"),
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


def test_the_query_cannot_choose_another_notebook(ask):
    plain = ask("GET", CHAPTER + "/")[1]
    chosen = ask("GET", CHAPTER + "/?file=" + quote(str(Path(regard.__file__).resolve())))[1]
    assert [line for line in chosen.splitlines() if "filename" in line] == [
        line for line in plain.splitlines() if "filename" in line
    ]


def test_errors_tell_nothing(ask):
    for path in ("/api/kernel/set_model_value", "/api/kernel/set_ui_element_value", "/api/kernel/function_call"):
        for body in ("", "{}", "[]", '{"modelId": "x"}', "\x00"):
            status, _ = ask("POST", CHAPTER + path, body=body, headers={"Marimo-Session-Id": "nobody"})
            assert status >= 400
    assert ask("GET", "/nowhere") == (404, "There is nothing here.\n")


def test_large_bodies_and_other_names_are_refused(ask):
    assert ask("POST", CHAPTER + "/api/kernel/set_model_value", body="x" * 2_000_001)[0] == 413
    assert ask("GET", "/", headers={"Host": "evil.example"})[0] == 400
    assert ask("POST", CHAPTER + "/api/kernel/set_model_value", headers={"Origin": "http://evil.example"})[0] == 403


def test_a_visit_is_told_no_folder_either(visit):
    visit.open("chapter/characters/").get_by_text(PYTHON).first.wait_for()
    assert visit.received("kernel-ready")
    for message in visit.messages:
        assert_tells_nothing(message)
        assert_tells_nothing(json.dumps(json.loads(message), ensure_ascii=False))
    assert visit.errors == []


@pytest.mark.parametrize(
    "body", ["", "{}", "[]", "\x00", '{"x": 1}', "[" * 20_000, '{"scale": 1e999}', '"/etc/passwd"']
)
def test_wrong_questions_are_refused_in_one_line_that_names_no_folder(ask, body):
    for slug, questions in Api(page_chapters())._import_questions().items():
        for name in questions:
            status, text = ask("POST", f"/api/{slug}/{name}", body=body)
            assert status == 400
            assert "\n" not in json.loads(text)["error"]
    assert ask("POST", "/api/look-up/..%2f..%2fcontents", body=body)[0] == 404
    assert ask("GET", "/api/look-up/confirm")[0] in {404, 405}
