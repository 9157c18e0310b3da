"""Every public name loads from where the package says it is."""

import pytest

import regard


@pytest.mark.parametrize("name", regard.__all__)
def test_a_public_name_loads(name):
    assert getattr(regard, name) is not None


def test_an_unknown_name_is_refused_by_name():
    with pytest.raises(AttributeError, match="module 'regard' has no attribute 'atend'"):
        _ = regard.atend
