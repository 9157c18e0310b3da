"""Commands of LaTeX as the signs that they print, for rules that look into formulas: \\theta_i is θ_i, \\hat y is ŷ."""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.letters import GREEK

_SIGNS = {
    **{name: sign for sign, name in reversed(GREEK.items())},
    "varepsilon": "ε",
    "varphi": "φ",
    "vartheta": "θ",
    "ell": "ℓ",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "to": "→",
    "rightarrow": "→",
    "downarrow": "↓",
    "uparrow": "↑",
    "infty": "∞",
    "sim": "~",
    "in": "∈",
    "approx": "≈",
    "propto": "∝",
    "perp": "⊥",
    "cdot": "·",
    "times": "×",
    "odot": "⊙",
    "partial": "∂",
    "nabla": "∇",
    "ldots": "…",
    "dots": "…",
    "top": "⊤",
    "ln": "ln ",
    "log": "log ",
    "exp": "exp ",
    "tanh": "tanh ",
    "det": "det ",
}
"""Commands that print one sign, or the name of a function."""
_HATS = {"y": "ŷ", "p": "p̂"}
_NAMES = (
    r"\\(?:mathrm|operatorname|text|mathbf|boldsymbol|mathcal|mathbb)\s*"
    r"(?:\{\s*(?P<braced>[A-Za-z]+)\s*\}|(?P<bare>[A-Z]))"
)


def _sign(found: re.Match[str]) -> str:
    return _SIGNS.get(found["name"], found[0])


def _name(found: re.Match[str]) -> str:
    name = found["braced"] or found["bare"]
    return "ℝ" if name == "R" and "mathbb" in found[0] else name


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\\(?:left|right|bigl|bigr|big|Big)(?![A-Za-z])|\\[,;!]"), ""),
    (re.compile(r"\\\|"), "‖"),
    (re.compile(r"\\hat\s*\{?\s*(?P<letter>[yp])\s*\}?"), lambda found: _HATS[found["letter"]]),
    (re.compile(_NAMES), _name),
    (re.compile(r"\^\s*(?:\{\s*\\top\s*\}|\\top(?![A-Za-z]))"), "ᵀ"),
    (re.compile(r"\\(?P<name>[A-Za-z]+)"), _sign),
    (re.compile(r"(?<=[a-z]) +(?=\()"), ""),
)


def without_commands(text: str) -> str:
    """The text with signs for commands that print one; other commands stay.

    >>> without_commands("$\\\\alpha_j\\\\to1$ as $\\\\|q\\\\|\\\\to\\\\infty$, $\\\\frac12 \\\\hat{y}^\\\\top$")
    '$α_j→1$ as $‖q‖→∞$, $\\\\frac12 ŷᵀ$'
    """
    return "".join(
        part if place % 2 == 0 else _plain(part) for place, part in enumerate(re.split(r"(\$[^$]*\$)", text))
    )


def _plain(formula: str) -> str:
    for pattern, new in _STEPS:
        formula = pattern.sub(new, formula)
    return formula
