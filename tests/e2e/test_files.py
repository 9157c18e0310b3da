"""Every writer of docs/files.md, run beside files of the user's: these stay as they are, to the byte and nanosecond.

A row of the page's first table without an entry in WRITERS fails here; model folders have tests of their own.
"""

import gzip
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import tests.support.small_presets  # a preset `tiny` for networks
from tests.support.local_index import booby_trapped, pinned
from tests.support.reviews import write_reviews
from tests.support.texts import VERSE
from tests.unit.test_files_writers import rows

from regard.cli.main import main
from regard.cli.options import THREADS
from regard.lab.server.app import lab_settings
from regard.report import figures
from regard.report.figures import save_figure
from regard.studies.sheets import check_folder
from regard.text.corpora.archive import obtain
from regard.text.vectors.cache import open_vectors
from regard.text.vectors.word_vectors import WordVectors, write_vectors

assert tests.support.small_presets


@dataclass(frozen=True)
class Writer:
    """A command without its output, the name of its output, how that begins, and an input of the same kind of name."""

    command: str
    output: str
    begins: bytes
    clash: str = ""


DESIGN = "--keys keys.npy --error 0.01"
STUDY = "study averaging --data films.csv --vectors none --epochs 1 --only weights"
MODELS = "study models --models ngram-char --length 20 --text"
PNG, NPY, ZIP, PAGE = b"\x89PNG", b"\x93NUMPY", b"PK", b"<!"
WRITERS = {
    "regard attend --out": Writer(
        "attend --queries q.npy --keys arrays.npz:keys", "out.npz", ZIP, "attend --queries q.npy --keys out.npz:keys"
    ),
    "regard design copy --out": Writer(
        f"design copy --index 0 {DESIGN}", "out.npy", NPY, "design copy --index 0 --keys out.npy"
    ),
    "regard design average --out": Writer(
        f"design average --subset 0,1 {DESIGN}", "out.npy", NPY, "design average --subset 0,1 --keys out.npy"
    ),
    "regard design mix --out": Writer(
        f"design mix --weights 0.2,0.3,0.5 {DESIGN}", "out.npy", NPY, "design mix --weights out.npy --keys keys.npy"
    ),
    "regard design robust --out": Writer(
        "design robust --keys keys.npy --target 0,1",
        "out.npy",
        NPY,
        "design robust --keys keys.npy --target-weights out.npy",
    ),
    "regard study one-vs-many --figure": Writer("study one-vs-many --keys 3 --scales 1", "out.png", PNG),
    "regard study one-vs-many --key-figure": Writer("study one-vs-many --keys 3 --scales 1", "out.png", PNG),
    "regard study one-vs-many --csv": Writer("study one-vs-many --keys 3 --scales 1", "out.csv", b"scale,"),
    "regard study models --figure": Writer(f"{MODELS} verse.txt", "out.png", PNG, f"{MODELS} out.png"),
    "regard study models --csv": Writer(f"{MODELS} verse.txt", "out.csv", b"model,", f"{MODELS} out.csv"),
    "regard study averaging --figure": Writer(STUDY, "out.png", PNG, STUDY.replace("none", "out.png")),
    "regard study averaging --csv": Writer(STUDY, "out.csv", b"question,", STUDY.replace("films.csv", "out.csv")),
    "regard study errors --html": Writer(
        "study errors films --data films.csv", "out.html", PAGE, "study errors films --data out.html"
    ),
    "regard perplexity --html": Writer(
        "perplexity letters --text verse.txt", "out.html", PAGE, "perplexity letters --text out.html"
    ),
    "regard perplexity --figure": Writer(
        "perplexity letters --text verse.txt", "out.png", PNG, "perplexity letters --text out.png"
    ),
    "regard classify --html": Writer(
        "classify films --file lines.txt", "out.html", PAGE, "classify films --file out.html"
    ),
    "regard check --html": Writer(
        "check --file claims.md --setting two-subspaces", "out.html", PAGE, "check --file out.html"
    ),
    "regard check --csv": Writer("check --file claims.md", "out.csv", b"sheet,", "check --file out.csv"),
    "regard heads --html": Writer("heads reader --text verse.txt", "out.html", PAGE, "heads reader --text out.html"),
    "regard heads --figure": Writer("heads reader --text verse.txt", "out.png", PNG, "heads reader --text out.png"),
    "regard heads --csv": Writer("heads reader --text verse.txt", "out.csv", b"layer,", "heads reader --text out.csv"),
    "regard heads --plan": Writer("heads reader --text verse.txt --bits 3", "out.json", b"{"),
    "regard tour --out": Writer("tour --only A2", "out.html", PAGE),
    "regard tour --notebook": Writer("tour --only A2 --out /dev/null", "out.ipynb", b"{"),
    "regard tour --marimo": Writer("tour --only A2 --out /dev/null", "out.py", b"import marimo"),
    "regard data get --out": Writer("data get verse.txt", "out.txt", VERSE[:20].encode(), "data get out.txt"),
    "regard train glove --out": Writer(
        "train glove --text verse.txt --width 2 --sweeps 1", "out.gz", b"\x1f\x8b", "train glove --text out.gz"
    ),
    "regard train bigram --figure": Writer(
        "train bigram --text verse.txt --out model --vocabulary 20 --hidden 2 --iterations 2",
        "out.png",
        PNG,
        "train bigram --text verse.txt --out model --vectors out.png",
    ),
    "regard train recurrent --figure": Writer(
        "train recurrent --text verse.txt --out model --preset tiny --steps 4",
        "out.png",
        PNG,
        "train recurrent --text out.png --out model",
    ),
    "regard train transformer --figure": Writer(
        "train transformer --text verse.txt --out model --preset tiny --steps 4",
        "out.png",
        PNG,
        "train transformer --text verse.txt --valid out.png --out model",
    ),
}
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
    np.savez(folder / "arrays.npz", keys=np.eye(3))
    np.save(folder / "keys.npy", np.eye(3))
    np.save(folder / "q.npy", np.eye(3))
    (folder / "verse.txt").write_text(VERSE)
    (folder / "lines.txt").write_text("a lovely film\nan awful plot\n")
    (folder / "claims.md").write_text("$M = A A^T$\n")
    write_reviews(folder / "films.csv", 60)
    here = Path.cwd()
    os.chdir(folder)
    try:
        letters = "train ngram --text verse.txt --out letters --order 3 --json"
        assert main(letters.split()) == 0
        films = "train averaging --data films.csv --out films --form classic --vectors none --epochs 2 --json"
        assert main(films.split()) == 0
        reader = "train transformer --text verse.txt --out reader --preset tiny --steps 4 --json"
        assert main(reader.split()) == 0
    finally:
        os.chdir(here)
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


def put_canaries(folder, *names):
    (folder / "thesis.txt").write_text("mine")
    (folder / ".hidden").write_text("mine")
    (folder / "photos" / "deep").mkdir(parents=True)
    (folder / "photos" / "deep" / ".one").write_text("mine")
    for name in names:
        stem, ending = name.split(".")
        for like in (
            f".{name}.{os.getpid()}",
            f".{stem}.unfinished.{ending}",
            f".{name}.part",
            f"{name}.old",
            f"{name}~",
        ):
            (folder / like).write_text("mine")
    (folder / f".regard-{'0' * 16}.part").write_text("mine")
    for path in folder.rglob("*"):
        os.utime(path, (1e9, 1e9))


def state(folder, *but):
    """Bytes, time of change and permissions of everything in a folder, apart from some names."""
    return {
        path.relative_to(folder).as_posix(): (
            os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None,
            None if path.is_dir() else path.lstat().st_mtime_ns,
            path.lstat().st_mode,
        )
        for path in folder.rglob("*")
        if path.relative_to(folder).parts[0] not in but
        and not path.relative_to(folder).parts[0].lstrip(".").startswith("model")  # a folder with tests of its own
    }


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
    """The settings of the lab, in the system's temporary folder."""
    before = state(cache)
    monkeypatch.setattr("tempfile.tempdir", str(cache / "photos"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGARD_CACHE", "cache")
    with lab_settings():
        assert Path(".marimo.toml").is_file()
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
    (made,) = [each.name for each in (cache / "claims").iterdir() if len(each.name) == len("x.json") + 63]
    return before, {f"claims/{made}"}


CACHES = {
    "regard.studies.sheets.check_folder": check_sheets,
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
