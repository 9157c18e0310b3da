"""Random vectors and projections in words: entries that are drawn alike, jointly Gaussian, the projector onto."""

from __future__ import annotations

from collections.abc import Callable

REWRITERS: tuple[Callable[[str], str], ...] = ()
