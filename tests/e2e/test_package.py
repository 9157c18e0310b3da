"""The wheel works: built from the sdist, installed into an empty environment, tried from outside the repository."""

import pytest
from tests.support.lab import require_lab
from tests.support.wheel import ROOT, build, fetch_builder, install, try_out

from regard import __version__


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist and the wheel."""
    folder = tmp_path_factory.mktemp("package")
    try:
        tools = fetch_builder(folder)
    except AssertionError:
        pytest.skip("hatchling cannot be had: connect to a package index")
    return build(tools, folder / "dist", folder)


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(built, tmp_path):
    require_lab()
    lines = try_out(install(built[1], tmp_path), tmp_path)
    assert lines[0] == "imported from regard of an environment of its own"
    assert len(lines) == 4


@pytest.mark.slow
def test_a_repository_that_is_imported_instead_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.support.wheel._run", lambda *_, **__: "/somewhere/else/regard/__init__.py\n")
    with pytest.raises(AssertionError, match="the wheel is not what is imported"):
        try_out(tmp_path / "bin" / "python", tmp_path)


def test_the_citation_names_this_version():
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
