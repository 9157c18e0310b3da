import math
import re

import numpy as np
import pytest

from regard.errors import ValueRangeError
from regard.studies import one_vs_many as study


def test_the_classic_rows():
    table = study.run(study.Config(scales=(10.0,), isotropic=0.0))
    assert table.column("design") == ["one pull head", "one push head", "2 pull heads"]
    pull, push, heads = table.records()
    assert pull["variance"] / heads["variance"] == pytest.approx(15.393, abs=5e-4)
    assert push["variance"] == 0
    assert heads["failure"] == pytest.approx(0.1349, abs=5e-5)
    assert pull["method"] == "logistic-normal"
    assert table.notes[0] == "one pull head has the smaller error below C = 2.173737, 2 heads above"


@pytest.mark.parametrize(("n", "scale"), [(4, 1.374851), (100, 3.823898)])
def test_where_one_head_stops_being_better(n, scale):
    assert study.find_crossing(study.Config(n_keys=n, isotropic=0.0)) == pytest.approx(scale, abs=1e-6)


def test_sampled_figures_stand_beside_the_exact_ones():
    table = study.run(study.Config(n_keys=4, scales=(3.0,), n_draws=40_000))
    for row in table.records():
        assert row["sampled_variance"] == pytest.approx(row["variance"], rel=0.05, abs=1e-4)
        assert row["sampled_mean_squared_error"] == pytest.approx(row["mean_squared_error"], rel=0.05, abs=1e-4)


def test_more_heads_than_two_and_noise_on_all():
    table = study.run(study.Config(n_keys=6, wanted=4, scales=(8.0,), isotropic=0.0, all_noisy=True))
    assert table.records()[2]["design"] == "4 pull heads"
    assert table.records()[0]["variance"] > table.records()[2]["variance"]


def test_four_targets_tend_to_the_printed_limits():
    config = study.Config(n_keys=10, wanted=4, isotropic=0.0)
    pull, _, heads = (study.output_law_of(config, design, 3e4).variance for design in study.designs(config))
    assert pull == pytest.approx(1 / 3, abs=1e-3)
    assert heads == pytest.approx(0.005032, abs=2e-5)


def test_impossible_exercises_are_refused():
    with pytest.raises(ValueRangeError, match="fewer than all; got 5 of 5"):
        study.Config(n_keys=5, wanted=5)
    with pytest.raises(ValueRangeError, match="scales must be positive"):
        study.Config(scales=(0.0,))


def test_csv_keeps_every_digit():
    table = study.run(study.Config(n_keys=3, scales=(1.0,), isotropic=0.0))
    header, first, *_ = table.as_csv().splitlines()
    assert header.startswith("scale,design,wanted_share,variance")
    assert float(first.split(",")[3]) == table.rows[0][3]


def test_the_key_that_varies_in_length_keeps_its_direction():
    draws = study.draw_keys(study.Config(radial=0.5, isotropic=0.0), n_draws=4000)
    assert (draws[:, 1] == 0).all()
    assert draws[:, 0].mean() == pytest.approx(1, abs=0.05)
    assert draws[:, 0].var() == pytest.approx(0.5, rel=0.1)  # ½ is a variance


def test_densities_are_densities():
    config = study.Config(n_keys=3)
    cloud = study.sample_clouds(config, 5.0, n_draws=10)[0]
    logit = np.log(cloud.weights / (1 - cloud.weights))
    mass = np.trapezoid(cloud.density * cloud.weights * (1 - cloud.weights), logit)
    assert mass == pytest.approx(1, abs=0.02)
    assert math.isclose(cloud.shares.sum(), 10)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_keys": 100_000}, "this study takes at most 1,000 keys; got 100,000"),
        ({"scales": (1e200,)}, "scales must be positive numbers up to 1e+12; got (1e+200,)"),
        ({"scales": (math.nan,)}, "scales must be positive numbers up to 1e+12; got (nan,)"),
        ({"radial": math.inf}, "radial must be a variance from 0 to 1e+12; got inf"),
        ({"isotropic": math.nan}, "isotropic must be a variance from 0 to 1e+12; got nan"),
        ({"n_draws": 10**12}, "the number of draws must be from 0 to 10,000,000 for 10 keys; got 1,000,000,000,000"),
    ],
)
def test_sizes_beyond_what_can_be_computed_are_refused(settings, message):
    with pytest.raises(ValueRangeError, match=f"^{re.escape(message)}$"):
        study.Config(**settings)
