"""What a tokeniser is (`Tokeniser`) and what it returns: ids, with the characters that each covers.

text      T h e   c a t \\n
tokens    [The·  ][cat  ][</s>]        words: a word and the space after it
starts    0       4      7
ends      4       7      8             each span ends where the next begins; the last at the end of the text
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from regard.shapes import Bool, Int

UNKNOWN = "<unk>"
LINE_END = "</s>"
LINE_START = "<s>"


@dataclass(frozen=True)
class Tokens:
    """Ids with the characters they cover: token i stands for text[starts[i]:ends[i]]."""

    ids: Int[np.ndarray, " position"]
    starts: Int[np.ndarray, " position"]
    ends: Int[np.ndarray, " position"]

    def __len__(self) -> int:
        return len(self.ids)


@runtime_checkable
class Tokeniser(Protocol):
    """Text to ids and back.

    Ids 0 … len(vocabulary) − 1 can be predicted. `unknown` is the id of everything that is not in the vocabulary,
    None where there is no such thing (bytes). `line_end` is the id after which a new line, with a fresh context,
    begins; None where a text is one long sequence. A context before the first token of a line is written with the id
    `len(vocabulary)`, the start mark, which is never predicted.
    """

    kind: str
    unit: str
    is_lossless: bool

    @property
    def vocabulary(self) -> Sequence[str]:
        """What each id stands for, as text."""
        ...

    @property
    def unknown(self) -> int | None:
        """The id of everything that is not in the vocabulary."""
        ...

    @property
    def line_end(self) -> int | None:
        """The id after which contexts begin anew."""
        ...

    def encode(self, text: str) -> Tokens:
        """The ids of a text, and the characters they cover."""
        ...

    def decode(self, ids: Int[np.ndarray, " position"]) -> str:
        """The plainest text that these ids stand for."""
        ...

    def pieces(self, text: str, tokens: Tokens) -> list[str]:
        """The text that each token stands for; for an unknown token, its word as it is in the text.

        Joined they are what the tokens alone tell of the text. Where that differs from the text (case, digits,
        spaces), an honest cost of the text has to add the difference.
        """
        ...

    def settings(self) -> dict[str, Any]:
        """Everything needed to make this tokeniser again, as plain JSON."""
        ...


def known_tokens(tokens: Tokens, tokeniser: Tokeniser) -> Bool[np.ndarray, " position"]:
    """True where a token is in the vocabulary."""
    return np.ones(len(tokens), bool) if tokeniser.unknown is None else tokens.ids != tokeniser.unknown
