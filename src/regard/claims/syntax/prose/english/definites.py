"""The vector, the matrix: the one that a text has named before, with a letter or without.

the norm of Q x for a vector x is the norm of the vector       ‖Q x‖ = ‖x‖, and no other vector
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Thing

_KINDS = {"vector": "vector", "matrix": "matrix"}
_DEFINITE = re.compile(r"⟨the (?P<kind>vector|matrix):\d+⟩")
_DECLARED = {
    "vector": re.compile(r"Let (?P<name>[a-z](?:_\w)?) (?:is (?:a vector|unit|nonzero)|∈ |~ )"),
    "matrix": re.compile(r"Let (?P<name>[A-Z])(?: is |\^T (?P=name) = I| ∈ )"),
}


def _the(kind: str) -> Thing:
    return Thing(fresh(f"the {kind}"), (), kind)


def name_definites(written: str, _: str = "") -> str:
    """A claim in which `the vector` is the one vector that it speaks of; where there is none, it is any vector.

    >>> name_definites("Let ⟨vector:1⟩ is a vector. Then ‖Q ⟨vector:1⟩‖ = ‖⟨the vector:2⟩‖")
    'Let ⟨vector:1⟩ is a vector. Then ‖Q ⟨vector:1⟩‖ = ‖⟨vector:1⟩‖'

    Raises: Unreadable where it speaks of more than one.
    """
    for found in list(_DEFINITE.finditer(written)):
        kind = found["kind"]
        known = {one.group() for one in re.finditer(rf"⟨{kind}:\d+⟩", written)}
        known |= {one["name"] for one in _DECLARED[kind].finditer(written)}
        if len(known) > 1:
            raise Unreadable
        written = written.replace(found.group(), known.pop() if known else fresh(kind))
    return written


RULES: tuple[Rule, ...] = tuple(
    Rule("entity", f"the/this/that {word}", lambda kind=kind: _the(kind)) for word, kind in _KINDS.items()
)
