"""The number of tokens by another letter than N."""

from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.sentence.substitutions import name_token_count


def test_the_letter_that_counts_the_tokens():
    assert as_plain(parse("PP = (1/M) \\sum_{t=1}^M 1/p_t")) == as_plain(parse("PP = (1/N) \\sum_{t=1}^N 1/p_t"))


def test_a_claim_about_anything_else_is_left_alone():
    for text in ("x = (1/M) \\sum_{t=1}^M p_t", "PP = (1/M) \\sum_{t=1}^N 1/p_t"):
        assert name_token_count(parse(text)) == parse(text)
