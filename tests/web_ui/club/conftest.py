"""A real hub behind real pages: a database, an evening, a server."""

import hashlib
import hmac

import pytest

from controller.club.desk import Desk
from controller.club.store import TableOfClub, tokens
from tests.controller.club.a_club import a_hub, a_store
from web_ui import Server
from web_ui.club import create_club_app

CODE = hmac.new(b"", b"board h1", hashlib.sha256).hexdigest()[:12]
"""What the code at the board h1 says while the organiser has no password."""
NO_WORDS = ("[object ", "undefined", "NaN", "null", "{n}", "{name}")


def tap(where, name, **how):
    """Tap the button of this name."""
    where.get_by_role("button", name=name, **how).click()


@pytest.fixture(autouse=True)
def _guesses_cost_nothing(monkeypatch):
    """They come by the hundred here; `tests/controller/club/test_store.py` has the real cost."""
    monkeypatch.setattr(tokens, "METHOD", "scrypt:2:8:5")


@pytest.fixture
def hub(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}", tables=1)
    store.put_table(TableOfClub("h1", "By the window", by_hand=True))
    yield a_hub(store)
    store.close()


@pytest.fixture
def office(hub):
    office = Desk(hub, "Club of <b>tests</b>")
    office.showing.start()
    yield office
    office.showing.stop()


@pytest.fixture
def app(office):
    return create_club_app(office)


@pytest.fixture
def server(app):
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def open_page(server, open_page):
    """Open a page of the club; what its scripts leave as a word on it is a fault as well."""
    pages = []

    def opened(path, width=390, height=844, **settings):
        pages.append(open_page(f"http://127.0.0.1:{server.port}{path}", (width, height), **settings))
        return pages[-1]

    yield opened
    assert [word for page in pages for word in NO_WORDS if word in page.inner_text("body")] == []
