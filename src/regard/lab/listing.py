"""'Show the Python for this': code that, pasted, gives the numbers of the view."""

from __future__ import annotations

from typing import Any

import numpy as np


def listing(code: str) -> Any:
    """The code under a heading that opens."""
    import marimo as mo

    return mo.accordion({"Show the Python for this": mo.md(f"```python\n{code.strip()}\n```")}, lazy=False)


def array_code(rows: Any) -> str:
    """The array as it is typed.

    >>> array_code([[1.0, 0.5], [0.0, -2.0]])
    'np.array([[1.0, 0.5], [0.0, -2.0]])'
    """
    return f"np.array({np.asarray(rows, dtype=float).tolist()})"
