"""Whether a statement rests on keys that are independent of each other, which their covariances Σ_i do not say.

The statement is tried again with one noise for all members of a family: each key has the law it had, but they move
together.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import Definition, Moment, Ref, Statement, contains


def with_common_noise(task: Task) -> Task | None:
    """The task with all members of a random family moved by the noise of the first; None where there is no such."""
    families = {spec.name for spec in task.setting.symbols if spec.random and spec.over is not None}
    if not families:
        return None
    definitions = {name: _share(one, families) for name, one in task.definitions.items()}
    return replace(task, definitions=definitions)


def _share(definition: Definition, families: set[str]) -> Definition:
    special = tuple((name, _common(body, families)) for name, body in definition.special)
    return replace(definition, body=_common(definition.body, families), special=special)


def _common(term: Any, families: set[str]) -> Any:
    if isinstance(term, Ref):
        return replace(term, indices=("1", *term.indices[1:])) if term.symbol in families and term.indices else term
    changes = {}
    for one in fields(term):
        value = getattr(term, one.name)
        if one.name == "arguments":
            changes[one.name] = tuple(_common(child, families) for child in value)
        elif one.name in ("left", "right", "body", "of", "first", "last") and value is not None:
            changes[one.name] = _common(value, families)
    return replace(term, **changes) if changes else term


def may_rest_on_independence(statement: Statement) -> bool:
    """Whether moments of random symbols are compared."""
    return contains(statement.left, Moment) or contains(statement.right, Moment)
