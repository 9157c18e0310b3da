"""The point at which training of a neural bigram model starts.

With vectors of its own to learn, a network can start close to where it should end. While its activations are small, it
is a linear map of low rank, and the map wanted is known: how much more likely each token is after a context than
anywhere,

    R[c, v] = ln P(v | c) − ln P(v)          P(v | c) from discounted counts

Errors of R matter in proportion to how often context and token occur, so a truncated singular value decomposition of
√n_c R √p_v gives the vectors and W₂; W₁ starts as the identity. Given vectors can express little of R in this way, and
there a start at random is as good.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy.sparse import csr_array

from regard.errors import ShapeError, ValueRangeError
from regard.models.bigram import BigramNetwork
from regard.shapes import Bool, Float

RIDGES = (1.0, 10.0, 100.0, 1000.0)
MIN_GAIN = 1e-3  # what vectors must take off the error of words left out, to be more than rounding


class RidgeFit(NamedTuple):
    """Predictions of a ridge regression, and its weighted squared error with each word left out in turn."""

    predicted: Float[np.ndarray, "word unit"]
    left_out_error: float


def predict_from_vectors(
    given: Float[np.ndarray, "word width"],
    learnt: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
) -> Float[np.ndarray, "word unit"] | None:
    """The learnt numbers of each word as its given vector predicts them; None where the mean over words does better."""
    constant = np.ones((len(given), 1))
    features = np.hstack([given / max(np.sqrt((given**2).mean()), 1e-12), constant]) if len(given) else constant
    best, by_mean = (fit_best_ridge(inputs, learnt, weights) for inputs in (features, constant))
    return best.predicted if best.left_out_error < (1 - MIN_GAIN) * by_mean.left_out_error else None


def fit_best_ridge(
    features: Float[np.ndarray, "word width"],
    targets: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
) -> RidgeFit:
    """The fit whose ridge predicts words best that are left out."""
    fits = [fit_ridge(features, targets, weights, ridge=ridge) for ridge in RIDGES]
    return min(fits, key=lambda fit: fit.left_out_error)


def fit_ridge(
    features: Float[np.ndarray, "word width"],
    targets: Float[np.ndarray, "word unit"],
    weights: Float[np.ndarray, " word"],
    *,
    ridge: float,
) -> RidgeFit:
    """Least squares with weights and a ridge.

    >>> fit_ridge(np.ones((2, 1)), np.array([[1.0], [3.0]]), np.ones(2), ridge=0.0)
    RidgeFit(predicted=array([[2.], [2.]]), left_out_error=8.0)
    """
    weighted = features * weights[:, None]
    inverse = np.linalg.inv(features.T @ weighted + ridge * np.eye(features.shape[1]))
    predicted = features @ (inverse @ (weighted.T @ targets))
    leverage = ((features @ inverse) * weighted).sum(axis=1)
    left_out = (targets - predicted) / np.maximum(1 - leverage, 1e-12)[:, None]
    return RidgeFit(predicted, float((weights[:, None] * left_out**2).sum()))


SHRINKAGE = 5.0  # taken off singular values: about what chance alone would show
SIZE = 0.2  # root mean square of what enters a hidden unit, small enough for tanh to be nearly linear
RANDOM_SIZE, RANDOM_W2 = 0.5, 0.1  # the same for a random start, and the size of its output weights
OVERSAMPLING, POWERS = 10, 2

VectorUse: TypeAlias = Literal["fixed", "tuned"]
"""Whether given vectors stay as they are or learn. Vectors that are not given always learn."""


def check_use(use: str) -> None:
    """Refuse any other word than those of `VectorUse`."""
    if use not in get_args(VectorUse):
        raise ValueRangeError(f"given vectors must be 'fixed' or 'tuned'; got {use!r}")


def random_start(
    vectors: Float[np.ndarray, "context width"],
    n_written: np.ndarray,
    rng: np.random.Generator,
    *,
    hidden: int,
) -> BigramNetwork:
    """A tanh network on the given vectors, with random weights and the tokens' own frequencies."""
    typical = max(float(np.sqrt((vectors**2).sum(axis=1).mean())), 1e-12)
    w1 = rng.standard_normal((vectors.shape[1], hidden)) * (RANDOM_SIZE / typical)
    w2 = rng.standard_normal((hidden, len(n_written))) * RANDOM_W2
    return _network(vectors, w1, w2, np.log(token_shares(n_written)))


def spectral_start(counts: csr_array, rng: np.random.Generator, *, hidden: int, width: int) -> BigramNetwork:
    """A tanh network, vectors included, whose logits are close to ln P(v | c), as far as its size allows."""
    share = token_shares(counts.sum(axis=0))
    by_context, by_token = np.sqrt(counts.sum(axis=1) + 1.0)[:, None], np.sqrt(share)
    left, values, right = truncated_svd(log_ratio(counts, share).scale(by_context, by_token), width, rng)
    strength = np.sqrt(np.maximum(values - SHRINKAGE, 0.01 * values.max()))
    vectors = np.zeros((counts.shape[0], width))
    vectors[:, : len(values)] = left * strength / by_context
    size = SIZE / max(np.sqrt((vectors**2).mean()), 1e-12)
    # Units beyond the width begin as random mixtures that are not yet listened to.
    extra = rng.standard_normal((width, max(hidden - width, 0))) / np.sqrt(width)
    w2 = np.zeros((hidden, counts.shape[1]))
    heard = min(hidden, len(values))
    w2[:heard] = (strength[:, None] * right / by_token / size)[:heard]
    return _network(size * vectors, np.hstack([np.eye(width, min(hidden, width)), extra]), w2, np.log(share))


def prepare_vectors(
    vectors: Float[np.ndarray, "context width"],
    is_given: Bool[np.ndarray, " context"] | None,
    rng: np.random.Generator,
    *,
    n_contexts: int,
    use: VectorUse,
) -> tuple[Float[np.ndarray, "context width"], Bool[np.ndarray, " context"]]:
    """Vectors to start from, and which of them learn: those that are not given, and all if they are to be tuned.

    Given ones (all, by default) are scaled to a root mean square of one, the others are random and half as large.
    """
    given = require_vectors(vectors, is_given, n_contexts=n_contexts)
    size = np.sqrt((vectors[given] ** 2).mean()) if given.any() else 1.0
    filled = 0.5 * rng.standard_normal(vectors.shape)
    filled[given] = vectors[given] / max(size, 1e-12)
    return filled, ~given | (use == "tuned")


def require_vectors(
    vectors: Float[np.ndarray, "context width"], is_given: Bool[np.ndarray, " context"] | None, *, n_contexts: int
) -> Bool[np.ndarray, " context"]:
    """Which of the vectors are given (all, by default), if there is one for each context and they are finite."""
    if len(vectors) != n_contexts:
        raise ShapeError(f"each of the {n_contexts} contexts needs one vector; got vectors of shape {vectors.shape}")
    given = np.ones(n_contexts, bool) if is_given is None else is_given
    if not np.isfinite(vectors[given]).all():
        raise ValueRangeError("given vectors must be finite; some hold NaN or infinite numbers")
    return given


def token_shares(n_written: np.ndarray) -> Float[np.ndarray, " vocab"]:
    """P(v), with half a count more for every token, so that none is impossible.

    >>> token_shares(np.array([3, 0]))
    array([0.875, 0.125])
    """
    return (n_written + 0.5) / (n_written + 0.5).sum()


class SparsePlusLow(NamedTuple):
    """The matrix seen + left · right: wherever a token was not seen after a context, it is a sum of two terms."""

    seen: csr_array
    left: Float[np.ndarray, "context rank"]
    right: Float[np.ndarray, "rank vocab"]

    def scale(self, by_context: Float[np.ndarray, "context 1"], by_token: Float[np.ndarray, " vocab"]) -> SparsePlusLow:
        """Every row and every column times its weight, in float32."""
        seen = self.seen.multiply(by_context).multiply(by_token).tocsr().astype(np.float32)
        return SparsePlusLow(
            seen, (self.left * by_context).astype(np.float32), (self.right * by_token).astype(np.float32)
        )

    def times(self, other: Float[np.ndarray, "vocab direction"]) -> Float[np.ndarray, "context direction"]:
        """matrix · other."""
        return self.seen @ other + self.left @ (self.right @ other)

    def multiply_left(self, other: Float[np.ndarray, "context direction"]) -> Float[np.ndarray, "vocab direction"]:
        """matrixᵀ · other."""
        return self.seen.T @ other + self.right.T @ (self.left.T @ other)


def log_ratio(counts: csr_array, share: Float[np.ndarray, " vocab"]) -> SparsePlusLow:
    """R[c, v] = ln P(v | c) − ln P(v), with P(v) = `share` and, for a context with t different tokens after it,

        P(v | c) = (max(n_cv − D, 0) + D t followed_v) / total_c

    What the discount D takes from counts goes to all tokens in proportion to how many contexts each has followed. Where
    nothing was counted, ln P is a sum of a term for c and one for v, so no matrix of all pairs is needed.
    """
    once, twice = (counts.data == 1).sum(), (counts.data == 2).sum()
    discount = np.clip(once / max(once + 2 * twice, 1), 0.1, 0.9)
    followed = token_shares(np.bincount(counts.indices, minlength=counts.shape[1]))
    n_different = np.diff(counts.indptr)
    spread = discount * np.maximum(n_different, 1)
    kept = csr_array((np.maximum(counts.data - discount, 0.0), counts.indices, counts.indptr), shape=counts.shape)
    above = np.log1p(kept.data / (np.repeat(spread, n_different) * followed[counts.indices]))
    seen = csr_array((above, counts.indices, counts.indptr), shape=counts.shape)
    of_context, of_token = np.log(spread / (kept.sum(axis=1) + spread)), np.log(followed / share)
    left = np.column_stack([of_context, np.ones(len(of_context))])
    return SparsePlusLow(seen, left, np.vstack([np.ones(len(of_token)), of_token]))


def truncated_svd(
    matrix: SparsePlusLow, rank: int, rng: np.random.Generator
) -> tuple[Float[np.ndarray, "context rank"], Float[np.ndarray, " rank"], Float[np.ndarray, "rank vocab"]]:
    """The largest singular values and their vectors, by random projection and a few powers of the matrix.

    Powers make the values that are wanted stand out; far cheaper than a full decomposition, and exact enough to start.
    """
    shape = matrix.seen.shape
    n_directions = min(rank + OVERSAMPLING, *shape)
    basis = matrix.times(rng.standard_normal((shape[1], n_directions)).astype(np.float32))
    for _ in range(POWERS):
        basis = np.linalg.qr(matrix.times(matrix.multiply_left(basis)))[0]
    left, values, right = np.linalg.svd(matrix.multiply_left(basis).T, full_matrices=False)
    rank = min(rank, n_directions)
    return (basis @ left)[:, :rank], values[:rank], right[:rank]


def _network(
    vectors: Float[np.ndarray, "context width"],
    w1: Float[np.ndarray, "width hidden"],
    w2: Float[np.ndarray, "hidden vocab"],
    b2: Float[np.ndarray, " vocab"],
) -> BigramNetwork:
    """The tanh network of these parameters in float32."""
    vectors, w1, b1, w2, b2 = (part.astype(np.float32) for part in (vectors, w1, np.zeros(w1.shape[1]), w2, b2))
    return BigramNetwork(vectors, w1, b1, w2, b2, activation="tanh")
