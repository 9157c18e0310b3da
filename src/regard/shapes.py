"""The axis vocabulary, and the types that carry it.

Axes are written in annotations, always with these words, singular:

    batch layer head query key position width vocab label pair        shared by all floors
    node        a point of a quadrature rule
    law         one of the different laws that the logits of many keys may have
    sd          a standard deviation for which there is a table; point, stencil: places on its grid
    draw        one random sample
    rank        one shared noise factor
    axis        one basis vector of a subspace
    character   a place in a text; cut: a place between two characters; window: a stretch of them
    context     what a bigram model reads, or an n-gram without its last symbol; hidden: a unit of a network
    order       the length of an n-gram; ngram, lower: n-grams of one order and of the one below; feature: of a gate
    word        a word of a text; marked: a position of a text with start marks in it
    line, segment, bound    a line; a stretch that a preparation changed or not; where it begins or ends
    iteration, parameter, entry, group, direction    of training: a step, a number that learns, a place in an array,
                contexts that share something, a vector of a basis; field, number: of a line in a file of vectors
    key_head    keys and values that several query heads of a pretrained model share
    rule, error, text    something that may mislead a classifier, a wrong answer, one of the texts that were classified

`Float[Array, "query key"]` is a floating-point array with those two axes (`Inexact` may also be complex). The test run
checks every such annotation at every call; elsewhere they cost nothing: jaxtyping is used only where it is loaded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

Array: TypeAlias = Any
"""An array of any library that follows the array API standard: NumPy, PyTorch."""

if TYPE_CHECKING or "jaxtyping" in sys.modules:
    from jaxtyping import Bool, Float, Inexact, Int, UInt
else:

    class _Unchecked:
        """Stands where jaxtyping would: `Float[Array, "key"]` is then just `Array`."""

        def __class_getitem__(cls, item: tuple[Any, str]) -> Any:
            return item[0]

    Bool = Float = Inexact = Int = UInt = _Unchecked

__all__ = ["Array", "Bool", "Float", "Inexact", "Int", "UInt"]
