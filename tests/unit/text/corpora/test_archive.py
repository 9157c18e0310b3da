"""Members of an archive, read as data; whatever is odd about it is refused, by name."""

import gzip
import tarfile
import tracemalloc

import pytest
from tests.support.local_index import packed

from regard.errors import InputFileError
from regard.text.corpora.archive import read_members


def read(data, *names, **limits):
    return read_members(data, names, label="a.tar.gz", **limits)


def special(name, kind, target=""):
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_members_come_in_the_order_asked_for():
    data = packed([("a/1.txt", b"one"), ("a/2.txt", b"two"), ("a/setup.py", b"never read")])
    assert list(read(data, "a/2.txt", "a/1.txt").items()) == [("a/2.txt", b"two"), ("a/1.txt", b"one")]


def test_folders_are_no_matter():
    folder = special("a", tarfile.DIRTYPE)
    assert read(packed([(folder, b""), ("a/1.txt", b"one")]), "a/1.txt") == {"a/1.txt": b"one"}


@pytest.mark.parametrize(
    "name", ["../../x", "a/../../x", "/etc/x", "..", "a/..", "C:x", "C:\\x", "\\\\server\\x", "a\\..\\..\\x"]
)
def test_a_path_that_leads_outside_is_refused(name):
    data = packed([("a/1.txt", b"one"), (name, b"evil")])
    with pytest.raises(InputFileError) as caught:
        read(data, "a/1.txt")
    assert str(caught.value) == f"a.tar.gz is refused: member {name!r} points outside of the archive"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(kind):
    data = packed([(special("a/1.txt", kind, "/etc/passwd"), b"")])
    with pytest.raises(InputFileError, match=r"member 'a/1.txt' is a link or a device, expected files and folders"):
        read(data, "a/1.txt")


def test_a_huge_member_is_refused_wanted_or_not():
    data = packed([("a/1.txt", b"one"), ("a/huge", bytes(1001))])
    with pytest.raises(InputFileError, match=r"'a/huge' claims 1,001 bytes, expected at most 1,000"):
        read(data, "a/1.txt", max_member_bytes=1000)


def test_an_archive_that_swells_is_refused_whatever_its_headers_say():
    data = packed([(f"a/{i}", bytes(1000)) for i in range(300)])
    assert len(data) < 10_000
    with pytest.raises(InputFileError, match=r"^a.tar.gz is refused: it unpacks to more than 100,000 bytes$"):
        read(data, "a/299", max_bytes=100_000)


@pytest.mark.parametrize(
    ("follows", "reason"),
    [(1024, "is a damaged archive: "), (2 << 20, "is refused: it unpacks to more than 1,000,000")],
)
def test_a_header_that_claims_much_costs_little_memory(follows, reason):
    # An extended header of 4 GB, of which less follows: tarfile reads such headers whole.
    member = special("a/pax", tarfile.XHDTYPE)
    member.size = 4 << 30
    data = gzip.compress(member.tobuf(tarfile.USTAR_FORMAT) + bytes(follows))
    tracemalloc.start()
    try:
        with pytest.raises(InputFileError, match=f"^a.tar.gz {reason}"):
            read(data, "a/1.txt", max_bytes=1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_a_name_that_occurs_twice_is_refused():
    with pytest.raises(InputFileError, match=r"a.tar.gz is refused: it holds 'a/1.txt' twice"):
        read(packed([("a/1.txt", b"one"), ("a/1.txt", b"other")]), "a/1.txt")


def test_missing_members_are_named():
    with pytest.raises(InputFileError, match=r"^a.tar.gz lacks 'a/2.txt' and 1 more$"):
        read(packed([("a/1.txt", b"one")]), "a/1.txt", "a/2.txt", "a/3.txt")
    with pytest.raises(InputFileError, match=r"^a.tar.gz lacks 'a/2.txt'$"):
        read(packed([("a/1.txt", b"one")]), "a/2.txt")


@pytest.mark.parametrize("size", [0, 1, 40, 200])
def test_half_an_archive_is_damaged(size):
    data = packed([("a/1.txt", bytes(range(256)) * 40)])
    assert len(data) > 300
    with pytest.raises(InputFileError, match=r"^a.tar.gz (is a damaged archive: |lacks)"):
        read(data[:size], "a/1.txt")


@pytest.mark.parametrize(
    "data", [b"no archive at all", gzip.compress(b"neither is this" * 100)], ids=["plain", "packed"]
)
def test_something_else_is_damaged(data):
    with pytest.raises(InputFileError, match=r"^a.tar.gz is a damaged archive: "):
        read(data, "a/1.txt")


def test_an_archive_within_an_archive():
    inner = packed([("b/x.txt", b"inside")])
    data = read(packed([("a/inner.tar.gz", inner)]), "a/inner.tar.gz")["a/inner.tar.gz"]
    assert read(data, "b/x.txt") == {"b/x.txt": b"inside"}
