"""Words as tokens: cases worked by hand, words that are hard to look up, the Penn Treebank's known sizes."""

import functools
import gzip
import os
from pathlib import Path

import numpy as np
import pytest

import regard.text.tokenise.words
from regard.text.tokenise.layout import blocks
from regard.text.tokenise.tokens import count_words
from regard.text.tokenise.words import WordTokeniser

DATA = Path(os.environ.get("REGARD_DATA", Path(__file__).parents[5] / "shared" / "data"))
SOME_WORDS = WordTokeniser(["<unk>", "</s>", "the", "cat", "sat"])


def words_and_spans(tokeniser, text):
    tokens = tokeniser.encode(text)
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    return [(tokeniser.vocabulary[i], text[a:b]) for i, (a, b) in zip(tokens.ids.tolist(), spans, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("the cat", [("the", "the "), ("cat", "cat"), ("</s>", "")]),
        ("the cat\n", [("the", "the "), ("cat", "cat"), ("</s>", "\n")]),
        ("\n", [("</s>", "\n")]),
        (" \t", [("</s>", " \t")]),
        ("\n the", [("the", "\n the"), ("</s>", "")]),
        ("the \r\n\n  cat", [("the", "the "), ("</s>", "\r\n\n  "), ("cat", "cat"), ("</s>", "")]),
        ("the\u2028cat\x85", [("the", "the\u2028"), ("cat", "cat\x85"), ("</s>", "")]),
        ("the\u3000dog\n", [("the", "the\u3000"), ("<unk>", "dog"), ("</s>", "\n")]),
        ("<unk> </s>\rsat", [("<unk>", "<unk> "), ("<unk>", "</s>"), ("</s>", "\r"), ("sat", "sat"), ("</s>", "")]),
        ("cat\0 cat", [("<unk>", "cat\0 "), ("cat", "cat"), ("</s>", "")]),
    ],
)
def test_words_and_the_characters_they_cover(text, expected):
    assert words_and_spans(SOME_WORDS, text) == expected


def test_blocks_leave_no_seam(monkeypatch):
    text = "the cat\n\n sat  the\r\nextraordinarily-long-word cat \n\n\nsat"
    whole = words_and_spans(SOME_WORDS, text)
    for size in range(1, 30):
        monkeypatch.setattr(regard.text.tokenise.words, "blocks", functools.partial(blocks, size=size))
        assert words_and_spans(SOME_WORDS, text) == whole


def test_what_words_say():
    text = "  the  Dog\n\nsat"
    tokens = SOME_WORDS.encode(text)
    assert SOME_WORDS.pieces(text, tokens) == ["the ", "Dog", "\n", "sat", "\n"]
    assert SOME_WORDS.decode(tokens.ids) == "the <unk>\nsat\n"
    assert SOME_WORDS.decode(tokens.ids[:2]) == "the <unk>"
    assert SOME_WORDS.decode(tokens.ids[:0]) == ""


def test_words_of_every_length_and_alphabet_are_found():
    """Up to 8 and 16 characters, and beyond, are looked up in different ways; so are rare characters."""
    rare = [chr(0x4E00 + i) * 2 for i in range(200)]
    words = [*("ab" * n for n in range(1, 20)), *("b" * n for n in range(1, 40)), "naïve", "слово", "😀", "a\0", *rare]
    tokeniser = WordTokeniser(["<unk>", "</s>", *words])
    for order in (words, words[::-1], [*words, *["ab"] * 2000]):
        assert tokeniser.decode(tokeniser.encode(" ".join(order)).ids) == " ".join(order) + "\n"
    assert tokeniser.encode("b" * 40 + " naive a ca").ids.tolist() == [0, 0, 0, 0, 1]


def test_words_that_begin_alike_are_told_apart():
    known, unknown = ([f"counting{n:04}" for n in numbers] for numbers in (range(0, 4000, 2), range(1, 4000, 2)))
    ids = WordTokeniser(["<unk>", "</s>", *known]).encode(" ".join([*known, *unknown])).ids
    assert ids.tolist() == [*range(2, 2002), *[0] * 2000, 1]


def test_the_penn_treebank_has_its_known_sizes():
    folder = DATA / "ptb"
    if not folder.is_dir() and os.environ.get("CI") != "true":
        pytest.skip(f"needs the Penn Treebank in {folder}; set REGARD_DATA")
    files = {name: folder / f"ptb.{name}.txt.gz" for name in ("train", "valid", "test")}
    texts = {name: gzip.decompress(path.read_bytes()).decode() for name, path in files.items()}
    tokeniser = WordTokeniser.fit(texts["train"], size=2000)
    assert len(tokeniser.vocabulary) == 2000
    assert tokeniser.vocabulary[:5] == ("<unk>", "</s>", "the", "N", "of")
    lengths = {name: len(tokeniser.encode(text)) for name, text in texts.items()}
    assert lengths == {"train": 929_589, "valid": 73_760, "test": 82_430}
    words = texts["valid"].split()
    known = set(tokeniser.vocabulary[2:])
    ids = tokeniser.encode(texts["valid"]).ids
    assert (ids == 0).sum() == sum(word not in known for word in words)
    assert (ids == 1).sum() == texts["valid"].count("\n")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_a_text_in_chunks_has_the_ids_of_the_whole(size):
    text = "the cat\n\n sat the\r\ncat sat \n"
    chunks = [text[start : start + size] for start in range(0, len(text), size)]
    ids = np.concatenate(list(SOME_WORDS.stream(chunks)))
    assert ids.tolist() == SOME_WORDS.encode(text).ids.tolist() == [2, 3, 1, 4, 2, 1, 3, 4, 1]


def test_a_vocabulary_is_fitted_to_a_text_or_to_its_counts():
    text = "to be or not to be"
    assert WordTokeniser.fit(text).vocabulary == ("<unk>", "</s>", "to", "be")
    assert WordTokeniser.fit_counts(count_words([text]), size=3).vocabulary == ("<unk>", "</s>", "to")
