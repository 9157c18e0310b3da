"""Text drawn from a language model, token after token, and how each token is drawn from what the model says of it.

    stream(model, rng, length=…, prompt=…)     pieces of text as they are drawn; `model.sample` joins them

p ∝ p^(1/temperature)                         below 1 the likely become likelier, above 1 the unlikely do
then only:   the top_k likeliest
             the fewest that hold top_p of the probability
             those at least min_p times as likely as the likeliest
repetition_penalty: ln p − ln(penalty) for every token among those drawn or read lately; 1 is off
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.arrays.namespace import real_number, whole_number
from regard.errors import ValueRangeError
from regard.shapes import Float, Int
from regard.text.tokenise.tokenisers import spell_out
from regard.text.tokenise.tokens import Tokeniser, known_tokens

if TYPE_CHECKING:
    from regard.models.base import LanguageModel

RECENT = 64
"""How far back a repetition counts as one."""


@dataclass(frozen=True)
class Sampling:
    """How to draw; without settings, exactly as the model says."""

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < real_number(self.temperature, name="temperature") < math.inf:
            raise ValueRangeError(f"temperature must be above 0; got {self.temperature}")
        if self.top_k is not None and whole_number(self.top_k, name="top_k") < 1:
            raise ValueRangeError(f"top_k must be at least 1; got {self.top_k}")
        for name in ("top_p", "min_p"):
            value = getattr(self, name)
            if value is not None and not 0 < real_number(value, name=name) <= 1:
                raise ValueRangeError(f"{name} must be above 0 and at most 1; got {value}")
        if not 1 <= real_number(self.repetition_penalty, name="repetition_penalty") < math.inf:
            raise ValueRangeError(f"repetition_penalty must be 1 (off) or more; got {self.repetition_penalty}")


def draw(
    rng: np.random.Generator,
    log_probs: Float[np.ndarray, " vocab"],
    how: Sampling,
    *,
    never: int | None = None,
    recent: Collection[int] = (),
) -> int:
    """One id; `never` is left out, `recent` ids are penalised."""
    return int(rng.choice(len(log_probs), p=shape_probs(log_probs, how, never=never, recent=recent)))


def shape_probs(
    log_probs: Float[np.ndarray, " vocab"], how: Sampling, *, never: int | None = None, recent: Collection[int] = ()
) -> Float[np.ndarray, " vocab"]:
    """The probabilities that are drawn from.

    >>> shape_probs(np.log([0.5, 0.3, 0.2]), Sampling(top_k=2)).round(3)
    array([0.625, 0.375, 0.   ])
    """
    logits = np.array(log_probs, np.float64)
    if never is not None:
        logits[never] = -np.inf
    if how.repetition_penalty > 1:
        logits[list(set(recent))] -= math.log(how.repetition_penalty)
    with np.errstate(over="ignore"):  # at a tiny temperature all but the likeliest go to −∞, as they should
        weights = np.exp((logits - logits.max()) / how.temperature)
    weights[~find_allowed(weights, how)] = 0.0
    return weights / weights.sum()


def find_allowed(weights: Float[np.ndarray, " vocab"], how: Sampling) -> np.ndarray:
    """True for each id that may be drawn; among equals, those of lower id first."""
    order = np.argsort(-weights, kind="stable")
    falling = weights[order] / weights.sum()
    place_is_kept = np.ones(len(weights), bool)
    if how.top_k is not None:
        place_is_kept[how.top_k :] = False
    if how.top_p is not None:  # the one that reaches the share is still among them
        place_is_kept[1:] &= np.cumsum(falling)[:-1] < how.top_p
    if how.min_p is not None:
        place_is_kept &= falling >= how.min_p * falling[0]
    is_kept = np.zeros(len(weights), bool)
    is_kept[order] = place_is_kept
    return is_kept


def stream(
    model: LanguageModel,
    rng: np.random.Generator,
    *,
    length: int,
    prompt: str = "",
    how: Sampling | None = None,
    stop: Sequence[str] = (),
) -> Iterator[str]:
    """Draw `length` tokens that continue `prompt`, and give each as text once it is drawn; unknown is never drawn.

    The text ends early after the first of the `stop` texts that it has drawn.
    """
    if length < 0:
        raise ValueRangeError(f"length, in tokens, must be 0 or more; got {length}")
    prompt_ids = context_ids(prompt, model.tokeniser)
    ids = _draw_ids(model, rng, prompt_ids, length, how or Sampling())
    pieces = spell_out(model.tokeniser, ids, after=int(prompt_ids[-1]) if len(prompt_ids) else None)
    return cut_at_stop(pieces, stop)


def _draw_ids(
    model: LanguageModel, rng: np.random.Generator, prompt: Int[np.ndarray, " position"], length: int, how: Sampling
) -> Iterator[int]:
    """Ids that continue a prompt, drawn one after another."""
    reader, recent = model.reader(), deque(prompt.tolist(), maxlen=RECENT)
    for token in prompt:
        reader.read(int(token))
    for _ in range(length):
        token = draw(rng, reader.next_log_probs(), how, never=model.tokeniser.unknown, recent=recent)
        reader.read(token)
        recent.append(token)
        yield token


def context_ids(text: str, tokeniser: Tokeniser) -> Int[np.ndarray, " position"]:
    """The ids of a text that is to be continued: without the line end that a last, open line is given."""
    tokens = tokeniser.encode(text)
    is_open = len(tokens) > 0 and tokens.ids[-1] == tokeniser.line_end and tokens.starts[-1] == tokens.ends[-1]
    return tokens.ids[:-1] if is_open else tokens.ids


def opening(model: LanguageModel) -> str:
    """The line that the training text had most often, with its line break, to begin a text with; "" if unknown."""
    line = str(model.background.notes.get("opening") or "")
    return f"{line}\n" if line else ""


def unknown_parts(model: LanguageModel, prompt: str) -> list[str]:
    """The parts of a prompt that the model has never seen, each once; it reads all of them as one unknown token."""
    tokens = model.tokeniser.encode(prompt)
    is_known = known_tokens(tokens, model.tokeniser)[: len(context_ids(prompt, model.tokeniser))]
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), is_known.tolist(), strict=False)
    return list(dict.fromkeys(prompt[start:end].strip() or " " for start, end, is_known in spans if not is_known))


def cut_at_stop(pieces: Iterator[str], stops: Sequence[str]) -> Iterator[str]:
    """The pieces of a text, up to and with the first of the stops that it has drawn.

    >>> list(cut_at_stop(iter("to be or"), ["be"]))
    ['t', 'o', ' ', 'b', 'e']
    """
    longest = max(map(len, stops), default=0)
    tail = ""
    for piece in pieces:
        text = tail + piece
        ends = [text.index(stop) + len(stop) for stop in stops if stop in text]
        if ends:
            yield piece[: min(ends) - len(tail)]
            return
        yield piece
        tail = text[len(text) - min(len(text), max(longest - 1, 0)) :]
