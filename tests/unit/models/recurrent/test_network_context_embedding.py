import numpy as np
import pytest
import torch

from regard.models.recurrent.network import ContextEmbedding, context_keys, longest_context

ABAB = np.array([0, 1, 0, 1, 2])  # vocab 3, base 4: digits 1 2 1 2 3
KEYS_ABAB = [0, 2 + 1 * 4]  # only "ab" is there twice


def embedding_by_hand():
    """Rows for "ab", "ba" and "aba" over the alphabet a b: base 3, digits 1 2."""
    keys = np.array([0, 2 + 1 * 3, 1 + 2 * 3, 1 + 2 * 3 + 1 * 9])
    embedding = ContextEmbedding(keys, vocab=2, length=3, width=2)
    with torch.no_grad():
        embedding.table.weight.copy_(torch.tensor([[0.0, 0], [1, 0], [0, 10], [100, 100]]))
    return embedding


def test_worked_by_hand():
    embedding = embedding_by_hand()
    vectors, last = embedding(torch.tensor([[0, 1, 0, 0]]), embedding.no_history(1))
    #        a: nothing before   ab          ba and aba   aa, baa: unseen
    assert vectors.tolist() == [[[0, 0], [1, 0], [100, 110], [0, 0]]]
    assert last.tolist() == [[0, 0]]


def test_what_was_read_before_counts():
    embedding = embedding_by_hand()
    ids = torch.tensor([[0, 1, 0, 1, 1], [1, 0, 1, 0, 0]])
    whole, last = embedding(ids, embedding.no_history(2))
    earlier, parts = embedding.no_history(2), []
    for piece in ids.split(1, dim=1):
        part, earlier = embedding(piece, earlier)
        parts.append(part)
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, rtol=0, atol=0)
    assert last.tolist() == earlier.tolist() == [[1, 1], [0, 0]]


def test_an_id_that_was_not_read_is_no_part_of_an_ngram():
    """After "ab" alone there is no 3-gram yet: its key must not be taken for that of the 2-gram."""
    embedding = embedding_by_hand()
    rows = embedding.rows(torch.tensor([[-1, 0, 1]]), n_positions=1)
    assert rows.tolist() == [[[1, 0]]]


def test_keys_of_ngrams_seen_twice():
    np.testing.assert_array_equal(context_keys(ABAB, vocab=3, contexts=3), KEYS_ABAB)
    found = context_keys(ABAB, vocab=3, contexts=3, least=1)
    digits = ABAB + 1
    expected = {0}
    for n in (2, 3):
        for end in range(n, len(digits) + 1):
            expected.add(sum(int(d) * 4**i for i, d in enumerate(digits[end - n : end][::-1])))
    assert found.tolist() == sorted(expected)


def test_the_most_frequent_are_kept_where_there_are_too_many():
    ids = np.array([0, 0, 0, 0, 1, 2, 1, 2, 2])  # 00 three times, 12 and 000 twice
    assert context_keys(ids, vocab=3, contexts=3, most=1).tolist() == [0, 1 + 4]
    assert context_keys(ids, vocab=3, contexts=3, most=2).tolist() == [0, 1 + 4, 3 + 2 * 4]
    assert context_keys(ids, vocab=3, contexts=3).tolist() == [0, 1 + 4, 3 + 2 * 4, 1 + 4 + 16]


@pytest.mark.parametrize("n_ids", [0, 1, 2, 3])
def test_texts_shorter_than_an_ngram(n_ids):
    assert context_keys(np.zeros(n_ids, np.int64), vocab=1, contexts=6).tolist()[:1] == [0]


def test_no_ngram_at_all_gives_zeros():
    embedding = ContextEmbedding(np.zeros(1, np.int64), vocab=5, length=4, width=3)
    vectors, _ = embedding(torch.tensor([[1, 2, 3, 4]]), embedding.no_history(1))
    assert not vectors.any()


def test_only_rows_that_were_read_have_a_gradient_and_row_0_never():
    embedding = embedding_by_hand()
    vectors, _ = embedding(torch.tensor([[0, 1, 1]]), embedding.no_history(1))
    vectors.sum().backward()
    gradient = embedding.table.weight.grad
    assert gradient.is_sparse
    assert gradient.to_dense().tolist() == [[0, 0], [1, 1], [0, 0], [0, 0]]
    assert embedding.table.weight[0].tolist() == [0, 0]


def test_a_new_table_is_small_but_for_row_0():
    weight = ContextEmbedding(np.arange(50), vocab=9, length=3, width=40).table.weight
    assert not weight[0].any()
    assert 0.015 < weight[1:].std() < 0.025


@pytest.mark.parametrize("vocab", [2, 66, 256, 6_000, 2**31])
def test_keys_never_overflow(vocab):
    """The largest key of the longest n-gram is exact, and one longer would not be."""
    length = longest_context(vocab, 100)
    assert longest_context(vocab, 1) == 1
    assert (vocab + 1) ** length <= 2**63 < (vocab + 1) ** (length + 1)
    ids = np.full(2 * length, vocab - 1)
    keys = context_keys(ids, vocab=vocab, contexts=100)
    assert int(keys[-1]) == sum(vocab * (vocab + 1) ** i for i in range(length)) or length < 2
    embedding = ContextEmbedding(keys, vocab=vocab, length=100, width=1)
    assert embedding.length == length
    rows = embedding.rows(torch.full((1, length), vocab - 1), n_positions=1)
    assert rows.flatten().tolist() == list(range(1, length))
