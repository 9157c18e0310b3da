"""Files are whole or not there at all, and nothing else of the user's is touched."""

import errno
import gzip
import io
import os
import resource
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from regard import files
from regard.errors import CorpusError, OutputFileError
from regard.files import cache_folder, file_sha256, is_one_of, open_output, remove_folder, require_writable, sha256


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_file_appears_when_it_is_whole(tmp_path):
    with open_output(tmp_path / "a.npy") as file:
        file.write(b"whole")
        assert not (tmp_path / "a.npy").exists()
    assert contents(tmp_path) == {"a.npy": b"whole"}


def half_written(path, error):
    with open_output(path) as file:
        file.write(b"half" * 10_000)
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), MemoryError(), ValueError("no")])
def test_whatever_goes_wrong_the_old_file_is_left(tmp_path, error):
    (tmp_path / "a.npy").write_bytes(b"old")
    with pytest.raises(type(error)):
        half_written(tmp_path / "a.npy", error)
    assert contents(tmp_path) == {"a.npy": b"old"}


def test_an_error_of_the_input_is_not_told_of_the_output(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    with pytest.raises(OSError, match="Input/output error") as caught:
        half_written(tmp_path / "a.txt", OSError(errno.EIO, "Input/output error", "corpus.txt"))
    assert caught.value.filename == "corpus.txt"


def test_a_name_that_is_taken_is_not_used(tmp_path, monkeypatch):
    draws = iter([b"\0" * 8, b"\0" * 8, b"\1" * 8])
    monkeypatch.setattr(os, "urandom", lambda n: next(draws))
    (tmp_path / f".regard-{'00' * 8}.part").write_bytes(b"mine")
    with open_output(tmp_path / "a.txt") as file:
        file.write(b"new")
        assert (tmp_path / f".regard-{'01' * 8}.part").exists()
    assert contents(tmp_path) == {f".regard-{'00' * 8}.part": b"mine", "a.txt": b"new"}


@pytest.mark.parametrize("name", ["a.txt", "ä" * 120 + ".txt", "x" * 255])
def test_any_name_that_the_system_allows(tmp_path, name):
    files.write_output(tmp_path / name, b"new")
    assert contents(tmp_path) == {name: b"new"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_are_kept(tmp_path, mode):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(mode)
    files.write_output(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    files.write_output(tmp_path / "ours", b"")
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path, is_there):
    (tmp_path / "deep").mkdir()
    target, middle, link = tmp_path / "deep" / "real.csv", tmp_path / "middle", tmp_path / "a.csv"
    if is_there:
        target.write_bytes(b"old")
    middle.symlink_to("deep/real.csv")
    link.symlink_to("middle")
    files.write_output(link, b"new")
    assert (os.readlink(link), os.readlink(middle)) == ("middle", "deep/real.csv")
    assert contents(tmp_path / "deep") == {"real.csv": b"new"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "deep", "middle"]


def refusal(path):
    """What is said of a path, both before and instead of writing."""
    with pytest.raises(OutputFileError) as before:
        require_writable(path)
    with pytest.raises(OutputFileError) as instead:
        files.write_output(path, b"new")
    assert str(before.value) == str(instead.value)
    assert "\n" not in str(before.value)
    return str(before.value)


def test_what_cannot_be_written_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("protected").write_bytes(b"old")
    Path("protected").chmod(0o444)
    Path("loop").symlink_to("loop")
    Path("astray").symlink_to("none/a.csv")
    first = "cannot write {}: "
    assert refusal(Path("folder")) == "cannot write folder: it is a folder; give the name of a file"
    assert refusal(Path("no/a.csv")) == (
        "cannot write no/a.csv: there is no folder no; make it first, or choose another"
    )
    assert refusal(Path("protected/a.csv")).startswith("cannot write protected/a.csv: there is no folder protected; ")
    assert refusal(Path("astray")).startswith(f"cannot write astray: there is no folder {tmp_path}/none; ")
    assert refusal(Path("protected")) == (
        "cannot write protected: it is write-protected; choose another name, or remove it"
    )
    assert refusal(Path("loop")) == (
        "cannot write loop: Too many levels of symbolic links; the link leads to itself; choose another name"
    )
    long = "x" * 256
    assert refusal(Path(long)) == first.format(long) + "File name too long; choose a shorter name"
    assert contents(tmp_path) == {"protected": b"old"}


def test_a_folder_that_is_write_protected(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_bytes(b"old")
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path and access(path, mode))
    assert refusal(tmp_path / "a.csv") == (
        f"cannot write {tmp_path}/a.csv: the folder {tmp_path} is write-protected; choose a place where you may write"
    )
    assert contents(tmp_path) == {"a.csv": b"old"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator can become somebody else")
def test_a_real_user_without_permission(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"old")
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents[:3]:
        parent.chmod(parent.stat().st_mode | 0o055)
    program = f"import sys; sys.path[:0] = {sys.path!r}\nfrom regard.files import *\nimport os\nos.setuid(65534)\n"
    program += f"write_output({str(tmp_path / 'a.csv')!r}, b'new')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "OutputFileError: cannot write " in done.stderr
    assert contents(tmp_path) == {"a.csv": b"old"}


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def write_text(file):
    file.write(b"x" * 200_000)


def write_array(file):
    np.save(file, np.zeros(100_000))


def write_arrays(file):
    np.savez(file, a=np.zeros(100_000), b=np.zeros(100_000))


def write_packed(file):
    with gzip.GzipFile(fileobj=file, mode="wb") as packed:
        packed.write(os.urandom(200_000))


def write_figure(file):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(20, 20))
    figure.subplots().imshow(np.random.default_rng(0).random((500, 500)))
    figure.savefig(file, format="png")


FORMATS = [write_text, write_array, write_arrays, write_packed, write_figure]


@pytest.mark.parametrize("write", FORMATS)
def test_a_full_disk(small_disk, write):
    (small_disk / "a.out").write_bytes(b"old")
    with (
        pytest.raises(OutputFileError, match=r"cannot write .*/a.out: No space left on device; free some space") as e,
        open_output(small_disk / "a.out") as file,
    ):
        write(file)
    assert ".part" not in str(e.value)
    assert contents(small_disk) == {"a.out": b"old"}
    (small_disk / "a.out").write_bytes(b"x" * 60_000)  # the space was given back


@pytest.mark.parametrize("write", FORMATS)
def test_a_file_that_grows_too_large(tmp_path, write):
    (tmp_path / "a.out").write_bytes(b"old")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limit[1]))
    try:
        with (
            pytest.raises(OutputFileError, match=r"cannot write .*/a.out: File too large; "),
            open_output(tmp_path / "a.out") as file,
        ):
            write(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert contents(tmp_path) == {"a.out": b"old"}


@pytest.mark.parametrize("write", FORMATS)
def test_devices_are_written_to_directly(write):
    for device in ("/dev/null", "/dev/full"):
        before = os.stat(device)
        with (
            pytest.raises(OutputFileError, match=r"^cannot write /dev/full: No space left on device; ")
            if (device == "/dev/full")
            else io.StringIO(),
            open_output(device) as file,
        ):
            write(file)
        assert (os.stat(device).st_ino, os.stat(device).st_rdev) == (before.st_ino, before.st_rdev)


@pytest.mark.parametrize("write", FORMATS)
def test_a_pipe_with_a_name(tmp_path, write):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "plain").write_bytes(b"")
    came = []
    reader = threading.Thread(target=lambda: came.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    with open_output(tmp_path / "pipe") as file:
        write(file)
    reader.join()
    assert (tmp_path / "pipe").is_fifo()
    assert len(came[0]) > 10_000


def printed(tmp_path, output, stdout):
    program = "import sys; from regard.files import write_output\n"
    program += f"print('before'); write_output({output!r}, b'bytes\\n'); print('after')"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, stdout=stdout, check=True, env={**os.environ, "PYTHONPATH": SRC}
    ).stdout


SRC = str(Path(files.__file__).parents[1])


def test_the_standard_output_gets_everything_in_order(tmp_path):
    assert printed(tmp_path, "/dev/stdout", subprocess.PIPE) == b"before\nbytes\nafter\n"
    for name in ("/dev/stdout", "out.txt", "link"):
        with (tmp_path / "out.txt").open("wb") as out:
            (tmp_path / "link").unlink(missing_ok=True)
            (tmp_path / "link").symlink_to("out.txt")
            printed(tmp_path, name, out)
        assert (tmp_path / "out.txt").read_bytes() == b"before\nbytes\nafter\n"


@pytest.mark.slow
def test_what_is_written_to_directly(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "plain").write_text("")
    assert [files.is_stream(Path(path)) for path in ("/dev/null", tmp_path / "pipe")] == [True, True]
    assert not any(files.is_stream(path) for path in (tmp_path, tmp_path / "plain", tmp_path / "absent"))
    with (tmp_path / "out").open("wb") as out:
        arguments = ["regard", "study", "one-vs-many", "--keys", "3", "--scales", "1", "--csv", "/dev/stdout"]
        subprocess.run(
            [sys.executable, "-m", *arguments], stdout=out, check=True, env={**os.environ, "PYTHONPATH": SRC}
        )
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines[0].startswith("scale,design,")
    assert lines[-1] == "saved /dev/stdout"


def test_inputs_are_recognised_by_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    Path("folder/a.txt").write_text("a")
    Path("b.txt").write_text("b")
    Path("link.txt").symlink_to("b.txt")
    os.link("b.txt", "twin.txt")
    inputs = [Path("folder"), Path("b.txt"), Path("absent")]
    for name in ("b.txt", "./folder/../b.txt", "link.txt", "twin.txt", "folder/a.txt"):
        assert is_one_of(Path(name), inputs)
    Path("c.txt").write_text("c")
    for name in ("c.txt", "absent", "folder/new.txt", "folder"):
        assert not is_one_of(Path(name), inputs)


def test_only_a_folder_that_holds_nothing_else_is_removed(tmp_path):
    ours = tmp_path / "ours"
    ours.mkdir()
    (ours / "a").write_text("")
    assert remove_folder(ours, {"a", "b"})
    assert not ours.exists()
    for foreign in ("c", "folder", "link"):
        ours.mkdir()
        (ours / "a").write_text("kept")
        if foreign == "folder":
            (ours / "b").mkdir()
        elif foreign == "link":
            (ours / "b").symlink_to("a")
        else:
            (ours / "c").write_text("")
        assert not remove_folder(ours, {"a", "b"})
        assert (ours / "a").read_text() == "kept"
        shutil.rmtree(ours)
    (tmp_path / "real").mkdir()
    ours.symlink_to("real")
    assert not remove_folder(ours, {"a", "b"})
    assert not remove_folder(tmp_path / "absent", {"a"})


def test_checksums(tmp_path):
    assert sha256("abc") == sha256(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_sha256(tmp_path / "none") is None
    (tmp_path / "a").write_bytes(b"abc")
    assert file_sha256(tmp_path / "a" / "b") is None
    assert file_sha256(tmp_path / "a") == sha256(b"abc")


def test_the_cache_that_the_user_chooses():
    assert cache_folder({"REGARD_CACHE": "/big/disk", "XDG_CACHE_HOME": "/x"}) == Path("/big/disk")
    assert cache_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/regard")


@pytest.mark.parametrize("xdg", [{}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}])
@pytest.mark.parametrize(("system", "folder"), [("linux", ".cache"), ("darwin", "Library/Caches")])
def test_the_cache_of_the_platform(monkeypatch, xdg, system, folder):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("HOME", "/home/me")
    assert cache_folder(xdg) == Path("/home/me") / folder / "regard"


def test_the_cache_on_windows(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert cache_folder({"LOCALAPPDATA": "/local"}) == Path("/local/regard/cache")


def test_nobody_has_no_home(monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(CorpusError, match=r"set REGARD_CACHE to a folder"):
        cache_folder({})
