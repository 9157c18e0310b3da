"""A mixture of language models over the same alphabet: at each context, all of them are asked and weighed by a gate.

    p(v | c) ∝ Πₘ pₘ(v | c)^wₘ(c)      or      p(v | c) = Σₘ wₘ(c)·pₘ(v | c)          see `mixture_gate`

Static scores never change with the text that is scored. The adaptive part, where there is one, has a gate of its own:
n-gram members go on counting, networks go on learning (`dynamic_evaluation`), all others stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from regard.display import short, short_repr
from regard.errors import CheckpointError, ValueRangeError, VocabularyError
from regard.models.background import Background, TextDigest
from regard.models.base import LanguageModel, Reader, select_log_probs
from regard.models.checkpoint import model_from_parts
from regard.models.folder import under
from regard.models.folder_writer import model_parts
from regard.models.mixture.gate import FEATURES, FORMS, Form, MixtureGate
from regard.models.ngram.model import NgramModel, NgramReader
from regard.models.ngram.predictions import Predictions, cut_evenly, plain_predictions
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser

Settings: TypeAlias = dict[str, Any] | None
"""How a member goes on learning, where that can be chosen."""


@short_repr
@dataclass(frozen=True)
class AdaptivePart:
    """The gate for members that go on learning, and how each of them does."""

    gate: MixtureGate
    settings: tuple[Settings, ...]


@dataclass(frozen=True, repr=False)
class MixtureModel(LanguageModel):
    """Two or more models, and a gate that weighs them; `looks_at` says what the gate's features are."""

    kind: ClassVar[str] = "mixture"
    members: tuple[LanguageModel, ...]
    gate: MixtureGate
    background: Background
    looks_at: Literal["features", "fixed"] = "features"
    adaptive: AdaptivePart | None = None

    def __post_init__(self) -> None:
        require_same_alphabet(self.members)

    @property
    def can_adapt(self) -> bool:
        """Whether it was fitted with an adaptive part."""
        return self.adaptive is not None

    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all ids before it) for each i."""
        return select_log_probs(self.next_log_probs_along(ids), ids)

    def adaptive_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all ids before it) for each i, after the members that can learn have learnt from all before it."""
        return select_log_probs(self.adaptive_next_log_probs_along(ids), ids)

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | all ids before it) at each position, piece by piece."""
        return (self._mix(self.gate, predictions) for predictions in side_by_side(self.members, ids))

    def adaptive_next_log_probs_along(
        self, ids: Int[np.ndarray, " position"], *, settings: Mapping[str, Any] | None = None
    ) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p of every id at each position; members that can learn do, each by its own settings."""
        part = self.adaptive
        if part is None:
            raise ValueRangeError(
                "this mixture was fitted without an adaptive part; leave adaptive off, or train it with --adaptive"
            )
        return (
            self._mix(part.gate, predictions) for predictions in side_by_side(self.members, ids, learn=part.settings)
        )

    def mean_weights(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " member"]:
        """How much each member counts along a text, on average; in the geometric form these are exponents."""
        pieces = [self._weights(self.gate, predictions) for predictions in side_by_side(self.members, ids)]
        return np.concatenate(pieces).mean(axis=0)

    def _weights(self, gate: MixtureGate, predictions: Sequence[Predictions]) -> Float[np.ndarray, "position member"]:
        return gate.weights(FEATURES[self.looks_at](predictions))

    def _mix(self, gate: MixtureGate, predictions: Sequence[Predictions]) -> Float[np.ndarray, "position vocab"]:
        return gate.mix([prediction.log_probs for prediction in predictions], self._weights(gate, predictions))

    def reader(self) -> MixtureReader:
        """A reader that has read nothing yet."""
        return MixtureReader(self)

    def after(self, predictions: Sequence[Predictions]) -> Float[np.ndarray, "position vocab"]:
        """The mixture's ln p of every token from those of its members."""
        return self._mix(self.gate, predictions)

    def facts(self) -> dict[str, str]:
        """What a repr shows: the members' kinds beside what every model shows."""
        return {"members": short([member.kind for member in self.members]), **super().facts()}

    def config(self) -> dict[str, Any]:
        """The form of the gate, and all members without their numbers."""
        return {
            "form": self.gate.form,
            "looks_at": self.looks_at,
            "adaptive": None if self.adaptive is None else list(self.adaptive.settings),
            "members": [_settings(member) for member in self.members],
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The gates, and the numbers of all members."""
        arrays = {"gate": self.gate.matrix}
        if self.adaptive is not None:
            arrays["adaptive_gate"] = self.adaptive.gate.matrix
        for i, member in enumerate(self.members):
            own = {f"model.{name}": array for name, array in model_parts(member)[1].items()}
            own["digest.hashes"] = member.background.digest.hashes
            arrays |= {f"member.{i}.{name}": array for name, array in own.items()}
        return arrays

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> MixtureModel:
        """The mixture that `config` and `arrays` came from."""
        form, looks_at, settings = config["form"], config["looks_at"], config["adaptive"]
        if form not in FORMS or looks_at not in FEATURES:
            raise CheckpointError(
                f"a mixture is of form {' or '.join(FORMS)} and looks at {' or '.join(FEATURES)}; "
                f"the file says {form!r} and {looks_at!r}"
            )
        members = tuple(
            _member(parts, under(f"member.{i}.", arrays), background) for i, parts in enumerate(config["members"])
        )
        shape = (n_features(members, looks_at), len(members))
        adaptive = None
        if settings is not None:
            adaptive = AdaptivePart(_gate(form, arrays["adaptive_gate"], shape), tuple(settings))
        return cls(members, _gate(form, arrays["gate"], shape), background, looks_at, adaptive)


def side_by_side(
    members: Sequence[LanguageModel],
    ids: Int[np.ndarray, " position"],
    *,
    learn: Sequence[Settings] | None = None,
) -> Iterator[list[Predictions]]:
    """Predictions of each member along a text, in equal pieces; with `learn`, by members that go on learning."""
    how = [None] * len(members) if learn is None else learn
    streams = [
        cut_evenly(member_predictions(member, ids, adaptive=learn is not None, settings=settings))
        for member, settings in zip(members, how, strict=True)
    ]
    return (list(predictions) for predictions in zip(*streams, strict=True))


def member_predictions(
    member: LanguageModel, ids: Int[np.ndarray, " position"], *, adaptive: bool = False, settings: Settings = None
) -> Iterator[Predictions]:
    """What one member says along a text; one that cannot learn on the way stays as it is."""
    adaptive = adaptive and member.can_adapt
    if isinstance(member, NgramModel):
        return member.predictions(ids, adaptive=adaptive)
    if adaptive:
        return plain_predictions(member.adaptive_next_log_probs_along(ids, settings=settings))
    return plain_predictions(member.next_log_probs_along(ids))


class MixtureReader:
    """All members' readers, side by side."""

    def __init__(self, model: MixtureModel) -> None:
        self._model = model
        self._readers = [member.reader() for member in model.members]

    def read(self, token: int) -> None:
        """Take in one more id."""
        for reader in self._readers:
            reader.read(token)

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        return self._model.after([_prediction(reader) for reader in self._readers])[0]


def _prediction(reader: Reader) -> Predictions:
    """What a reader says of the one position where it stands."""
    log_probs = reader.next_log_probs()[None]
    return (
        Predictions(log_probs, reader.familiarity()[None])
        if isinstance(reader, NgramReader)
        else Predictions.plain(log_probs)
    )


def require_same_alphabet(members: Sequence[LanguageModel]) -> None:
    """Raise unless there are two or more models with one alphabet and the same ids."""
    if len(members) < 2:
        raise ValueRangeError(f"a mixture has two models or more; got {len(members)}")
    first = members[0].tokeniser
    for i, member in enumerate(members[1:], start=2):
        reason = difference(first, member.tokeniser)
        if reason:
            raise VocabularyError(
                f"the models of a mixture share one alphabet; the first ({members[0].kind}) and number {i} "
                f"({member.kind}) differ: {reason}; train them on the same text, with the same --unit"
            )


def difference(one: Tokeniser, other: Tokeniser) -> str:
    """How two tokenisers differ, in words; an empty text where they do not.

    >>> from regard.text.tokenise.tokens import CharacterTokeniser
    >>> difference(CharacterTokeniser.fit("ab"), CharacterTokeniser.fit("abc"))
    "only the second has 'c'"
    """
    if one.kind != other.kind:
        return f"one has {one.kind}, the other {other.kind}"
    ours, theirs = one.vocabulary, other.vocabulary
    if list(ours) == list(theirs):
        return ""
    for whose, here, there in (("first", ours, theirs), ("second", theirs, ours)):
        extra = [entry for entry in here if entry not in set(there)]
        if extra:
            more = f" and {len(extra) - 3} more" if len(extra) > 3 else ""
            return f"only the {whose} has {', '.join(map(repr, extra[:3]))}{more}"
    place = next(i for i, (a, b) in enumerate(zip_longest(ours, theirs)) if a != b)
    return f"id {place} is {ours[place]!r} in one and {theirs[place]!r} in the other"


def _settings(member: LanguageModel) -> dict[str, Any]:
    """A member without its numbers, as plain JSON."""
    digest = member.background.digest
    summary = {name: getattr(digest, name) for name in ("n_characters", "sha256", "stride")}
    return {**model_parts(member)[0], "digest": summary, "notes": member.background.notes}


def _member(parts: dict[str, Any], arrays: dict[str, np.ndarray], shared: Background) -> LanguageModel:
    """A member again; it shares the mixture's alphabet and speller, and keeps what it was trained on."""
    digest = TextDigest(**parts["digest"], hashes=arrays["digest.hashes"])
    background = Background(shared.tokeniser, shared.speller, digest, parts["notes"])
    return model_from_parts(parts, under("model.", arrays), background)


def n_features(members: Sequence[LanguageModel], looks_at: str) -> int:
    """How many numbers a gate looks at."""
    nothing = np.zeros((0, len(members[0].tokeniser.vocabulary)))
    widths = [2 if isinstance(member, NgramModel) else 0 for member in members]
    return FEATURES[looks_at]([Predictions(nothing, np.zeros((0, width))) for width in widths]).shape[1]


def _gate(form: Form, matrix: np.ndarray, shape: tuple[int, int]) -> MixtureGate:
    """A gate read from a file."""
    if matrix.shape != shape or not np.isfinite(matrix).all():
        raise CheckpointError(
            f"the gate of this mixture should be {shape[0]} × {shape[1]} finite numbers; it has shape "
            f"{matrix.shape}; the file is damaged"
        )
    return MixtureGate(form, matrix)
