"""Labelled texts out of every format, and what is said where something is wrong with them."""

import gzip
import json
import os
import time
from pathlib import Path

import numpy as np
import polars
import pytest

from regard.errors import CorpusError, InputFileError
from regard.text.corpora.corpus import Corpus, RatedText
from regard.text.corpora.sources import SOURCES
from regard.text.labelled import source as labelled
from regard.text.labelled.source import read_labelled, read_splits

DATA = Path(os.environ.get("REGARD_DATA") or Path(__file__).parents[5] / "shared" / "data")
needs_imdb = pytest.mark.skipif(
    not (DATA / "imdb.parquet").exists() and os.environ.get("CI") != "true",
    reason="needs imdb.parquet: set REGARD_DATA to a folder with it",
)
ROWS = [("A joy.", "pos"), ('He said "no",\ntwice.', "neg"), ("Fine; really", "pos")]
TEXTS = tuple(text for text, _ in ROWS)


def as_csv(path):
    path.write_text('Review,id,Sentiment\nA joy.,1,pos\n"He said ""no"",\ntwice.",2,neg\n\nFine; really,3,pos\n')


def as_semicolons(path):
    path.write_text('text;label\r\nA joy.;pos\r\n"He said ""no"",\r\ntwice.";neg\r\n"Fine; really";pos\r\n', newline="")


def as_tsv(path):
    path.write_text('sentence\tlabel\nA joy.\tpos\n"He said ""no"",\ntwice."\tneg\nFine; really\tpos\n')


def as_json(path):
    path.write_text("\n".join(json.dumps({"label": label, "text": text}) for text, label in ROWS))


def as_gzip(path):
    as_json(path)
    path.write_bytes(gzip.compress(path.read_bytes()))


def as_parquet(path):
    polars.DataFrame({"content": [text for text, _ in ROWS], "class": [label for _, label in ROWS]}).write_parquet(path)


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (as_csv, "x.csv"),
        (as_semicolons, "x.csv"),
        (as_tsv, "x.tsv"),
        (as_json, "x.jsonl"),
        (as_gzip, "x.jsonl.gz"),
        (as_parquet, "x.parquet"),
    ],
)
def test_every_format_gives_the_same(tmp_path, write, name):
    write(tmp_path / name)
    found = read_labelled(str(tmp_path / name))
    assert found.texts == TEXTS
    assert found.labels == ("negative", "positive")
    assert found.label_ids.tolist() == [1, 0, 1]


def test_tabs_need_no_quotes(tmp_path):
    (tmp_path / "x.tsv").write_text('text\tlabel\n"Bad" is the word\t0\n"so so\t1\n"all ""quoted"""\t1\n')
    assert read_labelled(str(tmp_path / "x.tsv")).texts == ('"Bad" is the word', '"so so', 'all "quoted"')


def test_a_long_text_is_read(tmp_path):
    (tmp_path / "x.csv").write_text(f"text,label\n{'long ' * 40_000},a\nshort,b\n")
    assert len(read_labelled(str(tmp_path / "x.csv")).texts[0]) == 200_000


def test_columns_can_be_chosen(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("text,title,label,stars\nlong,short,a,5\nlonger,shorter,b,1.5\n")
    found = read_labelled(str(path), text_column="title", label_column="stars")
    assert found.texts == ("short", "shorter")
    assert found.labels == ("1.5", "5")


@pytest.mark.parametrize("chosen", [None, "txt"])
def test_a_missing_column_is_told_with_those_there_are(tmp_path, chosen):
    path = tmp_path / "x.csv"
    path.write_text("words,label\nlong,a\n")
    with pytest.raises(
        InputFileError, match=r"no column .*names are 'words', 'label'; choose one of them with --text-column$"
    ):
        read_labelled(str(path), text_column=chosen)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "text,label\na,1\nb\n", "line 3: expected 2 columns as in the first line; got 1"),
        ("x.csv", 'text,label\na,1\n"b,0\nc,1\n', "line 3: unexpected end of data; is a quote left open"),
        ("x.csv", "", "x.csv is empty; expected text"),
        ("x.csv", "text,label\n", "has no texts; expected rows of text and label"),
        (
            "x.csv",
            "text,label\na,1\n ,0\n,0\n",
            "2 of 3 texts are empty, the first at .*x.csv, line 3; leave such rows",
        ),
        ("x.csv", "text,label\na,1\nb,\n", "1 of 2 texts has no label, the first at .*x.csv, line 3"),
        ("x.jsonl", '{"text": "a", "label": 1}\n{"text": ', "line 2: expected one JSON object a line"),
        ("x.jsonl", '{"text": ' + "9" * 5000 + "}", "line 1: expected one JSON object a line; .* 5000 digits"),
        ("x.jsonl", "[" * 100_000, "line 1: expected one JSON object a line; maximum recursion depth"),
        ("x.jsonl", '{"text": "a", "label": 1}\n[1]', r"line 2: expected a JSON object; got '\[1\]'"),
        ("x.jsonl", '{"text": "a", "label": 1}\n{"label": 1}', "1 of 2 texts is empty, the first at .*line 2"),
        ("x.jsonl", '{"text": 7, "label": 1}', "line 1: expected a text; got 7"),
        ("x.jsonl", '{"text": "a", "label": [1]}', r"line 1: expected one label, a word or a number; got \[1\]"),
        ("x.jsonl", "\n\n", "x.jsonl is empty; expected one JSON object a line"),
        ("x.parquet", "no table", "cannot be read as a Parquet table"),
        ("x.doc", "text", "expected labelled texts in a folder or in a file .csv, .tsv"),
    ],
)
def test_bad_files(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputFileError, match=message):
        read_labelled(str(tmp_path / name))


def test_measurements_are_no_labels(tmp_path):
    rows = "".join(f"text {i},{i / 7}\n" for i in range(50))
    (tmp_path / "x.csv").write_text(f"text,score\n{rows}")
    with pytest.raises(InputFileError, match="50 different labels in 50 texts"):
        read_labelled(str(tmp_path / "x.csv"))


def test_a_column_says_which_part_a_row_belongs_to(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("split,text,label\ntrain,a,0\ntest,b,1\nTrain,c,1\nvalidation,d,10\nunsup,e,0\n")
    found = read_splits(str(path))
    assert found.train.texts == ("a", "c", "d")
    assert found.train.labels == ("0", "1", "10")
    assert found.test is not None
    assert (found.test.texts, found.test.label_ids.tolist()) == (("b",), [1])
    assert len(read_labelled(str(path))) == 5
    assert read_labelled(str(path), split="test").texts == ("b",)


def test_validation_is_measured_on_where_there_is_no_test(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("split,text,label\ntrain,a,0\ntrain,c,1\ndev,d,1\n")
    found = read_splits(str(path))
    assert found.train.texts == ("a", "c")
    assert found.test is not None
    assert found.test.texts == ("d",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text,label\na,x\nb,x\n", r"has one class only, 'x' \(2 texts\); a classifier is trained on two or more"),
        ("split,text,label\ntrain,a,0\ntest,b,1\n", r"train has one class only, '0' \(1 texts\)"),
        (
            "split,text,label\ntrain,a,0\ntrain,a,1\ntest,b,yes\n",
            "test has labels that train does not have: 'yes'; train has '0', '1'",
        ),
        ("split,text,label\nfold 1,a,0\ntrain,b,1\n", "expected the parts train, test or valid; found 'fold 1' as"),
    ],
)
def test_parts_that_cannot_be_learnt_from(tmp_path, content, message):
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(InputFileError, match=message):
        read_splits(str(tmp_path / "x.csv"))


def test_a_part_that_is_not_there(tmp_path):
    (tmp_path / "x.csv").write_text("text,label\na,0\nb,1\n")
    with pytest.raises(CorpusError, match="has no part 'test'; it has 'train'"):
        read_labelled(str(tmp_path / "x.csv"), split="test")


def write_folder(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"text of {name}")


def test_a_folder_as_aclimdb_has_it(tmp_path):
    parts = ["train/neg/1.txt", "train/pos/1.txt", "train/pos/0.txt", "test/neg/7.txt", "train/unsup/3.txt"]
    write_folder(tmp_path, [*parts, "train/urls.txt", "train/pos/.hidden", "README"])
    found = read_splits(str(tmp_path))
    assert found.train.texts == tuple(f"text of train/{name}" for name in ("neg/1.txt", "pos/0.txt", "pos/1.txt"))
    assert (found.train.labels, found.train.label_ids.tolist()) == (("negative", "positive"), [0, 1, 1])
    assert found.test is not None
    assert found.test.labels == found.train.labels


def test_a_folder_of_labels(tmp_path):
    write_folder(tmp_path, ["spam/1", "ham/1", "ham/2"])
    found = read_splits(str(tmp_path))
    assert found.test is None
    assert (found.train.labels, found.train.label_ids.tolist()) == (("ham", "spam"), [0, 0, 1])


def test_a_folder_of_tables(tmp_path):
    (tmp_path / "train.csv").write_text("text,label\na,x\nb,y\n")
    (tmp_path / "test.csv").write_text("text,label\nc,y\n")
    found = read_splits(str(tmp_path))
    assert found.test is not None
    assert (found.train.texts, found.test.texts, found.test.label_ids.tolist()) == (("a", "b"), ("c",), [1])


def test_folders_without_texts(tmp_path):
    write_folder(tmp_path, ["a.txt"])
    with pytest.raises(InputFileError, match=r"a subfolder of text files for each label, .* found a\.txt$"):
        read_labelled(str(tmp_path))
    write_folder(tmp_path, ["pos/a.txt"])
    (tmp_path / "pos" / "b.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputFileError, match=r"b\.txt is not UTF-8: byte 0xe9 at offset 3; save it as UTF-8"):
        read_labelled(str(tmp_path))


def test_ratings_become_labels_by_their_sign(monkeypatch):
    corpus = Corpus("movie-snippets", "cache", source=SOURCES["movie-snippets"])
    corpus.__dict__["rated"] = tuple(RatedText(str(i), float(i % 11 - 5), f"text {i}") for i in range(1100))
    monkeypatch.setattr(labelled, "find_corpus", lambda name: corpus)
    whole = read_labelled("movie-snippets")
    assert len(whole) == 1000  # without those that are rated zero
    assert np.bincount(whole.label_ids).tolist() == [500, 500]
    assert whole.label_ids[whole.texts.index("text 0")] == whole.labels.index("negative")
    found = read_splits("movie-snippets")
    assert found.test is not None
    assert (len(found.train), len(found.test)) == (800, 200)
    assert not set(found.train.texts) & set(found.test.texts)


def test_running_text_has_no_labels():
    with pytest.raises(CorpusError, match="python-manual has no labels; movie-snippets and imdb have, or give a"):
        read_labelled("python-manual")
    with pytest.raises(CorpusError, match="no corpus of that name; did you mean 'movie-snippets'"):
        read_labelled("movie-snipets")


@needs_imdb
def test_imdb(monkeypatch, unchecked):
    monkeypatch.setenv("REGARD_DATA", str(DATA))
    start = time.process_time()
    found = read_splits("imdb")
    assert time.process_time() - start < 3  # 0.7 on one core
    assert found.test is not None
    for part in (found.train, found.test):
        assert part.labels == ("negative", "positive")
        assert np.bincount(part.label_ids).tolist() == [12_500, 12_500]
    assert found.train.texts[0].startswith("Story of a man who has unnatural feelings")
    assert found.train.label_ids[0] == 0


def test_parts_of_imdb_have_names(monkeypatch, tmp_path):
    """Of a small table in the place of the real one, which takes a second each time."""
    rows = [("train", 0, "Dull."), ("train", 1, "A joy."), ("test", 1, "Fine."), ("test", 0, "A bore.")]
    polars.DataFrame(rows, schema=["split", "label", "text"], orient="row").write_parquet(tmp_path / "imdb.parquet")
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    test = read_labelled("imdb/test")
    assert test.texts == ("Fine.", "A bore.")
    assert (test.labels, test.label_ids.tolist()) == (("negative", "positive"), [1, 0])
    assert read_labelled("imdb", split="test").texts == test.texts
    assert len(read_labelled("imdb")) == 4
