"""The lab as static pages: what is in each file, and which folders may be written."""

import base64
import hashlib
import html
import json
import re

import pytest

from regard.errors import OutputFileError
from regard.lab import export
from regard.lab.contents import CHAPTERS, WEB
from regard.lab.static_pages import MANIFEST, static_pages

PAGES = static_pages()


def test_every_chapter_and_the_start_page_are_there_and_small():
    assert list(PAGES) == [*(f"{chapter.slug}.html" for chapter in CHAPTERS), "index.html"]
    assert all(len(text.encode()) <= 1_500_000 for text in PAGES.values())


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_nothing_and_links_to_files_that_are_there(name):
    text = re.sub(r"<script.*?</script>|<style.*?</style>", "", PAGES[name], flags=re.DOTALL)
    assert "src=" not in text
    links = [link for link in re.findall(r'href="([^"]+)"', text) if not link.startswith("data:image/svg+xml,")]
    assert [link for link in links if link not in PAGES and not link.startswith("http://127.0.0.1:8642/")] == []


@pytest.mark.parametrize("name", PAGES)
def test_its_policy_allows_its_own_script_and_style_alone(name):
    text = PAGES[name]
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    parts = re.findall(r"<script>(.*?)</script>|<style>(.*?)</style>", text, flags=re.DOTALL)
    for script, style in parts:
        digest = base64.b64encode(hashlib.sha256((script or style).encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_a_model_that_a_page_reads_is_in_it():
    held = re.search(r'data-file="\.\./\.\./web/models/shakespeare\.safetensors">([^<]+)<', PAGES["heads.html"])[1]
    assert base64.b64decode(held) == (WEB / "models" / "shakespeare.safetensors").read_bytes()
    assert "shakespeare" not in PAGES["look-up.html"]


def test_a_new_folder_holds_the_pages_and_their_list(tmp_path):
    written = export(tmp_path / "deep" / "pages")
    folder = tmp_path / "deep" / "pages"
    assert {path.name for path in folder.iterdir()} == {*PAGES, MANIFEST}
    assert (folder / "index.html").read_text("utf-8") == PAGES["index.html"]
    listed = json.loads((folder / MANIFEST).read_bytes())["files"]
    assert listed == {name: hashlib.sha256(text.encode()).hexdigest() for name, text in PAGES.items()}
    assert repr(written).startswith(f"ExportedLab('{folder}', {len(PAGES)} files, ")


def test_an_earlier_export_is_replaced_only_by_force_and_what_it_had_more_is_gone(tmp_path):
    export(tmp_path)
    old = json.loads((tmp_path / MANIFEST).read_bytes())
    (tmp_path / "old-chapter.html").write_text("old")
    old["files"]["old-chapter.html"] = hashlib.sha256(b"old").hexdigest()
    (tmp_path / MANIFEST).write_text(json.dumps(old))
    with pytest.raises(OutputFileError, match=r"holds an exported lab; --force replaces it \(in Python: force=True\)"):
        export(tmp_path)
    export(tmp_path, force=True)
    assert {path.name for path in tmp_path.iterdir()} == {*PAGES, MANIFEST}


@pytest.mark.parametrize("is_export", [False, True])
@pytest.mark.parametrize("force", [False, True])
def test_a_folder_with_anything_else_is_refused_and_untouched(tmp_path, is_export, force):
    if is_export:
        export(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    with pytest.raises(OutputFileError, match=r"holds notes\.txt, which is no part of an exported lab"):
        export(tmp_path, force=force)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("content", ["", "[]", '{"regard": "lab", "files": 3}', '{"regard": "model"}', "[" * 5000])
def test_a_list_of_somebody_else_makes_nothing_ours(tmp_path, content):
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(OutputFileError, match=r"holds regard-lab\.json, which is no part"):
        export(tmp_path, force=True)
    assert (tmp_path / MANIFEST).read_text() == content


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "x").write_text("mine")
    with pytest.raises(OutputFileError, match="is a file; the pages need a folder"):
        export(tmp_path / "x", force=True)
