"""GloVe: word vectors whose products give the logarithms of co-occurrence counts.

    J = Σᵢⱼ f(Xᵢⱼ) (wᵢ·w̃ⱼ + bᵢ + b̃ⱼ − ln Xᵢⱼ)²  over all Xᵢⱼ > 0,      f(x) = min(1, (x / x_max)^power)

With all w̃ and b̃ fixed, J is a sum of weighted least-squares problems, one a word; so it is with all w and b fixed. The
two sides are solved in turn, each exactly: there is no step size, and J + ridge · Σ (|w|² + b² + |w̃|² + b̃²) never
rises. On the Penn Treebank eight sweeps bring J to 137,000; AdaGrad, the usual way, stands at 220,000 after twenty
epochs, in more time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from regard.errors import ShapeError, ValueRangeError
from regard.progress import Progress, silent
from regard.shapes import Float
from regard.text.cooccurrence import Cooccurrence, Line, count_cooccurrences
from regard.text.vectors.word_vectors import WordVectors

_WORDS_A_REPORT = 500
_PRODUCTS_IN_ONE_THREAD = 1 << 18
_FEWEST_ROWS = 8


MAX_WIDTH = 10_000


@dataclass(frozen=True)
class GloveConfig:
    """How to count and to fit. `window` is used only where a text has yet to be counted.

    A count of `x_max` or more has full weight; 100 suits billions of words, 10 a million. `ridge` keeps the vectors of
    rare words small, of which there are more numbers to find than counts to find them from.
    """

    width: int = 50
    window: int = 10
    x_max: float = 10.0
    power: float = 0.75
    ridge: float = 1.0
    n_sweeps: int = 8
    dtype: str = "float32"

    def __post_init__(self) -> None:
        for name in ("width", "window", "x_max", "ridge", "n_sweeps"):
            if not getattr(self, name) > 0:
                raise ValueRangeError(f"{name} must be positive; got {getattr(self, name)}")
        if self.width > MAX_WIDTH:  # each word's vector is solved for with a matrix of width by width
            raise ValueRangeError(f"width must be from 1 to {MAX_WIDTH:,}; got {self.width:,}")
        if self.dtype not in ("float32", "float64"):
            raise ValueRangeError(f"dtype must be float32 or float64; got {self.dtype!r}")


@dataclass(frozen=True)
class GloveSweep:
    """After one sweep: `loss` is J, `objective` is J with the ridge's share, which never rises."""

    sweep: int
    loss: float
    objective: float


def train_glove(
    source: Cooccurrence | Iterable[Line],
    words: Sequence[str],
    config: GloveConfig,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> tuple[WordVectors, tuple[GloveSweep, ...]]:
    """Train a vector wᵢ + w̃ᵢ for each word, from counts or lines of ids; return them and the loss of each sweep."""
    if not isinstance(source, Cooccurrence):
        source = count_cooccurrences(source, n_words=len(words), window=config.window)
    if source.n_words != len(words):
        raise ShapeError(f"counts need one word a row; got {source.n_words} rows and {len(words)} words")
    problem = GloveProblem(source.counts, config)
    total = 2 * config.n_sweeps * len(words)
    done = 0

    def report_solved(n: int) -> None:
        nonlocal done
        done += n
        progress(done / total, "fitting word vectors")

    left = right = problem.start(rng)
    history = []
    for sweep in range(1, config.n_sweeps + 1):
        left, _ = problem.solve(right, report_solved)
        right, loss = problem.solve(left, report_solved)
        history.append(GloveSweep(sweep, loss, loss + config.ridge * float((left**2).sum() + (right**2).sum())))
    vectors = (left + right)[:, :-1].astype(np.float32)
    return WordVectors(list(words), vectors), tuple(history)


class GloveProblem:
    """Weights f(X) and targets ln X of all counts. A side is [w, b] for each word: the bias is the last number."""

    def __init__(self, counts: csr_array, config: GloveConfig) -> None:
        x = np.asarray(counts.data, np.float64)
        if len(x) == 0 or not (np.isfinite(x).all() and (x > 0).all()):
            raise ValueRangeError(f"expected positive counts of words near each other; got {len(x)} of them")
        self.config = config
        self.row_ends, self.columns = counts.indptr, counts.indices
        self.weights = np.minimum(1, (x / config.x_max) ** config.power).astype(config.dtype)
        self.targets = np.log(x).astype(config.dtype)

    def start(self, rng: np.random.Generator) -> Float[np.ndarray, "vocab numbers"]:
        """A random side without biases; small, since the ridge would shrink anything large at once."""
        side = 0.1 * rng.standard_normal((len(self.row_ends) - 1, self.config.width + 1)).astype(self.config.dtype)
        side[:, -1] = 0
        return side

    def solve(
        self, other: Float[np.ndarray, "vocab numbers"], report_solved: Callable[[int], None] = lambda n: None
    ) -> tuple[Float[np.ndarray, "vocab numbers"], float]:
        """Solve for the side that is best against the other one; return it and J. Counts are symmetric, so rows serve.

        wᵢ·w̃ⱼ + bᵢ + b̃ⱼ = [wᵢ, bᵢ]·[w̃ⱼ, 1] + b̃ⱼ
        """
        factors, biases = other.copy(), other[:, -1]
        factors[:, -1] = 1
        side = np.empty_like(other)
        loss, n = 0.0, len(other)
        for i in range(n):
            row = slice(self.row_ends[i], self.row_ends[i + 1])
            near = self.columns[row]
            side[i], row_loss = ridge_fit(
                factors[near], self.targets[row] - biases[near], self.weights[row], ridge=self.config.ridge
            )
            loss += row_loss
            if (i + 1) % _WORDS_A_REPORT == 0:
                report_solved(_WORDS_A_REPORT)
        report_solved(n % _WORDS_A_REPORT)
        return side, loss


def ridge_fit(
    factors: Float[np.ndarray, "pair numbers"],
    targets: Float[np.ndarray, " pair"],
    weights: Float[np.ndarray, " pair"],
    *,
    ridge: float,
) -> tuple[Float[np.ndarray, " numbers"], float]:
    """The a that minimises Σ f (t − z·a)² + ridge |a|², and the sum alone.

    (Zᵀ F Z + ridge I) a = Zᵀ F t,  and the sum is [−a, 1]ᵀ G [−a, 1] with G = [Z, t]ᵀ F [Z, t].

    >>> ridge_fit(np.eye(2), np.array([4.0, 2.0]), np.array([1.0, 3.0]), ridge=1.0)
    (array([2. , 1.5]), 4.75)
    """
    gram = weighted_gram(np.concatenate([factors, targets[:, None]], axis=1), weights)
    normal = gram[:-1, :-1].copy()
    normal.flat[:: len(normal) + 1] += ridge
    found = np.linalg.solve(normal, gram[:-1, -1])
    residual = np.append(-found, found.dtype.type(1))
    return found, float(residual @ gram @ residual)


def weighted_gram(
    columns: Float[np.ndarray, "pair numbers"], weights: Float[np.ndarray, " pair"]
) -> Float[np.ndarray, "numbers numbers"]:
    """Yᵀ F Y, a few rows at a time.

    OpenBLAS hands larger products to several threads, which on a busy machine wait for each other a hundred times
    longer than such a product takes.
    """
    n_rows = _PRODUCTS_IN_ONE_THREAD // columns.shape[1] ** 2
    if n_rows < _FEWEST_ROWS:  # so wide that one thread would be slow
        n_rows = max(len(columns), 1)
    gram = np.zeros((columns.shape[1],) * 2, columns.dtype)
    for start in range(0, len(columns), n_rows):
        part = columns[start : start + n_rows]
        gram += (part * weights[start : start + n_rows, None]).T @ part
    return gram
