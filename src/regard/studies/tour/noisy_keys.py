"""Part A of the tour, noisy keys: one head that averages, two heads that do, and what remains of the failure."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from regard.display import percent
from regard.noise import GaussianKeys, OutputLaw, isotropic, output_law, radial
from regard.noise.one_weight.event import Estimate
from regard.progress import Progress, part
from regard.report.one_vs_many import draw_one_vs_many, draw_varying_key
from regard.report.tour.answers import Answer, Drawing, Number, Question, Table
from regard.studies import one_vs_many
from regard.studies.tour.attention import N_KEYS
from regard.studies.tour.evidence import Config, Origin, draw, draw_weight_densities, try_claims
from regard.tables import StudyTable

SCALE, VARIANCE = 10.0, 0.5
"""The scale of the query that is looked at, and the variance of a key's length."""
SCALES = (2.0, 5.0, SCALE, 100.0)
SMALL_VARIANCES = (1e-2, 1e-4, 1e-6)
N_DRAWS = 20_000
LIMIT_SCALE = 1e4
"""So large that what is computed there has all the digits of the limit that are shown."""
REMAINS = NormalDist().cdf(-1 / VARIANCE**0.5)
"""The probability that the varying key points the other way, which no scale can mend."""
MEANS = np.eye(N_KEYS)
VARYING_KEYS = GaussianKeys(MEANS, radial(VARIANCE, key=0))
"""The keys of the exercise: orthonormal means, and the first key's length varies."""


def fingerprint(config: Config) -> str:
    """Of the settings; there are no data."""
    return repr((config, N_KEYS, SCALES, SMALL_VARIANCES, VARIANCE, N_DRAWS, LIMIT_SCALE))


@dataclass(frozen=True)
class OneHead:
    """The output of q = C(μ_a + μ_b), under vanishing noise and under noise in the length of k_a."""

    vanishing: tuple[tuple[float, float], ...]
    """(variance of the isotropic noise, total variance of c)."""
    laws: dict[float, OutputLaw]
    """The law of c by scale, where the length of k_a varies."""
    limit: OutputLaw
    sampled: tuple[float, float]
    """The total variance at SCALE from draws, and its standard error."""


def compute_one_head(seed: int) -> OneHead:
    """The laws of one head that averages the first two values."""
    pull = MEANS[0] + MEANS[1]
    laws = {scale: output_law(VARYING_KEYS, MEANS, scale * pull) for scale in SCALES}
    draws = laws[SCALE].sample(np.random.default_rng(seed), N_DRAWS)
    squares = ((draws - draws.mean(axis=0)) ** 2).sum(axis=1)
    return OneHead(
        vanishing=tuple(
            (variance, output_law(GaussianKeys(MEANS, isotropic(variance)), MEANS, SCALE * pull).variance)
            for variance in SMALL_VARIANCES
        ),
        laws=laws,
        limit=output_law(VARYING_KEYS, MEANS, LIMIT_SCALE * pull),
        sampled=(squares.sum() / (N_DRAWS - 1), squares.std() / np.sqrt(N_DRAWS)),
    )


def answer_noise(question: Question, config: Config, progress: Progress) -> Answer:
    """A3: the averaging query under vanishing noise, and under noise in the length of one key."""
    found = compute_one_head(config.seed)
    return Answer(
        question=question,
        sentences=_noise_sentences(found),
        numbers=_noise_numbers(found, Origin(config.seed)),
        tables=(
            Table(f"Isotropic noise of variance α at C = {SCALE:g}", ("α", "total variance of c"), found.vanishing),
            Table(
                "Noise in the length of key a",
                ("C", "mean of α_a", "total variance of c", "P(0.05 < α_a < 0.95)"),
                tuple((scale, float(each.mean[0]), each.variance, _middle(each)) for scale, each in found.laws.items()),
            ),
        ),
        drawings=_noise_drawings(found, config),
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


def _noise_sentences(found: OneHead) -> tuple[str, ...]:
    law, (most, least) = found.laws[SCALE], (found.vanishing[0], found.vanishing[-1])
    return (
        "q = C(μ_a + μ_b), as if the keys were their means: each logit then has a variance of only 2C²α. C must "
        f"be large against ln n and C²α small: at C = {SCALE:g} the output's total variance falls from "
        f"{most[1]:.3g} for α = {most[0]:g} to {least[1]:.2g} for α = {least[0]:g}.",
        "When k_a varies in length, s_a = C(1 + g) with g ~ N(0, ½) while s_b ≈ C, so α_a ≈ σ(C g): c moves on the "
        f"segment between v_b and v_a. The mean of α_a is still {law.mean[0]:.4f}, but at C = {SCALE:g} the total "
        f"variance is {law.variance:.4f} (orthonormal values), and α_a lies between 0.05 and 0.95 with probability "
        f"{_middle(law):.3f} only.",
        "More scale makes it worse: as C → ∞ c becomes a fair coin between v_a and v_b, with a variance of "
        f"|v_a − v_b|²/4 (computed at C = {LIMIT_SCALE:g}: {found.limit.variance:.4f}). The average is right for the "
        "mean of c, hardly ever for c.",
    )


def _noise_numbers(found: OneHead, origin: Origin) -> tuple[Number, ...]:
    law, limit, (sampled, standard_error) = found.laws[SCALE], found.limit, found.sampled
    return (
        origin.number(f"mean weight of key a at C = {SCALE:g}", law.mean[0], error=law.error),
        origin.number(f"total variance of c at C = {SCALE:g}", law.variance, error=N_KEYS * law.error),
        origin.number(f"the same from {N_DRAWS:,} draws", sampled, error=standard_error, how="sampled; standard error"),
        origin.number(f"total variance of c at C = {LIMIT_SCALE:g}", limit.variance, error=N_KEYS * limit.error),
        origin.number("probability of 0.05 < α_a < 0.95", _middle(law), error=_middle_error(law)),
    )


def _noise_drawings(found: OneHead, config: Config) -> tuple[Drawing, ...]:
    study = one_vs_many.Config(n_keys=N_KEYS, radial=VARIANCE, seed=config.seed)
    grid = 1 / (1 + np.exp(-np.linspace(-9, 9, 121)))
    densities = {scale: each.density_curve(0, at=grid).value.tolist() for scale, each in found.laws.items()}
    return (
        *draw(
            "The key of the exercise: μ_a in the plane, with the range of k_a along it",
            lambda: draw_varying_key(one_vs_many.draw_keys(study), variance=VARIANCE),
        ),
        *draw(
            "Exact density of the weight of key a: the longer the query, the more it sits at 0 and 1",
            lambda: draw_weight_densities(grid.tolist(), densities),
        ),
    )


@dataclass(frozen=True)
class TwoHeads:
    """The output of q₁ = C μ_a and q₂ = C μ_b where the length of k_a varies, beside one head."""

    one: OutputLaw
    two: OutputLaw
    variances: tuple[float, ...]
    """Of c₁ and c₂ at SCALE."""
    kept: tuple[Estimate, Estimate]
    """That head 1 keeps key a, at SCALE and at LIMIT_SCALE."""
    crossing: float | None
    """The scale below which one head has the smaller squared error."""


def compute_two_heads(study: one_vs_many.Config) -> TwoHeads:
    """The laws of one head and of two that average the first two values."""
    two, limit = (output_law(VARYING_KEYS, MEANS, scale * MEANS[:2]) for scale in (SCALE, LIMIT_SCALE))
    return TwoHeads(
        one=output_law(VARYING_KEYS, MEANS, SCALE * (MEANS[0] + MEANS[1])),
        two=two,
        variances=tuple(float(np.trace(head.output_covariance)) for head in two.heads),
        kept=(two.probability(0, above=0.5), limit.probability(0, above=0.5)),
        crossing=one_vs_many.find_crossing(study),
    )


HEADS_CLAIMS = (
    (r"q_1 = C \mu_a; q_2 = C \mu_b", "two-heads"),
    (r"q_1 = \mu_a; q_2 = \mu_b", "two-heads"),
    (r"q_1 = C \mu_a; q_2 = C \mu_b", "two-heads-magnitude"),
    (r"q_1 = -C \sum_{i \ne a} \mu_i; q_2 = C \mu_b", "two-heads-magnitude"),
)


def answer_heads(question: Question, config: Config, progress: Progress) -> Answer:
    """A4: two heads under equal noise, their variances, and what remains of the failure."""
    study = one_vs_many.Config(n_keys=N_KEYS, radial=VARIANCE, isotropic=0.0, seed=config.seed)
    found = compute_two_heads(study)
    table = one_vs_many.run(study, progress=part(progress, 0.0, 0.3))
    return Answer(
        question=question,
        sentences=_heads_sentences(found),
        numbers=_heads_numbers(found, Origin(config.seed)),
        tables=(_heads_table(table),),
        drawings=draw(
            "Variance and error against C above; outputs and weights at one C below",
            lambda: draw_one_vs_many(
                one_vs_many.compute_curves(study, progress=part(progress, 0.3, 0.8)),
                one_vs_many.sample_clouds(study, SCALE, n_draws=600, progress=part(progress, 0.8, 1.0)),
                scale=SCALE,
                crossing=found.crossing,
            ),
        ),
        claims=try_claims(*HEADS_CLAIMS),
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


def _heads_table(table: StudyTable) -> Table:
    columns = ("scale", "design", "variance", "mean_squared_error", "failure")
    rows = (row for row in table.records() if row["scale"] in (1.0, SCALE, 100.0))
    return Table(
        "One pull head, one push head and two pull heads",
        ("C", "design", "variance of c", "mean squared error", "key a lost"),
        tuple(tuple(row[name] for name in columns) for row in rows),
    )


def _heads_sentences(found: TwoHeads) -> tuple[str, ...]:
    one, two, (kept, kept_in_limit) = found.one, found.two, found.kept
    short = f" For short queries, below C = {found.crossing:.3f}, one head has the smaller squared error."
    return (
        "q₁ = C μ_a and q₂ = C μ_b with C large against ln n: then c₁ ≈ v_a, c₂ ≈ v_b, and their average is "
        "½(v_a + v_b).",
        f"c₂ does not vary, as k_aᵀq₂ = 0 whatever the length of k_a (its variance at C = {SCALE:g} is "
        f"{found.variances[1]:.1g}); c₁ has {found.variances[0]:.4f}, and the average a quarter of that, "
        f"{two.variance:.4f}, against {one.variance:.4f} for one head: {one.variance / two.variance:.1f} times less.",
        "c₁ stays at v_a unless (1 + g)C falls below ln(n − 1), where it drops to the mean of the other values. "
        f"That happens with probability {percent(1 - kept.value)} at C = {SCALE:g}; as C → ∞ what remains is "
        f"Φ(−√2) = {percent(REMAINS)} (computed at C = {LIMIT_SCALE:g}: {percent(1 - kept_in_limit.value)})."
        + (short if found.crossing is not None else ""),
    )


def _heads_numbers(found: TwoHeads, origin: Origin) -> tuple[Number, ...]:
    (first, second), error = found.variances, N_KEYS * found.two.error
    kept, kept_in_limit = found.kept
    return (
        origin.number(f"variance of c₁ at C = {SCALE:g}", first, error=error),
        origin.number(f"variance of c₂ at C = {SCALE:g}", second, error=error),
        origin.number("variance of their average", found.two.variance, error=error),
        origin.number("variance of one head", found.one.variance, error=N_KEYS * found.one.error),
        origin.number(f"probability that head 1 loses key a, C = {SCALE:g}", 1 - kept.value, error=kept.error),
        origin.number(
            f"probability that head 1 loses key a, C = {LIMIT_SCALE:g}",
            1 - kept_in_limit.value,
            error=kept_in_limit.error,
        ),
        origin.number("Φ(−√2), what remains as C → ∞", REMAINS, error=1e-15),
    )


def _middle(law: OutputLaw) -> float:
    """The probability that the first key weighs between 0.05 and 0.95."""
    low, high = (law.probability(0, above=edge).value for edge in (0.05, 0.95))
    return low - high


def _middle_error(law: OutputLaw) -> float:
    return sum(law.probability(0, above=edge).error for edge in (0.05, 0.95))
