"""Webhooks, against a real HTTP server on the loopback."""

import base64
import hashlib
import hmac
import json
import queue
import socket
import threading
from contextlib import closing
from types import SimpleNamespace
from typing import get_args

import pytest

from controller.config import WebhookSection
from controller.match import events as ev
from controller.match.base import Happening
from controller.table import webhooks
from controller.table.webhooks import Webhooks
from tests.controller.fed_table import a, b
from tests.served import faults
from tests.serving import Serving


class Receiver(Serving):
    """Keeps what is posted to it; answers with the next status of `answers`, else 200."""

    def __init__(self):
        self.posts = queue.Queue()
        self.answers = []
        super().__init__()
        self.url = f"{self.address}/hook"

    def post(self, asked, body):
        self.posts.put((dict(asked.headers), body))  # before the answer, after which the next one may come
        asked.say(self.answers.pop(0) if self.answers else 200)

    def next(self):
        headers, body = self.posts.get(timeout=20)
        assert faults(json.loads(body), "Webhook") == []
        return headers, body


@pytest.fixture
def receiver():
    with closing(Receiver()) as receiver:
        yield receiver


def hooked(table, hooks):
    table.engine.on_happened.append(hooks.happened)
    table.engine.on_changed.append(hooks.changed)
    return closing(hooks)


@pytest.fixture
def told(table, receiver):
    with hooked(table, Webhooks([WebhookSection(url=receiver.url, secret="a secret")])):
        yield table


def test_what_happened_is_sent_with_the_state_that_contains_it(told, receiver):
    told.see(a(0, 60))
    headers, body = receiver.next()
    message = json.loads(body)
    assert (message["schema"], message["sequence"], message["happened"]) == ("webhook/1", 1, ["shot"])
    assert message["state"]["match"]["sides"][0]["total"] == 15
    assert message["state"]["match"]["last_call"]["text"] == "Valid."
    digest = hmac.new(b"a secret", body, hashlib.sha256).hexdigest()
    assert headers["X-Crokinole-Signature"] == f"sha256={digest}"


def test_every_happening_in_the_schema_is_reported():
    assert {*(event.webhook for event in ev.EVENT_TYPES.values()), "match_over", None} == {*get_args(Happening), None}


def test_a_shoot_out_that_decides_a_match_is_reported_with_its_end(new_table, receiver):
    table = new_table(format={"kind": "rounds", "rounds": 1, "tie": "shoot_out"})
    with hooked(table, Webhooks([WebhookSection(url=receiver.url)])):
        table.do("correct_round", round=1, points={"A": 1, "B": 1})
        table.do("shoot_out", twenties={"A": 3, "B": 5})
        happened = [json.loads(receiver.next()[1])["happened"] for _ in range(2)]
    assert happened == [["round_ended"], ["correction", "match_over"]]


def test_an_address_that_fails_gets_everything_in_order_later(told, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.01)
    receiver.answers = [503, 500]
    told.see(a(0, 60))
    told.see(a(0, 90), b(20, 70))
    told.do("correct_round", round=1, twenties={"A": 1})
    messages = [json.loads(receiver.next()[1]) for _ in range(5)]
    assert [m["sequence"] for m in messages] == [1, 1, 1, 2, 3]
    assert messages[-1]["happened"] == ["correction"]


def test_an_address_that_never_answers_holds_up_nobody(table, monkeypatch):
    monkeypatch.setattr(webhooks, "MAX_WAITING", 3)
    entered, release = threading.Event(), threading.Event()
    sent = []

    def stuck(address, body):
        entered.set()
        release.wait(20)
        sent.append(json.loads(body)["sequence"])

    with hooked(table, Webhooks([WebhookSection(url="http://nobody.invalid")], send=stuck)):
        table.do("correct_round", round=1, twenties={"A": 1})
        assert entered.wait(20)
        for value in range(2, 7):
            table.do("correct_round", round=1, twenties={"A": value})
        assert table.round.twenty_counts["A"] == 6
        release.set()
    assert sent[0] == 1
    assert sorted(sent) == sent


ANSWERS = {
    "a bad status line": b"HELLO\r\n\r\n",
    "a status that is no number": b"HTTP/1.1 ok fine\r\n\r\n",
    "an overlong header": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    "very many headers": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    "nothing": b"",
    "a redirect": b"HTTP/1.1 307 Elsewhere\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
    "a refusal": b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n",
}


class Raw:
    """A server that answers each connection with bytes, whatever is asked."""

    def __init__(self, answers):
        self.heard = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self._answers = answers
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        for answer in self._answers:
            connection, _ = self.listener.accept()
            with connection:
                connection.settimeout(5)
                heard = connection.recv(65536)
                while b"\r\n\r\n" not in heard:
                    heard += connection.recv(65536)
                self.heard.append(heard)
                connection.sendall(answer)


@pytest.mark.parametrize("what", ANSWERS)
def test_whatever_an_address_answers_it_is_tried_again_and_the_page_says_so(table, monkeypatch, caplog, what):
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.01)
    server = Raw([ANSWERS[what], ANSWERS[what], b"HTTP/1.1 204 Taken\r\n\r\n"])
    told = queue.Queue()
    address = WebhookSection(
        url=f"http://user:pass%20word@127.0.0.1:{server.port}/path-token?key=query-token", secret="signing"
    )
    with hooked(table, Webhooks([address], told.put)):
        table.see(a(0, 60))
        failing = told.get(timeout=20)
        assert list(failing) == [f"http://127.0.0.1:{server.port}"]
        assert told.get(timeout=20) == {}
        server.thread.join(20)
    server.listener.close()
    assert len(server.heard) == 3
    for heard in server.heard:
        assert heard.startswith(b"POST /path-token?key=query-token ")
        assert b"Basic " + base64.b64encode(b"user:pass word") in heard.replace(b"basic", b"Basic")
    for secret in ("pass", "token", "signing"):
        assert secret not in str(failing) + caplog.text


def test_the_pauses_between_attempts_grow_to_the_longest_and_no_further():
    sender = webhooks.WebhookSender(WebhookSection(url="http://a"), lambda: None, lambda *_: 1 / 0)
    for pause in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0):
        sender._try(1, [], SimpleNamespace(document=None))
        assert sender._pause == pause
