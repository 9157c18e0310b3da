"""Start marks: where a line begins, a context begins anew.

ids           the cat </s> a dog </s>
with marks    <s> the cat </s> <s> a dog </s>         given, never predicted
"""

from __future__ import annotations

import numpy as np

from regard.shapes import Bool, Int
from regard.text.tokenise.tokens import Tokeniser


def start_mark(tokeniser: Tokeniser) -> int | None:
    """The id that opens a line, the first one outside the vocabulary; None where a text is one long sequence."""
    return None if tokeniser.line_end is None else len(tokeniser.vocabulary)


def with_marks(
    ids: Int[np.ndarray, " position"], tokeniser: Tokeniser
) -> tuple[Int[np.ndarray, " marked"], Bool[np.ndarray, " marked"]]:
    """The ids with a mark before each line, and where the ids themselves stand among them."""
    mark = start_mark(tokeniser)
    if mark is None:
        return ids, np.ones(len(ids), bool)
    opens = np.zeros(len(ids), bool)
    opens[:1] = True
    opens[1:] = ids[:-1] == tokeniser.line_end
    places = np.arange(len(ids)) + np.cumsum(opens)
    marked = np.full(len(ids) + int(opens.sum()), mark, dtype=np.int64)
    marked[places] = ids
    is_id = np.zeros(len(marked), bool)
    is_id[places] = True
    return marked, is_id
