from dataclasses import replace

import numpy as np
import pytest

from regard.models.classifier.familiarity import MeasuredAccuracy, MeasuredPairs

MOSTLY = "for such texts 80–90 % confidence was right in 80 % of cases"


def measured() -> MeasuredAccuracy:
    """Endings of 4 and 16 words, whole texts of 50 to 1,000; everything 80 % right where 85 % were claimed."""
    answers = np.full((3, 4, 6), 100.0)
    return MeasuredAccuracy((50, 1000), 0.1, (4, 16), answers, answers * 0.8, answers * 0.85)


def told(n_words: int, unknown: float, confidence: float, table: MeasuredAccuracy | None = None):
    [found] = (table or measured()).describe(np.array([n_words]), np.array([unknown]), np.array([confidence]))
    return found


@pytest.mark.parametrize(
    ("n_words", "unknown", "confidence", "expected"),
    [(1, 0.0, 0.5, (0, 0, 0)), (7, 0.05, 0.6, (0, 1, 1)), (8, 0.2, 0.94, (1, 2, 4)), (49, 0.9, 0.95, (1, 3, 5)),
     (50, 0.0, 1.0, (2, 0, 5)), (9999, 0.0, 0.89, (2, 0, 3))],
)  # fmt: skip
def test_classes_by_hand(n_words: int, unknown: float, confidence: float, expected: tuple[int, int, int]) -> None:
    found = measured().classes(np.array([n_words]), np.array([unknown]), np.array([confidence]))
    assert tuple(int(each[0]) for each in found) == expected


def test_a_usual_text_has_no_warning() -> None:
    found = told(200, 0.1, 0.85)
    assert not found.warnings
    assert found.expected_accuracy == pytest.approx(0.85 - 5 / 110)  # 5 of 100 fewer than claimed, ten more as claimed


@pytest.mark.parametrize(
    ("n_words", "unknown", "warning"),
    [(12, 0.0, f"short (12 words; training texts had 50 to 1,000): {MOSTLY}"),
     (1, 0.0, f"short (1 word; training texts had 50 to 1,000): {MOSTLY}"),
     (12, 0.18, f"short (12 words; training texts had 50 to 1,000) and 18 % of its words are unknown: {MOSTLY}"),
     (200, 0.18, f"18 % of its words are unknown: {MOSTLY}"),
     (1001, 0.0, "long (1,001 words; training texts had 50 to 1,000)")],
)  # fmt: skip
def test_what_is_unusual_is_told_in_a_line(n_words: int, unknown: float, warning: str) -> None:
    assert told(n_words, unknown, 0.85).warnings == (warning,)


def test_few_answers_of_a_confidence_are_told_together_and_none_not_at_all() -> None:
    table = measured()
    table.answers[1, 0] = [10, 10, 10, 10, 10, 0]
    table.right[1, 0] = [6, 6, 6, 6, 6, 0]
    assert told(12, 0.0, 0.97, table).warnings[0].endswith(": such texts were labelled right in 60 % of cases")
    table.answers[1, 0] = 0
    assert told(12, 0.0, 0.97, table).warnings == ("short (12 words; training texts had 50 to 1,000)",)


def test_without_endings_every_text_is_in_one_class_of_length() -> None:
    one = np.full((1, 4, 6), 10.0)
    found = MeasuredAccuracy((3, 9), 0.1, (), one, one, one).classes(np.array([1, 5]), np.zeros(2), np.ones(2))
    assert found[0].tolist() == [0, 0]


def test_without_endings_nothing_is_said_about_what_short_texts_were_worth() -> None:
    many = np.full((1, 4, 6), 100.0)
    table = MeasuredAccuracy((3, 9), 0.1, (), many, many, many)
    assert told(1, 0.0, 0.85, table).warnings == ("short (1 word; training texts had 3 to 9)",)
    assert not told(1, 0.0, 0.85, table).is_measured
    assert told(5, 0.5, 0.85, table).is_measured


PAIRS_WORTH = "where at least {} % of pairs were unknown, 75 % mean confidence was right in 70 % of cases"


def with_pairs() -> MeasuredAccuracy:
    """As `measured`; whatever the share of unknown pairs, 75 % were claimed and 70 % right."""
    answers = np.full((3, 4), 200.0)
    pairs = MeasuredPairs(np.array([1, 0.6, 0.3]), answers, answers * 0.7, answers * 0.75)
    return replace(measured(), pairs=pairs)


@pytest.mark.parametrize(
    ("n_words", "unknown", "pair_share", "warnings"),
    [(200, 0.0, 0.3, ()),
     (200, 0.0, 0.41, (f"41 % of its word pairs are unknown: {PAIRS_WORTH.format(30)}",)),
     (12, 0.0, 0.6, (f"short (12 words; training texts had 50 to 1,000): {MOSTLY}",)),
     (12, 0.0, 0.7, ("short (12 words; training texts had 50 to 1,000) and 70 % of its word pairs are unknown: "
                     f"{MOSTLY}; {PAIRS_WORTH.format(50)}",))],
)  # fmt: skip
def test_pairs_are_unusual_by_the_length_of_their_text(n_words, unknown, pair_share, warnings) -> None:
    [found] = with_pairs().describe(
        np.array([n_words]), np.array([unknown]), np.array([0.85]), unknown_pairs=np.array([pair_share])
    )
    assert found.warnings == warnings
    assert found.has_many_unknown_pairs == any("pairs" in warning for warning in warnings)
    assert found.unknown_pair_share == pair_share
    assert found.unknown_pair_overconfidence == pytest.approx(0.05)


def test_few_answers_about_pairs_are_told_with_those_of_fewer_pairs_or_not_at_all() -> None:
    table = with_pairs()
    table.pairs.answers[2], table.pairs.right[2], table.pairs.claimed[2] = (
        [90, 40, 20, 5],
        [80, 30, 8, 2],
        [81, 32, 9, 3],
    )

    def told(share: float):
        [found] = table.describe(np.array([200]), np.zeros(1), np.array([0.85]), unknown_pairs=np.array([share]))
        return found

    [warning] = told(0.9).warnings
    assert warning.endswith(
        "where at least 15 % of pairs were unknown, 68 % mean confidence was right in 62 % of cases"
    )  # 44 and 40 of 65
    assert told(0.9).unknown_pair_overconfidence == pytest.approx(4 / 65)
    assert told(0.1).unknown_pair_overconfidence == pytest.approx(1 / 90)
    table.pairs.answers[2] = [90, 9, 9, 9]
    assert told(0.9).warnings == ("90 % of its word pairs are unknown",)
    assert told(0.9).unknown_pair_overconfidence is None
    assert not told(0.9).is_measured
    table.pairs.answers[2] = [26, 1, 1, 1]
    assert told(0.9).warnings == ()


def test_a_folder_keeps_the_pairs_and_an_older_one_does_without() -> None:
    table = with_pairs()
    again = MeasuredAccuracy.restore(table.config(), table.arrays())
    np.testing.assert_array_equal(again.pairs.claimed, table.pairs.claimed)
    older = MeasuredAccuracy.restore(measured().config(), measured().arrays())
    [found] = older.describe(np.array([200]), np.zeros(1), np.array([0.85]), unknown_pairs=np.array([0.9]))
    assert (found.unknown_pair_share, found.unknown_pair_overconfidence, found.warnings) == (0.9, None, ())
