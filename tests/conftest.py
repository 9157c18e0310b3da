"""Every array annotation in Regard is checked at every call of the test run."""

from collections.abc import Iterator

import jaxtyping
import pytest

# Must come before any import of regard, which looks for jaxtyping only where it is already loaded.
_hook = jaxtyping.install_import_hook("regard", "beartype.beartype")
_hook.__enter__()


@pytest.fixture
def unchecked() -> Iterator[None]:
    """As users run Regard, without checks of annotations: a wrong argument meets the message under test."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
