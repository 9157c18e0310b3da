"""What every model keeps of its training text besides its predictions."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np

from regard import __version__
from regard.models.protocol import Background
from regard.models.speller import Speller, words_to_learn
from regard.text.digest import digest
from regard.text.tokens import Tokeniser, Tokens


def background_of(text: str, tokens: Tokens, tokeniser: Tokeniser, **notes: Any) -> Background:
    """The background of a model that is trained on `text`; `notes` say how, versions are added."""
    versions = {"regard": __version__, "numpy": np.__version__, "python": platform.python_version()}
    return Background(
        tokeniser=tokeniser,
        speller=Speller.fit(words_to_learn(text, tokens, tokeniser)),
        digest=digest(text),
        notes={**notes, "versions": versions},
    )
