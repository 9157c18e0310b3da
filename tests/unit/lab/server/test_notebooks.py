"""Of marimo's routes, only what a chapter needs."""

import os
import re
import subprocess
import sys

import pytest

from regard.lab.contents import CHAPTERS, available_chapters
from regard.lab.html_pages import start_page
from regard.lab.server.notebooks import adapt_page, is_allowed


def routes_below(routes, prefix=""):
    for route in routes:
        path = prefix + getattr(route, "path", "")
        yield from routes_below(route.routes, path) if getattr(route, "routes", None) else [(path, route)]


def test_every_route_of_marimo_but_six_is_refused():
    router = pytest.importorskip("marimo._server.api.router")
    found = list(routes_below(router.build_routes()))
    asked = [(method, path) for path, route in found for method in getattr(route, "methods", {"GET"})]
    allowed = {path for method, path in asked if is_allowed(method, path)}
    assert len(found) > 80
    assert allowed == {
        "/", "/health", "/ws",
        "/api/kernel/set_ui_element_value", "/api/kernel/set_model_value", "/api/kernel/function_call",
    }  # fmt: skip


@pytest.mark.parametrize(
    "path",
    [
        "/api/kernel/run", "/api/kernel/read_code", "/api/export/html", "/api/files/list_files", "/terminal/ws", "/sse",
        "/public/x", "/ws_sync", "/auth/login", "/@file/12-../../../etc/passwd", "/@file/12-a/b", "//", "/api/status",
    ],
)  # fmt: skip
def test_what_reads_files_or_runs_code_is_refused(path):
    assert not is_allowed("GET", path)
    assert not is_allowed("POST", path)


def test_inline_scripts_get_the_nonce_and_the_service_worker_goes():
    page = (
        '<head><title>x</title><link rel="manifest" href="y"></head><script>navigator.serviceWorker</script>'
        '<script data-marimo="true">keep()</script><script type="module" src="z.js"></script>'
    )
    adapted = adapt_page(page, nonce="N")
    assert "serviceWorker" not in adapted
    assert "manifest" not in adapted
    assert '<script nonce="N" data-marimo="true">keep()</script>' in adapted
    assert '<script type="module" src="z.js">' in adapted


def test_the_table_of_contents():
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, 11))
    assert all(re.fullmatch(r"[a-z-]+", chapter.slug) for chapter in CHAPTERS)
    assert "look-up" in [chapter.slug for chapter in available_chapters()]


def test_the_start_page_has_a_card_for_each_chapter_that_it_is_given():
    page = start_page(CHAPTERS[:2])
    assert page.count('class="card"') == 2
    assert 'href="chapter/average-and-subspace/"' in page
    assert 'data-picture="noisy-keys"' not in page


RUN_ALL = """
import importlib, sys
from regard.lab.contents import notebook_chapters
from regard.lab.server.notebooks import import_ahead
import_ahead(notebook_chapters())
before = set(sys.modules)
for chapter in notebook_chapters():
    importlib.import_module(f"regard.lab.chapters.{chapter.notebook.parent.name}.notebook").app.run()
print(sorted(name for name in set(sys.modules) - before if not name.startswith("regard.lab.chapters.")))
"""


def run_all_chapters(cache):
    command = [sys.executable, "-c", RUN_ALL]
    environment = os.environ | {"REGARD_CACHE": str(cache)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_no_chapter_imports_anything_when_it_runs(tmp_path):
    """Otherwise the threads of two visitors may import the same packages at once, which Python does not allow for."""
    pytest.importorskip("marimo")
    done = run_all_chapters(tmp_path)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
