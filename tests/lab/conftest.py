"""One server and one browser for all tests of the lab in a worker."""

import contextlib

import pytest
from tests.support.engine import EnginePage
from tests.support.lab import chromium, require_lab, served_lab

PATIENCE_MILLISECONDS = 120_000
"""How long a machine that is busy with other things may take to show what is a matter of a second."""

VIEWPORT = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def window():
    """A running Chromium whose pages share what they have already loaded."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright: pip install 'regard[test]'")
    path = chromium()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(viewport=VIEWPORT, accept_downloads=True)
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        sync_api.expect.set_options(timeout=PATIENCE_MILLISECONDS)
        context.new_page()  # stays open: where a test closes the last tab, opening the next costs twice as much
        yield context
        browser.close()


@pytest.fixture(scope="module")
def tab(window):
    """One tab for all tests of a module: with a tab of its own for each, a visit takes the processor twice as long."""
    page = window.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def reading_tab(window):
    """A second tab, for what several tests look at and none changes."""
    page = window.new_page()
    yield page
    page.close()


@pytest.fixture
def page(tab):
    """The module's tab as if it were new, but for what the last test left in it until this one opens something."""
    tab.bring_to_front()  # frames of one behind another come once a second
    yield tab
    tab.unroute_all()
    tab.emulate_media(color_scheme="null", reduced_motion="null")
    tab.mouse.move(0, 0)  # what stands under it would be told as soon as the next page is there
    if tab.viewport_size != VIEWPORT:
        tab.set_viewport_size(VIEWPORT)


@pytest.fixture
def still(page):
    """Nothing moves by itself, in tests that are not about it: rain in the plane of chapter 3 goes on for seconds."""
    page.emulate_media(reduced_motion="reduce")


@pytest.fixture(scope="session")
def lab_address(tmp_path_factory):
    require_lab()
    with served_lab(tmp_path_factory.mktemp("lab"), "--no-token") as (address, _):
        yield address


class Visit:
    """A page, and everything that happens on it from the first that is opened until it is left."""

    def __init__(self, page, address=""):
        self.page = page
        self.address = address
        self.errors, self.requests = [], []
        self._is_open = False  # an earlier visit may have left something in this tab
        self._listeners = {
            "console": lambda message: message.type == "error" and self._hear(message.text),
            "pageerror": lambda error: self._hear(str(error)),
            "request": self._see,
            "websocket": lambda websocket: self.requests.append(websocket.url),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def end(self):
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def _hear(self, error):
        if self._is_open:
            self.errors.append(error)

    def _see(self, request):
        self._is_open = self._is_open or (request.is_navigation_request() and request.frame == self.page.main_frame)
        if self._is_open:
            self.requests.append(request.url)

    def open(self, path):
        self.page.goto(self.address + path)
        return self.page

    def outside(self):
        """Requests that left the machine."""
        here = self.address.removeprefix("http")
        inside = ("http" + here, "ws" + here, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(inside)]


@pytest.fixture
def visit(lab_address, page):
    visit = Visit(page, lab_address)
    yield visit
    visit.end()


@pytest.fixture
def chapter(visit):
    """A visit during which the console must stay quiet and nothing may leave the machine."""
    yield visit
    assert_quiet(visit)


@pytest.fixture(scope="module")
def shared_visit(reading_tab, lab_address):
    """One visit for those tests of a module that only look, each of which must find the console quiet."""
    visit = Visit(reading_tab, lab_address)
    yield visit
    visit.end()
    assert_quiet(visit)


@contextlib.contextmanager
def hear(page):
    """All that the page writes to its console, and its errors."""
    said = []
    listeners = {
        "console": lambda message: said.append(message.text),
        "pageerror": lambda error: said.append(str(error)),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    yield said
    for event, listener in listeners.items():
        page.remove_listener(event, listener)


def assert_quiet(visit):
    """No errors, but for questions that a server on a busy machine could not take at this moment."""
    assert [error for error in visit.errors if "a status of 503" not in error] == []
    assert visit.outside() == []


@pytest.fixture(scope="session")
def engine_page(window):
    return EnginePage(window.new_page())


@pytest.fixture(scope="module")
def engine(engine_page):
    """A page that has the modules of the engine; whatever goes wrong in it fails the module's last test."""
    yield engine_page
    assert engine_page.errors == []
