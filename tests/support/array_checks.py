"""Every annotation in a module with arrays is checked at every call, by beartype in a context of jaxtyping.

jaxtyping's own decorator compiles two functions for each one that it decorates, when a module is imported, and checks
each argument twice. This one checks once, and is made at the first call: a test run calls some of all functions.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

_check = beartype(conf=BeartypeConf(violation_type=jaxtyping.TypeCheckError))
_jaxtyped = jaxtyping.jaxtyped
_known: dict[tuple[str, str, types.CodeType], dict[str, Any]] = {}
"""What the annotations of a function stand for; one that is made anew at each call of another is looked at once."""


def install(modules: list[str]) -> None:
    """Check what these modules define, none of which may have been imported."""
    jaxtyping.install_import_hook(modules, "beartype.beartype").__enter__()
    jaxtyping.jaxtyped = lambda *, typechecker: check_calls  # what the hook writes above each function and class


def check_calls(thing: Any) -> Any:
    """The function with its calls checked, or the class with those of its constructor."""
    if inspect.isclass(thing):
        if dataclasses.is_dataclass(thing) and "__init__" in vars(thing):
            thing.__init__ = _lazily_checked(thing.__init__)
        return thing
    if isinstance(thing, classmethod | staticmethod):
        return type(thing)(_lazily_checked(thing.__func__))
    if isinstance(thing, property):
        return property(*(part and _lazily_checked(part) for part in (thing.fget, thing.fset, thing.fdel)))
    return _lazily_checked(thing)


def _lazily_checked(function: Callable[..., Any]) -> Callable[..., Any]:
    checked: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal checked
        if jaxtyping.config.jaxtyping_disable:
            return function(*args, **kwargs)
        if checked is None:
            checked = _checked(function)
        with _jaxtyped("context"):
            return checked(*args, **kwargs)

    return call


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """What beartype makes of the function, its annotations replaced by what they stand for.

    Of a generator beartype would check the arguments when its first element is asked for, so jaxtyping has it.
    """
    if inspect.isgeneratorfunction(function):
        return _jaxtyped(function, typechecker=beartype)
    key = function.__module__, function.__qualname__, function.__code__
    if key not in _known:
        _known[key] = _hints(function)
    twin = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__kwdefaults__, twin.__annotations__ = function.__kwdefaults__, dict(_known[key])
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__
    return _check(twin)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """What each annotation stands for; Any where a name in it is not known outside of a function."""
    found = {}
    for name, hint in function.__annotations__.items():
        holder = types.SimpleNamespace(__annotations__={name: hint})
        try:
            found |= typing.get_type_hints(holder, function.__globals__, include_extras=True)
        except NameError:
            found[name] = Any
    return found
