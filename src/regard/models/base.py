"""What every language model promises.

A family of models gives two things, on ids:

    token_log_probs(ids)    ln p(idᵢ | all ids before it), for each i
    reader()                reads ids one by one and says, at any time, how likely each id is to come next

and everything that people ask of a model follows from them: `score`, `next_log_probs`, `sample`, on text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from regard.display import facts_table, one_line_repr, short
from regard.errors import ArgumentError, NothingScoredError, ValueRangeError
from regard.models.background import Background
from regard.models.sampling import Sampling, context_ids, opening, stream
from regard.records import PerplexityResult, ScoredText
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import Tokeniser, known_tokens

POSITIONS_AT_ONCE = 1024
"""How many positions a piece has where a text is worked through in pieces."""


@runtime_checkable
class Reader(Protocol):
    """Reads tokens one by one; at any time says what comes next."""

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        ...

    def read(self, token: int) -> None:
        """Take in one more id."""
        ...


@dataclass(frozen=True)
class ForeignFiles:
    """What other programs want to find in a model's folder: entries of config.json, and further files."""

    config: dict[str, Any] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)


class LanguageModel(ABC):
    """A distribution over texts, one token at a time."""

    kind: ClassVar[str]
    background: Background

    @property
    def tokeniser(self) -> Tokeniser:
        """From text to ids and back."""
        return self.background.tokeniser

    @property
    def can_adapt(self) -> bool:
        """Whether the model can learn from the text it scores."""
        return False

    @abstractmethod
    def token_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all ids before it) for each i, in nats."""

    def adaptive_log_probs(self, ids: Int[np.ndarray, " position"]) -> Float[np.ndarray, " position"]:
        """ln p(idᵢ | all ids before it) for each i, by a model that learns from each id once it has been scored."""
        raise ValueRangeError(
            f"a model of kind {self.kind!r} cannot learn from the text it scores; leave adaptive off, "
            "or train an n-gram model with context mixing"
        )

    @abstractmethod
    def reader(self) -> Reader:
        """A reader that has read nothing yet."""

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | all ids before it) at each position, piece by piece."""
        reader = self.reader()
        for start in range(0, len(ids), POSITIONS_AT_ONCE):
            rows = []
            for token in ids[start : start + POSITIONS_AT_ONCE]:
                rows.append(reader.next_log_probs())
                reader.read(int(token))
            yield np.stack(rows)

    def adaptive_next_log_probs_along(
        self, ids: Int[np.ndarray, " position"], *, settings: Mapping[str, Any] | None = None
    ) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id) at each position by a model that learns on the way, as `settings` say."""
        raise ValueRangeError(f"a model of kind {self.kind!r} cannot learn from the text it scores")

    def unlearn(self, ids: Int[np.ndarray, " position"]) -> LanguageModel:
        """The model as if its training text had not had `ids`, a part of it."""
        raise ValueRangeError(f"a model of kind {self.kind!r} cannot unlearn what it was trained on")

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """The settings that, with `arrays`, make this model again; plain JSON."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The learnt numbers, by name."""

    @classmethod
    @abstractmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> LanguageModel:
        """The model that `config` and `arrays` came from."""

    def for_other_tools(self) -> ForeignFiles:
        """What lets other programs open the model's folder; nothing, unless a family has something to give."""
        return ForeignFiles()

    def score(self, text: str, *, adaptive: bool = False) -> ScoredText:
        """How likely each token of `text` is, given all before it."""
        return self.score_many([text], adaptive=adaptive)[0]

    def score_many(self, texts: Sequence[str], *, adaptive: bool = False) -> list[ScoredText]:
        """How likely each token of several texts is, each text read from a fresh start."""
        return [self._score(text, adaptive=adaptive) for text in texts]

    def _score(self, text: str, *, adaptive: bool) -> ScoredText:
        tokens = self.tokeniser.encode(text)
        if len(tokens) == 0:
            raise NothingScoredError("there is nothing to score: the text is empty")
        log_probs = self.adaptive_log_probs(tokens.ids) if adaptive else self.token_log_probs(tokens.ids)
        return ScoredText(
            text=text,
            unit=self.tokeniser.unit,
            starts=tokens.starts,
            ends=tokens.ends,
            log_probs_nats=log_probs,
            is_known=known_tokens(tokens, self.tokeniser),
            is_adaptive=adaptive,
        )

    def next_log_probs(self, context: str = "") -> Float[np.ndarray, " vocab"]:
        """How likely each token is to follow `context`, in nats."""
        reader = self.reader()
        for token in context_ids(context, self.tokeniser):
            reader.read(int(token))
        return reader.next_log_probs()

    def sample(
        self,
        prompt: str | None = "",
        *,
        length: int = 500,
        temperature: float = 0.8,
        top_k: int | None = None,
        top_p: float | None = None,
        min_p: float | None = None,
        repetition_penalty: float = 1.0,
        stop: Sequence[str] = (),
        seed: int = 0,
    ) -> str:
        """Draw a text of `length` tokens that continues `prompt`; the prompt itself is not part of it.

        None as the prompt is a line that the training text often has. A seed draws the text that `regard sample`
        draws with it; `sampling.Sampling` says what the other settings do. The text ends early after a `stop` text.
        """
        how = Sampling(temperature, top_k, top_p, min_p, repetition_penalty)
        begun = "\n" + opening(self) if prompt is None else prompt  # on a line of its own
        (rng,) = np.random.default_rng(seed).spawn(1)
        return "".join(stream(self, rng, length=length, prompt=begun, how=how, stop=stop))

    def perplexity(
        self, text: str, *, name: str = "text", steps: Sequence[str] = (), adaptive: bool = False
    ) -> PerplexityResult:
        """Score `text`: perplexity, cost in bits per character, what to be wary of; as `regard perplexity` does.

        `name` is what the text is called in the result, `steps` prepare it first, such as "lower". With `adaptive` the
        model learns from what it has scored, if it can.
        """
        from regard.evaluation.perplexity import evaluate

        if not isinstance(text, str):
            kind = type(text).__name__
            raise ArgumentError(
                f"expected a text, a str; got {kind}: regard.evaluate(model, …) also takes names and paths"
            )
        return evaluate(self, text, name=name, steps=steps, adaptive=adaptive)

    def facts(self) -> dict[str, str]:
        """What a repr shows: the settings, how many tokens the model knows, and how long its training text was."""
        settings = {name: short(value) for name, value in self.config().items() if isinstance(value, str | int | float)}
        vocabulary = f"{len(self.tokeniser.vocabulary):,} {self.tokeniser.unit}s"
        return {**settings, "vocabulary": vocabulary, "training": f"{self.background.digest.n_characters:,} characters"}

    def __repr__(self) -> str:
        return one_line_repr(self, self.facts())

    def _repr_html_(self) -> str:
        return str(facts_table(self, self.facts()))

    def save(self, folder: Path | str, *, force: bool = False) -> None:
        """Write the model as a folder, all files at once; a model that is there is replaced only by `force`."""
        from regard.models.folder_writer import save

        save(self, Path(folder), force=force)


def select_log_probs(
    tables: Iterable[Float[np.ndarray, "_ vocab"]], ids: Int[np.ndarray, " position"]
) -> Float[np.ndarray, " position"]:
    """Select ln p of the id that stands at each position from tables of ln p of every id, which come in pieces."""
    log_probs, place = np.empty(len(ids)), 0
    for table in tables:
        here = slice(place, place + len(table))
        log_probs[here] = table[np.arange(len(table)), ids[here]]
        place += len(table)
    return log_probs
