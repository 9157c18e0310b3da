"""The plan for a long text: arithmetic on measured figures, against the same by hand."""

import pytest

from regard import study
from regard.errors import DTypeError, ValueRangeError
from regard.studies.scale import (
    MEASURED,
    Config,
    count_ngrams,
    find_limits,
    needed_disk,
    parse_size,
    plan_scale,
    suffix_bytes,
)


def test_the_plan_is_the_measured_figures_times_the_size():
    table = plan_scale(Config(text=2e9, workers=4, price=0.1))
    stages = {row["stage"]: row for row in table.records()}
    sorting = stages["cut into tokens, sort n-grams, send them"]
    assert sorting["cpu_hours"] == pytest.approx(2 * MEASURED["sort_seconds"].value / 3600)
    assert sorting["hours"] == pytest.approx(sorting["cpu_hours"] / 4)
    totals = table.config["totals"]
    assert totals["price"] == pytest.approx(0.1 * sum(row["cpu_hours"] for row in stages.values()))
    assert totals["ngrams"] == pytest.approx(161.4e6 * 2**0.88)
    assert all(measured["source"] for measured in table.config["measured"].values())
    assert "4 workers" in table.title


def test_a_slow_network_is_waited_for():
    stage = plan_scale(Config(text=1e9, workers=16, network_rate=1e6)).records()[1]
    assert stage["hours"] == pytest.approx(1e9 * MEASURED["sent_bytes"].value / 1e6 / 3600)


def test_look_ups_grow_as_the_ngrams_do():
    """Order 3: ten numbers of eight bytes; order 2: eight."""
    assert suffix_bytes(1e9) == pytest.approx(161.4e6 * 8 * (10 * 0.725 + 8 * 0.275))
    assert suffix_bytes(1e12) / suffix_bytes(1e9) == pytest.approx(1000**0.88)
    stage = plan_scale(Config(text=1e9, disk_rate=1e8)).records()[3]
    assert stage["hours"] - stage["cpu_hours"] == pytest.approx(suffix_bytes(1e9) / 1e8 / 3600)


def test_the_first_limit_is_the_smallest_and_is_one():
    config = Config(memory=8e9)
    limits = find_limits(config)
    assert limits == sorted(limits, key=lambda limit: limit[1])
    assert limits[0][0] == "the model no longer fits into memory"
    size = limits[0][1]
    assert 50 * count_ngrams(size) >= 8e9 >= 50 * count_ngrams(size / 1.01)
    assert dict(find_limits(Config(disk=1e9)))["the disk is full"] == pytest.approx(1.5e8, rel=0.2)
    assert needed_disk(1e8) == pytest.approx(733e6, rel=0.02)
    assert needed_disk(12e9) / count_ngrams(12e9) == 44  # more positions than four bytes can count
    assert needed_disk(11e9) / count_ngrams(11e9) == pytest.approx(34.6)


def test_a_plan_agrees_with_the_run_it_comes_from():
    cpu_hours = sum(plan_scale(Config(text=1e9, workers=1)).column("cpu_hours"))
    assert cpu_hours * 3600 == pytest.approx(279, rel=0.1)


@pytest.mark.parametrize(("text", "size"), [("1TB", 1e12), ("2.5 gb", 2.5e9), ("10KB", 1e4)])
def test_sizes_are_read(text, size):
    assert parse_size(text) == size


def test_what_is_no_size_or_number_is_refused():
    assert all(parse_size(text) != parse_size(text) for text in ("", "10", "TB", "1.2.3GB", "-1GB"))
    with pytest.raises(ValueRangeError, match=r"^workers is a positive number; got 0$"):
        study.scale(workers=0)


@pytest.mark.parametrize("value", ["1TB", None, 1j, [1.0]])
def test_settings_are_numbers(value, unchecked):
    with pytest.raises(DTypeError, match="text must be a number"):
        Config(text=value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), pytest.param(10**400, id="10^400"), 1e155, -1.0, 0.0])
def test_no_text_is_endless(value):
    with pytest.raises(ValueRangeError, match="text is "):
        Config(text=value)
