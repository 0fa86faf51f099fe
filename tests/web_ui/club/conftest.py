"""A real hub behind real pages: a database, an evening, a server."""

import hashlib
import hmac
from collections.abc import Iterator

import pytest

from controller.club.admin_service import AdminService
from controller.club.store import TableOfClub, credentials
from tests.controller.club.a_club import a_hub, a_store
from web_ui import Server
from web_ui.club import create_club_app

SECRET = b"a secret of the tests"
CODE = hmac.new(SECRET, b"board h1 ", hashlib.sha256).hexdigest()[:12]
"""What the code at the board h1 says while the organiser has no password."""
NO_WORDS = ("[object ", "undefined", "NaN", "null", "{n}", "{name}")


@pytest.fixture(autouse=True)
def _guesses_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come by the hundred here; `tests/controller/club/test_store.py` has the real cost."""
    monkeypatch.setattr(credentials, "COST", 2)


@pytest.fixture
def hub(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}", tables=1)
    store.put_table(TableOfClub("h1", "By the window", by_hand=True))
    yield a_hub(store)
    store.close()


@pytest.fixture
def admin(hub) -> Iterator[AdminService]:
    admin = AdminService(hub, "Club of <b>tests</b>")
    admin.start()
    yield admin
    admin.stop()


@pytest.fixture
def app(admin):
    return create_club_app(admin, SECRET)


@pytest.fixture
def server(app) -> Iterator[Server]:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def open_page(browser, server):
    """Open a page of the club, as it is on a screen of this size; faults of its scripts fail the test, also those that
    end as a word on the page."""
    contexts, faults = [], []

    def opened(path, width=390, height=844, **settings):
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    yield opened
    for context in contexts:
        faults += [word for page in context.pages for word in NO_WORDS if word in page.inner_text("body")]
        context.close()
    assert faults == []
