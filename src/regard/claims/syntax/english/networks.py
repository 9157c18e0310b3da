"""Networks, losses and perplexity in words: a network with d inputs, the perplexity of a text."""

from __future__ import annotations

from collections.abc import Callable

REWRITERS: tuple[Callable[[str], str], ...] = ()
