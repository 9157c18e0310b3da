"""What chapter 10 asks of the package: a text read by a Transformer, every head's weights, and its keys in few bits.

The model is stories260k, a Llama of five layers that tells stories, where REGARD_DATA has it; else the character
Transformer that ships with the package, which the same libraries open. One pass reads the text with keys as they are, a
second one with the keys of all heads, or of one, stored in few bits; what the model predicts is shown for both.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.errors import ValueRangeError
from regard.lab.inputs import choice, text, whole_number
from regard.lab.jobs import JobProgress
from regard.lab.model_cache import load_torch, model_folder
from regard.lab.server.api import Question

if TYPE_CHECKING:
    from torch import Tensor

    from regard.pretrained.load import Pretrained

MAX_CHARACTERS, MAX_TOKENS = 400, 96
"""Of a story: what is read in well under a second, and drawn."""
MAX_TEXT = 300
"""Characters that the model in the page reads."""
MAX_WEIGHTS = 1_000_000
"""Of all heads together, each a byte: a model with more heads reads fewer tokens."""
N_NEXT = 8
ALL_BITS = 16
"""Stands for keys as they are."""
EVERY = -1
_ONE_AT_A_TIME = threading.Lock()
"""A pass replaces the model's attention while it lasts, so that two at once would see each other's."""


@dataclass(frozen=True)
class ReadInput:
    """A text, and in how many bits the keys are stored: of all heads, or of one head of one layer; −1 means all."""

    text: str = text(most=MAX_CHARACTERS)
    bits: int = choice(ALL_BITS, 8, 6, 4, 3, 2, 1, 0)
    layer: int = whole_number(EVERY, 99)
    head: int = whole_number(EVERY, 99)


@dataclass(frozen=True)
class CharactersInput:
    """A text that the page's own model has read."""

    text: str = text(most=MAX_TEXT)


def read(now: ReadInput, progress: JobProgress) -> dict[str, Any]:
    """Tokens, the weights of every head, the surprise of each token, and what comes next, before and after."""
    progress(None, "the model is being loaded" if not load_heads_model.cache_info().currsize else "reading")
    load_torch(progress)
    with _ONE_AT_A_TIME:
        pretrained = load_heads_model()
        progress(None, "reading")
        ids = _read_tokens(pretrained, now.text)
        _check_head(pretrained, now)
        before = _pass(pretrained, ids, None)
        after = _pass(pretrained, ids, now) if now.bits < ALL_BITS else before
    return {
        "model": Path(pretrained.name).name,
        "n_layers": pretrained.n_layers,
        "n_heads": pretrained.n_heads,
        "tokens": [_display_token(pretrained, token) for token in ids],
        "before": before,
        "after": after,
    }


def confirm(now: CharactersInput, progress: JobProgress) -> dict[str, Any]:
    """What the page's numbers of the model that ships are compared with."""
    load_torch(progress)
    from regard.lab.chapters.characters.page_model import shipped_model, surprise_and_next

    return surprise_and_next(shipped_model(), now.text)


QUESTIONS = {
    "read": Question(ReadInput, read, is_long=True),
    "confirm": Question(CharactersInput, confirm, is_long=True),
}


@lru_cache(maxsize=1)
def load_heads_model() -> Pretrained:
    """The model of the chapter, loaded once for all visitors; torch loads with it, not before."""
    from regard.lab.chapters.characters.page_model import shipped_model
    from regard.models.folder_writer import save
    from regard.studies.heads import open_pretrained

    folder = Path(os.environ.get("REGARD_DATA", "")) / "stories260k"
    if "REGARD_DATA" in os.environ and folder.is_dir():
        return open_pretrained(folder)
    kept = model_folder("heads-shakespeare")
    if not (kept / "config.json").exists():
        save(shipped_model(), kept, force=True)
    return open_pretrained(kept)


def _read_tokens(pretrained: Pretrained, given: str) -> list[int]:
    """The beginning of the text, as many tokens as are read and drawn at once."""
    per_token = pretrained.n_layers * pretrained.n_heads
    most = min(MAX_TOKENS, pretrained.max_positions, int((MAX_WEIGHTS / per_token) ** 0.5))
    ids: list[int] = pretrained.tokenizer(given)["input_ids"][:most]
    if len(ids) < 2:
        raise ValueRangeError("a head is seen on at least two tokens; write a little more")
    return ids


def _check_head(pretrained: Pretrained, now: ReadInput) -> None:
    for name, asked, n in (("layer", now.layer, pretrained.n_layers), ("head", now.head, pretrained.n_heads)):
        if asked >= n:
            raise ValueRangeError(f"there is no {name} {asked}; they are numbered from 0 to {n - 1}")


def _pass(pretrained: Pretrained, ids: list[int], now: ReadInput | None) -> dict[str, Any]:
    """One pass: `weights[layer][head]` as bytes of √weight, row by row; nats to bits of surprise; what comes next."""
    import torch

    from regard.pretrained.capture import LayerAttention, watch_pass

    weights: list[list[list[int]]] = []

    def look(attention: LayerAttention) -> None:
        levels = torch.round(255 * attention.weights[0].sqrt()).to(torch.uint8)
        weights.append([_lower_triangle(head.numpy(), pretrained.is_decoder) for head in levels])

    given = torch.tensor([ids])
    changes = {} if now is None else _key_changes(pretrained, now)
    with torch.no_grad(), watch_pass(pretrained.model, look, **changes):
        found = pretrained.model(input_ids=given, attention_mask=torch.ones_like(given))
    said = (
        _describe_predictions(pretrained, found.logits[0], ids)
        if pretrained.is_decoder
        else {"surprise": None, "next": None}
    )
    return {"weights": weights, **said}


def _key_changes(pretrained: Pretrained, now: ReadInput) -> dict[str, Any]:
    """Keys in few bits for all heads, or for one: a head that shares its keys with others changes theirs too."""
    from regard.pretrained.quantise import Quantiser
    from regard.pretrained.sensitivity import key_changes

    quantiser = Quantiser(now.bits, along="token", rotary="before" if pretrained.has_unrotated else "after")
    [(name, change)] = key_changes(pretrained, quantiser).items()

    def change_some(layer: int, keys: Tensor) -> Tensor:
        if now.layer not in (EVERY, layer):
            return keys
        if now.head == EVERY:
            return change(layer, keys)
        shared = now.head * pretrained.n_key_heads // pretrained.n_heads
        keys = keys.clone()
        keys[:, shared] = change(layer, keys)[:, shared]
        return keys

    return {name: change_some}


def _describe_predictions(pretrained: Pretrained, logits: Tensor, ids: list[int]) -> dict[str, Any]:
    log_probs = logits.double().log_softmax(-1).numpy() / np.log(2)
    surprise = [None, *(-log_probs[np.arange(len(ids) - 1), ids[1:]]).round(3).tolist()]
    likeliest = np.argsort(-log_probs[-1], kind="stable")[:N_NEXT]
    coming = [
        {"token": _display_token(pretrained, int(token)), "probability": float(2 ** log_probs[-1, token])}
        for token in likeliest
    ]
    return {"surprise": surprise, "next": coming}


def _lower_triangle(levels: np.ndarray, is_causal: bool) -> list[int]:
    """The rows of a head one after another; of a decoder, each up to its own position."""
    rows = [row[: place + 1] if is_causal else row for place, row in enumerate(levels)]
    return np.concatenate(rows).tolist()


def _display_token(pretrained: Pretrained, token: int) -> str:
    from regard.display import visible

    return visible(pretrained.tokenizer.convert_ids_to_tokens([token])[0])
