"""The page holds all that it draws, and nothing of it can break out of the script."""

import base64
import json
import zlib

import numpy as np
from tests.support.head_study import KINDS, head_patterns, head_table

from regard.report.heads_page import heads_page, study_data


def test_what_is_packed_comes_out_again():
    patterns = head_patterns()
    data = study_data(head_table(), patterns, kinds=KINDS)
    plain = zlib.decompress(base64.b64decode(data["packed"]))
    n = patterns.keys.size
    assert np.array_equal(np.frombuffer(plain[: 2 * n], "<u2"), patterns.keys.flatten())
    assert np.array_equal(np.frombuffer(plain[2 * n :], "u1"), patterns.levels.flatten())
    assert (data["n_layers"], data["n_heads"], data["places"]) == (2, 2, 3)
    assert data["rows"][3]["int4 damage"] is None
    assert data["notes"] == [
        "a note",
        "shown: the first 6 tokens; the 3 largest weights of a query hold 99.5 % of all weight",
    ]
    json.dumps(data, allow_nan=False)


def test_the_page_needs_no_other_file_and_tokens_cannot_end_the_script():
    page = heads_page(head_table(), head_patterns(), kinds=KINDS)
    assert page.count("</script>") == 1
    assert "<\\/script>" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    assert "default-src &#x27;none&#x27;" in page


def test_a_page_of_72_heads_and_512_tokens_is_small():
    """The worst case for compression: random keys and weights."""
    generator = np.random.default_rng(0)
    patterns = head_patterns(512, layers=6, heads=12)
    shape = (6, 12, 512, 24)
    noisy = type(patterns)(
        patterns.tokens,
        generator.integers(0, 512, shape).astype(np.uint16),
        generator.integers(0, 255, shape).astype(np.uint8),
        1.0,
    )
    assert len(heads_page(head_table(), noisy, kinds=KINDS)) < 5_000_000
