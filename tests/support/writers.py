"""Every command that writes a file which the user names, with what it reads; files of the user's beside them.

Some need the preset `tiny` of `tests.support.small_presets`, which loads torch.
"""

import contextlib
import os
from dataclasses import dataclass

import numpy as np

from regard.cli.main import main
from tests.support.reviews import write_reviews
from tests.support.texts import VERSE


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


def write_inputs(folder, *, models=True):
    """What commands read, below a folder that is there: arrays, texts, language models, a classifier."""
    np.savez(folder / "arrays.npz", keys=np.eye(3))
    np.save(folder / "keys.npy", np.eye(3))
    np.save(folder / "q.npy", np.eye(3))
    (folder / "verse.txt").write_text(VERSE)
    (folder / "lines.txt").write_text("a lovely film\nan awful plot\n")
    (folder / "claims.md").write_text("$M = A A^T$\n")
    write_reviews(folder / "films.csv", 60)
    if not models:
        return
    with contextlib.chdir(folder):
        letters = "train ngram --text verse.txt --out letters --order 3 --json"
        assert main(letters.split()) == 0
        films = "train averaging --data films.csv --out films --form classic --vectors none --epochs 2 --json"
        assert main(films.split()) == 0
        reader = "train transformer --text verse.txt --out reader --preset tiny --steps 4 --json"
        assert main(reader.split()) == 0


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
