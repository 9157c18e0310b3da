"""Exact laws under noisy keys in the page agree with Python: moments, outputs of several heads, the law of one weight.

Where Python takes up to a second (two heads that share noise, the law of one weight among several noisy ones) its
answers to a thousand cases are recorded, and some of them computed anew in every run.
"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from tests.support.engine_references import AT, LAWS, draw_cases, read_references, solve_weight

from regard.noise.moments import head_moments
from regard.noise.one_weight.distribution import weight_exceeds

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


OUTPUTS = [name for name in LAWS if name.startswith("output")]
WEIGHTS = [name for name in LAWS if name.startswith("weight")]


@pytest.mark.parametrize("name", OUTPUTS)
def test_laws_of_outputs(engine, name):
    """A thousand cases a law; Python's answers are recorded, and some computed anew below.

    Where all lengths vary together Python itself draws samples in some 70 of them.
    """
    cases, references = draw_cases(name), read_references(name)
    answers = engine.map("noise", "outputLaw", [[case] for case in cases])
    n_exact = 0
    for case, (numbers, errors), answer in zip(cases, references, answers, strict=True):
        assert "refused" not in answer, answer
        width = len(answer["mean"])
        found = np.array(answer["covariance"])
        off = np.abs(np.concatenate([answer["mean"], found[np.triu_indices(width)]]) - numbers)
        assert (off[:width] <= answer["meanError"] + errors[:width]).all(), case
        assert (off[width:] <= answer["covarianceError"] + errors[width:]).all(), case
        assert answer["variance"] == pytest.approx(np.trace(found), abs=1e-14)
        if errors.max() < AGREE / 10:
            n_exact += 1
            size = float(np.ptp(case["values"], axis=0).max())
            assert off.max() < AGREE * max(1, size**2), case
    assert n_exact >= (0.9 if "together" in name else 1) * len(cases)


def law_of_weights(engine, cases, at=AT):
    """What the page says of the law of a weight, for (mean, sd, key) each."""
    script = """async ([cases, at]) => {
        const {weightLaw} = await import('/weight_law.js');
        return cases.map(([mean, sd, key]) => {
            const law = weightLaw(mean, sd, key);
            const {method, error, peak} = law;
            return {above: at.map(law.above), density: at.map(law.density), method, error, peak,
                quantile: law.quantile(0.3), flips: law.flips(0.9)};
        });
    }"""
    return engine.run(script, [[[list(mean), list(sd), key] for mean, sd, key in cases], list(at)])


def compare_weight_law(case, answer, numbers, errors):
    """The page's law agrees to 1e-9, or to the error that it states; says whether it is the former."""
    n = len(AT)
    allowed = max(AGREE, answer["error"])
    off_above = np.abs(answer["above"] - numbers[:n]) - errors[:n]
    assert (off_above < allowed).all(), (case, answer, numbers)
    slope = 1 / (np.array(AT) * (1 - np.array(AT)))
    off_density = np.abs(answer["density"] - numbers[n:]) - errors[n:]
    assert (off_density <= allowed * max(1, answer["peak"]) * slope).all(), (case, answer, numbers)
    return answer["error"] <= AGREE


@pytest.mark.parametrize(("name", "exact"), [(WEIGHTS[0], 1), (WEIGHTS[1], 1)])
def test_laws_of_weights(engine, name, exact):
    cases, references = draw_cases(name), read_references(name)
    answers = law_of_weights(engine, [(case["mean"], case["sd"], case["key"]) for case in cases])
    found = [compare_weight_law(*each, *known) for *each, known in zip(cases, answers, references, strict=True)]
    assert np.mean(found) >= exact


@pytest.mark.parametrize("name", LAWS)
def test_recorded_answers_are_what_python_says(name):
    """Some of the thousand, others in every run."""
    cases, references = draw_cases(name), read_references(name)
    for place in np.random.default_rng().choice(len(cases), size=6, replace=False):
        values, errors = LAWS[name][1](cases[place])
        known, known_errors = references[place]
        assert (np.abs(values - known) <= errors + known_errors).all(), (name, place)


def compare_weight_laws(engine, cases):
    """Laws that are not recorded, with Python's answers of now."""
    answers = law_of_weights(engine, cases)
    for (mean, sd, key), answer in zip(cases, answers, strict=True):
        case = {"mean": mean, "sd": sd, "key": key}
        compare_weight_law(case, answer, *solve_weight(case))


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
    [answer] = law_of_weights(engine, [(mean, sd, 0)], [0.1, 0.9])
    below = 1 - weight_exceeds(mean, sd, 0, answer["quantile"], rng=np.random.default_rng(0)).value
    assert below == pytest.approx(0.3, abs=1e-9)
    assert answer["flips"] == pytest.approx(answer["above"][1] + 1 - answer["above"][0], abs=1e-12)


def test_a_weight_that_hardly_varies_is_told_with_its_error(engine):
    [answer] = law_of_weights(engine, [(np.zeros(3), np.full(3, 1e-4), 0)], [0.2, 0.5])
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
