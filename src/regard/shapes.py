"""The axis vocabulary, and the types that carry it.

Axes are written in annotations, always with these words, singular:

    batch layer head query key position width vocab label pair        shared by all floors
    node        a point of a quadrature rule
    law         one of the different laws that the logits of many keys may have
    sd          a standard deviation for which there is a table; point, stencil: places on its grid
    draw        one random sample
    rank        one shared noise factor
    axis        one basis vector of a subspace

`Float[Array, "query key"]` is a floating-point array with those two axes. The test run checks every such
annotation at every call; elsewhere they cost nothing: jaxtyping is used only where it is already loaded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

Array: TypeAlias = Any
"""An array of any library that follows the array API standard: NumPy, PyTorch."""

if TYPE_CHECKING or "jaxtyping" in sys.modules:
    from jaxtyping import Bool, Float, Int
else:

    class _Unchecked:
        """Stands where jaxtyping would: `Float[Array, "key"]` is then just `Array`."""

        def __class_getitem__(cls, item: tuple[Any, str]) -> Any:
            return item[0]

    Bool = Float = Int = _Unchecked

__all__ = ["Array", "Bool", "Float", "Int"]
