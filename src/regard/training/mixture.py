"""From trained models to a mixture of them: the gate is fitted on text that no member has learnt from.

    training text   |── validation ──|──────────── networks learnt from this ────────────|
                    |──────────── counting members: with the beginning taken out of their counts, then used whole ──|
                      the gate is fitted here

The adaptive part is fitted on the same piece, read once from its beginning by members that learn on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from regard.errors import NothingScoredError, ValueRangeError
from regard.files import sha256
from regard.models.background import Background, TextDigest, digest, make_background
from regard.models.base import LanguageModel, select_log_probs
from regard.models.mixture.gate import FEATURES, MAX_NUMBERS, Form, MixtureGate, fit_mixture_gate, floor_log_probs
from regard.models.mixture.model import AdaptivePart, MixtureModel, Settings, require_same_alphabet, side_by_side
from regard.models.ngram.model import NgramModel
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser

SEEN_SHARE = 0.1
"""Text of which more than this occurs in a model's training text has been learnt from; less is chance."""
RATES = (1e-4, 2.5e-4, 6e-4, 1.5e-3)
PIECES = (32, 128)
"""What is tried for dynamic evaluation: the rates with the usual piece, then other pieces with the best rate."""


@dataclass(frozen=True)
class MixtureConfig:
    """Which mixture: geometric or linear, with weights that look at features of the context or are fixed.

    `adaptive` also fits the part that goes on learning, if a member can.
    """

    form: Form = "geometric"
    gate: Literal["features", "fixed"] = "features"
    adaptive: bool = True


def train_mixture(
    members: Sequence[LanguageModel], text: str, config: MixtureConfig | None = None, *, fit_on: str | None = None
) -> MixtureModel:
    """The mixture of models of `text`; its gate is fitted on the beginning of it, or on `fit_on`, new to them all."""
    config = config or MixtureConfig()
    require_same_alphabet(members)
    piece = cut_validation(text, members[0].tokeniser, fit_on=fit_on)
    unaware = [unlearn_piece(piece, member, number=i) for i, member in enumerate(members, start=1)]
    gate, weights = fit_gate(unaware, piece.ids, config)
    adaptive = None
    if config.adaptive and any(member.can_adapt for member in members):
        settings = tuple(search_settings(member, piece.ids) for member in unaware)
        adaptive = AdaptivePart(fit_gate(unaware, piece.ids, config, learn=settings)[0], settings)
    notes = {"training": asdict(config), "fitted_on_tokens": len(piece.ids), "mean_weights": weights.tolist()}
    return MixtureModel(
        tuple(members), gate, _background(members, text, fit_on, notes), looks_at=config.gate, adaptive=adaptive
    )


@dataclass(frozen=True)
class ValidationPiece:
    """Text that a gate is fitted on, and the checksum of what the networks learnt from that kept it for validation."""

    text: str
    ids: Int[np.ndarray, " position"]
    sha256_learnt: str | None


def cut_validation(text: str, tokeniser: Tokeniser, *, fit_on: str | None = None) -> ValidationPiece:
    """The beginning of a training text that networks keep for validation, or another text."""
    from regard.training.network.validation import split_validation

    if fit_on is not None:
        ids = tokeniser.encode(fit_on).ids
        if len(ids) == 0:
            raise NothingScoredError("the text to fit the mixture on is empty")
        return ValidationPiece(fit_on, ids, None)
    learn, validation = split_validation(text)
    tokens = tokeniser.encode(text)
    n_validation = int(np.searchsorted(tokens.ends, len(validation), side="right"))  # not a word that is cut in two
    learnt = sha256(learn)
    return ValidationPiece(validation, tokens.ids[:n_validation], learnt)


def unlearn_piece(piece: ValidationPiece, member: LanguageModel, *, number: int) -> LanguageModel:
    """The member as it would be without this text: itself where it has not learnt from it."""
    known = member.background.digest
    if known.sha256 == piece.sha256_learnt:
        return member
    share = float(known.mark_seen(piece.text).mean())
    if share <= SEEN_SHARE:
        return member
    try:
        return member.unlearn(piece.ids)
    except ValueRangeError as error:
        raise ValueRangeError(
            f"model {number} ({member.kind}) has learnt from the text that the weights are to be fitted on "
            f"({100 * share:.0f} % of it): {error}; name a text that no model has seen with --fit-on"
        ) from error


def fit_gate(
    members: Sequence[LanguageModel],
    ids: Int[np.ndarray, " position"],
    config: MixtureConfig,
    *,
    learn: Sequence[Settings] | None = None,
) -> tuple[MixtureGate, Float[np.ndarray, " member"]]:
    """The gate under which `ids` are likeliest, and the mean weights it gives there."""
    vocab = len(members[0].tokeniser.vocabulary)
    step = -(-len(ids) * vocab * len(members) // MAX_NUMBERS)
    tables, columns, place = [], [], 0
    for predictions in side_by_side(members, ids, learn=learn):
        first = -place % step
        place += len(predictions[0])
        kept = [prediction[first::step] for prediction in predictions]
        tables.append(np.stack([floor_log_probs(prediction.log_probs) for prediction in kept]))
        columns.append(FEATURES[config.gate](kept))
    features = np.concatenate(columns)
    gate = fit_mixture_gate(config.form, features, np.concatenate(tables, axis=1), ids[::step])
    return gate, gate.weights(features).mean(axis=0)


def search_settings(member: LanguageModel, ids: Int[np.ndarray, " position"]) -> Settings:
    """How a network learns best while it reads `ids`; None for a model that has no such settings."""
    if isinstance(member, NgramModel) or not member.can_adapt or member.kind == "mixture":
        return None

    def nats(settings: dict[str, Any]) -> float:
        return -float(select_log_probs(member.adaptive_next_log_probs_along(ids, settings=settings), ids).mean())

    from regard.models.network import DynamicConfig

    usual = DynamicConfig()
    tried = {config: nats(asdict(config)) for config in (replace(usual, rate=rate) for rate in RATES)}
    best = min(tried, key=tried.__getitem__)
    tried |= {config: nats(asdict(config)) for config in (replace(best, piece=piece) for piece in PIECES)}
    return asdict(min(tried, key=tried.__getitem__))


def _background(members: Sequence[LanguageModel], text: str, fit_on: str | None, notes: dict[str, Any]) -> Background:
    """The background of the training text, with all other text that the members have seen."""
    tokeniser = members[0].tokeniser
    own = make_background(text, tokeniser.encode(text), tokeniser, **notes)
    digests = [own.digest, *(member.background.digest for member in members)]
    if fit_on is not None:
        digests.append(digest(fit_on))
    hashes = np.unique(np.concatenate([known.hashes for known in digests]))
    stride = max(known.stride for known in digests)
    return replace(own, digest=TextDigest(own.digest.n_characters, own.digest.sha256, stride, hashes))
