"""Exact laws under noisy keys in the page agree with Python: moments, outputs of several heads, the law of one weight.

Cases in which Python answers in about a millisecond come by the hundreds; where it takes up to a second (two heads that
share noise, the law of one weight among several noisy ones) there are fewer, with many numbers each.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from regard.noise import GaussianKeys, isotropic, output_law, radial
from regard.noise.moments import head_moments
from regard.noise.one_weight.distribution import density_curve, weight_exceeds, weight_exceeds_each

pytestmark = pytest.mark.usefixtures("unchecked")  # annotations are checked where Python itself is tested
AGREE = 1e-9


def random_logits(rng, kind):
    """Means and standard deviations of every size: one noisy, some certain, all alike, one very wide, far apart."""
    n = int(rng.integers(2, 7))
    mean = rng.normal(size=n) * 10 ** rng.uniform(-1, 1.5)
    sd = np.abs(rng.normal(size=n)) * 10 ** rng.uniform(-2, 1.5)
    if kind == "one":
        sd[1:] = 0
    if kind == "some certain":
        sd[rng.random(n) < 0.6] = 0
    if kind == "alike":
        mean[:], sd[:] = mean[0], sd[0]
    if kind == "one wide":
        sd[0] *= 100
    if kind == "saturated":
        mean *= 20
    return mean, sd


KINDS = {"any": 80, "one": 600, "some certain": 120, "alike": 100, "one wide": 50, "saturated": 60}


@pytest.mark.parametrize("kind", KINDS)
def test_moments_of_weights(engine, kind):
    rng = np.random.default_rng(sorted(KINDS).index(kind))
    cases = [random_logits(rng, kind) for _ in range(KINDS[kind])]
    answers = engine.map("moments", "weightMoments", [[mean.tolist(), sd.tolist()] for mean, sd in cases])
    for (mean, sd), answer in zip(cases, answers, strict=True):
        expected = head_moments(mean, sd, np.eye(len(mean)))
        off = [
            np.abs(answer["mean"] - expected.weight_mean).max(),
            np.abs(answer["square"] - expected.weight_square).max(),
            np.abs(answer["covariance"] - expected.output_covariance).max(),
        ]
        assert max(off) < 1e-10
        assert max(off) < answer["error"] + 4 * expected.error


def noisy_plane(rng, *, n_heads):
    n = int(rng.integers(2, 6))
    keys, queries = rng.normal(size=(n, 2)), rng.normal(size=(n_heads, 2)) * 10 ** rng.uniform(-0.5, 0.6)
    return keys, queries, rng.normal(size=(n, 3))


def compare_laws(engine, cases):
    cases = [(given, law) for given, law in cases if "sampling" not in law.method]  # where Python gives up exactness
    answers = engine.map("noise", "outputLaw", [[given] for given, _ in cases])
    for (given, expected), answer in zip(cases, answers, strict=True):
        assert "refused" not in answer, answer
        size = float(np.ptp(given["values"], axis=0).max())
        off = (
            np.abs(np.array(answer["mean"]) - expected.mean).max(),
            np.abs(answer["covariance"] - expected.covariance).max(),
        )
        assert max(off) < AGREE * max(1, size**2), given
        assert off[1] <= (answer["error"] * size**2 + expected.error) * 2
        assert answer["variance"] == pytest.approx(expected.variance, abs=3 * AGREE * size**2)


def law_case(keys, queries, values, *, radials, isotropic_, together=0.0):
    given = {
        "keys": keys.tolist(), "queries": queries.tolist(), "values": values.tolist(), "radial": radials.tolist(),
        "isotropic": isotropic_, "together": together,
    }  # fmt: skip
    shared = np.sqrt(together) * keys[None] if together else None
    noise = GaussianKeys(keys, isotropic(isotropic_) + radial(radials), shared=shared)
    return given, output_law(noise, values, queries)


def test_outputs_of_one_head(engine):
    rng = np.random.default_rng(20)
    cases = []
    for _ in range(150):
        keys, queries, values = noisy_plane(rng, n_heads=1)
        radials = np.where(rng.random(len(keys)) < 0.5, 0, rng.uniform(0, 1, len(keys)))
        cases.append(
            law_case(keys, queries, values, radials=radials, isotropic_=float(rng.choice([0, 1e-4, 1e-2, 0.1])))
        )
    compare_laws(engine, cases)


def test_outputs_where_lengths_vary_together(engine):
    rng = np.random.default_rng(21)
    cases = []
    for place in range(40):
        keys, queries, values = noisy_plane(rng, n_heads=1 + place % 3)
        none = np.zeros(len(keys))
        cases.append(law_case(keys, queries, values, radials=none, isotropic_=0.0, together=float(rng.uniform(0, 1))))
    compare_laws(engine, cases)


def test_outputs_of_two_heads_that_share_noise(engine):
    rng = np.random.default_rng(22)
    cases = []
    for _ in range(12):
        keys, queries, values = noisy_plane(rng, n_heads=2)
        radials = np.where(rng.random(len(keys)) < 0.5, 0, rng.uniform(0, 0.5, len(keys)))
        cases.append(law_case(keys, queries, values, radials=radials, isotropic_=float(rng.choice([1e-4, 1e-2, 0.1]))))
    compare_laws(engine, cases)


def test_heads_that_are_orthogonal_or_the_same(engine):
    rng, axes = np.random.default_rng(23), np.eye(5)
    radials = np.array([0.5, 0, 0, 0, 0])
    cases = []
    for _ in range(60):
        queries = float(10 ** rng.uniform(-0.5, 2)) * axes[:2]
        cases.append(law_case(axes, queries, axes, radials=radials, isotropic_=1e-4))
        cases.append(law_case(axes, np.stack([queries[0] + queries[1]] * 2), axes, radials=radials, isotropic_=1e-4))
    compare_laws(engine, cases)


def ask_weight_laws(engine, cases, at):
    script = """async ([cases, at]) => {
        const {weightLaw} = await import('/weight_law.js');
        return cases.map(([mean, sd, key]) => {
            const law = weightLaw(mean, sd, key);
            const {method, error, peak} = law;
            return {above: at.map(law.above), density: at.map(law.density), method, error, peak,
                quantile: law.quantile(0.3), flips: law.flips(0.9)};
        });
    }"""
    return engine.run(script, [[[mean.tolist(), sd.tolist(), key] for mean, sd, key in cases], at])


def compare_weight_laws(engine, cases):
    at = [0.02, 0.3, 0.5, 0.7, 0.9]
    answers = ask_weight_laws(engine, cases, at)
    n_exact, rng = 0, np.random.default_rng(0)
    for (mean, sd, key), answer in zip(cases, answers, strict=True):
        allowed = AGREE if answer["error"] <= AGREE else answer["error"]
        n_exact += answer["error"] <= AGREE
        known = weight_exceeds_each(mean, sd, key, np.array(at), rng=rng)
        for found, one in zip(answer["above"], known, strict=True):
            assert abs(found - one.value) < allowed + one.error, (mean, sd, key, answer, known)
        curve = density_curve(mean, sd, key, np.array(at), rng=rng)
        slope = 1 / (np.array(at) * (1 - np.array(at)))
        off = np.abs(answer["density"] - curve.value) - curve.error
        assert (off <= allowed * max(1, answer["peak"]) * slope).all(), (mean, sd, key, answer, curve.value)
    return n_exact / len(cases)


def test_the_law_of_a_weight_where_two_logits_are_noisy(engine):
    rng = np.random.default_rng(30)
    cases = []
    for _ in range(120):
        n = int(rng.integers(2, 6))
        mean, sd = (
            rng.normal(size=n) * 10 ** rng.uniform(-1, 1),
            np.abs(rng.normal(size=n)) * 10 ** rng.uniform(-1, 1.5),
        )
        sd[2:] = 0
        cases.append((mean, sd, int(rng.integers(0, n))))
    assert compare_weight_laws(engine, cases) == 1


def test_the_law_of_a_weight_among_noisy_ones(engine):
    rng = np.random.default_rng(31)
    cases = []
    for place in range(16):
        n = int(rng.integers(3, 6))
        mean, sd = rng.normal(size=n) * 2, np.abs(rng.normal(size=n)) * (2 if place % 2 else 0.4) + 0.05
        cases.append((mean, sd, int(rng.integers(0, n))))
    assert compare_weight_laws(engine, cases) == 1


def test_the_law_of_a_weight_in_chapter_3(engine):
    """Pull and push among few keys, from short queries to long ones."""
    cases = []
    for n in (3, 6):
        for scale in (1.0, 10.0, 100.0):
            for query in (np.where(np.arange(n) < 2, scale, 0.0), np.where(np.arange(n) < 2, 0.0, -scale)):
                variance = 1e-4 * (query @ query) + np.where(np.arange(n) == 0, 0.5 * query**2, 0)
                cases.append((query, np.sqrt(variance), 0))
    compare_weight_laws(engine, cases)


def test_quantiles_and_flips_belong_to_the_law(engine):
    mean, sd = np.array([1.0, 0.5, 0.2]), np.array([3.0, 0.3, 0.0])
    [answer] = ask_weight_laws(engine, [(mean, sd, 0)], [0.1, 0.9])
    below = 1 - weight_exceeds(mean, sd, 0, answer["quantile"], rng=np.random.default_rng(0)).value
    assert below == pytest.approx(0.3, abs=1e-9)
    assert answer["flips"] == pytest.approx(answer["above"][1] + 1 - answer["above"][0], abs=1e-12)


def test_a_weight_that_hardly_varies_is_told_with_its_error(engine):
    [answer] = ask_weight_laws(engine, [(np.zeros(3), np.full(3, 1e-4), 0)], [0.2, 0.5])
    assert answer["method"] == "normal approximation"
    assert answer["error"] == pytest.approx(1e-4)
    assert answer["above"] == [1, 0]


def test_which_key_wins(engine):
    rng = np.random.default_rng(32)
    cases = [(rng.normal(size=4), rng.uniform(0.1, 3, size=4)) for _ in range(200)]
    found = engine.map("weight_law", "winProbabilities", [[m.tolist(), s.tolist()] for m, s in cases])
    assert np.abs(np.sum(found, axis=1) - 1).max() < 1e-9
    for (mean, sd), answer in list(zip(cases, found, strict=True))[:40]:

        def integrand(z, mean=mean, sd=sd):
            return norm.pdf(z) * np.prod(norm.cdf((mean[0] + sd[0] * z - mean[1:]) / sd[1:]))

        assert answer[0] == pytest.approx(quad(integrand, -9, 9, epsabs=1e-12, limit=200)[0], abs=AGREE)


def test_draws_have_the_moments_of_the_law(engine):
    script = """async (noise) => {
        const {createRandom} = await import('/normal.js');
        const {drawKeys, readDraw, outputLaw} = await import('/noise.js');
        const drawn = drawKeys(noise, createRandom(1), 20000);
        const outputs = drawn.map((keys) => readDraw(keys, noise.values, noise.queries).output);
        return {outputs, law: outputLaw(noise)};
    }"""
    noise = {
        "keys": [[1, 0], [0, 1], [-1, -1]], "values": [[1, 0], [0, 1], [0.5, 0.5]], "queries": [[2, 1], [1, 2]],
        "radial": [0.3, 0, 0.1], "isotropic": 0.05,
    }  # fmt: skip
    found = engine.run(script, noise)
    outputs, law = np.array(found["outputs"]), found["law"]
    assert np.abs(outputs.mean(axis=0) - law["mean"]).max() < 5 * np.sqrt(law["variance"] / len(outputs))
    assert np.abs(np.cov(outputs.T) - law["covariance"]).max() < 0.05 * law["variance"]


NUMBERS = "must be a list of"


@pytest.mark.parametrize(
    ("module", "function", "given", "message"),
    [
        ("moments", "weightMoments", [[0, 1], [1]],
         f"the logits' standard deviations {NUMBERS} 2 numbers; got 1 of them"),
        ("moments", "weightMoments", [[0, 1], [1, -1]],
         "a logit's standard deviation must be a finite number from 0 to 1000000; got -1"),
        ("weight_law", "weightLaw", [[0], [1], 0], "one key alone always has weight 1; give at least two"),
        ("weight_law", "weightLaw", [[0, 1], [1, 1], 2], "the key must be a whole number from 0 to 1; got 2"),
        ("noise", "logitLaw", [{"keys": [[1, 0]], "radial": [1, 2]}, [[1, 0]]],
         f"the radial variances {NUMBERS} 1 numbers; got 2 of them"),
        ("noise", "logitLaw", [{"keys": [[1, 0]], "isotropic": -1}, [[1, 0]]],
         "the isotropic variance must be a finite number from 0 to 1000000000; got -1"),
        ("noise", "logitLaw", [{"keys": [[1, 0]]}, [[1]]], f"row 0 of queries {NUMBERS} 2 numbers; got 1 of them"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(engine, module, function, given, message):
    assert engine.map(module, function, [given]) == [{"refused": message}]
