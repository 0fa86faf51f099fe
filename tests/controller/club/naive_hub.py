"""A hub that does no more than docs/club-protocol.md says of one, for the tests of whoever speaks to it."""

import copy
import json
import queue
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "0123456789abcdef" * 2
JOINED = {"club": "Our club", "table": "t1", "token": TOKEN}


class NaiveHub:
    """What it knows of one table, whether it is served or not."""

    def __init__(self) -> None:
        self.join: tuple[int, bytes] = (200, json.dumps(JOINED).encode())
        self.asked: list[dict[str, Any]] = []  # to join
        self.token = TOKEN
        self.journals: dict[str, dict[int, dict[str, Any]]] = {}
        self.answer: dict[str, Any] | None = None
        self.batches: list[dict[str, Any]] = []
        self.assigned = b'{"match": null}'
        self._listening: list[queue.Queue[bytes | None]] = []

    # --- what it says

    def assign(self, match: Any) -> None:
        """`match`: a document with a member `model_dump`, or the bytes to send as they are."""
        document = match if match is None else match.model_dump(mode="json") if hasattr(match, "model_dump") else match
        self.assigned = document if isinstance(document, bytes) else json.dumps({"match": document}).encode()
        for one in self._listening:
            one.put(self.assigned)

    def take(self, batch: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The answer to a batch: status and document."""
        self.batches.append(batch)
        known = self.journals.get(batch["journal"], {})
        have = max([batch["begins"] - 1, *known])
        self.answer = batch["answer"]
        events = {event["id"]: event for event in batch["events"]}
        if batch["first"] > have + 1:
            return 409, {"have": have}
        span = range(batch["first"], min(batch["last"], have) + 1)
        if (not events and batch["last"] < have) or any(known.get(n) != events.get(n) for n in span):
            return 409, {"have": have, "renew": True}
        self.journals[batch["journal"]] = {**known, **events}
        return 200, {"have": max([have, *events])}

    def backup(self) -> Any:
        return copy.deepcopy(self.journals)

    def restore(self, kept: Any) -> None:
        self.journals = copy.deepcopy(kept)

    # --- over HTTP

    def serve(self, port: int = 0, certificate: str | None = None) -> "Served":
        return Served(self, port, certificate)


class Served:
    """The hub, until it is killed."""

    def __init__(self, hub: NaiveHub, port: int, certificate: str | None) -> None:
        self._hub = hub
        self._streams: list[Any] = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/join"):
                    hub.asked.append(json.loads(body))
                    self._say(*hub.join)
                elif self._may():
                    status, document = hub.take(json.loads(body))
                    self._say(status, json.dumps(document).encode())

            def do_GET(self) -> None:
                if self._may():
                    served.stream(self)

            def _may(self) -> bool:
                if self.headers["Authorization"] == f"Bearer {hub.token}":
                    return True
                self._say(401, b"{}")
                return False

            def _say(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        scheme = "http" if certificate is None else "https"
        self.address = f"{scheme}://127.0.0.1:{self.port}"
        serve = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serve.start()

    def stream(self, handler: Any) -> None:
        news: queue.Queue[bytes | None] = queue.Queue()
        news.put(self._hub.assigned)
        self._hub._listening.append(news)
        self._streams.append(news)
        handler.send_response(200)
        handler.end_headers()
        try:
            while (payload := news.get()) is not None:
                handler.wfile.write(b"data: %s\n\n" % payload)
        except OSError:
            pass
        self._hub._listening.remove(news)

    def close(self) -> None:
        """As if it were killed: also every stream ends."""
        for news in self._streams:
            news.put(None)
        self.server.shutdown()
        self.server.server_close()
