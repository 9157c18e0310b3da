"""Sentences of the field in signs: every rewriter of this folder in its order.

They see the text with single spaces, and with small letters for the first words of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.field import (
    attention,
    changes,
    errors,
    jacobians,
    networks,
    nouns,
    perplexity,
    perplexity_compared,
    softmax,
)

_MODULES = (
    changes,
    attention,
    networks,
    perplexity_compared,
    perplexity,
    errors,
    softmax,
    jacobians,
    nouns,
)
FIELD: tuple[Callable[[str], str], ...] = tuple(rewriter for module in _MODULES for rewriter in module.REWRITERS)

_FIRST_WORD = re.compile(
    r"(?:(?<=^)|(?<=[^.]\.\s)|(?<=;\s))(?P<word>(?!Jacobian|Hessian|Gaussian|Shannon|Euclid|Frobenius|Kullback|Cauchy|Jensen|Gibbs)"
    r"[A-Z][a-z]+(?![A-Za-z_(])|A(?=\s+[a-z]{2})|An(?=\s+[a-zM]))"
)

_SENTENCE = re.compile(r"(?<=[^.]\.\s)[a-z](?=[a-z]+\s)")
_REASON = re.compile(r",?\s+(?:since|because)\s+[A-Za-z'’\s-]{12,}(?=\.?\s*$)")


def read_field(text: str) -> str:
    """The text with what is said of networks, perplexity, softmax and attention in signs."""
    plain = re.sub(r"[ \t]+|(?<=[a-z,])\n(?=[a-z])", " ", text)
    plain = _REASON.sub("", _FIRST_WORD.sub(lambda found: found["word"].lower(), plain))
    read = plain
    for rewriter in FIELD:
        read = rewriter(read)
    return text if read == plain else _SENTENCE.sub(lambda found: found[0].upper(), read)
