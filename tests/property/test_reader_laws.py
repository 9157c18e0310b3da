"""Laws of reading in pieces: nothing is lost, nothing is too long, words stay whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from regard.text.corpora.reader import cut

WORDS = st.text(st.sampled_from("ab é\n\t\u2003"), max_size=40)


@settings(max_examples=60, deadline=None)
@given(pieces=st.lists(WORDS, max_size=6), size=st.integers(1, 12))
def test_pieces_joined_are_the_text(pieces, size):
    chunks = list(cut(iter(pieces), size))
    assert "".join(chunks) == "".join(pieces)
    assert all(1 <= len(chunk) <= size for chunk in chunks)
    # A piece that ends within a word is full of it: no cut could have spared the word.
    assert all(
        chunk[-1].isspace() or (len(chunk) == size and not any(map(str.isspace, chunk))) for chunk in chunks[:-1]
    )
