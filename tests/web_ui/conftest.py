import re
import socket
from contextlib import closing
from functools import cache

import pytest

import web_ui.app
from tests.browser import chromium
from tests.checkout import CHECKOUT
from tests.waiting import PATIENCE
from tests.web_ui.fake_table import FakeTable, question
from tests.web_ui.played_table import PlayedTable
from web_ui import Server, create_app

web_ui.app.Assets = cache(web_ui.app.Assets)
"""A program reads and packs the files of its pages once, when it starts; here many are made from the same files."""

WIDER = "document.documentElement.scrollWidth - innerWidth"

WEB_UI = CHECKOUT / "web_ui"


def keep_score(page):
    """Log in on the phone's page, with the PIN where it is asked for."""
    page.click("text=Keep score")
    page.wait_for_selector("dialog >> text=Enter")
    if page.locator("input.pin").count():
        page.fill("input.pin", FakeTable.pin)
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog .tools")
    page.click("dialog >> [aria-label=Close]")


def middle(button):
    """Where a thumb aims at a button: x, y, in pixels."""
    box = button.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold(page, pattern):
    """From now on the next request of this kind waits here until it is continued or aborted."""
    held = []
    page.route(pattern, lambda route: held.append(route), times=1)
    return held


def publish(page, table, state=None, /, **changes):
    """A new state, as `FakeTable.publish` has it, until the page shows it."""
    newest = table.publish(state, **changes)
    page.wait_for_function("id => document.documentElement.dataset.state === String(id)", arg=newest.id)


class Scorer:
    """A client that knows the PIN, as the page does."""

    def __init__(self, client):
        self.client = client
        answer = client.post("/api/session", json={"pin": FakeTable.pin})
        assert answer.status_code == 200, answer.text
        self.token = answer.json["token"]

    def command(self, **command):
        return self.client.post("/api/command", json=command, headers={"X-CSRF-Token": self.token})


@pytest.fixture
def table(now):
    return FakeTable(question(), clock=lambda: now[0])


@pytest.fixture
def now():
    """The clock of limits and tokens, in the list's one place."""
    return [1000.0]


@pytest.fixture
def app(table, now):
    return create_app(table, clock=lambda: now[0])


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def scorer(client):
    return Scorer(client)


@pytest.fixture
def played(tmp_path):
    """A table with a real engine on which nothing has happened yet."""
    with closing(PlayedTable(tmp_path)) as table:
        yield table


@pytest.fixture
def serve(table):
    """Start a server for the table, or for another, with what `create_app` takes; all are stopped at the end."""
    servers = []

    def start(other=None, port=0, tls=None, **settings):
        server = Server(create_app(other or table, **settings), "127.0.0.1", port, tls)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def open_page(browser, serve):  # its pages are closed before the servers: a module that still comes is no fault
    """Open an address in a browser context of its own: another device. Faults of its scripts fail the test, and so does
    a page that is wider than its screen at the end."""
    contexts = []
    faults = []

    def opened(url, size=(390, 844), script="", **settings):
        contexts.append(browser.new_context(viewport={"width": size[0], "height": size[1]}, **settings))
        contexts[-1].set_default_timeout(1000 * PATIENCE)
        page = contexts[-1].new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(url)
        return page

    yield opened
    wide = [page.url for context in contexts for page in context.pages if page.evaluate(WIDER) > 0]
    for context in contexts:
        context.close()
    assert wide == []
    assert [text for text in faults if not re.search(r"status of (4\d\d|503)|ERR_", text)] == []


@pytest.fixture
def in_clear(browser):
    """Open pages by a name that is not this machine's own: without https the browser takes them for insecure."""
    launched = browser.browser_type.launch(
        executable_path=chromium(whole=True), args=["--host-resolver-rules=MAP table.lan 127.0.0.1"]
    )

    def opened(port, path=""):
        page = launched.new_context(viewport={"width": 360, "height": 640}).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"http://table.lan:{port}/{path}")
        page.wait_for_selector("html[data-live=yes]")
        return page

    yield opened
    launched.close()


@pytest.fixture
def connect():
    """Open a plain connection; all are closed at the end."""
    opened = []

    def connected(server, buffer=None):
        connection = socket.socket()
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(PATIENCE)
        opened.append(connection)
        connection.connect(("127.0.0.1", server.port))
        return connection

    yield connected
    for connection in opened:
        connection.close()
