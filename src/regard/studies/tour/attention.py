"""Part A of the tour: attention that copies, averages and takes apart, and what noise in the keys does to it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from regard.arrays import attend, attention_weights, entropy, projector
from regard.design import average, average_scale, copy_scale, outside_weight
from regard.display import percent
from regard.noise import GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.progress import Progress, part
from regard.report.one_vs_many import draw_one_vs_many, draw_varying_key
from regard.report.tour.answers import Answer, Question, Table
from regard.report.tour.figures import draw_copy_weight, draw_weight_densities
from regard.studies import one_vs_many
from regard.studies.tour.evidence import Config, Origin, draw, try_claims

N_KEYS, ERROR, SCALE, VARIANCE = 10, 0.01, 10.0, 0.5
"""The exercise's keys, the weight that may leak, the scale that is looked at, and the variance of a key's length."""
SIZES = (2, 10, 100, 1000)
N_DRAWS = 20_000
LIMIT_SCALE = 1e4
"""So large that what is computed there has all the digits of the limit that are shown."""


def fingerprint(config: Config) -> str:
    """Of the settings; there are no data."""
    return repr((config, N_KEYS, ERROR, SCALE, VARIANCE, SIZES, N_DRAWS, LIMIT_SCALE))


def answer_copy(question: Question, config: Config, progress: Progress) -> Answer:
    """A1: a categorical distribution, when it copies, and what the output is then."""
    origin, rng = Origin(config.seed), np.random.default_rng(config.seed)
    keys, values = np.eye(N_KEYS), rng.standard_normal((N_KEYS, 3))
    needed = {n: copy_scale(n, ERROR) for n in SIZES}
    plain = {n: 1 - outside_weight(n, 1, 1.0) for n in SIZES}
    scale = needed[N_KEYS]
    weights = attention_weights(scale * keys[:1], keys)[0]
    output = attend(scale * keys[:1], keys, values)[0]
    rest = weights[1:] @ values[1:] / weights[1:].sum()
    gap = float(np.abs(output - values[0] - (1 - weights[0]) * (rest - values[0])).max())
    longer = attention_weights(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [3.0, 0.0]]))[0]
    scales = np.linspace(0, 20, 81)
    curves = {n: [1 - outside_weight(n, 1, float(each)) for each in scales] for n in SIZES}
    return Answer(
        question=question,
        sentences=(
            "α is categorical because every exp(kᵢᵀq) is positive and they are divided by their sum: the weights are "
            f"positive and sum to 1 (here to within {abs(weights.sum() - 1):.0e}).",
            "Almost all of it lies on key j when kⱼᵀq exceeds every other kᵢᵀq by a wide margin: for a weight of 1 − ε "
            f"the margin ln((n − 1)(1 − ε)/ε) suffices. For {N_KEYS} orthonormal keys and ε = {ERROR:g} that is "
            f"q = C kⱼ with C = {scale:.4f}; q = kⱼ itself gives only {plain[N_KEYS]:.3f}. That kⱼ resembles q is not "
            f"enough: for q = k₁ = (1, 0) and k₂ = (3, 0) the weight of k₁ is {longer[0]:.3f}.",
            "Then c = vⱼ + (1 − αⱼ)(v̄ − vⱼ), with v̄ the weighted mean of the other values: attention copies vⱼ, up "
            f"to {percent(1 - weights[0])} of the way to the others.",
        ),
        numbers=(
            origin.number(f"C for a weight of {1 - ERROR:g} among {N_KEYS} keys", scale, error=1e-15 * scale),
            origin.number("weight of the wanted key at that C", weights[0], error=1e-15),
            origin.number(f"weight of the wanted key for q = k, {N_KEYS} keys", plain[N_KEYS], error=1e-15),
            origin.number("entropy of the weights, nats", entropy(weights), error=1e-14),
            origin.number("largest gap in c − v = (1 − α)(v̄ − v)", gap, how="measured; rounding alone"),
        ),
        tables=(
            Table(
                "How the scale grows with the number of keys",
                ("keys n", "weight for q = k", f"C for a weight of {1 - ERROR:g}"),
                tuple((n, plain[n], needed[n]) for n in SIZES),
            ),
        ),
        drawings=draw(
            f"Weight of the wanted key against C; a dot where it reaches {1 - ERROR:g}",
            lambda: draw_copy_weight(scales.tolist(), curves, error=ERROR, needed=needed),
        ),
        claims=try_claims(
            (r"\sum_i \alpha_i = 1", "attention"),
            ("q = C k_a", "orthonormal-keys", r"c \approx v_a"),
            ("q = k_a", "orthonormal-keys", r"c \approx v_a"),
            ("q = C k_a", "attention", r"c \approx v_a"),
            (r"\alpha_a = 1", "attention"),
        ),
        command=r"regard check 'q = C k_a' --setting orthonormal-keys --goal 'c \approx v_a'",
        python=f"""\
import numpy as np
import regard

keys = np.eye({N_KEYS})
scale = regard.copy_scale({N_KEYS}, {ERROR})
weights = regard.attention_weights(scale * keys[:1], keys)[0]
print(scale, weights[0], weights.sum())
""",
        link="chapter/look-up/?keys=1,0;0,1;-1,0;0,-1&query=1,0&scale=5",
    )


def answer_parts(question: Question, config: Config, progress: Progress) -> Answer:
    """A2: the projector that takes a summand out of a sum, and the query that averages two values."""
    origin, rng = Origin(config.seed), np.random.default_rng(config.seed)
    bases = np.linalg.qr(rng.standard_normal((7, 5)))[0]
    basis, other = bases[:, :3], bases[:, 3:]
    v_a, v_b = basis @ rng.standard_normal(3), other @ rng.standard_normal(2)
    matrix = projector(basis)
    off = float(np.abs(matrix @ (v_a + v_b) - v_a).max())
    removed = float(np.abs(matrix @ v_b).max())
    design = average(np.eye(N_KEYS), [0, 1], error=ERROR, family="pull")
    scale = average_scale(N_KEYS, 2, ERROR)
    return Answer(
        question=question,
        sentences=(
            "M = A Aᵀ. v_a = A x for some x and AᵀA = I, so M v_a = A AᵀA x = v_a; every column of B is orthogonal to "
            f"every column of A, so M v_b = 0. On random subspaces of ℝ⁷ M(v_a + v_b) misses v_a by {off:.0e}. Aᵀ "
            "alone gives the coordinates of v_a, not v_a.",
            f"q = C(k_a + k_b) gives both keys the logit C and all others 0, so that each weighs ½ up to a leak of "
            f"(n − 2)/(2 e^C + n − 2): for n = {N_KEYS} a leak of {ERROR:g} takes C = {scale:.4f}, and without a large "
            f"factor C it does not average: at C = 1 the two keys have only {1 - outside_weight(N_KEYS, 2, 1.0):.3f} "
            "of the weight.",
        ),
        numbers=(
            origin.number("largest entry of M(v_a + v_b) − v_a", off, how="measured; rounding alone"),
            origin.number("largest entry of M v_b", removed, how="measured; rounding alone"),
            origin.number(f"C for a leak of {ERROR:g}, {N_KEYS} keys", scale, error=1e-15 * scale),
            origin.number("weight of key a at that C", design.weights[0], error=1e-15),
            origin.number("weight of key b at that C", design.weights[1], error=1e-15),
        ),
        claims=try_claims(
            ("M = A A^T", "two-subspaces"),
            ("M = A^T", "two-subspaces"),
            ("M = A^T A", "two-subspaces"),
            ("q = C(k_a + k_b)", "orthonormal-keys"),
            ("q = k_a + k_b", "orthonormal-keys"),
            (r"q = \frac12(k_a + k_b)", "orthonormal-keys"),
        ),
        command="regard check 'M = A A^T' --setting two-subspaces",
        python=f"""\
import numpy as np
import regard

print(regard.check("M = A A^T", setting="two-subspaces"))
design = regard.average(np.eye({N_KEYS}), [0, 1], error={ERROR}, family="pull")
print(design.scale, design.weights[:3])
""",
        link="chapter/average-and-subspace/?shares=1,1,0,0,0&error=0.01&angle=90",
    )


def answer_noise(question: Question, config: Config, progress: Progress) -> Answer:
    """A3: the averaging query under vanishing noise, and under noise in the length of one key."""
    origin, means = Origin(config.seed), np.eye(N_KEYS)
    pull = means[0] + means[1]
    vanishing = [
        (variance, output_law(GaussianKeys(means, isotropic(variance)), means, SCALE * pull).variance)
        for variance in (1e-2, 1e-4, 1e-6)
    ]
    classic = GaussianKeys(means, radial(VARIANCE, key=0))
    laws = {scale: output_law(classic, means, scale * pull) for scale in (2.0, 5.0, SCALE, 100.0)}
    law, limit = laws[SCALE], output_law(classic, means, LIMIT_SCALE * pull)
    draws = law.sample(np.random.default_rng(config.seed), N_DRAWS)
    squares = ((draws - draws.mean(axis=0)) ** 2).sum(axis=1)
    grid = 1 / (1 + np.exp(-np.linspace(-9, 9, 121)))
    densities = {scale: each.density_curve(0, at=grid).value.tolist() for scale, each in laws.items()}
    study = one_vs_many.Config(n_keys=N_KEYS, radial=VARIANCE, seed=config.seed)
    return Answer(
        question=question,
        sentences=(
            "q = C(μ_a + μ_b), as if the keys were their means: each logit then has a variance of only 2C²α. C must "
            f"be large against ln n and C²α small: at C = {SCALE:g} the output's total variance falls from "
            f"{vanishing[0][1]:.3g} for α = {vanishing[0][0]:g} to {vanishing[-1][1]:.2g} for α = "
            f"{vanishing[-1][0]:g}.",
            "When k_a varies in length, s_a = C(1 + g) with g ~ N(0, ½) while s_b ≈ C, so α_a ≈ σ(C g): c moves on the "
            f"segment between v_b and v_a. The mean of α_a is still {law.mean[0]:.4f}, but at C = {SCALE:g} the total "
            f"variance is {law.variance:.4f} (orthonormal values), and α_a lies between 0.05 and 0.95 with probability "
            f"{_middle(law):.3f} only.",
            "More scale makes it worse: as C → ∞ c becomes a fair coin between v_a and v_b, with a variance of "
            f"|v_a − v_b|²/4 (computed at C = {LIMIT_SCALE:g}: {limit.variance:.4f}). The average is right for the "
            "mean of c, hardly ever for c.",
        ),
        numbers=(
            origin.number(f"mean weight of key a at C = {SCALE:g}", law.mean[0], error=law.error),
            origin.number(f"total variance of c at C = {SCALE:g}", law.variance, error=N_KEYS * law.error),
            origin.number(
                f"the same from {N_DRAWS:,} draws",
                squares.sum() / (N_DRAWS - 1),
                error=squares.std() / np.sqrt(N_DRAWS),
                how="sampled; standard error",
            ),
            origin.number(f"total variance of c at C = {LIMIT_SCALE:g}", limit.variance, error=N_KEYS * limit.error),
            origin.number("probability of 0.05 < α_a < 0.95", _middle(law), error=_middle_error(law)),
        ),
        tables=(
            Table(f"Isotropic noise of variance α at C = {SCALE:g}", ("α", "total variance of c"), tuple(vanishing)),
            Table(
                "Noise in the length of key a",
                ("C", "mean of α_a", "total variance of c", "P(0.05 < α_a < 0.95)"),
                tuple((scale, float(each.mean[0]), each.variance, _middle(each)) for scale, each in laws.items()),
            ),
        ),
        drawings=(
            *draw(
                "The key of the exercise: μ_a in the plane, with the range of k_a along it",
                lambda: draw_varying_key(one_vs_many.draw_keys(study), variance=VARIANCE),
            ),
            *draw(
                "Exact density of the weight of key a: the longer the query, the more it sits at 0 and 1",
                lambda: draw_weight_densities(grid.tolist(), densities),
            ),
        ),
        claims=try_claims(
            (r"q = C(\mu_a + \mu_b)", "noisy-keys"),
            (r"q = \mu_a + \mu_b", "noisy-keys"),
            (r"q = C(\mu_a + \mu_b)", "magnitude-noise"),
            (r"Var[k_a^T q] = 1/2 with q = C(\mu_a + \mu_b)", "magnitude-noise"),
            (r"q = -C \sum_{i \ne a,b} \mu_i", "magnitude-noise"),
        ),
        command=f"regard study one-vs-many --scales {SCALE:g} --isotropic 0 --key-figure key.png",
        python=f"""\
import numpy as np
import regard

keys = regard.GaussianKeys(np.eye({N_KEYS}), regard.radial({VARIANCE}, key=0))
query = {SCALE} * np.eye({N_KEYS})[:2].sum(axis=0)
law = regard.output_law(keys, np.eye({N_KEYS}), query)
print(law.mean[:2], law.variance, law.error)
""",
        link=f"chapter/noisy-keys/?scale={SCALE:g}&variance={VARIANCE:g}&n={N_KEYS}",
    )


def answer_heads(question: Question, config: Config, progress: Progress) -> Answer:
    """A4: two heads under the same noise, their variances, and what remains of the failure."""
    origin, means = Origin(config.seed), np.eye(N_KEYS)
    classic = GaussianKeys(means, radial(VARIANCE, key=0))
    one = output_law(classic, means, SCALE * (means[0] + means[1]))
    two, limit = (output_law(classic, means, scale * means[:2]) for scale in (SCALE, LIMIT_SCALE))
    variances = [float(np.trace(head.output_covariance)) for head in two.heads]
    lost, lost_in_limit = (law.probability(0, above=0.5) for law in (two, limit))
    study = one_vs_many.Config(n_keys=N_KEYS, radial=VARIANCE, isotropic=0.0, seed=config.seed)
    table = one_vs_many.run(study, progress=part(progress, 0.0, 0.3))
    crossing = one_vs_many.find_crossing(study)
    remains = NormalDist().cdf(-1 / VARIANCE**0.5)
    return Answer(
        question=question,
        sentences=(
            "q₁ = C μ_a and q₂ = C μ_b with C large against ln n: then c₁ ≈ v_a, c₂ ≈ v_b, and their average is "
            "½(v_a + v_b).",
            f"c₂ does not vary, as k_aᵀq₂ = 0 whatever the length of k_a (its variance at C = {SCALE:g} is "
            f"{variances[1]:.1g}); c₁ has {variances[0]:.4f}, and the average a quarter of that, {two.variance:.4f}, "
            f"against {one.variance:.4f} for one head: {one.variance / two.variance:.1f} times less.",
            "c₁ stays at v_a unless (1 + g)C falls below ln(n − 1), where it drops to the mean of the other values. "
            f"That happens with probability {percent(1 - lost.value)} at C = {SCALE:g}; as C → ∞ what remains is "
            f"Φ(−√2) = {percent(remains)} (computed at C = {LIMIT_SCALE:g}: {percent(1 - lost_in_limit.value)})."
            + (
                f" For short queries, below C = {crossing:.3f}, one head has the smaller squared error."
                if crossing is not None
                else ""
            ),
        ),
        numbers=(
            origin.number(f"variance of c₁ at C = {SCALE:g}", variances[0], error=N_KEYS * two.error),
            origin.number(f"variance of c₂ at C = {SCALE:g}", variances[1], error=N_KEYS * two.error),
            origin.number("variance of their average", two.variance, error=N_KEYS * two.error),
            origin.number("variance of one head", one.variance, error=N_KEYS * one.error),
            origin.number(f"probability that head 1 loses key a, C = {SCALE:g}", 1 - lost.value, error=lost.error),
            origin.number(
                f"probability that head 1 loses key a, C = {LIMIT_SCALE:g}",
                1 - lost_in_limit.value,
                error=lost_in_limit.error,
            ),
            origin.number("Φ(−√2), what remains as C → ∞", remains, error=1e-15),
        ),
        tables=(
            Table(
                "One pull head, one push head and two pull heads",
                ("C", "design", "variance of c", "mean squared error", "key a lost"),
                tuple(
                    (row["scale"], row["design"], row["variance"], row["mean_squared_error"], row["failure"])
                    for row in table.records()
                    if row["scale"] in (1.0, SCALE, 100.0)
                ),
            ),
        ),
        drawings=draw(
            "Variance and error against C above; outputs and weights at one C below",
            lambda: draw_one_vs_many(
                one_vs_many.compute_curves(study, progress=part(progress, 0.3, 0.8)),
                one_vs_many.sample_clouds(study, SCALE, n_draws=600, progress=part(progress, 0.8, 1.0)),
                scale=SCALE,
                crossing=crossing,
            ),
        ),
        claims=try_claims(
            (r"q_1 = C \mu_a; q_2 = C \mu_b", "two-heads"),
            (r"q_1 = \mu_a; q_2 = \mu_b", "two-heads"),
            (r"q_1 = C \mu_a; q_2 = C \mu_b", "two-heads-magnitude"),
            (r"q_1 = -C \sum_{i \ne a} \mu_i; q_2 = C \mu_b", "two-heads-magnitude"),
        ),
        command="regard study one-vs-many --isotropic 0 --figure heads.png",
        python=f"""\
import numpy as np
import regard

keys = regard.GaussianKeys(np.eye({N_KEYS}), regard.radial({VARIANCE}, key=0))
law = regard.output_law(keys, np.eye({N_KEYS}), {SCALE} * np.eye({N_KEYS})[:2])
print(law.variance, 1 - law.probability(0, above=0.5).value)
""",
        link=f"chapter/many-heads/?scale={SCALE:g}&heads=2&n={N_KEYS}&variance={VARIANCE:g}&noise=one",
    )


def _middle(law: OutputLaw) -> float:
    """The probability that the first key weighs between 0.05 and 0.95."""
    low, high = (law.probability(0, above=edge).value for edge in (0.05, 0.95))
    return low - high


def _middle_error(law: OutputLaw) -> float:
    return sum(law.probability(0, above=edge).error for edge in (0.05, 0.95))
