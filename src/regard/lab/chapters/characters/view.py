"""What a character model of chapter 6 is asked: to write, as the visitor wishes, and what surprises it in a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regard.evaluation.perplexity import evaluate
from regard.lab.chapters.characters.models import label_of
from regard.lab.jobs import JobProgress
from regard.models.base import LanguageModel
from regard.models.sampling import Sampling, opening, stream
from regard.records import PerplexityResult
from regard.text.tokenise.tokens import known_tokens

MAX_CHARACTERS, MAX_PROMPT = 20_000, 500
LENGTHS = (50, 100, 200, 400, 800, 2000)
TOP_PS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class WritingRequest:
    """What is to be written, and how it is drawn."""

    prompt: str
    length: int
    temperature: float
    top_p: float
    seed: int

    @property
    def how(self) -> Sampling:
        """The settings of a draw."""
        return Sampling(self.temperature, top_p=self.top_p)

    def link_values(self) -> dict[str, Any]:
        """As the address bar has it."""
        return {
            "prompt": self.prompt,
            "length": self.length,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "draw": self.seed,
        }


def write(model: LanguageModel, request: WritingRequest, progress: JobProgress) -> None:
    """Stream text that goes on from the prompt; without one, from the line that the model has read most often."""
    begun = request.prompt or f"\n{opening(model)}"
    progress.write(request.prompt or opening(model))
    pieces = stream(model, np.random.default_rng(request.seed), length=request.length, prompt=begun, how=request.how)
    for n_drawn, piece in enumerate(pieces, start=1):
        progress.write(piece)
        progress(n_drawn / request.length, f"{n_drawn:,} of {request.length:,} characters")


def nearest(steps: tuple[int | float, ...], wanted: int | float) -> int | float:
    """The step of a slider that is nearest to what a link asks for.

    >>> nearest((50, 100, 200), 90)
    100
    """
    return min(steps, key=lambda step: abs(step - wanted))


def surprise(model: LanguageModel, text: str, key: str) -> PerplexityResult:
    """What each character of a text costs a model."""
    return evaluate(model, text, name="this text", model_name=label_of(key))


def unknown_characters(model: LanguageModel, text: str) -> str:
    """What the model has never seen, in words; nothing where it has seen all."""
    tokens = model.tokeniser.encode(text)
    places = np.flatnonzero(~known_tokens(tokens, model.tokeniser)).tolist()
    unknown = list(dict.fromkeys(text[tokens.starts[i] : tokens.ends[i]] for i in places))
    if not unknown:
        return ""
    shown = ", ".join(map(repr, unknown[:8])) + (f" and {len(unknown) - 8} more" if len(unknown) > 8 else "")
    return f"The model has never seen {shown}; it treats each of them as the same unknown character."


def python_for(key: str, request: WritingRequest, text: str) -> str:
    """Code by which the kept model writes the same text and has the same surprise."""
    return f"""
import numpy as np
from regard.evaluation.perplexity import evaluate
from regard.lab.model_cache import model_folder
from regard.models.checkpoint import load_model
from regard.models.sampling import Sampling, opening, stream

model = load_model(model_folder({key!r}))
prompt = {request.prompt!r} or "\\n" + opening(model)
how = Sampling({request.temperature!r}, top_p={request.top_p!r})
written = "".join(stream(model, np.random.default_rng({request.seed}), length={request.length}, prompt=prompt, how=how))
print(written)
text = {text!r}
surprise = evaluate(model, text, name="this text").surprise
for character, nats in zip(text, surprise.nats):
    print(repr(character), nats / np.log(2))
"""
