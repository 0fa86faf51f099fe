import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import web_ui.app
from tests.web_ui.fake_table import FakeTable, question
from web_ui import Server, create_app

web_ui.app.Assets = cache(web_ui.app.Assets)  # type: ignore[misc]
"""A program reads and packs the files of its pages once, when it starts; here many are made from the same files."""

WEB_UI = Path(__file__).resolve().parents[2] / "web_ui"


def eventually(condition: Callable[[], Any], what: str, seconds: float = 10.0) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        pause.wait(0.005)


class Scorer:
    """A client that knows the PIN, as the page does."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        answer = client.post("/api/session", json={"pin": FakeTable.pin})
        assert answer.status_code == 200, answer.text
        self.token = answer.json["token"]

    def command(self, **command: Any) -> Any:
        return self.client.post("/api/command", json=command, headers={"X-CSRF-Token": self.token})


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(question())


@pytest.fixture
def now() -> list[float]:
    """The clock of the PIN limiter, in the list's one place."""
    return [1000.0]


@pytest.fixture
def app(table: FakeTable, now: list[float]) -> Flask:
    return create_app(table, clock=lambda: now[0])


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def scorer(client: FlaskClient) -> Scorer:
    return Scorer(client)


@pytest.fixture
def serve(table: FakeTable) -> Iterator[Callable[..., Server]]:
    """Start a server for the table, with what `create_app` takes; all are stopped at the end."""
    servers: list[Server] = []

    def start(port: int = 0, **settings: Any) -> Server:
        server = Server(create_app(table, **settings), "127.0.0.1", port)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def connect() -> Iterator[Callable[..., socket.socket]]:
    """Open a plain connection; all are closed at the end."""
    opened: list[socket.socket] = []

    def connected(server: Server, buffer: int | None = None) -> socket.socket:
        connection = socket.socket()
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(10)
        opened.append(connection)
        connection.connect(("127.0.0.1", server.port))
        return connection

    yield connected
    for connection in opened:
        connection.close()
