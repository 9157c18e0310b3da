"""What makes a folder a model of ours; every file compared with its checksum."""

import json
import shutil
import time
from functools import cache
from pathlib import Path

import pytest
import tests.support.crashing
from tests.support import command_server
from tests.support.folders import contents, unlist
from tests.support.texts import VERSE

from regard.errors import CheckpointError
from regard.models.checkpoint import load_model
from regard.models.folder import is_sealed, seal
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram


@cache
def model() -> NgramModel:
    return fit_ngram(VERSE, NgramConfig(order=2, method="kneser-ney"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model().save(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "background.safetensors", "tokeniser.json"])
def test_a_flipped_bit_is_told_wherever_it_is(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        bit = 1 << (place % 8)
        (folder / name).write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        with pytest.raises(CheckpointError) as error:
            load_model(folder)
        assert name == "config.json" or str(error.value) == (
            f"{folder / name} does not match its checksum; train the model again, or copy the folder again"
        )
        assert "\n" not in str(error.value)


def test_a_list_that_leads_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    config = json.loads((folder / "config.json").read_text())
    listed = config["regard"]["files"] | {"../thesis.tex": {"bytes": 4, "sha256": "0"}}
    (folder / "config.json").write_text(json.dumps(seal(config, listed)))
    with pytest.raises(CheckpointError, match=r"config.json does not match its checksum"):
        load_model(folder)
    with pytest.raises(CheckpointError, match="holds "):
        model().save(folder)
    assert (tmp_path / "thesis.tex").read_text() == "mine"


def test_numbers_as_keys_and_letters_of_all_kinds_keep_the_seal() -> None:
    config = {"regard": {"notes": {2: "zwei", 10: "ζ", "a": (1.5, 1e300)}}}
    assert is_sealed(json.loads(json.dumps(seal(config, {}))))


def test_a_folder_of_an_earlier_version_is_read_and_replaced(folder: Path) -> None:
    unlist(folder)
    assert load_model(folder).tokeniser.vocabulary == model().tokeniser.vocabulary
    (folder / "notes.md").write_text("mine")
    with pytest.raises(CheckpointError, match=r"model holds notes.md, which Regard did not write"):
        model().save(folder, force=True)
    (folder / "notes.md").unlink()
    model().save(folder, force=True)
    assert "files" in json.loads((folder / "config.json").read_text())["regard"]


def test_what_an_earlier_version_put_aside_is_read_and_stays_there(folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / ".model.old")
    before = contents(tmp_path)
    assert load_model(folder).kind == "ngram"  # a reader does not write
    assert contents(tmp_path) == before
    with pytest.raises(CheckpointError, match="holds a model of kind ngram"):
        model().save(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.slow
def test_readers_find_one_model_or_the_other_while_it_is_replaced(tmp_path: Path) -> None:
    """Three processes read as fast as they can while a fourth replaces the model; nobody meets a mixture."""
    tests.support.crashing.save_old(tmp_path / "model")

    def start(name: str, program: str) -> command_server.Command:
        script = tmp_path / f"{name}.py"
        script.write_text(f"from tests.support.crashing import *\n{program}")
        return command_server.start(str(tmp_path / "model"), script=script)

    readers = [start(f"reader-{number}", READER) for number in range(3)]
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("reading-*"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    writer = start("writer", WRITER)
    assert writer.wait() == 0
    (tmp_path / "over").touch()
    found: dict[str, int] = {}
    for reader in readers:
        for name, n in json.loads(reader.communicate()[0]).items():
            found[name] = found.get(name, 0) + n
    assert set(found) == {"old", "new"}, found
    assert sum(found.values()) > 300


READER = """
import collections
folder, found = Path(sys.argv[1]), collections.Counter()
(folder.parent / f"reading-{os.getpid()}").touch()
while not (folder.parent / "over").exists():
    found[name_of(folder)] += 1
print(json.dumps(found))
"""
WRITER = """
folders.os.fsync = lambda descriptor: None  # as fast as can be
for i in range(150):
    save(OLD if i % 2 else NEW, Path(sys.argv[1]), beside=STALE if i % 3 else {}, force=True)
"""


def test_an_unreadable_mixture_is_told_at_once(folder: Path) -> None:
    """Nobody is writing, so there is nothing to wait for."""
    (folder / "model.safetensors").write_bytes((folder / "background.safetensors").read_bytes())
    start = time.process_time()
    with pytest.raises(CheckpointError, match=r"model\.safetensors"):
        load_model(folder)
    assert time.process_time() - start < 5


def test_a_folder_that_was_copied_is_the_same(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    assert load_model(tmp_path / "copy").kind == "ngram"
