"""Webhooks, against a real HTTP server on the loopback."""

import hashlib
import hmac
import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from controller import webhooks
from controller.webhooks import Address, Webhooks
from tests.controller.table import ReadTable, a, b


class Receiver:
    """Keeps what is posted to it; answers with the next status of `answers`, else 200."""

    def __init__(self) -> None:
        self.posts: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self.answers: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 200)
                self.end_headers()
                receiver.posts.put((dict(self.headers), body))

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def next(self) -> tuple[dict[str, str], bytes]:
        return self.posts.get(timeout=20)


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def told(table: ReadTable, receiver: Receiver):
    hooks = Webhooks([Address(receiver.url, "a secret")])
    table.engine.on_events.append(hooks.happened)
    table.engine.listeners.append(hooks.show)
    yield table
    hooks.close()


def test_what_happened_is_sent_with_the_state_that_contains_it(told, receiver):
    told.see(a(0, 60))
    headers, body = receiver.next()
    message = json.loads(body)
    assert (message["schema"], message["sequence"], message["happened"]) == ("webhook/1", 1, ["shot"])
    assert message["state"]["match"]["sides"][0]["total"] == 15
    assert message["state"]["match"]["last_call"]["text"] == "Valid."
    digest = hmac.new(b"a secret", body, hashlib.sha256).hexdigest()
    assert headers["X-Crokinole-Signature"] == f"sha256={digest}"


def test_an_address_that_fails_gets_everything_in_order_later(told, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.01)
    receiver.answers = [503, 500]
    told.see(a(0, 60))
    told.see(a(0, 90), b(20, 70))
    told.do(do="correct_twenties", round=1, side="A", value=1)
    messages = [json.loads(receiver.next()[1]) for _ in range(5)]
    assert [m["sequence"] for m in messages] == [1, 1, 1, 2, 3]
    assert messages[-1]["happened"] == ["correction"]


def test_the_end_of_a_match_is_told(told, receiver):
    for number in range(1, 5):
        told.do(do="award", round=number, points={"A": 2, "B": 0})
    happened = [json.loads(receiver.next()[1])["happened"] for _ in range(4)]
    assert happened == [["round_ended"]] * 3 + [["round_ended", "match_over"]]


def test_an_address_that_never_answers_holds_up_nobody(table, monkeypatch):
    monkeypatch.setattr(webhooks, "MOST_WAITING", 3)
    entered, release = threading.Event(), threading.Event()
    sent: list[int] = []

    def stuck(address: Address, body: bytes) -> None:
        entered.set()
        release.wait(20)
        sent.append(json.loads(body)["sequence"])

    hooks = Webhooks([Address("http://nobody.invalid")], stuck)
    table.engine.on_events.append(hooks.happened)
    table.engine.listeners.append(hooks.show)
    for value in range(1, 7):
        table.do(do="correct_twenties", round=1, side="A", value=value)
    assert entered.wait(20)
    assert table.state.game.round.twenty_counts["A"] == 6
    release.set()
    hooks.close()
    assert sent[0] == 1
    assert sorted(sent) == sent
