"""What each query reads, with weights that can be worked out by hand."""

import numpy as np
import pytest

from regard.errors import ShapeError
from regard.studies.attention import summary
from regard.studies.attention.summary import AttentionInput, combine_masks, read_mean_keys

KEYS = np.eye(3)
QUERIES = np.array([[np.log(2), 0, 0], [0, 0, 20.0]])
VALUES = np.array([[4.0], [8.0], [0.0]])


def test_a_query_is_summed_up_by_its_strongest_keys():
    spread, copying = AttentionInput(QUERIES, KEYS, VALUES).summaries(n_top=2)
    # Weights 1/2, 1/4, 1/4: entropy ½ ln 2 + ½ ln 4 = 1.5 ln 2, output 4/2 + 8/4 = 4.
    assert (spread.query, spread.copies, spread.top_keys) == (0, None, [0, 1])
    assert spread.top_weights == pytest.approx([0.5, 0.25])
    assert spread.entropy_nats == pytest.approx(1.5 * np.log(2))
    assert spread.effective_count == pytest.approx(2**1.5)
    assert spread.output == pytest.approx([4.0])
    assert (copying.query, copying.copies, copying.top_keys[0]) == (1, 2, 2)
    assert copying.output == pytest.approx([0.0], abs=1e-6)


def test_without_values_there_is_no_output():
    given = AttentionInput(QUERIES, KEYS)
    assert given.output() is None
    assert [each.output for each in given.summaries(n_top=1)] == [None, None]


def test_the_scale_multiplies_the_scores():
    np.testing.assert_allclose(AttentionInput(QUERIES[:1], KEYS, scale=2.0).weights(), [[4 / 6, 1 / 6, 1 / 6]])


def test_blocks_of_queries_give_what_all_at_once_do(monkeypatch):
    rng = np.random.default_rng(0)
    allowed = np.tri(5, 3, dtype=bool)
    given = AttentionInput(rng.normal(size=(5, 3)), KEYS, VALUES, allowed=allowed)
    whole = list(given.summaries(n_top=1))
    monkeypatch.setattr(summary, "WEIGHTS_AT_ONCE", 6)  # two queries at a time
    pieces = list(given.summaries(n_top=1))
    assert [each.query for each in pieces] == [0, 1, 2, 3, 4]
    assert [each.top_keys for each in pieces] == [each.top_keys for each in whole]
    for piece, one in zip(pieces, whole, strict=True):
        assert (piece.entropy_nats, piece.output) == (pytest.approx(one.entropy_nats), pytest.approx(one.output))
    assert whole[0].copies == 0  # the only key that the first query may read


def test_both_masks_must_allow_a_key():
    queries = np.zeros((3, 3))
    assert combine_masks(queries, KEYS, allowed=None, causal=False) is None
    one_row = np.array([True, False, True])
    assert combine_masks(queries, KEYS, allowed=one_row, causal=False).tolist() == [one_row.tolist()] * 3
    assert combine_masks(queries, KEYS, allowed=one_row, causal=True).tolist() == [
        [True, False, False],
        [True, False, False],
        [True, False, True],
    ]
    with pytest.raises(ShapeError, match=r"allowed needs the shape \(3, 3\), query × key, or \(3,\); got \(2,\)"):
        combine_masks(queries, KEYS, allowed=np.ones(2, bool), causal=True)


def test_keys_are_read_from_an_array_or_a_description(tmp_path):
    np.save(tmp_path / "keys.npy", KEYS)
    plain = read_mean_keys(str(tmp_path / "keys.npy"))
    np.testing.assert_array_equal(plain.rows, KEYS)
    assert (plain.values, plain.is_noisy) == (None, False)
    described = tmp_path / "keys.toml"
    described.write_text("[keys]\nmean = [[1.0, 0.0], [0.0, 2.0]]\n[noise]\nisotropic = 0.1\n", encoding="utf-8")
    noisy = read_mean_keys(str(described))
    assert (noisy.rows.tolist(), noisy.is_noisy) == ([[1.0, 0.0], [0.0, 2.0]], True)
