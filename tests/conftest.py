"""Every array annotation in Regard is checked at every call of the test run."""

import os
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import pytest

if "REGARD_DATA" in os.environ:  # tests that go to a folder of their own must still find it
    os.environ["REGARD_DATA"] = str(Path(os.environ["REGARD_DATA"]).resolve())

# Must come before any import of regard, which looks for jaxtyping only where it is already loaded.
_hook = jaxtyping.install_import_hook("regard", "beartype.beartype")
_hook.__enter__()


@pytest.fixture
def unchecked() -> Iterator[None]:
    """As users run Regard, without checks of annotations: a wrong argument meets the message under test."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
