"""Context mixing: Kneser–Ney estimates of all orders at once, weighed by how much each context has been seen.

    p(w | c) = Σₙ weightₙ(c)·pₙ(w | last n − 1 symbols of c)            n = 1 … N
    weights  = softmax(features · W)        features: 1, and for each order ln(1 + times seen), ln(1 + successors)

pₙ is the interpolated Kneser–Ney estimate of order n. The features depend on the context alone, so the mixture is a
distribution. W is a `Gate`, which is fitted on the last tenth of the training text with that tenth taken out of the
counts; afterwards the counts are those of the whole text.

Static scores (`log_probs`) never change with the text that is scored. Adaptive ones (`adaptive_log_probs`) go on
learning: before each symbol, all that was scored before it has been added to the counts. They have a gate of their
own and are asked for by name, so the two cannot be confused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from regard.arrays import masked_softmax
from regard.arrays.namespace import threads_for
from regard.display import short_repr
from regard.errors import InputFileError, MethodError
from regard.models.ngram.counts import NgramCounts, Occurrences
from regard.models.ngram.kneser_ney import Estimate, Level, UnknownWords, continuation_levels, look_up, plain_levels
from regard.models.ngram.running_counts import RunningCounts
from regard.shapes import Bool, Float, Int

RIDGE = 5.0
"""Strength of the pull towards equal weights, in nats: what keeps a gate sane that was fitted on a few positions."""
ITERATIONS = 40
"""Steps of L-BFGS; more of them fit the validation text closer and other texts no better."""
MAX_POSITIONS = 50_000
"""Positions that a gate of some two hundred numbers is fitted on; more cost time and gain nothing."""


@short_repr
@dataclass(frozen=True)
class Gate:
    """Weights of the orders as a function of what is known about a context."""

    matrix: Float[np.ndarray, "feature order"]

    def weights(self, features: Float[np.ndarray, "position feature"]) -> Float[np.ndarray, "position order"]:
        """How much each order counts; each row sums to one."""
        with threads_for(float(len(features) * self.matrix.size)):
            return masked_softmax(features @ self.matrix)


def gate_features(tallies: Sequence[Int[np.ndarray, "position 4"]]) -> Float[np.ndarray, "position feature"]:
    """1, then for each order from the second on ln(1 + times its context was seen), ln(1 + its successors)."""
    columns = [np.ones(len(tallies[0]))]
    for tally in tallies[1:]:
        columns += [np.log1p(tally[:, 0]), np.log1p(tally[:, 1:].sum(axis=1))]
    return np.stack(columns, axis=1)


def fit_gate(features: Float[np.ndarray, "position feature"], probs: Float[np.ndarray, "position order"]) -> Gate:
    """The gate under which the mixture Σₙ weightₙ·pₙ makes validation symbols most likely.

    `probs` has the probability that each order gave the symbol that came.
    """
    step = max(1, -(-len(probs) // MAX_POSITIONS))
    features, probs = features[::step], probs[::step]
    if len(probs) == 0:
        return Gate(np.zeros((features.shape[1], probs.shape[1])))
    mean, scale = features.mean(axis=0), features.std(axis=0)
    constant = scale < 1e-9
    mean, scale = np.where(constant, 0.0, mean), np.where(constant, 1.0, scale)
    matrix = _likeliest((features - mean) / scale, probs) / scale[:, None]
    matrix[0] -= mean @ matrix  # the first feature is 1: it takes up what centring the others took away
    return Gate(matrix)


def _likeliest(
    features: Float[np.ndarray, "position feature"], probs: Float[np.ndarray, "position order"]
) -> Float[np.ndarray, "feature order"]:
    """Minimise the mean surprise with a small penalty on the matrix, starting from equal weights."""
    from scipy.optimize import minimize

    shape = features.shape[1], probs.shape[1]

    def objective(flat: Float[np.ndarray, " number"]) -> tuple[float, Float[np.ndarray, " number"]]:
        surprise, gradient = mean_surprise(flat.reshape(shape), features, probs)
        pull = RIDGE / len(probs)
        return surprise + pull / 2 * float(flat @ flat), gradient.ravel() + pull * flat

    start = np.zeros(shape[0] * shape[1])
    with threads_for(float(features.size * shape[1])):
        found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS})
    return found.x.reshape(shape)


def mean_surprise(
    matrix: Float[np.ndarray, "feature order"],
    features: Float[np.ndarray, "position feature"],
    probs: Float[np.ndarray, "position order"],
) -> tuple[float, Float[np.ndarray, "feature order"]]:
    """−mean ln Σₙ wₙpₙ in nats, and its gradient mean x·(w − r), where rₙ = wₙpₙ / Σ wp is what order n contributed."""
    weights = masked_softmax(features @ matrix)
    parts = weights * probs
    mixed = parts.sum(axis=1, keepdims=True)
    gradient = features.T @ (weights - parts / mixed) / len(probs)
    return -float(np.log(mixed).mean()), gradient


VALIDATION_SHARE = 10
"""One position in ten is kept for the gate."""
MAX_VALIDATION = 1 << 18
"""More positions than this are never needed for it."""


@dataclass(frozen=True)
class Evidence:
    """What all orders say, from the lowest up, and what the gate looks at.

    Estimates stand at positions of a text, or over the vocabulary for each context of a batch.
    """

    plain: Iterable[Estimate]
    continued: Iterable[Estimate]
    features: Float[np.ndarray, "position feature"]

    def orders(self, uniform: np.ndarray) -> Iterator[np.ndarray]:
        """pₙ for n = 1 … N: the n-grams' own counts on top of the continuations of all lower orders."""
        lower, continued = uniform, iter(self.continued)
        for share, escape in self.plain:
            yield share + escape * lower
            below = next(continued, None)
            if below is not None:
                lower = below[0] + below[1] * lower

    def mix(self, gate: Gate, uniform: np.ndarray) -> np.ndarray:
        """Σₙ weightₙ·pₙ."""
        weights = gate.weights(self.features).T
        beside = (slice(None),) + (None,) * (uniform.ndim - 1)  # over a vocabulary, a weight holds for the whole row
        return sum(weight[beside] * probs for weight, probs in zip(weights, self.orders(uniform), strict=True))


@dataclass(frozen=True)
class Levels:
    """Discounted counts of all orders: those of the n-grams and those of their continuations."""

    plain: tuple[Level, ...]
    continued: tuple[Level, ...]

    @classmethod
    def of(cls, counts: NgramCounts, *, discounts: Levels | None = None) -> Levels:
        """The levels of some counts, with the discounts of others where these are given."""
        plain, continued = plain_levels(counts), continuation_levels(counts)
        if discounts is None:
            return cls(plain, continued)
        return cls(_discount_again(plain, discounts.plain), _discount_again(continued, discounts.continued))

    def along(self, seen: Occurrences) -> Evidence:
        """At positions of a text from which nothing is learnt."""
        ranks = list(zip(seen.ngrams, seen.contexts, strict=True))
        return Evidence(
            (level.at(*at) for level, at in zip(self.plain, ranks, strict=True)),
            (level.at(*at) for level, at in zip(self.continued, ranks, strict=False)),
            self._features(seen.contexts),
        )

    def learning(self, seen: Occurrences) -> Evidence:
        """At positions of a text that is learnt from on the way."""
        running = RunningCounts(self.plain, self.continued, seen)
        return Evidence(running.plain_estimates(), running.continuation_estimates(), gate_features(running.tallies))

    def over_vocab(self, contexts: Int[np.ndarray, "order batch"], *, vocab_size: int) -> Evidence:
        """For every symbol that may follow."""
        return Evidence(
            (level.over_vocab(row, vocab_size=vocab_size) for level, row in zip(self.plain, contexts, strict=True)),
            (
                level.over_vocab(row, vocab_size=vocab_size)
                for level, row in zip(self.continued, contexts, strict=False)
            ),
            self._features(contexts),
        )

    def _features(self, contexts: Int[np.ndarray, "order position"]) -> Float[np.ndarray, "position feature"]:
        return gate_features(
            [look_up(level.tallies, row, missing=0.0) for level, row in zip(self.plain, contexts, strict=True)]
        )


def _discount_again(levels: tuple[Level, ...], like: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels with the discounts of others."""
    return tuple(replace(level, discounts=other.discounts) for level, other in zip(levels, like, strict=True))


def fit_gates(
    levels: Levels, seen: Occurrences, scored: Bool[np.ndarray, " position"], *, uniform: float
) -> Iterator[Gate]:
    """The gate for static scores, then the one for scoring that goes on learning, from text that is not counted."""
    for look in (levels.along, levels.learning):
        evidence = look(seen)
        probs = np.stack(list(evidence.orders(np.full(len(scored), uniform))), axis=1)
        yield fit_gate(evidence.features[scored], probs[scored])


@short_repr
@dataclass(frozen=True)
class ContextMixing:
    """An n-gram model of all orders up to the highest; `adaptive_gate` is None where only static scores are wanted."""

    counts: NgramCounts
    gate: Gate
    adaptive_gate: Gate | None = None

    @classmethod
    def fit(
        cls,
        ids: Int[np.ndarray, " position"],
        *,
        vocab_size: int,
        order: int = 10,
        start_id: int | None = None,
        adaptive: bool = False,
        unknown_words: UnknownWords | None = None,
    ) -> ContextMixing:
        """The model of a sequence of ids; `adaptive` also fits the gate for scoring that goes on learning.

        Given `unknown_words`, words that the sequence has once are counted a second time as unknown.
        """
        counts = NgramCounts.count(ids, vocab_size=vocab_size, order=order, start_id=start_id)
        n_validation = min(len(ids) // VALIDATION_SHARE, MAX_VALIDATION)
        scored = ~counts.is_mark(ids[len(ids) - n_validation :])
        if unknown_words is not None and unknown_words.are_in(counts):
            before, seen = _meet_end(counts, ids, n_validation, unknown_words)
            counts = unknown_words.count_again(counts, ids)
        else:
            before, seen = _take_out_end(counts, ids, n_validation)
        fit = fit_gates(Levels.of(before), seen, scored, uniform=counts.uniform.max())
        return cls(counts, next(fit), next(fit) if adaptive else None)

    @cached_property
    def levels(self) -> Levels:
        """Discounted counts of the training text."""
        return Levels.of(self.counts)

    def log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """Static: nats of each symbol given all before it in its segment; 0 for a start mark, which is given."""
        pieces = (self._log_mix(self.levels.along(seen), self.gate) for seen in self.counts.pieces(ids))
        return self._join(pieces, ids)

    def adaptive_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p of each symbol by counts to which all symbols before it have been added.

        Raises MethodError for a model that was fitted without `adaptive`.
        """
        gate = self._require_adaptive()
        readings = self.levels_before(ids)
        return self._join((self._log_mix(levels.learning(seen), gate) for levels, seen in readings), ids)

    def levels_before(self, ids: Int[np.ndarray, " position"]) -> Iterator[tuple[Levels, Occurrences]]:
        """For each piece of a text that is learnt from: the counts before it, in tables that hold its n-grams too."""
        for counts, seen in self.counts.readings(ids):
            yield Levels.of(counts.without(seen), discounts=self.levels), seen

    def next_log_probs(self, context: Int[np.ndarray, " position"]) -> Float[np.ndarray, " vocab"]:
        """Static: nats of every symbol after `context`; −∞ for a start id within the vocabulary."""
        return self.next_log_probs_of([context])[0]

    def next_log_probs_of(self, contexts: Sequence[Int[np.ndarray, " _"]]) -> Float[np.ndarray, "batch vocab"]:
        """Nats of every symbol of the vocabulary after each of many contexts."""
        return self.log_probs_after(self.counts.context_ranks(contexts))

    def log_probs_after(self, ranks: Int[np.ndarray, "order batch"]) -> Float[np.ndarray, "batch vocab"]:
        """Nats of every symbol after contexts that are given by their ranks at every order."""
        return self.log_next(self.levels.over_vocab(ranks, vocab_size=self.counts.vocab_size), self.gate)

    def adaptive_next_log_probs(self, read: Int[np.ndarray, " position"]) -> Float[np.ndarray, " vocab"]:
        """Adaptive: nats of every symbol after a text that has been read, and learnt from, since its beginning."""
        gate = self._require_adaptive()
        counts = self.counts.extend(read)
        levels = Levels.of(counts, discounts=self.levels)
        return self.log_next(levels.over_vocab(counts.context_ranks([read]), vocab_size=counts.vocab_size), gate)[0]

    def log_next(self, evidence: Evidence, gate: Gate) -> Float[np.ndarray, "batch vocab"]:
        """Nats of every symbol, from evidence over the vocabulary."""
        uniform = np.tile(self.counts.uniform, (len(evidence.features), 1))
        with np.errstate(divide="ignore"):
            return np.log(evidence.mix(gate, uniform))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, to be written to a file."""
        gates = {"gate": self.gate.matrix}
        if self.adaptive_gate is not None:
            gates["adaptive_gate"] = self.adaptive_gate.matrix
        return self.counts.to_arrays() | gates

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> ContextMixing:
        """The model that `to_arrays` wrote; InputFileError where an array is missing or cannot be right."""
        counts = NgramCounts.from_arrays(arrays)
        shape = (2 * counts.order - 1, counts.order)
        gate = _gate(arrays, "gate", shape)
        return cls(counts, gate, _gate(arrays, "adaptive_gate", shape) if "adaptive_gate" in arrays else None)

    def _log_mix(self, evidence: Evidence, gate: Gate) -> Float[np.ndarray, " position"]:
        uniform = np.full(len(evidence.features), self.counts.uniform.max())
        return np.log(evidence.mix(gate, uniform))

    def _join(
        self, pieces: Iterable[Float[np.ndarray, " _"]], ids: Int[np.ndarray, " position"]
    ) -> Float[np.ndarray, " position"]:
        """One array, with a certain 0 at start marks."""
        return np.where(self.counts.is_mark(ids), 0.0, np.concatenate([np.zeros(0), *pieces]))

    def _require_adaptive(self) -> Gate:
        if self.adaptive_gate is None:
            raise MethodError("this model has static weights only; fit it with adaptive=True to score adaptively")
        return self.adaptive_gate


def _take_out_end(
    counts: NgramCounts, ids: Int[np.ndarray, " position"], n_end: int
) -> tuple[NgramCounts, Occurrences]:
    """The counts without the last positions of their text, and where the n-grams of these stand in them."""
    begin = len(ids) - n_end
    before = min(begin, counts.order - 1)
    seen = counts.occurrences(ids[begin - before :]).after(before)
    return counts.without(seen), seen


def _meet_end(
    counts: NgramCounts, ids: Int[np.ndarray, " position"], n_end: int, unknown_words: UnknownWords
) -> tuple[NgramCounts, Occurrences]:
    """As `_take_out_end`, for a model of the positions before the last: what these do not have is unknown to it."""
    begin = len(ids) - n_end
    before = min(begin, counts.order - 1)
    empty = NgramCounts.empty(vocab_size=counts.vocab_size, order=counts.order, start_id=counts.start_id)
    first = unknown_words.count_again(empty.extend(ids[:begin]), ids[:begin])
    both, seen = first.read(unknown_words.meet(ids[begin - before :], first), n_before=before)
    return both.without(seen), seen


def _gate(arrays: dict[str, np.ndarray], name: str, shape: tuple[int, int]) -> Gate:
    """A gate read from named arrays."""
    matrix = arrays.get(name)
    if matrix is None or matrix.shape != shape or matrix.dtype.kind != "f" or not np.isfinite(matrix).all():
        raise InputFileError(
            f"the model's {name!r} should be {shape[0]} × {shape[1]} finite numbers; the file is damaged"
        )
    return Gate(matrix.astype(np.float64))
