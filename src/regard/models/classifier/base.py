"""What every classifier of texts promises.

A family of classifiers gives three things:

    log_probs(texts)            ln p(label | text), of each text and label
    words(text)                 where in a text the words are that it reads
    log_probs_of_parts(…)       the same for one text of which only some words are kept, many choices at once

and explanations follow from them (`evaluation.attribution`). Where the decision is a sum over words, `exact_shares`
says what each of them adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from regard.display import facts_table, one_line_repr, short, short_repr
from regard.errors import DTypeError
from regard.models.classifier.familiarity import Familiarity
from regard.records import Decision, ExplainedText
from regard.shapes import Bool, Float, Int


@short_repr
@dataclass(frozen=True)
class Words:
    """The words of a text as a classifier reads them: word i covers text[starts[i]:ends[i]]."""

    text: str
    starts: Int[np.ndarray, " word"]
    ends: Int[np.ndarray, " word"]
    is_known: Bool[np.ndarray, " word"]

    def __len__(self) -> int:
        return len(self.starts)

    def word(self, i: int) -> str:
        """The characters that word i covers."""
        return self.text[self.starts[i] : self.ends[i]]


class Classifier(ABC):
    """A distribution over labels for each text."""

    kind: ClassVar[str]
    labels: tuple[str, ...]
    notes: dict[str, Any]
    """What the classifier was trained on, and how."""

    @abstractmethod
    def log_probs(self, texts: Sequence[str]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | text) for each text, in nats; an empty text gets what the classifier says of nothing."""

    @abstractmethod
    def words(self, text: str) -> Words:
        """The words that it reads in a text."""

    @abstractmethod
    def log_probs_of_parts(self, text: str, kept: Bool[np.ndarray, "batch word"]) -> Float[np.ndarray, "batch label"]:
        """ln p(label | the text with only some of its words kept), for each choice of words."""

    def exact_shares(self, text: str) -> Float[np.ndarray, "word label"] | None:
        """What each word adds to the logit of each label, where logits are a sum over words; else None."""
        return None

    def gradient_shares(self, text: str) -> Float[np.ndarray, "word label"] | None:
        """What each word adds to the logits by integrated gradients, from no words to the text; None if not offered.

        Every word's numbers x grow from 0 to their full size, t x, and a word's share is x · ∫₀¹ ∂logits/∂(t x) dt.
        Shares sum to logits(text) − logits(nothing), but for rounding.
        """
        return None

    def familiarity(
        self, texts: Sequence[str], log_probs: Float[np.ndarray, "batch label"]
    ) -> tuple[Familiarity, ...] | None:
        """How each text, with the answer that it got, compares with those of training; None where that is not known."""
        return None

    @abstractmethod
    def config(self) -> dict[str, Any]:
        """The settings that, with `arrays`, make this classifier again; plain JSON."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The learnt numbers, by name."""

    @classmethod
    @abstractmethod
    def restore(
        cls, config: dict[str, Any], arrays: dict[str, np.ndarray], *, labels: tuple[str, ...], notes: dict[str, Any]
    ) -> Classifier:
        """The classifier that `config` and `arrays` came from."""

    def predict(self, texts: Sequence[str]) -> list[Decision]:
        """The likeliest label of each text, with the probability of every label.

        Raises DTypeError for a single string, which would be read letter by letter.
        """
        if isinstance(texts, str):
            raise DTypeError(f"expected a list of texts, got one string; write [{texts[:40]!r}]")
        return self.decisions(texts, self.log_probs(texts))

    def decisions(self, texts: Sequence[str], log_probs: Float[np.ndarray, "batch label"]) -> list[Decision]:
        """The likeliest label of each text, from what `log_probs` gave for these texts."""
        return [
            Decision(
                text=text,
                label=self.labels[int(row.argmax())],
                probabilities=dict(zip(self.labels, np.exp(row).tolist(), strict=True)),
                place=place,
            )
            for place, (text, row) in enumerate(zip(texts, log_probs, strict=True))
        ]

    def predict_ids(self, texts: Sequence[str]) -> Int[np.ndarray, " batch"]:
        """The likeliest label of each text, as its place in `labels`."""
        return self.log_probs(texts).argmax(axis=1)

    def explain(self, text: str, *, method: str | None = None, seed: int = 0) -> ExplainedText:
        """The answer to one text with each word's share in it, as `regard classify --explain` shows it.

        `method` is one of exact, integrated-gradients, shapley, leave-one-out; without one, the first that this
        classifier offers. `seed` is for methods that sample.
        """
        from regard.evaluation.attribution import explain

        return explain(self, text, method=method, seed=seed)

    def facts(self) -> dict[str, str]:
        """What a repr shows: the labels, and how many numbers were learnt."""
        return {"labels": short(self.labels), "numbers": f"{sum(each.size for each in self.arrays().values()):,}"}

    def __repr__(self) -> str:
        return one_line_repr(self, self.facts())

    def _repr_html_(self) -> str:
        return str(facts_table(self, self.facts()))

    def save(self, folder: Path | str, *, force: bool = False) -> None:
        """Write the classifier as a folder, all files at once; a model that is there is replaced only by `force`."""
        from regard.models.folder_writer import save

        save(self, Path(folder), force=force)
