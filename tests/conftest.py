"""Every array annotation in Regard is checked at every call of the test run."""

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import jaxtyping
import pytest

from tests.support import array_checks

if "REGARD_DATA" in os.environ:  # tests that go to a folder of their own must still find it
    os.environ["REGARD_DATA"] = str(Path(os.environ["REGARD_DATA"]).resolve())

SOURCES = Path(__file__).parents[1] / "src"


def modules_with_arrays() -> list[str]:
    """The modules that annotate arrays. The others are left to mypy: to check each of their calls finds no more, and
    half of the time before the first test went into preparing it."""
    files = [file for file in SOURCES.rglob("*.py") if "from regard.shapes import" in file.read_text("utf-8")]
    return [".".join(file.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__") for file in files]


# Must come before any import of regard, which looks for jaxtyping only where it is already loaded.
array_checks.install(modules_with_arrays())

from regard.files import cache_folder  # noqa: E402

SLOW = (
    "tests/property/test_perplexity_laws.py",
    "tests/unit/claims/test_check.py",
    "tests/unit/claims/test_check_collection.py",
    "tests/unit/claims/test_check_collection_attention.py",
    "tests/unit/claims/test_check_natural.py",
    "tests/unit/claims/test_check_opened.py",
    "tests/unit/claims/trial",
    "tests/unit/claims/verdict",
    "tests/unit/design/test_robust_queries.py",
    "tests/unit/lab/chapters",
    "tests/unit/lab/widgets/test_head_map.py",
    "tests/unit/models/mixture",
    "tests/unit/models/recurrent",
    "tests/unit/models/test_base_contract.py",
    "tests/unit/models/test_folder_crashes.py",
    "tests/unit/models/transformer",
    "tests/unit/pretrained",
    "tests/unit/studies",
    "tests/unit/training/averaging",
    "tests/unit/training/network",
)
"""Folders and files whose tests train or load networks, run chapters, kill writers or try hundreds of claims.
`make quick` leaves them out. Other slow tests carry the marker."""


class WithExamples:
    """Looks for doctests only in files that have one: to look through the names of 700 others takes seconds."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        is_needed = len(found) == 0 or ">>>" in file_path.read_text("utf-8")
        return found if is_needed else [one for one in found if type(one).__name__ != "DoctestModule"]


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(WithExamples())  # the hooks of a conftest.py are not called for the files of src


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without a search for garbage: modules and tests stay to the end, and no search need look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def is_slow(path: Path) -> bool:
    """Whether a file or folder is one of the slow ones, or lies in one."""
    return f"{path}/".startswith(tuple(f"{SOURCES.parent / place}/" for place in SLOW))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are not wanted, what they import is not loaded."""
    return True if config.option.markexpr == "not slow" and is_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in a slow folder or file."""
    slow = {path for path in {item.path for item in items} if is_slow(path)}
    for item in items:
        if item.path in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="session")
def new_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache without the models that other test runs or the user has trained; only fetched archives are shared."""
    cache, archives = tmp_path_factory.mktemp("cache"), cache_folder() / "archives"
    archives.mkdir(parents=True, exist_ok=True)
    (cache / "archives").symlink_to(archives, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REGARD_CACHE", str(cache))
        yield


@pytest.fixture
def unchecked() -> Iterator[None]:
    """As users run Regard, without checks of annotations: a wrong argument meets the message under test."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def heeds_interrupts():
    """As in a terminal: whoever starts the tests in the background may have interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
