import numpy as np
import pytest
from tests.support.word_oracle import hash_of, words_of

from regard.errors import ValueRangeError
from regard.text.word_bags import WordBags, buckets, ngram_hashes, text_batches, word_bags, word_hash, word_hashes


def test_a_tag_does_not_reach_into_the_next_text():
    assert word_bags(["a <b", "c> d"]).offsets.tolist() == [0, 3, 6]


def test_an_apostrophe_does_not_join_two_texts():
    assert word_bags(["a'", "b"]).offsets.tolist() == [0, 2, 3]


@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100])
@pytest.mark.parametrize("before", range(9))
def test_hashes_of_words_of_any_length_at_any_place(length, before):
    word = ("abcdefghijklm" * 8)[:length]
    bags = word_bags([" " * before + word])
    assert bags.hashes.tolist() == [word_hash(word)] == [hash_of(word.encode())]


def test_top_bits_of_similar_words_spread():
    words = [f"{a}{b}{c}" for a in "abcdefghij" for b in "abcdefghij" for c in "abcdefghij"]
    hashes = word_hashes([*words, *(word + "1234567" for word in words), *("1234567" + word for word in words)])
    taken = len(np.unique(buckets(hashes, bits=12)))
    assert taken == pytest.approx(4096 * (1 - np.exp(-3000 / 4096)), abs=100)  # of 3,000 balls in 4,096 urns


def test_bags_of_many_texts_are_those_of_each():
    texts = ["Good. Don't!", "", "  ", "bad", "<br />", "é" * 40]
    bags = word_bags(texts)
    assert len(bags) == 6
    assert bags.offsets.tolist() == [0, 4, 4, 4, 5, 5, 6]
    assert bags.hashes.tolist() == [hash_of(word) for text in texts for word in words_of(text)]


def test_no_texts():
    bags = word_bags([])
    assert (len(bags), bags.hashes.tolist(), bags.offsets.tolist()) == (0, [], [0])
    assert ngram_hashes(bags, 3)[1].tolist() == [0]


def test_batches_hold_every_text_once(monkeypatch):
    monkeypatch.setattr("regard.text.word_bags._CHARACTERS_AT_ONCE", 10)
    texts = ["a" * n for n in (3, 12, 0, 9, 1, 1)]
    assert [[len(text) for text in part] for part in text_batches(texts)] == [[3, 12], [0, 9, 1], [1]]
    assert word_bags(texts).offsets.tolist() == [0, 1, 2, 2, 3, 4, 5]


def test_ngrams_stay_within_their_text():
    bags = WordBags(np.array([1, 2, 3, 4, 5, 6], np.uint64), np.array([0, 3, 3, 4, 6]))
    c = 0xC2B2AE3D27D4EB4F
    hashes, offsets = ngram_hashes(bags, 2)
    assert hashes.tolist() == [(a * c + b) % 2**64 for a, b in ((1, 2), (2, 3), (5, 6))]
    assert offsets.tolist() == [0, 2, 2, 2, 3]
    hashes, offsets = ngram_hashes(bags, 3)
    assert hashes.tolist() == [(c * c + 2 * c + 3) % 2**64]
    assert offsets.tolist() == [0, 1, 1, 1, 1]
    assert ngram_hashes(bags, 1)[0].tolist() == bags.hashes.tolist()
    assert ngram_hashes(bags, 9)[1].tolist() == [0, 0, 0, 0, 0]


def test_order_matters_to_an_ngram():
    pair, _ = ngram_hashes(word_bags(["not good", "good not"]), 2)
    assert pair[0] != pair[1]


def test_buckets_are_the_top_bits():
    hashes = np.array([0, 1 << 63, 2**64 - 1], np.uint64)
    assert buckets(hashes, bits=1).tolist() == [0, 1, 1]
    assert buckets(hashes, bits=20).tolist() == [0, 2**19, 2**20 - 1]
    assert buckets(hashes, bits=31).tolist() == [0, 2**30, 2**31 - 1]


def test_impossible_sizes_are_refused():
    bags = word_bags(["a"])
    with pytest.raises(ValueRangeError, match="an n-gram has at least one word; got n = 0"):
        ngram_hashes(bags, 0)
    for bits in (0, 32):
        with pytest.raises(
            ValueRangeError, match=f"bits must be from 1 to 31, for a table of 2 to 2³¹ rows; got {bits}"
        ):
            buckets(bags.hashes, bits=bits)
