"""Progress is told in shares of the whole, and whoever is told may stop the work."""

import pytest

from regard.progress import part, silent, track


def test_items_without_a_length_have_no_share():
    told = []
    items = list(
        track(iter("abc"), progress=lambda share, message="": told.append((share, message)), message="letters")
    )
    assert items == ["a", "b", "c"]
    assert told == [(None, "letters")] * 3 + [(1.0, "letters")]


def test_a_total_may_be_given():
    told = []
    list(track(iter("ab"), progress=lambda share, message="": told.append(share), message="", total=4))
    assert told == [0.0, 0.25, 1.0]


def test_no_items_are_done_at_once():
    told = []
    assert list(track([], progress=lambda share, message="": told.append(share), message="")) == []
    assert told == [1.0]


def test_whoever_is_told_may_stop_the_work():
    def stop(share, message=""):
        if share is not None and share >= 0.5:
            raise KeyboardInterrupt

    seen = []
    with pytest.raises(KeyboardInterrupt):
        seen.extend(track(range(4), progress=stop, message=""))
    assert seen == [0, 1]


def test_stages_are_stretches_of_the_whole():
    told = []
    stage = part(lambda share, message="": told.append((share, message)), 0.25, 0.75)
    stage(0.0, "begin")
    stage(None, "unknown")
    stage(1.0)
    assert told == [(0.25, "begin"), (None, "unknown"), (0.75, "")]


def test_silence_is_a_progress_too():
    assert silent(0.5, "anything") is None
