"""A study of four made-up heads, to be drawn."""

import numpy as np

from regard.records import HeadPatterns
from regard.tables import StudyTable

KINDS = [("previous token", "previous ≥ 0.4"), ("broad", "none of the other rules")]
COLUMNS = ("layer", "head", "kind", "effective_count", "previous", "sink_by_norm", "induction_random", "output_norm")
ROWS = tuple(
    (layer, head, "previous token" if head else "broad", 2.5 + layer, 0.8 * head, 0.1, 0.0, 1.0)
    for layer in range(2)
    for head in range(2)
)


def head_table(*, noise: bool = True) -> StudyTable:
    """The table, with an error that is no number."""
    if not noise:
        return StudyTable("two layers", COLUMNS, ROWS)
    rows = tuple((*row, 0.1 * place, float("nan")) for place, row in enumerate(ROWS))
    return StudyTable("two layers", (*COLUMNS, "int4 error", "int4 damage"), rows, ("a note",))


def head_patterns(n: int = 6, *, layers: int = 2, heads: int = 2, places: int = 3) -> HeadPatterns:
    """Each query reads the key before it, itself, and the first key."""
    place = np.arange(n)
    keys = np.stack([np.maximum(place - 1, 0), place, 0 * place], axis=-1)[:, :places].astype(np.uint16)
    levels = np.broadcast_to(np.array([228, 114, 9], dtype=np.uint8)[:places], keys.shape)
    shape = (layers, heads, *keys.shape)
    tokens = tuple(["<s>", "</script>", "it", "“is”", "so", "."][i % 6] for i in range(n))
    return HeadPatterns(tokens, np.broadcast_to(keys, shape), np.broadcast_to(levels, shape), 0.995)
