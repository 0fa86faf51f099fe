"""A hub that does no more than docs/club-protocol.md says of one, for the tests of whoever speaks to it."""

import copy
import json
import queue

from tests.serving import Serving

TOKEN = "0123456789abcdef" * 2
JOINED = {"club": "Our club", "table": "t1", "token": TOKEN}


class NaiveHub:
    """What it knows of one table, whether it is served or not."""

    def __init__(self):
        self.join = (200, json.dumps(JOINED).encode())
        self.asked = []  # to join
        self.token = TOKEN
        self.journals = {}
        self.answer = None
        self.batches = []
        self.assigned = b'{"match": null}'
        self._listening = []

    # --- what it says

    def assign(self, match):
        """`match`: a document with a member `model_dump`, or the bytes to send as they are."""
        document = match if match is None else match.model_dump(mode="json") if hasattr(match, "model_dump") else match
        self.assigned = document if isinstance(document, bytes) else json.dumps({"match": document}).encode()
        for one in self._listening:
            one.put(self.assigned)

    def take(self, batch):
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

    def backup(self):
        return copy.deepcopy(self.journals)

    def restore(self, kept):
        self.journals = copy.deepcopy(kept)

    # --- over HTTP

    def serve(self, port=0, certificate=None):
        return Served(self, port, certificate)


class Served(Serving):
    """The hub, until it is killed."""

    def __init__(self, hub, port, certificate):
        self._hub = hub
        self._streams = []
        super().__init__(port, certificate)

    def post(self, asked, body):
        document = json.loads(body)
        if asked.path.endswith("/join"):
            self._hub.asked.append(document)
            asked.say(*self._hub.join)
        elif self._may(asked):
            status, answer = self._hub.take(document)
            asked.say(status, json.dumps(answer).encode())

    def get(self, asked):
        if not self._may(asked):
            return
        news = queue.Queue()
        news.put(self._hub.assigned)
        self._hub._listening.append(news)
        self._streams.append(news)
        asked.send_response(200)
        asked.end_headers()
        try:
            while (payload := news.get()) is not None:
                asked.wfile.write(b"data: %s\n\n" % payload)
        except OSError:
            pass
        self._hub._listening.remove(news)

    def _may(self, asked):
        if asked.headers["Authorization"] == f"Bearer {self._hub.token}":
            return True
        asked.say(401, b"{}")
        return False

    def close(self):
        """As if it were killed: also every stream ends."""
        for news in self._streams:
            news.put(None)
        super().close()
