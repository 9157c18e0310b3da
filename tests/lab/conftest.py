"""One server and one browser for all tests of the lab in a worker."""

import contextlib
import json

import pytest
from tests.support.engine import EnginePage
from tests.support.lab import chromium, require_lab, served_lab

PATIENCE_MILLISECONDS = 120_000
"""How long a machine that is busy with other things may take to show what is a matter of a second."""


@pytest.fixture(scope="session")
def window():
    """A running Chromium whose pages share what they have already loaded."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright: pip install 'regard[test]'")
    path = chromium()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        sync_api.expect.set_options(timeout=PATIENCE_MILLISECONDS)
        context.new_page()  # stays open: where a test closes the last tab, opening the next costs twice as much
        yield context
        browser.close()


@pytest.fixture
def page(window):
    """An empty page in a tab of its own: in one that many tests have used, frames came to a stop."""
    page = window.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def lab_address(tmp_path_factory):
    require_lab()
    with served_lab(tmp_path_factory.mktemp("lab"), "--no-token") as (address, _):
        yield address


class Visit:
    """A page, and everything that happens on it until it is left."""

    def __init__(self, page, address=""):
        self.page = page
        self.address = address
        self.errors, self.requests, self.messages = [], [], []
        self._listeners = {
            "console": lambda message: message.type == "error" and self.errors.append(message.text),
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": lambda request: self.requests.append(request.url),
            "websocket": self._listen,
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def end(self):
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def _listen(self, websocket):
        self.requests.append(websocket.url)
        websocket.on("framereceived", self._hear)

    def _hear(self, frame):
        self.messages.append(frame)

    def open(self, path):
        self.page.goto(self.address + path)
        return self.page

    def outside(self):
        """Requests that left the machine."""
        here = self.address.removeprefix("http")
        inside = ("http" + here, "ws" + here, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(inside)]

    def received(self, operation):
        return [message for message in self.messages if json.loads(message)["op"] == operation]


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
def shared_visit(window, lab_address):
    """One visit for those tests of a module that only look, each of which must find the console quiet."""
    page = window.new_page()
    visit = Visit(page, lab_address)
    yield visit
    page.close()
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
