"""A training text is recognised, and only it."""

import hashlib

import numpy as np
import pytest

from regard.models.background import STRIDE, WINDOW, digest, window_hashes
from regard.text.corpora.reader import cut

ALPHABET = np.array(list("abcdefghijklmnopqrstuvwxyz      "))


def random_text(seed: int, n: int) -> str:
    return "x".join("".join(np.random.default_rng(seed).choice(ALPHABET, n)).split(" "))


TRAINING = random_text(1, 3000)
OTHER = random_text(2, 2000)


def test_a_shared_stretch_is_found_wherever_it_begins() -> None:
    length = WINDOW + STRIDE - 1  # the shortest that is sure to hold a whole window
    known = digest(TRAINING)
    for start in range(100, 100 + 2 * STRIDE):
        seen = known.mark_seen(OTHER[:500] + TRAINING[start : start + length] + OTHER[500:])
        assert seen[500 : 500 + length].sum() >= WINDOW
        # at either edge a few more characters may agree by chance
        assert not seen[:490].any()
        assert not seen[510 + length :].any()


def test_nothing_shared_nothing_seen() -> None:
    assert not digest(TRAINING).mark_seen(OTHER).any()
    assert not digest(TRAINING).mark_seen("").any()
    assert not digest(TRAINING).mark_seen(TRAINING[: WINDOW - 1]).any()
    assert len(digest("short").hashes) == 0


def test_case_and_line_ends_do_not_hide_it() -> None:
    text = " ".join(random_text(seed, 60) for seed in range(20))
    seen = digest(text).mark_seen(text.upper().replace(" ", "\n \n"))
    assert seen.mean() > 0.9


def test_letters_that_grow_in_lower_case_keep_their_places() -> None:
    text = "İ" * 5 + TRAINING[:300]
    seen = digest(TRAINING).mark_seen(text)
    assert len(seen) == 305
    assert not seen[:5].any()
    assert seen[40:270].all()


def test_hashes_are_the_polynomial_of_each_window() -> None:
    codes = np.arange(7, 7 + WINDOW + 3).astype(np.uint64)
    base, mask = 0x9E3779B97F4A7C15, 2**64 - 1
    for k, found in enumerate(window_hashes(codes)):
        total = sum(int(codes[k + j]) * pow(base, j, 2**64) for j in range(WINDOW)) & mask
        assert int(found) == ((total ^ (total >> 29)) * 0xBF58476D1CE4E5B9) & mask


def test_the_digest_says_how_long_the_text_was_and_its_checksum() -> None:
    found = digest(TRAINING)
    assert found.n_characters == len(TRAINING)
    assert found.sha256 == hashlib.sha256(TRAINING.encode()).hexdigest()
    assert abs(len(found.hashes) - len(TRAINING) / STRIDE) < 5


def test_pieces_give_the_same_digest_as_the_whole() -> None:
    words = " ".join(random_text(seed, 40) for seed in range(60)).replace("xx", " \n ")
    whole = digest(words)
    for size in (50, 97, 1000, 10_000):
        pieces = list(cut(iter([words]), size))
        assert len(pieces) > 1 or size > len(words)
        found = digest(iter(pieces))
        assert (found.sha256, found.n_characters, found.stride) == (whole.sha256, whole.n_characters, whole.stride)
        np.testing.assert_array_equal(found.hashes, whole.hashes)


def test_a_very_long_text_gets_a_wider_stride(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.models.background.MAX_HASHES", 50)
    wide = digest(TRAINING)
    assert wide.stride == 64
    assert len(wide.hashes) <= 50
    np.testing.assert_array_equal(wide.hashes, digest(cut(iter([TRAINING]), 100)).hashes)
    assert wide.mark_seen(TRAINING[500:700]).sum() >= 2 * WINDOW
