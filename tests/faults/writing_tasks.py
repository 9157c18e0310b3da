"""What `killed_writers` runs: every command that writes a file or a model, and every cache."""

from __future__ import annotations

import gzip
import importlib
import json
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regard
from regard.cli.main import main
from regard.errors import RegardError
from regard.files import cache_folder, sha256
from regard.folders import AtomicFolder
from regard.models.checkpoint import load
from regard.models.folder import CONFIG, listed_files, read_snapshot
from regard.models.folder_writer import save
from tests.support.local_index import packed, pinned
from tests.support.texts import VERSE
from tests.support.writers import WRITERS, write_inputs

OLD = b"old"
TEXT = "--text verse.txt"
TRAINERS = {
    "train ngram": f"{TEXT} --order 2",
    "train ngram --on-disk": f"{TEXT} --order 2",
    "train bigram": f"{TEXT} --hidden 4 --iterations 3",
    "train bigram --trainer sgd": f"{TEXT} --hidden 4 --iterations 6000",
    "train recurrent": f"{TEXT} --preset tiny --steps 8 --threads 1",
    "train transformer": f"{TEXT} --preset tiny --steps 8 --threads 1",
    "train mixture": f"letters words {TEXT} --fit-on other.txt --no-adaptive --gate fixed",
    "train averaging": "--data films.csv --vectors none --form classic --width 4 --epochs 3 --layers 0",
    "study averaging": "--data films.csv --vectors none --epochs 1 --only weights",
}


@dataclass(frozen=True)
class Task:
    """Something that writes: what was there before, how it is run, and how its output is told from another.

    `codes` are exit codes of a run that has written, beside 0. Where an output `may_be_absent`, it is a cache, which
    can be made again; names that begin with one of `may_leave` belong to what it keeps. One that `writes_last` computes
    first, and can be forked when that is done; one that `trains` takes seconds between its operations.
    """

    name: str
    output: str
    prepare: Callable[[Path], Any]
    run: Callable[[], int]
    look: Callable[[Path], Any]
    codes: tuple[int, ...] = ()
    may_be_absent: bool = False
    may_leave: tuple[str, ...] = ("cache",)
    needs_models: bool = False
    writes_last: bool = True
    trains: bool = False


def tasks() -> list[Task]:
    """All of them."""
    return [*map(_file_task, WRITERS), *map(_model_task, TRAINERS), _export_task(), *_cache_tasks()]


def import_everything() -> None:
    """Load all of Regard and what it loads late, so that a forked process begins at once."""
    for module in pkgutil.walk_packages(regard.__path__, "regard."):
        if ".lab." not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in (
        "matplotlib.backends.backend_agg",
        "polars",
        "torch._dynamo",
        "regard.lab.model_cache",
        "safetensors.numpy",
    ):
        importlib.import_module(name)


def prepare_inputs(folder: Path, *, models: bool) -> None:
    """What tasks read, with or without models."""
    write_inputs(folder, models=models)
    (folder / "other.txt").write_text(VERSE[::-1])
    (folder / "sheets").mkdir()
    (folder / "sheets" / "a.md").write_text("$M = A A^T$\n")
    (folder / "v.txt").write_bytes(b"a 1 2\nb 3 4\n")
    for name in ("words", "before") if models else ():
        words = f"train ngram --text {folder / 'verse.txt'} --order 1 --valid 0 --json --out {folder / name}"
        assert main(words.split()) == 0


def _file_task(row: str) -> Task:
    writer = WRITERS[row]
    words = [*writer.command.split(), row.rsplit(maxsplit=1)[-1], writer.output]
    if " --out model" in writer.command:
        words.append("--force")

    def look(place: Path) -> Any:
        content = (place / writer.output).read_bytes()
        if content == OLD:
            return "old"
        n_lines = content.count(b"\n") if writer.output.endswith(".csv") else 0
        return ("new", content[:8], n_lines) if _is_whole(writer.output, content) else content

    return Task(
        row.removeprefix("regard "), writer.output, lambda place: (place / writer.output).write_bytes(OLD),
        lambda: main(words), look, codes=(1,) if words[0] == "check" else (), may_leave=("cache", "model"),
        needs_models=any(word in ("letters", "films", "reader", "tiny") for word in words), trains="--preset" in words,
    )  # fmt: skip


def _is_whole(name: str, content: bytes) -> bool:
    """Whether a file ends as files of its kind do: some hold the time at which they were made."""
    endings = {".png": b"IEND\xaeB`\x82", ".html": b"</html>", ".csv": b"\n", ".json": b"}", ".ipynb": b"}"}
    ending = endings.get(Path(name).suffix, b"")
    if name.endswith(".gz"):
        return gzip.decompress(content) != b""
    return content.rstrip(b"\n").endswith(ending.rstrip(b"\n"))


def _model_task(name: str) -> Task:
    words = [*name.split(), *TRAINERS[name].split(), "--out", "model", "--force"]

    def run() -> int:
        if "--on-disk" in words:
            from regard.training import ngram_on_disk

            ngram_on_disk.PIECE_POSITIONS = 200  # so that there are several runs to go on from
        return main(words)

    return Task(
        name, "model", lambda place: (place / "before").rename(place / "model"), run,
        lambda place: _identity(place / "model"), needs_models=True, writes_last=False,
        trains="ngram" not in name,
    )  # fmt: skip


def _export_task() -> Task:
    """The lab as pages, in the place of an earlier export of a smaller one."""

    def prepare(place: Path) -> None:
        page = b"old"
        (place / "pages").mkdir()
        (place / "pages/index.html").write_bytes(page)
        (place / "pages/gone.html").write_bytes(page)
        listed = {"regard": "lab", "files": {name: sha256(page) for name in ("gone.html", "index.html")}}
        (place / "pages/regard-lab.json").write_text(json.dumps(listed))

    def look(place: Path) -> Any:
        pages = AtomicFolder(place / "pages")
        listed = json.loads(pages.read("regard-lab.json"))["files"]
        found = {name: sha256(pages.read(name)) for name in listed}
        return found if found == listed else f"{sorted(set(found.items()) ^ set(listed.items()))[:2]} are damaged"

    words = ["lab", "--export", "pages", "--force"]
    return Task("lab --export", "pages", prepare, lambda: main(words), look)


def _identity(folder: Path) -> tuple[str, str]:
    """The kind of the model in a folder and a digest of its weights, when all files have been held against the list."""
    listed = listed_files(read_snapshot(folder, ()).config) or {}
    whole = read_snapshot(folder, listed)
    return whole.ours["kind"], sha256(whole.need("model.safetensors"))


def _as_command(use: Callable[[], int]) -> Callable[[], int]:
    """A function whose errors become exit codes and lines, as those of a command do."""

    def run() -> int:
        try:
            return use()
        except RegardError as error:
            print("regard:", error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("regard: interrupted", file=sys.stderr)
            return 130

    return run


def _cache_tasks() -> list[Task]:
    data = packed([("play-1.0/text.txt", b"to be or not to be\n" * 100)])
    name = pinned(data).filename

    def obtain_archive() -> int:
        from regard.text.corpora.archive import obtain

        archive = cache_folder() / "archives" / name
        obtain(archive, sha256=pinned(data).sha256, fill=lambda part: part.write_bytes(data) and None)
        return 0

    def convert_vectors() -> int:
        from regard.text.vectors.cache import open_vectors

        return 0 if open_vectors(Path("v.txt"), cache=cache_folder()).words == ["a", "b"] else 70

    def check_sheets() -> int:
        from regard.studies.claims import check_folder

        return 0 if check_folder(Path("sheets")) else 70

    def keep_model() -> int:
        from regard.lab.jobs import JobProgress
        from regard.lab.model_cache import load_or_train

        def train(_: JobProgress) -> Any:
            return load(Path("letters"))

        load_or_train(
            "letters",
            JobProgress(lambda: None),
            load=load,
            train=train,
            save=lambda model, path: save(model, path, force=True),
        )
        return 0

    def look_for(pattern: str) -> Callable[[Path], Any]:
        def look(place: Path) -> Any:
            found = sorted((place / "cache").glob(pattern))
            return [sha256(path.read_bytes()) for path in found] or None

        return look

    def nothing(place: Path) -> None:
        (place / "cache").mkdir()

    def look_at_model(place: Path) -> Any:
        return _identity(place / "cache/lab/letters") if (place / "cache/lab/letters" / CONFIG).exists() else None

    runs = (
        ("cache of archives", obtain_archive, look_for(f"archives/{name}")),
        ("cache of word vectors", convert_vectors, look_for("vectors/[0-9a-f]*/vectors.npy")),
        ("cache of checked sheets", check_sheets, look_for("claims/*.answers")),
        ("models that the lab keeps", keep_model, look_at_model),
    )
    return [
        Task(name, "cache", nothing, _as_command(run), look, may_be_absent=True, needs_models="models" in name)
        for name, run, look in runs
    ]
