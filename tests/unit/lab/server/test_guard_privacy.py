"""No path of the machine in any answer, however it is spelled."""

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from regard.lab.server.guard import NoPaths, path_pattern, private_folders

HOME = "/home/ada & co/ü"


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("file:///home/ada%20%26%20co/%C3%BC/x.py", "file:///x.py"),
        ('"%2Fhome%2Fada%20%26%20co%2F%C3%BC%2Fx.py"', '"%2Fx.py"'),
        (json.dumps(HOME + "/x.py"), '"/x.py"'),
        ("<a>/home/ada &amp; co/ü</a>", "<a></a>"),
        (HOME + "ber", HOME + "ber"),
    ],
)
def test_every_spelling_is_found(text, without):
    assert path_pattern([HOME]).sub("", text) == without


def test_the_longest_folder_goes_first():
    assert path_pattern(["/a", "/a/b"]).sub("", "/a/b/c /a/c") == "/c /c"


def test_windows_paths():
    assert path_pattern(["C:\\Users\\ada"]).sub("", json.dumps("C:\\Users\\ada\\x.py")) == '"\\\\x.py"'


def test_the_folders_of_this_process_are_telling_and_the_root_is_not():
    folders = private_folders()
    assert str(Path.home()) in folders
    assert str(Path(__file__).resolve().parents[4] / "src" / "regard") in folders
    assert "/" not in folders


def test_pages_and_lines_are_cleaned_and_binary_files_are_left_alone():
    async def page(request):
        return HTMLResponse("<p>/secret/place/x</p>")

    async def parts(request):
        return StreamingResponse(iter(["/secret", "/place/x"]), media_type="application/json")

    async def image(request):
        return Response(b"/secret/place", media_type="image/png")

    async def lines(request):
        sent = ['{"error": "/secret/place/x"}\n', '{"state": "failed"}\n']
        return StreamingResponse(iter(sent), media_type="application/x-ndjson")

    routes = [Route("/", page), Route("/parts", parts), Route("/image", image), Route("/lines", lines)]
    client = TestClient(NoPaths(Starlette(routes=routes), ["/secret/place"]))
    assert client.get("/").text == "<p>/x</p>"
    assert client.get("/parts").text == "/x"
    assert client.get("/image").content == b"/secret/place"
    assert client.get("/lines").text == '{"error": "/x"}\n{"state": "failed"}\n'
