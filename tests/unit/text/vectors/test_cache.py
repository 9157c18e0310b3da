import json
import os
import resource
import shutil

import numpy as np
import pytest

from regard.errors import CorpusError, InputFileError
from regard.text.vectors import cache as vector_cache
from regard.text.vectors import glove_text
from regard.text.vectors.cache import open_vectors
from regard.text.vectors.glove_text import read_vectors

TEXT = "nan 0.5 1.25\nnaïve -2.5 1e-3\noops\nnan 1 1\n\x85 0.25 0.5\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def conversions(monkeypatch):
    """One entry for each time that the text was read."""
    done = []

    class Counted(vector_cache.VectorText):
        def __init__(self, *args, **options):
            done.append(args)
            super().__init__(*args, **options)

    monkeypatch.setattr(vector_cache, "VectorText", Counted)
    return done


def folders(cache):
    return sorted((cache / "vectors").iterdir())


def assert_whole(found, path):
    expected = read_vectors(path)
    assert found.words == expected.words
    assert (found.vectors == expected.vectors).all()
    assert found.report == expected.report


def test_text_is_converted_once_and_mapped_afterwards(path, cache, conversions, monkeypatch):
    monkeypatch.setattr(glove_text, "BLOCK_BYTES", 16)
    assert_whole(open_vectors(path, cache=cache), path)
    again = open_vectors(path, cache=cache)
    assert_whole(again, path)
    assert isinstance(again.vectors.base, np.memmap)
    assert not again.vectors.flags.writeable
    assert len(conversions) == 1
    assert len(folders(cache)) == 1


def test_without_a_cache_the_text_is_read(path):
    assert_whole(open_vectors(path, cache=None), path)


def test_wanted_words_out_of_the_cache(path, cache):
    found = open_vectors(path, cache=cache, wanted={"\x85", "nan", "absent"})
    assert found.words == ["nan", "\x85"]
    assert found.vectors.tolist() == [[0.5, 1.25], [0.25, 0.5]]


def test_a_changed_file_replaces_what_was_made_from_the_old_one(path, cache, conversions):
    open_vectors(path, cache=cache)
    path.write_text("a 1 2\n")
    assert open_vectors(path, cache=cache).words == ["a"]
    state = path.stat()
    path.write_text("b 1 2\n")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert open_vectors(path, cache=cache).words == ["b"]
    assert len(conversions) == 3
    assert len(folders(cache)) == 1


def cut(name, n_bytes):
    def damage(folder):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[:n_bytes])

    return damage


def bracket_in_header(folder):
    """A bit flipped in the blanks of an .npy header opens a bracket, which nothing closes."""
    content = bytearray((folder / "vectors.npy").read_bytes())
    assert content[96:97] == b" "
    content[96] ^= 8
    (folder / "vectors.npy").write_bytes(content)


def flipped(name, place):
    def damage(folder):
        data = bytearray((folder / name).read_bytes())
        data[place] ^= 1
        (folder / name).write_bytes(data)

    return damage


def pickled(folder):
    np.save(folder / "vectors.npy", np.array([{}, []], object), allow_pickle=True)


def other_words(folder):
    words = (folder / "words.txt").read_bytes()
    (folder / "words.txt").write_bytes(words.replace(b"nan", b"nah"))


def about(**changed):
    def damage(folder):
        old = json.loads((folder / "about.json").read_text())
        (folder / "about.json").write_text(json.dumps(old | changed))

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        cut("vectors.npy", 0), cut("vectors.npy", 140), cut("words.txt", 4), cut("about.json", 20), other_words,
        flipped("vectors.npy", -1), bracket_in_header,
        flipped("vectors.npy", 130), flipped("words.txt", 0), flipped("about.json", -80),
        about(format=0), about(source={}), pickled, lambda folder: (folder / "words.txt").unlink(),
        lambda folder: (folder / "about.json").write_text("[]"),
        lambda folder: np.save(folder / "vectors.npy", np.zeros((3, 2))),
        lambda folder: np.save(folder / "vectors.npy", np.zeros((3, 3), np.float32)),
        shutil.rmtree,
    ],
)  # fmt: skip
def test_a_damaged_cache_is_made_anew(path, cache, conversions, damage):
    open_vectors(path, cache=cache)
    damage(folders(cache)[0])
    assert_whole(open_vectors(path, cache=cache), path)
    assert_whole(open_vectors(path, cache=cache), path)
    assert len(conversions) == 2
    assert len(folders(cache)) == 1


def test_a_file_that_is_refused_leaves_nothing(path, cache):
    path.write_text("To be, or not to be\n")
    with pytest.raises(InputFileError, match="does not hold word vectors"):
        open_vectors(path, cache=cache)
    assert folders(cache) == []


def test_an_interruption_leaves_nothing_half_written(path, cache, monkeypatch):
    monkeypatch.setattr(glove_text, "BLOCK_BYTES", 16)

    def interrupt(share, message):
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_vectors(path, cache=cache, progress=interrupt)
    assert folders(cache) == []


def test_another_process_may_be_faster(path, cache, monkeypatch):
    put = vector_cache._install

    def late(made, folder, source):
        shutil.copytree(made, folder)
        put(made, folder, source)

    monkeypatch.setattr(vector_cache, "_install", late)
    assert_whole(open_vectors(path, cache=cache), path)
    assert len(folders(cache)) == 1


def test_a_cache_that_cannot_be_written(path, cache):
    cache.write_text("a file where a folder should be")
    with pytest.raises(CorpusError, match=r"cannot write .*: Not a directory; REGARD_CACHE may name another folder"):
        open_vectors(path, cache=cache)


def test_a_missing_file(tmp_path, cache):
    with pytest.raises(InputFileError, match=r"cannot read .*absent: No such file"):
        open_vectors(tmp_path / "absent", cache=cache)


def canaries(cache):
    """Things of the user's in the folder of the cache, some with names like ours, and their state."""
    vectors = cache / "vectors"
    (vectors / ".unfinished-mine").mkdir(parents=True)
    (vectors / ".unfinished-mine" / "thesis.txt").write_text("mine")
    (vectors / ".unfinished-mine" / "words.txt").write_text("mine")
    (vectors / ".unfinished-file").write_text("mine")
    (cache / "thesis.txt").write_text("mine")
    (vectors / "mine").mkdir()
    (vectors / "mine" / ".hidden").write_text("mine")
    for path in (*vectors.rglob("*"), vectors):
        os.utime(path, (1e9, 1e9))
    return state(cache)


def state(cache):
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes())
        for path in cache.rglob("*")
        if path.is_file() and ("mine" in str(path.relative_to(cache)) or path.read_bytes() == b"mine")
    }


def test_what_the_user_has_in_the_cache_is_left_alone(path, cache):
    before = canaries(cache)
    assert len(before) == 5
    open_vectors(path, cache=cache)
    path.write_text("a 1 2\n")
    open_vectors(path, cache=cache)
    assert state(cache) == before


def test_what_a_killed_conversion_left_is_removed_an_hour_later(path, cache):
    left = cache / "vectors" / ".unfinished-abc"
    left.mkdir(parents=True)
    (left / "vectors.npy").write_bytes(b"half")
    open_vectors(path, cache=cache)
    assert left.exists()  # somebody may be at work in it
    os.utime(left / "vectors.npy", (1e9, 1e9))
    os.utime(left, (1e9, 1e9))
    path.write_text("a 1 2\n")
    open_vectors(path, cache=cache)
    assert not left.exists()


def test_an_old_conversion_with_a_file_of_the_users_is_kept(path, cache):
    open_vectors(path, cache=cache)
    (old,) = folders(cache)
    (old / "notes.txt").write_text("mine")
    path.write_text("a 1 2\n")
    assert open_vectors(path, cache=cache).words == ["a"]
    assert sorted(each.name for each in old.iterdir()) == ["about.json", "notes.txt", "vectors.npy", "words.txt"]


def test_a_damaged_conversion_with_a_file_of_the_users_is_named(path, cache):
    open_vectors(path, cache=cache)
    (folder,) = folders(cache)
    (folder / "notes.txt").write_text("mine")
    (folder / "about.json").write_text("{")
    with pytest.raises(CorpusError, match=rf"^cannot write {folder}: .*; move what is there elsewhere, or set REG"):
        open_vectors(path, cache=cache)
    assert (folder / "notes.txt").read_text() == "mine"
    assert folders(cache) == [folder]


def test_a_full_disk_is_one_line_and_leaves_nothing(path, cache):
    path.write_text("".join(f"word{i} {i} {i}.5 0.25\n" for i in range(2000)))
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limit[1]))
    try:
        with pytest.raises(CorpusError, match=r"^cannot write .*/vectors: File too large; REGARD_CACHE may name"):
            open_vectors(path, cache=cache)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert folders(cache) == []
