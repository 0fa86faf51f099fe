"""Webhooks: other programs are told what happened at the table, by an HTTP POST to each address that is set.

The body is JSON: `schema` "webhook/1"; `sequence`, which counts up by one for each address, so that a gap is seen;
`happened`, a list of `match_started`, `shot`, `round_ended`, `question`, `correction`, `match_over`; and `state`, the
`table-state/1`. Where a secret is set, the header `X-Crokinole-Signature` is `sha256=` and the HMAC-SHA256 of the body
in hexadecimal.

An address that does not answer is tried again, less and less often; what waits for it is bounded, and the oldest goes
first. Nothing here can hold up the table.
"""

import hashlib
import hmac
import logging
import threading
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from controller import events as ev
from controller.api import Snapshot
from controller.match import MatchState
from controller.words import encoded

log = logging.getLogger(__name__)

MOST_WAITING = 500  # messages for one address: a match or two
TIMEOUT = 5.0  # s for one attempt
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # s between attempts, doubling

HAPPENINGS: dict[type[Any], str] = {
    ev.MatchStarted: "match_started",
    ev.ShotSeen: "shot",
    ev.RoundEnded: "round_ended",
    ev.RoundEntered: "round_ended",
    ev.RoundAwarded: "round_ended",
    ev.QuestionAsked: "question",
    ev.QuestionAnswered: "correction",
    ev.TwentiesCorrected: "correction",
    ev.TwentyCounted: "correction",
    ev.RoundCorrected: "correction",
    ev.DiscCorrected: "correction",
    ev.ShotCorrected: "correction",
    ev.ShotAnnulled: "correction",
    ev.Undone: "correction",
    ev.Redone: "correction",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where to send, and the secret that signs what is sent."""

    url: str
    secret: str = ""


Post = Callable[[Address, bytes], None]
"""Sends one body; raises `OSError` when it was not taken."""


def post(address: Address, body: bytes) -> None:
    """Send one body. Raises `OSError` when it was not taken."""
    headers = {"Content-Type": "application/json", "User-Agent": "crokinole-table"}
    if address.secret:
        digest = hmac.new(address.secret.encode(), body, hashlib.sha256).hexdigest()
        headers["X-Crokinole-Signature"] = f"sha256={digest}"
    request = urllib.request.Request(address.url, body, headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT):
        pass


class Sender:
    """One address with its thread and what waits for it."""

    def __init__(self, address: Address, send: Post = post) -> None:
        self.failed = 0  # attempts in a row
        self._address = address
        self._send = send
        self._waiting: deque[tuple[int, tuple[str, ...], Snapshot]] = deque(maxlen=MOST_WAITING)
        self._sequence = 0
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="webhook", daemon=True)
        self._thread.start()

    def put(self, happened: tuple[str, ...], snapshot: Snapshot) -> None:
        """Send this when its turn comes. Returns at once."""
        with self._wake:
            self._sequence += 1
            self._waiting.append((self._sequence, happened, snapshot))
            self._wake.notify()

    def close(self) -> None:
        """Stop; what still waits is dropped."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(TIMEOUT + 1)

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or self._waiting)
                if self._closed:
                    return
                first = self._waiting[0]
            taken = self._try(*first)
            with self._wake:
                if taken:
                    if self._waiting and self._waiting[0] is first:
                        self._waiting.popleft()
                else:
                    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self.failed - 1))
                    self._wake.wait_for(lambda: self._closed, pause)

    def _try(self, sequence: int, happened: tuple[str, ...], snapshot: Snapshot) -> bool:
        document = {"schema": "webhook/1", "sequence": sequence, "happened": happened, "state": snapshot.document}
        try:
            self._send(self._address, encoded(document).encode())
        except OSError as error:
            self.failed += 1
            if self.failed == 1:
                log.warning("The webhook %s does not take what is sent: %s", self._address.url, error)
            return False
        if self.failed:
            log.warning("The webhook %s takes what is sent again", self._address.url)
        self.failed = 0
        return True


class Webhooks:
    """All addresses. `happened` and `show` are called on the engine's thread and return at once."""

    def __init__(self, addresses: Iterable[Address], send: Post = post) -> None:
        self._senders = [Sender(address, send) for address in addresses]
        self._happened: dict[str, None] = {}

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """These events are on disk; the next state that is shown contains them."""
        for event in events:
            if type(event) in HAPPENINGS:
                self._happened[HAPPENINGS[type(event)]] = None
        if self._happened and state.over:
            self._happened["match_over"] = None

    def show(self, snapshot: Snapshot) -> None:
        """Send what happened with the state that contains it."""
        if self._happened:
            happened, self._happened = tuple(self._happened), {}
            for sender in self._senders:
                sender.put(happened, snapshot)

    def close(self) -> None:
        """Stop sending."""
        for sender in self._senders:
            sender.close()
