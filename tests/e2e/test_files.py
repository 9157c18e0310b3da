"""Every writer of docs/files.md, run beside files of the user's: these stay as they are, to the byte and nanosecond.

A row of the page's first table without an entry in WRITERS fails here; model folders have tests of their own.
"""

import gzip
import os
import shutil
import stat
from pathlib import Path

import numpy as np
import pytest
import tests.support.small_presets  # a preset `tiny` for networks
from tests.support.local_index import booby_trapped, pinned
from tests.support.writers import PNG, WRITERS, put_canaries, state, write_inputs
from tests.unit.test_files_writers import rows

from regard import cluster
from regard.cli.app import THREADS
from regard.cli.main import main
from regard.lab.server.app import lab_settings
from regard.report import figures
from regard.report.figures import save_figure
from regard.studies.claims import check_folder
from regard.text.corpora.archive import obtain
from regard.text.vectors.cache import open_vectors
from regard.text.vectors.word_vectors import WordVectors, write_vectors

assert tests.support.small_presets

CALLS = {
    "regard.report.figures.save_figure": (
        lambda path: save_figure(figures.new_figure((1.0, 1.0)), path),
        "out.png",
        PNG,
    ),
    "regard.text.vectors.word_vectors.write_vectors": (
        lambda path: write_vectors(WordVectors(["a"], np.eye(1, dtype=np.float32)), path),
        "out.txt",
        b"a 1\n",
    ),
}


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """What commands read: arrays, texts, language models, a classifier."""
    folder = tmp_path_factory.mktemp("given")
    write_inputs(folder)
    return folder


@pytest.fixture
def place(given, tmp_path, monkeypatch):
    """A folder with the inputs, and with things of the user's whose names are like temporary ones."""
    folder = tmp_path / "place"
    shutil.copytree(given, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("REGARD_DATA", raising=False)
    for name in THREADS:  # else they would stay set for the tests after these
        monkeypatch.setenv(name, "1")
    put_canaries(folder, "out.npy", "out.npz", "out.png", "out.csv", "out.html", "out.txt", "out.gz")
    return folder


def run(command, row, output, *more):
    return main([*command.split(), row.split()[-1], output, *more])


def test_each_row_is_tested():
    assert sorted([*WRITERS, *CALLS]) == sorted(rows("Files that you name"))
    assert sorted(CACHES) == sorted(rows("The cache and temporary files"))


@pytest.mark.parametrize("row", WRITERS)
def test_a_command_replaces_the_named_file_and_touches_no_other(row, place, capsys):
    writer = WRITERS[row]
    (place / "real").write_text("old")
    (place / "real").chmod(0o640)
    (place / writer.output).symlink_to("real")
    before = state(place, "real")
    assert run(writer.command, row, writer.output) in (0, 1)  # a claim may fail
    assert capsys.readouterr().err == ""
    assert state(place, "real") == before
    assert (place / "real").read_bytes().startswith(writer.begins)
    assert stat.S_IMODE((place / "real").stat().st_mode) == 0o640
    assert os.readlink(place / writer.output) == "real"


@pytest.mark.parametrize("row", CALLS)
def test_a_function_replaces_the_named_file_and_touches_no_other(row, place):
    call, output, begins = CALLS[row]
    (place / output).write_text("old")
    before = state(place, output)
    call(place / output)
    assert state(place, output) == before
    assert (place / output).read_bytes().startswith(begins)


OBSTACLES = {
    "folder": "it is a folder",
    "absent": "there is no folder no",
    "protected": "it is write-protected",
    "read": "this command reads it",
}


@pytest.mark.parametrize(
    ("row", "obstacle"),
    [(row, each) for row, writer in WRITERS.items() for each in OBSTACLES if each != "read" or writer.clash],
)
def test_what_cannot_be_written_is_said_before_the_work(row, obstacle, place, capsys, monkeypatch):
    """The inputs are gone: whoever began with them would speak of these."""
    writer = WRITERS[row]
    output, command = Path(writer.output), writer.command
    if obstacle == "folder":
        output.mkdir()
    elif obstacle == "absent":
        output = Path("no") / output
    else:
        output.write_text("mine")
        output.chmod(0o444 if obstacle == "protected" else 0o644)
    if obstacle == "read":
        command = writer.clash
    for name in ("verse.txt", "keys.npy", "arrays.npz", "q.npy", "films.csv", "lines.txt", "claims.md"):
        (place / name).unlink()
    shutil.rmtree(place / "letters")
    shutil.rmtree(place / "films")
    shutil.rmtree(place / "reader")
    before = state(place)
    assert run(command, row, str(output)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"regard: cannot write {output}: {OBSTACLES[obstacle]}")
    assert err.count("\n") == 1
    assert state(place) == before


def fetch_archive(cache, monkeypatch, tmp_path):
    """An archive, over a file of that name which is the user's."""
    data = booby_trapped(tmp_path / "was-run")
    (cache / "archives").mkdir()
    put_canaries(cache / "archives", "other.txt")
    (cache / "archives" / pinned(data).filename).write_bytes(b"mine")
    before = state(cache)

    def fill(part):
        part.write_bytes(data)

    obtain(cache / "archives" / pinned(data).filename, sha256=pinned(data).sha256, fill=fill)
    name = f"archives/{pinned(data).filename}"
    assert (cache / f"{name}.other").read_bytes() == b"mine"
    return before, {name, f"{name}.other", f"archives/.{pinned(data).filename}.lock"}


def convert_vectors(cache, monkeypatch, tmp_path):
    """A conversion, and another of the same file when it has changed."""
    (cache / "vectors").mkdir()
    put_canaries(cache / "vectors", "other.txt")
    before = state(cache)
    path = tmp_path / "v.txt.gz"
    for line in (b"a 1 2\n", b"b 1 2 3\n"):
        path.write_bytes(gzip.compress(line))
        open_vectors(path, cache=cache)
    (made,) = [each for each in (cache / "vectors").iterdir() if "-" in each.name and each.is_dir()]
    return before, {f"vectors/{made.name}{file}" for file in ("", "/about.json", "/words.txt", "/vectors.npy")}


def open_lab(cache, monkeypatch, tmp_path):
    """The empty folder that the lab works in, in the system's temporary folder."""
    before = state(cache)
    monkeypatch.setattr("tempfile.tempdir", str(cache / "photos"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_CACHE", "cache")
    with lab_settings():
        assert list(Path().iterdir()) == []
        assert Path(os.environ["REGARD_CACHE"]) == cache
    return before, set()


def check_sheets(cache, monkeypatch, tmp_path):
    """The answers of a sheet."""
    (cache / "claims").mkdir()
    put_canaries(cache / "claims", "other.txt")
    before = state(cache)
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "a.md").write_text("$M = A A^T$\n")
    monkeypatch.setenv("REGARD_CACHE", str(cache))
    check_folder(tmp_path / "sheets")
    (made,) = [each.name for each in (cache / "claims").iterdir() if len(each.name) == len("x.answers") + 63]
    return before, {f"claims/{made}"}


def keep_batch(cache, monkeypatch, tmp_path):
    """The result of a batch, kept until the run has come to its end."""
    (cache / "batches").mkdir()
    put_canaries(cache / "batches", "other.txt")
    before = state(cache)
    monkeypatch.setenv("REGARD_CACHE", str(cache))
    kept = cluster._Kept(keep_batch)
    kept.write((1,), b"result")
    (made,) = [each.name for each in (cache / "batches").iterdir() if each.name.endswith(".result")]
    kept.remove()
    assert state(cache) == before
    kept.write((1,), b"result")
    return before, {f"batches/{made}"}


CACHES = {
    "regard.cluster.map_batches": keep_batch,
    "regard.studies.claims.check_folder": check_sheets,
    "regard.text.corpora.archive.obtain": fetch_archive,
    "regard.text.vectors.cache.open_vectors": convert_vectors,
    "regard.lab.server.app.lab_settings": open_lab,
}


@pytest.mark.parametrize("row", CACHES)
def test_a_cache_in_a_folder_of_the_users(row, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    cache.mkdir()
    put_canaries(cache, "other.txt")
    before, new = CACHES[row](cache, monkeypatch, tmp_path)
    after = state(cache)
    assert {name: after.get(name) for name in before if name not in new} == {
        name: before[name] for name in before if name not in new
    }
    assert set(after) - set(before) <= new <= set(after)
