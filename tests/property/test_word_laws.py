"""Words by passes over bytes are those of regular expressions, wherever a text stands among others."""

import itertools

from hypothesis import given, settings
from hypothesis.strategies import characters, lists, one_of, sampled_from, text
from tests.support.word_oracle import hash_of, words_of

from regard.text.word_bags import ngram_hashes, word_bags, word_hash, word_spans

PIECES = [
    "<br />",
    "<",
    ">",
    "/",
    "'",
    "’",
    "a",
    "Z",
    "don't",
    " ",
    "\n",
    "\x00",
    "İ",
    "ΑΣ",
    ".",
    "é",
    "😀",
    "\ud800",
    "x" * 9,
]
TEXTS = one_of(
    lists(sampled_from(PIECES), max_size=20).map("".join), text(characters(exclude_categories=()), max_size=30)
)


@given(texts=lists(TEXTS, max_size=5))
@settings(deadline=None, max_examples=60)
def test_hashes_are_those_of_the_words_one_by_one(texts):
    bags = word_bags(texts)
    words = [words_of(text) for text in texts]
    assert bags.hashes.tolist() == [hash_of(word) for text in words for word in text]
    assert [b - a for a, b in zip(bags.offsets[:-1], bags.offsets[1:], strict=True)] == [len(text) for text in words]


@given(text=TEXTS)
@settings(deadline=None, max_examples=60)
def test_each_word_alone_has_the_hash_it_has_in_its_text(text):
    starts, ends = word_spans(text)
    hashes = word_bags([text]).hashes
    assert [word_hash(text[a:b]) for a, b in zip(starts, ends, strict=True)] == hashes.tolist()


@given(texts=lists(TEXTS, max_size=5))
@settings(deadline=None, max_examples=30)
def test_ngrams_of_many_texts_are_those_of_each(texts):
    bags = word_bags(texts)
    for n in (1, 2, 3):
        hashes, offsets = ngram_hashes(bags, n)
        alone = [ngram_hashes(word_bags([text]), n)[0].tolist() for text in texts]
        assert [hashes[a:b].tolist() for a, b in itertools.pairwise(offsets)] == alone
