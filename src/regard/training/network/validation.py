"""What a network learns from, and the part of its training text that chooses the best of its checkpoints.

    training text   |─ validation ─|──────────── learn from ────────────|       other texts: never looked at
                    2 %

The beginning is taken for validation, as what stands last is worth most to a reader who goes on from there: the
scene that the text to be predicted goes on with, its names, its subject. At least 1,000 characters are taken, of a
short text a tenth. The alphabet is that of the whole training text, so that models of the same text can be mixed; the
digest covers only what was learnt from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from regard.errors import NothingScoredError
from regard.models.background import (
    Background,
    assemble_background,
    count_unknown_words,
    digest,
    opening_line,
    words_to_learn,
)
from regard.models.network import Network, start_id
from regard.shapes import Int
from regard.text.tokenise.tokenisers import AnyTokeniser, fit_tokeniser

SHARE, MIN_CHARACTERS, MAX_SHARE = 0.02, 1000, 0.1
PIECE = 1_000_000
STREAMS, SHORTEST_STREAM, WARM, CHUNK = 8, 2000, 256, 256
"""Validation ids are read in up to 8 streams of at least 2,000 ids, each after the 256 ids before it."""


def split_validation(text: str) -> tuple[str, str]:
    """The part of a training text to learn from, and its beginning, which is for validation.

    >>> learn, validation = split_validation("x" * 200)
    >>> len(learn), len(validation)
    (180, 20)
    """
    n_validation = max(int(SHARE * len(text)), min(MIN_CHARACTERS, int(MAX_SHARE * len(text))))
    if n_validation == 0:
        raise NothingScoredError(
            f"a text of {len(text)} characters is too short for a network, which keeps a tenth of it for validation; "
            "give at least 10 characters"
        )
    return text[n_validation:], text[:n_validation]


@dataclass(frozen=True)
class NetworkText:
    """A training text as a network sees it: ids to learn from, ids for validation, and what its model will know of it.

    `characters_per_id` is that of the validation text: 1, less for bytes.
    """

    tokeniser: AnyTokeniser
    learn: Int[np.ndarray, " position"]
    validation: Int[np.ndarray, " validation"]
    background: Background
    characters_per_id: float

    @property
    def vocab(self) -> int:
        """How many ids can be predicted."""
        return len(self.tokeniser.vocabulary)

    @property
    def start_id(self) -> int:
        """The id that stands before the text."""
        return start_id(self.tokeniser)


def encode_training_text(text: str, *, unit: Literal["char", "byte"], **notes: Any) -> NetworkText:
    """The ids of a training text, to learn from and for validation; `notes` go to the background."""
    learn, validation = split_validation(text)
    tokeniser = fit_tokeniser(text, unit=unit)
    # piece by piece and in small integers: tokens at their full size would take thirty bytes a character
    smallest = np.min_scalar_type(-len(tokeniser.vocabulary))
    ids: list[np.ndarray] = []
    counts, unknown = np.zeros(len(tokeniser.vocabulary), np.int64), Counter[str]()
    for piece in cut_pieces(learn, max_characters=PIECE):
        tokens = tokeniser.encode(piece)
        ids.append(tokens.ids.astype(smallest))
        counts += np.bincount(tokens.ids, minlength=len(counts))
        unknown += count_unknown_words(piece, tokens, tokeniser)
    seen = [tokeniser.vocabulary[i] for i in np.flatnonzero(counts).tolist() if i != tokeniser.unknown]
    notes = {**notes, "opening": opening_line(learn)}
    background = assemble_background(
        tokeniser, words_to_learn(unknown, seen), digest(cut_pieces(learn, max_characters=PIECE)), notes
    )
    validation_ids = tokeniser.encode(validation).ids
    return NetworkText(
        tokeniser, np.concatenate(ids), validation_ids, background, len(validation) / len(validation_ids)
    )


def cut_pieces(text: str, *, max_characters: int) -> Iterator[str]:
    """A text in pieces of at most this many characters, which end after a space or a line where there is one.

    >>> list(cut_pieces("to be or\\nnot", max_characters=6))
    ['to be ', 'or\\nnot']
    """
    start = 0
    while start < len(text):
        end = start + max_characters
        space = 1 + max(text.rfind(" ", start, end), text.rfind("\n", start, end)) if end < len(text) else end
        end = space or end
        yield text[start:end]
        start = end


def mean_nats(network: Network, ids: Int[np.ndarray, " position"], *, start_id: int) -> float:
    """−ln p of each id given all before it, on average; every id counts once.

    For speed a long text is read as a few streams side by side, with their state carried. A stream first reads, without
    being scored, the ids before it, and so predicts nearly as well as if it had read all of them:

        stream 0   0 1 2 3 4 5 6              all are scored
        stream 1         3 4 5 6 7 8 9        the first 4 are read only
    """
    given, wanted = cut_streams(ids, start_id=start_id)
    scored, state, total = wanted >= 0, None, 0.0
    network.eval()
    with torch.inference_mode():
        for place in range(0, given.shape[1], CHUNK):
            here = slice(place, place + CHUNK)
            logits, state = network(torch.from_numpy(given[:, here]), state)
            targets = torch.from_numpy(wanted[:, here])
            total += float(
                cross_entropy(logits.flatten(0, 1).double(), targets.flatten(), ignore_index=-1, reduction="sum")
            )
    return total / int(scored.sum())


def cut_streams(
    ids: Int[np.ndarray, " position"], *, start_id: int
) -> tuple[Int[np.ndarray, "stream along"], Int[np.ndarray, "stream along"]]:
    """The ids to read in parallel streams, and the ids that follow them; −1 where nothing is scored."""
    n_streams = max(1, min(STREAMS, len(ids) // SHORTEST_STREAM))
    warm = WARM if n_streams > 1 else 0
    length = -(-(len(ids) - warm) // n_streams)
    stream, along = np.arange(n_streams)[:, None], np.arange(warm + length)
    places = stream * length + along
    is_scored = (places < len(ids)) & ((stream == 0) | (along >= warm))
    places = np.minimum(places, len(ids) - 1)
    given = np.where(places > 0, ids[places - 1], start_id)
    return given.astype(np.int64), np.where(is_scored, ids[places], -1).astype(np.int64)
