"""One server and one browser for all tests of the lab in a worker."""

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
        yield context
        browser.close()


@pytest.fixture
def page(window):
    opened = window.new_page()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def lab_address(tmp_path_factory):
    require_lab()
    with served_lab(tmp_path_factory.mktemp("lab"), "--no-token") as (address, _):
        yield address


class Visit:
    """A page, and everything that happened on it."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        self.errors, self.requests, self.messages = [], [], []
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", self._listen)

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
    return Visit(page, lab_address)


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


def assert_quiet(visit):
    assert visit.errors == []
    assert visit.outside() == []


@pytest.fixture(scope="module")
def engine(window):
    """A page that has the modules of the engine; whatever goes wrong in it fails the module's last test."""
    page = window.new_page()
    found = EnginePage(page)
    yield found
    page.close()
    assert found.errors == []
