"""What every model keeps of its training text besides its predictions."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import version
from typing import Any

import numpy as np

from regard.models.base import Background
from regard.models.speller import Speller, unknown_words, words_to_learn
from regard.text.digest import TextDigest, digest
from regard.text.tokenise.tokens import Tokeniser, Tokens
from regard.text.tokenise.vocabulary import WordCounts
from regard.text.tokenise.words import WordTokeniser

MOST_READ, LONGEST_OPENING = 20_000_000, 60
"""Characters: so much of a text is looked at for its opening line, and an opening line is no longer than this."""


def opening_line(text: str) -> str:
    """The line that a text has most often, with a letter in it; "" where no line comes twice.

    A model knows best how to go on from there: with a speaker's name in plays, with "Note:" in a manual.

    >>> opening_line("ROMEO:\\nAy.\\n\\nJULIET:\\nAy me.\\n\\nROMEO:\\nShe speaks.")
    'ROMEO:'
    """
    lines = Counter(line.strip() for line in text[:MOST_READ].splitlines() if len(line) <= LONGEST_OPENING)
    found = [(line, n) for line, n in lines.most_common() if n > 1 and any(map(str.isalpha, line))]
    return found[0][0] if found else ""


def background_of(text: str, tokens: Tokens, tokeniser: Tokeniser, **notes: Any) -> Background:
    """The background of a model that is trained on `text`; `notes` say how, versions are added."""
    seen = [tokeniser.vocabulary[i] for i in np.unique(tokens.ids) if i not in (tokeniser.unknown, tokeniser.line_end)]
    notes = {**notes, "opening": opening_line(text)}
    return assembled(tokeniser, words_to_learn(unknown_words(text, tokens, tokeniser), seen), digest(text), notes)


def background_of_words(counts: WordCounts, of_text: TextDigest, tokeniser: WordTokeniser, **notes: Any) -> Background:
    """The same for a text that was too long to be held: from how often each word was seen, and its digest."""
    words = list(counts.counts)
    ids = tokeniser.encode(" ".join(words)).ids[: len(words)]
    unknown = {word: counts.counts[word] for word, i in zip(words, ids, strict=True) if i == tokeniser.unknown}
    seen = [tokeniser.vocabulary[i] for i in np.unique(ids) if i != tokeniser.unknown]
    return assembled(tokeniser, words_to_learn(unknown, seen), of_text, notes)


def assembled(tokeniser: Tokeniser, to_spell: list[str], of_text: TextDigest, notes: dict[str, Any]) -> Background:
    """All parts together, with the versions that made them."""
    versions = {"regard": version("regard"), "numpy": np.__version__, "python": platform.python_version()}
    return Background(tokeniser, Speller.fit(to_spell), of_text, {**notes, "versions": versions})
