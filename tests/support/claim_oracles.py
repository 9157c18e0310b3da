"""What each claim of the collection really is, computed from its formula in plain NumPy, without a line of the checker.

Each oracle takes an instance and says whether the claim is true of it. A claim holds where all instances agree, fails
where one does not, and is ill-formed where the shapes of its sides do not fit. Derivatives are complex steps of the
plain forward pass, good to rounding.
"""

from types import SimpleNamespace

import numpy as np
from scipy.special import logsumexp


class Misfit(Exception):
    """Two sides, or two operands, whose shapes do not fit."""


def same(left, right):
    """Whether two sides agree; a number may be compared with a number only, but 0 with anything."""
    left, right = np.atleast_2d(left), np.atleast_2d(right)
    if left.shape != right.shape and not (right.shape == (1, 1) and not right.any()):
        raise Misfit(f"{left.shape} and {right.shape}")
    return bool(np.all(np.abs(left - right) <= 1e-9 * (1 + np.abs(right))))


def of(*factors):
    """A matrix product in which nothing is broadcast."""
    result = np.atleast_2d(factors[0])
    for factor in map(np.atleast_2d, factors[1:]):
        if result.shape[1] != factor.shape[0]:
            raise Misfit(f"{result.shape} times {factor.shape}")
        result = result @ factor
    return result


def plus(left, right):
    """A sum in which nothing is broadcast."""
    if np.shape(left) != np.shape(right):
        raise Misfit(f"{np.shape(left)} plus {np.shape(right)}")
    return left + right


def slope(function, at):
    """The derivative of a function of one array, in the shape of that array, by complex steps."""
    gradient = np.empty(at.shape)
    for place in np.ndindex(at.shape):
        moved = at.astype(complex)
        moved[place] += 1e-30j
        gradient[place] = np.imag(function(moved)).item() / 1e-30
    return gradient


def softmax(logits):
    """For complex numbers too."""
    weights = np.exp(logits - np.max(logits.real))
    return weights / weights.sum()


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cross_entropy_instance(rng):
    """θ, ŷ = softmax(θ), and any distribution y."""
    n = int(rng.integers(3, 7))
    theta, y = rng.normal(size=(n, 1)) * 2, rng.dirichlet(np.ones(n))[:, None]
    p = softmax(theta)

    def entropy(logits):
        return -(softmax(logits) * np.log(softmax(logits))).sum()

    return SimpleNamespace(
        n=n,
        theta=theta,
        y=y,
        p=p,
        ce=-(y * np.log(p)).sum(),
        h=entropy(theta),
        ones=np.ones((n, 1)),
        slope=slope(lambda logits: -(y * np.log(softmax(logits))).sum(), theta),
        entropy_slope=slope(entropy, theta),
        jacobian=np.stack([slope(lambda logits, i=i: softmax(logits)[i], theta)[:, 0] for i in range(n)]),
        off=~np.eye(n, dtype=bool),
        lse=logsumexp(theta),
    )


def network_instance(rng):
    """h = σ(x W_1 + b_1), ŷ = softmax(h W_2 + b_2), all rows; every size differs."""
    d, hidden, m = 2, 5, 3
    at = SimpleNamespace(x=rng.normal(size=(1, d)), w1=rng.normal(size=(d, hidden)), b1=rng.normal(size=(1, hidden)))
    at.w2, at.b2 = rng.normal(size=(hidden, m)), rng.normal(size=(1, m))
    at.y = rng.dirichlet(np.ones(m))[None, :]

    def loss_of_logits(z2):
        return -(at.y * np.log(softmax(z2))).sum()

    def loss(x=at.x, w1=at.w1, b1=at.b1, w2=at.w2, b2=at.b2):
        return loss_of_logits(sigmoid(x @ w1 + b1) @ w2 + b2)

    at.z1 = at.x @ at.w1 + at.b1
    at.h = sigmoid(at.z1)
    at.z2 = at.h @ at.w2 + at.b2
    at.p = softmax(at.z2)
    at.j = loss()
    at.dx, at.dw1, at.db1 = slope(lambda x: loss(x=x), at.x), slope(lambda w: loss(w1=w), at.w1), None
    at.db1, at.dw2 = slope(lambda b: loss(b1=b), at.b1), slope(lambda w: loss(w2=w), at.w2)
    at.db2, at.dz2 = slope(lambda b: loss(b2=b), at.b2), slope(loss_of_logits, at.z2)
    at.dh = slope(lambda h: loss_of_logits(h @ at.w2 + at.b2), at.h)
    at.dz1 = slope(lambda z: loss_of_logits(sigmoid(z) @ at.w2 + at.b2), at.z1)
    at.dsigmoid = slope(lambda z: sigmoid(z).sum(), at.z1)
    at.error = at.p - at.y
    at.back = at.error @ at.w2.T
    at.s = at.h * (1 - at.h)
    return at


def subspace_instance(rng):
    """Orthonormal A and B, orthogonal to each other; s = A c + B d."""
    width, m, p = 7, 2, 3
    basis = np.linalg.qr(rng.normal(size=(width, m + p)))[0]
    at = SimpleNamespace(width=width, m=m, a=basis[:, :m], b=basis[:, m:], eye=np.eye(width))
    at.c, at.d = rng.normal(size=(m, 1)), rng.normal(size=(p, 1))
    at.va, at.vb = at.a @ at.c, at.b @ at.d
    at.s = at.va + at.vb
    at.pa, at.pb = at.a @ at.a.T, at.b @ at.b.T
    return at


def text_instance(rng):
    """Probabilities of the N tokens of a text, also read in two parts."""
    n1, n2 = int(rng.integers(1, 4)), int(rng.integers(4, 7))
    n = n1 + n2
    p = rng.uniform(0.01, 0.99, size=n)
    surprise = -np.log(p)
    return SimpleNamespace(
        n=n,
        n1=n1,
        n2=n2,
        p=p,
        v=int(rng.integers(2, 50)),
        ce=surprise.mean(),
        bits=-np.log2(p).mean(),
        pp=np.exp(surprise.mean()),
        pp1=np.exp(surprise[:n1].mean()),
        pp2=np.exp(surprise[n1:].mean()),
    )


def norm(v):
    return np.sqrt((v**2).sum())


CROSS_ENTROPY = {
    "grad": lambda e: same(e.slope, e.p - e.y),
    "grad-sign": lambda e: same(e.slope, e.y - e.p),
    "grad-entry": lambda e: all(same(e.slope[i], e.p[i] - e.y[i]) for i in range(e.n)),
    "grad-no-target": lambda e: same(e.slope, e.p),
    "grad-nabla": lambda e: same(e.slope, e.p - e.y),
    "grad-unicode": lambda e: same(e.slope, e.p - e.y),
    "grad-d": lambda e: same(e.slope, e.p - e.y),
    "grad-half": lambda e: same(e.slope, (e.p - e.y) / 2),
    "grad-product": lambda e: same(e.slope, e.p * e.y),
    "grad-row": lambda e: same(e.slope, (e.p - e.y).T),
    "grad-number": lambda e: same(e.slope, of(e.y.T, e.p)),
    "grad-sums-to-zero": lambda e: same(e.slope.sum(), 0),
    "grad-of-entropy": lambda e: same(e.entropy_slope, -e.p * (np.log(e.p) + e.h)),
    "grad-of-entropy-sign": lambda e: same(e.entropy_slope, e.p * (np.log(e.p) + e.h)),
    "sum-one": lambda e: same(sum(e.p), 1),
    "sum-one-vector": lambda e: same(of(e.ones.T, e.p), 1),
    "sum-one-word": lambda e: same(e.p.sum(), 1),
    "target-sums-to-one": lambda e: same(e.y.sum(), 1),
    "softmax-entry": lambda e: same(e.p, np.exp(e.theta) / np.exp(e.theta).sum()),
    "softmax-plain": lambda e: same(e.p, np.exp(e.theta) / np.exp(e.theta).sum()),
    "softmax-unnormalised": lambda e: same(e.p, np.exp(e.theta)),
    "softmax-logs": lambda e: same(e.p, e.theta / e.theta.sum()),
    "log-softmax": lambda e: same(np.log(e.p), e.theta - e.lse),
    "log-softmax-sign": lambda e: same(np.log(e.p), e.theta + e.lse),
    "log-ratio": lambda e: same(e.theta - e.theta.T, np.log(e.p) - np.log(e.p).T),
    "logits-are-logs": lambda e: same(e.theta, np.log(e.p)),
    "loss": lambda e: same(e.ce, -sum(y * np.log(p) for y, p in zip(e.y[:, 0], e.p[:, 0], strict=True))),
    "loss-sign": lambda e: same(e.ce, (e.y * np.log(e.p)).sum()),
    "loss-swapped": lambda e: same(e.ce, -(e.p * np.log(e.y)).sum()),
    "loss-vector": lambda e: same(e.ce, -of(e.y.T, np.log(e.p))),
    "loss-logsumexp": lambda e: same(e.ce, e.lse - of(e.y.T, e.theta)),
    "loss-logsumexp-wrong": lambda e: same(e.ce, e.lse - of(e.p.T, e.theta)),
    "loss-positive": lambda e: e.ce >= 0,
    "loss-negative": lambda e: e.ce < 0,
    "gibbs": lambda e: e.ce >= -(e.y * np.log(e.y)).sum(),
    "not-gibbs": lambda e: e.ce >= e.h,
    "entropy-bound": lambda e: e.h <= np.log(e.n),
    "shift": lambda e: same(softmax(e.theta + 3), e.p),
    "scale": lambda e: same(softmax(2 * e.theta), e.p),
    "entry-of-softmax": lambda e: same(softmax(e.theta), e.p),
    "below-one": lambda e: (e.p < 1).all(),
    "above-half": lambda e: (e.p > 0.5).all(),
    "norm-one": lambda e: same(of(e.p.T, e.p), 1),
    "norm-bound": lambda e: (e.p**2).sum() <= 1,
    "jacobian-diagonal": lambda e: same(np.diag(e.jacobian), (e.p * (1 - e.p))[:, 0]),
    "jacobian-off": lambda e: same(e.jacobian[e.off], -(e.p * e.p.T)[e.off]),
    "jacobian-off-sign": lambda e: same(e.jacobian[e.off], (e.p * e.p.T)[e.off]),
    "try": lambda e: same(e.slope, e.p - e.y),
    "try-sign": lambda e: same(e.slope, e.y - e.p),
    "try-no-target": lambda e: same(e.slope, e.p),
    "try-row": lambda e: same(e.slope, (e.p - e.y).T),
}
NETWORK = {
    "x": lambda e: same(e.dx, of(e.back * e.s, e.w1.T)),
    "x-no-brackets": lambda e: same(e.dx, of(e.back * e.s, e.w1.T)),
    "x-unicode": lambda e: same(e.dx, of(e.back * e.s, e.w1.T)),
    "x-diagonal": lambda e: same(e.dx, of(e.error, e.w2.T, np.diag(e.s[0]), e.w1.T)),
    "x-no-slope": lambda e: same(e.dx, of(e.error, e.w2.T, e.w1.T)),
    "x-sign": lambda e: same(e.dx, of(-e.back * e.s, e.w1.T)),
    "x-plus": lambda e: same(e.dx, of(e.back * e.h * (1 + e.h), e.w1.T)),
    "x-column": lambda e: same(e.dx, of(e.w1, (e.back * e.s).T)),
    "x-no-transpose": lambda e: same(e.dx, of(of(e.error, e.w2) * e.s, e.w1)),
    "x-chain": lambda e: same(e.dx, of(e.dz1, e.w1.T)),
    "x-chain-short": lambda e: same(e.dx, of(e.dh, e.w1.T)),
    "W_2": lambda e: same(e.dw2, of(e.h.T, e.error)),
    "W_2-turned": lambda e: same(e.dw2, of(e.error.T, e.h)),
    "W_2-sign": lambda e: same(e.dw2, -of(e.h.T, e.error)),
    "b_2": lambda e: same(e.db2, e.error),
    "b_2-wrong": lambda e: same(e.db2, e.p),
    "z_2": lambda e: same(e.dz2, e.error),
    "h": lambda e: same(e.dh, of(e.error, e.w2.T)),
    "h-turned": lambda e: same(e.dh, of(e.w2, e.error)),
    "z_1": lambda e: same(e.dz1, e.back * e.dsigmoid),
    "z_1-wrong": lambda e: same(e.dz1, e.back * e.h),
    "b_1": lambda e: same(e.db1, e.back * e.s),
    "b_1-no-slope": lambda e: same(e.db1, e.back),
    "W_1": lambda e: same(e.dw1, of(e.x.T, e.back * e.s)),
    "W_1-no-slope": lambda e: same(e.dw1, of(e.x.T, e.error, e.w2.T)),
    "slope": lambda e: same(e.dsigmoid, e.h * (1 - e.h)),
    "slope-square": lambda e: same(e.dsigmoid, e.h * e.h),
    "slope-product": lambda e: same(e.dsigmoid, of(e.h, e.h - e.h)),
    "hidden": lambda e: same(e.h, sigmoid(of(e.x, e.w1) + e.b1)),
    "hidden-turned": lambda e: same(e.h, sigmoid(of(e.w1, e.x) + e.b1)),
    "hidden-no-bias": lambda e: same(e.h, sigmoid(of(e.x, e.w1))),
    "output": lambda e: same(e.p, softmax(of(e.h, e.w2) + e.b2)),
    "output-no-bias": lambda e: same(e.p, softmax(of(e.h, e.w2))),
    "loss": lambda e: same(e.j, -(e.y * np.log(e.p)).sum()),
    "loss-rows": lambda e: same(e.j, -of(np.log(e.p), e.y.T)),
    "hidden-bound": lambda e: (e.h < 1).all(),
    "hidden-norm": lambda e: norm(e.h) <= 1,
    "errors-sum": lambda e: same(e.error.sum(), 0),
    "try": lambda e: same(e.dx, of(e.back * e.s, e.w1.T)),
    "try-sign": lambda e: same(e.dx, -of(e.back * e.s, e.w1.T)),
    "try-output": lambda e: same(e.dx, e.error),
}
SUBSPACES = {
    "try": lambda e: same(of(e.a, e.a.T, e.s), e.va),
    "try-run": lambda e: same(of(e.a, e.a.T, e.s), e.va),
    "try-python": lambda e: same(of(e.a, e.a.T, e.s), e.va),
    "try-prime": lambda e: same(of(e.a, e.a.T, e.s), e.va),
    "try-general": lambda e: same(of(e.a, np.linalg.inv(of(e.a.T, e.a)), e.a.T, e.s), e.va),
    "try-plain-inverse": lambda e: same(of(e.a, np.linalg.inv(of(e.a.T, e.a)), e.a.T, e.s), e.va),
    "try-other": lambda e: same(of(e.eye - e.pb, e.s), e.va),
    "try-square": lambda e: same(of(e.pa, e.pa, e.s), e.va),
    "try-sum": lambda e: same(of(sum(np.outer(a, a) for a in e.a.T), e.s), e.va),
    "try-wrong-way": lambda e: same(of(e.a.T, e.a, e.s), e.va),
    "try-complement": lambda e: same(of(e.eye - e.pa, e.s), e.va),
    "try-other-projector": lambda e: same(of(e.pb, e.s), e.va),
    "try-both": lambda e: same(of(e.pa + e.pb, e.s), e.va),
    "try-difference": lambda e: same(of(e.pa - e.pb, e.s), e.va),
    "try-double": lambda e: same(of(2 * e.pa, e.s), e.va),
    "try-identity": lambda e: same(e.s, e.va),
    "basis": lambda e: same(of(e.a.T, e.a), np.eye(e.m)),
    "basis-wrong": lambda e: same(of(e.a, e.a.T), e.eye),
    "bases": lambda e: same(of(e.a.T, e.b), 0),
    "bases-turned": lambda e: same(of(e.b.T, e.a), 0),
    "bases-wrong": lambda e: same(of(e.a, e.b.T), 0),
    "coordinates": lambda e: same(of(e.a.T, e.s), e.c),
    "coordinates-a": lambda e: same(of(e.a.T, e.va), e.c),
    "coordinates-b": lambda e: same(of(e.a.T, e.vb), 0),
    "coordinates-wrong": lambda e: same(of(e.a.T, e.s), e.va),
    "coordinates-added": lambda e: same(of(e.a.T, e.s), plus(e.c, e.d)),
    "coordinates-kept": lambda e: same(of(e.a.T, e.s), of(e.a.T, e.vb)),
    "recover": lambda e: same(of(e.a, e.a.T, e.s), e.va),
    "recover-b": lambda e: same(of(e.b, e.b.T, e.s), e.vb),
    "recover-b-too": lambda e: same(of(e.eye - of(e.a, e.a.T), e.s), e.vb),
    "recover-wrong": lambda e: same(of(e.a, e.a.T, e.s), e.vb),
    "orthogonal": lambda e: same(of(e.va.T, e.vb), 0),
    "orthogonal-dot": lambda e: same((e.va * e.vb).sum(), 0),
    "orthogonal-s": lambda e: same(of(e.va.T, e.s), 0),
    "own-part": lambda e: same(of(e.va.T, e.s), (e.va**2).sum()),
    "pythagoras": lambda e: same(norm(e.s) ** 2, norm(e.va) ** 2 + norm(e.vb) ** 2),
    "norms-add": lambda e: same(norm(e.s), norm(e.va) + norm(e.vb)),
    "triangle": lambda e: norm(e.s) <= norm(e.va) + norm(e.vb),
    "isometry": lambda e: same(norm(e.va), norm(e.c)),
    "isometry-s": lambda e: same(of(e.s.T, e.s), of(e.c.T, e.c) + of(e.d.T, e.d)),
    "trace": lambda e: same(np.trace(e.pa), e.m),
    "trace-wrong": lambda e: same(np.trace(e.pa), e.width),
    "twice": lambda e: same(of(e.a, e.a.T, e.a), e.a),
    "symmetric": lambda e: same(e.pa.T, e.pa),
    "idempotent": lambda e: same(of(e.pa, e.pa), e.pa),
    "sum": lambda e: same(e.s, of(e.a, e.c) + of(e.b, e.d)),
    "sum-wrong": lambda e: same(e.s, of(e.a, e.c) - of(e.b, e.d)),
    "shorter": lambda e: norm(e.va) <= norm(e.s),
    "longer": lambda e: norm(e.va) >= norm(e.s),
    "columns": lambda e: all(same(a @ a, 1) for a in e.a.T),
    "columns-orthogonal": lambda e: all(same(a @ b, 0) for a in e.a.T for b in e.b.T),
    "number-and-vector": lambda e: same(plus(e.va, 1.0), e.s),
}
PERPLEXITY = {
    "exp": lambda e: same(e.pp, np.exp(-sum(np.log(p) for p in e.p) / e.n)),
    "product": lambda e: same(e.pp, np.prod(e.p) ** (-1 / e.n)),
    "product-inside": lambda e: same(e.pp, np.prod(e.p ** (-1 / e.n))),
    "base-two": lambda e: same(e.pp, 2 ** (-np.log2(e.p).sum() / e.n)),
    "base-ten": lambda e: same(e.pp, 10 ** (-np.log10(e.p).sum() / e.n)),
    "base-mixed": lambda e: same(e.pp, 2 ** (-np.log(e.p).sum() / e.n)),
    "base-mixed-other": lambda e: same(e.pp, np.exp(-np.log2(e.p).sum() / e.n)),
    "bits": lambda e: same(e.pp, 2**e.bits),
    "bits-wrong": lambda e: same(e.pp, 2**e.ce),
    "bits-wrong-other": lambda e: same(e.pp, np.exp(e.bits)),
    "nats-to-bits": lambda e: same(e.ce, e.bits * np.log(2)),
    "nats-to-bits-wrong": lambda e: same(e.bits, e.ce * np.log(2)),
    "bits-quotient": lambda e: same(e.bits, e.ce / np.log(2)),
    "mean-inverse": lambda e: same(e.pp, (1 / e.p).mean()),
    "mean-inverse-bound": lambda e: e.pp <= (1 / e.p).mean(),
    "mean-probability": lambda e: same(e.pp, 1 / e.p.mean()),
    "mean-probability-bound": lambda e: e.pp >= 1 / e.p.mean(),
    "at-least-one": lambda e: e.pp >= 1,
    "log": lambda e: same(e.ce, np.log(e.pp)),
    "log-two": lambda e: same(np.log2(e.pp), e.bits),
    "no-mean": lambda e: same(e.ce, -np.log(e.p).sum()),
    "no-root": lambda e: same(e.pp, np.prod(e.p)),
    "power": lambda e: same(e.pp**e.n, np.prod(1 / e.p)),
    "no-minus": lambda e: same(e.pp, np.exp(np.log(e.p).mean())),
    "parts": lambda e: same(e.pp, e.pp1 ** (e.n1 / e.n) * e.pp2 ** (e.n2 / e.n)),
    "parts-logs": lambda e: same(e.n * np.log(e.pp), e.n1 * np.log(e.pp1) + e.n2 * np.log(e.pp2)),
    "parts-mean": lambda e: same(e.pp, (e.pp1 + e.pp2) / 2),
    "parts-weighted": lambda e: same(e.pp, (e.n1 * e.pp1 + e.n2 * e.pp2) / e.n),
    "parts-root": lambda e: same(e.pp, np.sqrt(e.pp1 * e.pp2)),
    "parts-product": lambda e: same(e.pp, e.pp1 * e.pp2),
    "parts-below": lambda e: e.pp1 <= e.pp,
    "parts-count": lambda e: same(e.n1 + e.n2, e.n),
    "uniform": lambda e: same(np.prod(np.full(e.n, 1 / e.v)) ** (-1 / e.n), e.v),
    "uniform-wrong": lambda e: same(np.prod(np.full(e.n, 2 / e.v)) ** (-1 / e.n), e.v),
}
ORACLES = {
    "softmax-cross-entropy": (cross_entropy_instance, CROSS_ENTROPY),
    "one-hidden-layer": (network_instance, NETWORK),
    "two-subspaces": (subspace_instance, SUBSPACES),
    "perplexity": (text_instance, PERPLEXITY),
}
NOT_COMPARED = {"two-subspaces": {"try-coordinates"}}
"""Aᵀ s has m entries where v_a has D: as an answer to the exercise it fails, though no two sides can be compared."""
