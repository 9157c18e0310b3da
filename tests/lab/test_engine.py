"""Attention, hulls, subspaces and queries in the page agree with Python to 1e-9, on a thousand random cases each."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import entr, erfc, softmax

from regard.arrays import extract, principal_angles, projector, recover
from regard.design import average, copy, hull_bound, mix, smallest_scale
from regard.errors import RegardError

pytestmark = pytest.mark.usefixtures("unchecked")  # annotations are checked where Python itself is tested
N_CASES = 1000


def largest_difference(found, expected):
    return max(float(np.abs(np.asarray(a) - np.asarray(b)).max()) for a, b in zip(found, expected, strict=True))


def logits_of_all_sizes(rng):
    """Ordinary, equal, saturated and extreme ones; some −∞ cannot go through JSON and stand in a test of their own."""
    n = int(rng.integers(1, 13))
    logits = rng.normal(size=n) * 10 ** rng.uniform(-3, 3)
    kind = rng.integers(0, 4)
    if kind == 1:
        logits[:] = logits[0]
    if kind == 2:
        logits[0] = 1e300
    return logits


def test_softmax(engine):
    rng = np.random.default_rng(0)
    cases = [logits_of_all_sizes(rng) for _ in range(N_CASES)]
    found = engine.map("softmax", "softmax", [[case.tolist()] for case in cases])
    assert largest_difference(found, [softmax(case) for case in cases]) < 1e-14


def test_softmax_with_infinite_logits(engine):
    script = "async () => (await import('/softmax.js')).softmax([0, -Infinity, 0])"
    assert engine.run(script) == [0.5, 0, 0.5]
    script = "async () => (await import('/softmax.js')).softmax([0, Infinity, Infinity])"
    assert engine.run(script) == [0, 0.5, 0.5]


def test_what_a_query_reads(engine):
    rng = np.random.default_rng(1)
    cases, expected = [], []
    for _ in range(N_CASES):
        n, width = int(rng.integers(1, 9)), int(rng.integers(1, 5))
        keys, values, query = rng.normal(size=(n, width)), rng.normal(size=(n, 3)), rng.normal(size=width)
        scale = float(10 ** rng.uniform(-1, 3))
        cases.append([{"keys": keys.tolist(), "values": values.tolist(), "query": query.tolist(), "scale": scale}])
        expected.append(softmax(scale * keys @ query) @ values)
    found = engine.map("softmax", "attend", cases)
    assert largest_difference([one["output"] for one in found], expected) < 1e-11


def test_erfc(engine):
    x = np.concatenate([np.linspace(-6, 27, 4001), [0.46875, 4.0, -0.46875]])
    found = np.array(engine.map("normal", "erfc", [[float(value)] for value in x]))
    assert np.abs(found - erfc(x)).max() < 1e-15
    assert np.abs(found / np.maximum(erfc(x), 1e-300) - 1)[x < 26].max() < 2e-13


def random_basis(rng, width, n):
    return rng.normal(size=(width, n)) * 10 ** rng.uniform(-3, 3)


def test_projectors_and_parts(engine):
    rng = np.random.default_rng(2)
    bases = []
    for _ in range(N_CASES):
        width = int(rng.integers(1, 8))
        bases.append(random_basis(rng, width, int(rng.integers(1, width + 1))))
    found = engine.map("subspace", "projector", [[basis.tolist()] for basis in bases])
    assert largest_difference(found, [projector(basis) for basis in bases]) < 1e-11
    totals = [rng.normal(size=len(basis)) for basis in bases]
    found = engine.map(
        "subspace", "extractPart", [[t.tolist(), b.tolist()] for t, b in zip(totals, bases, strict=True)]
    )
    assert largest_difference(found, [extract(t, b) for t, b in zip(totals, bases, strict=True)]) < 1e-11


def two_subspaces(rng):
    """Of one to three dimensions each; every third pair has a small angle between them."""
    width = int(rng.integers(2, 8))
    n_a = int(rng.integers(1, min(3, width - 1) + 1))
    n_b = int(rng.integers(1, min(3, width - n_a) + 1))
    a, b = rng.normal(size=(width, n_a)), rng.normal(size=(width, n_b))
    if rng.integers(0, 3) == 0:
        b[:, 0] = a[:, 0] + 10 ** rng.uniform(-4, 0) * rng.normal(size=width)
    return a, b


def test_principal_angles_and_recovery(engine):
    rng = np.random.default_rng(3)
    pairs = [two_subspaces(rng) for _ in range(N_CASES)]
    found = engine.map("subspace", "principalAngles", [[a.tolist(), b.tolist()] for a, b in pairs])
    assert largest_difference(found, [principal_angles(a, b) for a, b in pairs]) < 1e-9
    parts = [(a @ rng.normal(size=a.shape[1]), b @ rng.normal(size=b.shape[1])) for a, b in pairs]
    totals = [first + second for first, second in parts]
    answers = engine.map(
        "subspace",
        "recoverPart",
        [[t.tolist(), a.tolist(), b.tolist()] for t, (a, b) in zip(totals, pairs, strict=True)],
    )
    for total, (first, _), (a, b), answer in zip(totals, parts, pairs, answers, strict=True):
        expected = recover(total, a, b)
        tolerance = 1e-14 * expected.noise_gain * max(1, np.abs(total).max()) + 1e-12
        assert np.abs(answer["value"] - first).max() < tolerance
        assert np.abs(answer["value"] - expected.value).max() < tolerance
        assert np.abs(answer["error"] - expected.error).max() < tolerance
        assert answer["noiseGain"] == pytest.approx(expected.noise_gain, rel=1e-9)


def keys_in_the_plane(rng):
    """Random ones, some inside the hull by construction, some at one place."""
    n = int(rng.integers(2, 10))
    keys = rng.uniform(-2, 2, size=(n, 2)).round(3)
    if n > 3 and rng.integers(0, 2):
        shares = rng.dirichlet(np.ones(3))
        keys[-1] = shares @ keys[:3]
    if n > 2 and rng.integers(0, 8) == 0:
        keys[-1] = keys[0]
    return keys


def is_decided(keys, index):
    """Whether the key lies clearly inside or outside the hull of the others, not within rounding of its rim."""
    others = np.delete(keys, index, axis=0) - keys[index]
    if (np.abs(others).max(axis=1) < 1e-12).any():
        return True
    angles = np.sort(np.arctan2(others[:, 1], others[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    return abs(gaps.max() - np.pi) > 1e-5


def test_largest_weights_of_keys(engine):
    rng = np.random.default_rng(4)
    cases = [keys_in_the_plane(rng) for _ in range(N_CASES)]
    answers = engine.map("hull", "hullBounds", [[keys.tolist()] for keys in cases])
    n_inside = 0
    for keys, answer in zip(cases, answers, strict=True):
        index = int(rng.integers(0, len(keys)))
        if not is_decided(keys, index):
            continue
        expected = hull_bound(keys, index)
        assert answer[index]["bound"] == pytest.approx(1.0 if expected is None else expected.bound, abs=1e-9)
        if expected is not None:
            n_inside += 1
            assert answer[index]["entropyNats"] == pytest.approx(expected.entropy_nats, abs=1e-8)
    assert n_inside > 150


def test_the_output_nearest_to_a_target(engine):
    """The distance is that of a quadratic program, and the mix proves it: no value lies further towards the target."""
    rng = np.random.default_rng(5)
    cases = [(rng.normal(size=(int(rng.integers(1, 8)), 2)), 1.5 * rng.normal(size=2)) for _ in range(N_CASES)]
    found = engine.map("hull", "nearestOutput", [[v.tolist(), t.tolist()] for v, t in cases])
    for place, ((values, target), answer) in enumerate(zip(cases, found, strict=True)):
        mix_ = np.array(answer["mix"])
        assert mix_.min() >= 0
        assert mix_.sum() == pytest.approx(1, abs=1e-12)
        away = target - mix_ @ values
        assert answer["distance"] == pytest.approx(np.linalg.norm(away), abs=1e-9)
        assert ((values - mix_ @ values) @ away).max() < 1e-9  # optimal: all values lie behind the plane at the nearest
        assert answer["isInside"] == (np.linalg.norm(away) < 1e-7)
        if place % 50 == 0:
            least = minimize(
                lambda x, v=values, t=target: float(((softmax(x) @ v - t) ** 2).sum()), np.zeros(len(values)), tol=1e-14
            )
            assert answer["distance"] <= np.sqrt(least.fun) + 1e-6


def test_scales(engine):
    rng = np.random.default_rng(6)
    cases = []
    for _ in range(N_CASES):
        n = int(rng.integers(1, 9))
        error = float(10 ** rng.uniform(-9, -0.1))
        cases.append((rng.normal(size=n), rng.uniform(0.05, 3, size=n), error))
    found = engine.map("queries", "smallestScale", [[o.tolist(), g.tolist(), e] for o, g, e in cases])
    assert largest_difference(found, [smallest_scale(o, g, error=e) for o, g, e in cases]) < 1e-9


def designed(family, keys, wanted, error):
    try:
        return mix(keys, wanted, error=error, family=family)
    except RegardError:
        return None


@pytest.mark.parametrize("family", ["dual", "margin", "pull", "push"])
def test_designed_queries(engine, family):
    """Query, scale and weights are Python's; where Python says that no query does it, so does the page."""
    rng = np.random.default_rng(7)
    cases, expected = [], []
    for _ in range(N_CASES // 2):
        n = int(rng.integers(2, 7))
        width = int(rng.integers(max(2, n - 2), n + 3))
        keys = np.eye(n, width) if rng.integers(0, 3) == 0 and width >= n else rng.normal(size=(n, width))
        counts = rng.integers(0, 4, size=n)
        counts[int(rng.integers(0, n))] += 1
        wanted, error = counts / counts.sum(), float(10 ** rng.uniform(-4, -0.5))
        cases.append([keys.tolist(), wanted.tolist(), {"error": error, "family": family}])
        expected.append(designed(family, keys, wanted, error))
    found = engine.map("queries", "designQuery", cases)
    n_designed = 0
    for given, one, answer in zip(cases, expected, found, strict=True):
        assert ("refused" in answer) == (one is None), (given, one, answer)
        if one is None:
            continue
        n_designed += 1
        size = max(1.0, one.norm)
        assert np.abs(np.array(answer["query"]) - one.query).max() < 1e-9 * size, (given, one, answer)
        assert np.abs(np.array(answer["weights"]) - one.weights).max() < 1e-9 * size
        assert answer["leak"] == pytest.approx(one.leak, abs=1e-9)
    assert n_designed > 100


def test_copies_and_averages_are_mixes(engine):
    keys = np.random.default_rng(8).normal(size=(4, 5))
    [found] = engine.map("queries", "copyQuery", [[keys.tolist(), 2, {"error": 0.01, "family": "margin"}]])
    assert np.allclose(found["query"], copy(keys, 2, error=0.01, family="margin").query, atol=1e-10)
    [found] = engine.map("queries", "averageQuery", [[keys.tolist(), [0, 3], {"error": 0.1}]])
    assert np.allclose(found["query"], average(keys, [0, 3], error=0.1).query, atol=1e-10)


def test_entropy(engine):
    rng = np.random.default_rng(9)
    cases = [rng.dirichlet(np.ones(int(rng.integers(1, 9)))) for _ in range(N_CASES)]
    found = engine.map("softmax", "entropy", [[case.tolist()] for case in cases])
    assert np.abs(np.array(found) - [entr(case).sum() for case in cases]).max() < 1e-13


def test_random_numbers_follow_their_seed(engine):
    script = """async (seed) => {
        const random = (await import('/normal.js')).createRandom(seed);
        const draws = Array.from({length: 40000}, () => random.normal());
        return {first: draws.slice(0, 3), uniform: Array.from({length: 20000}, () => random.uniform()), draws};
    }"""
    once, again, other = (engine.run(script, seed) for seed in (5, 5, 6))
    assert once["first"] == again["first"] != other["first"]
    draws, uniform = np.array(once["draws"]), np.array(once["uniform"])
    assert abs(draws.mean()) < 5 / np.sqrt(len(draws))
    assert abs(draws.var() - 1) < 5 * np.sqrt(2 / len(draws))
    assert abs(np.mean(draws**4) - 3) < 5 * np.sqrt(96 / len(draws))
    assert uniform.min() > 0
    assert uniform.max() < 1
    assert np.abs(np.histogram(uniform, 20, (0, 1))[0] / 1000 - 1).max() < 0.17


@pytest.mark.parametrize(
    ("module", "function", "given", "message"),
    [
        ("softmax", "softmax", [[]], "no key may be read: there is none, or each has a logit of −∞"),
        ("softmax", "attend", [{"query": [1], "keys": [[1, 2]], "values": [[1]]}],
         "row 0 of keys must be a list of 1 numbers; got 2 of them"),
        ("softmax", "attend", [{"query": "x", "keys": [[1]], "values": [[1]]}],
         'query must be a list of at least one number; got "x"'),
        ("softmax", "attend", [{"query": [1], "keys": [[1]], "values": [[1], [2]]}], "values must have 1 rows; got 2"),
        ("subspace", "projector", [[[1, 2], [1, 2]]],
         "the 2 columns of basis span only 1 dimensions: some depend on the others"),
        ("subspace", "recoverPart", [[1, 1], [[1], [0]], [[1], [0]]],
         "the two subspaces share a direction, along which the summands cannot be told apart"),
        ("hull", "hullBounds", [[[1, 2, 3]]], "row 0 of keys must be a list of 2 numbers; got 3 of them"),
        ("hull", "nearestOutput", [[[1, None]], [0, 0]], "row 0 of values must be finite numbers; number 1 is null"),
        ("queries", "designQuery", [[[1, 0], [0, 1]], [0.5, 0.6]],
         "weights must not be negative and must sum to 1; they sum to 1.1"),
        ("queries", "designQuery", [[[1, 0], [0, 1]], [0.5, 0.5], {"family": "shove"}],
         "the families are dual, margin, pull, push; got shove"),
        ("queries", "designQuery", [[[1, 0], [0, 1]], [1, 0], {"error": 0}],
         "error must be a finite number from 1e-300 to 0.999999999999999; got 0"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(engine, module, function, given, message):
    assert engine.map(module, function, [given]) == [{"refused": message}]
