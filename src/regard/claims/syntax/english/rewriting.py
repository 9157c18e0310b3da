"""Sentences into formulas: every rewriter in its order, and a note of what became of the words.

A rewriter is a function from text to text. It changes only what it understands as a whole: a sentence that is half
understood stays as it is, and is complained of by the grammar. Later stages see the new text alone, so that a rewriter
need not care for places or lengths.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english import (
    approximations,
    asides,
    declarations,
    descriptions,
    matrices,
    noisy_keys,
    predicates,
    probability,
    random_letters,
    subspaces,
    verbs,
)
from regard.claims.syntax.english.field import comparisons
from regard.claims.syntax.english.field.reading import read_field
from regard.claims.syntax.english.patterns import READ_AS

Rewriter = Callable[[str], str]
_MODULES = (
    *(noisy_keys, probability, matrices, subspaces, predicates),
    *(approximations, declarations, verbs, descriptions, random_letters),
)
REWRITERS: tuple[Rewriter, ...] = (
    read_field,
    *asides.REWRITERS,
    declarations.state_shapes,
    read_field,
    *(rewriter for module in _MODULES for rewriter in module.REWRITERS),
    read_field,
    *comparisons.REWRITERS,
    asides.give_sentences,
)
"""Sentences of the field are read whole first, and again where something beside them has been taken away."""

MAX_SENTENCE = 1000
"""Characters of a text whose words are put in signs. Patterns take time that grows faster than the text."""
_SPACES = re.compile(r"[ \t]{2,}")


def rewrite(text: str) -> tuple[str, list[str]]:
    """The text in signs, and a note of how its words were read if there were any.

    >>> rewrite("x = 1")
    ('x = 1', [])
    """
    if len(text) > MAX_SENTENCE:
        return text, []
    spaced = _SPACES.sub(" ", text)
    read = spaced
    for rewriter in REWRITERS:
        read = rewriter(read)
    if read == spaced:
        return text, []
    is_said = read.replace(" ", "") != spaced.replace("$", "").replace(" ", "")
    return read, [f"{READ_AS} {' '.join(read.split())}"] if is_said else []
