"""Webhooks: notify other programs of the table's events, by an HTTP POST to each configured address.

The body is the document `webhook/1`, see `controller.views.schema`. With a secret, the header
`X-Crokinole-Signature` is `sha256=` and the HMAC-SHA256 of the body in hexadecimal.

An address accepts a message by answering 200 to 299. Any other answer, including a redirect, and no answer are
failures: the message is retried at growing intervals. At most `MAX_WAITING` messages wait for an address; then the
oldest are dropped. The page and `doctor` report failing addresses with the reason. Nothing here can delay the table."""

import hashlib
import hmac
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote

import urllib3

from controller.config import WebhookSection
from controller.errors import causes
from controller.match import events as ev
from controller.match.base import Happening
from controller.match.state import MatchState
from controller.messages import encoded
from controller.views.schema import State, Webhook

log = logging.getLogger(__name__)
WEBHOOKS = "webhooks"  # the fact in which the journal stores failing addresses, for `doctor`
MAX_WAITING = 500  # messages for one address: a match or two
TIMEOUT = 5.0  # s for one attempt
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0  # s between attempts, doubling


def place_of(address: WebhookSection) -> str:
    """The address without its possibly secret parts: user, password, path and query."""
    url = urllib3.util.parse_url(address.url)
    return f"{url.scheme}://{url.host}" + (f":{url.port}" if url.port else "")


class NotAccepted(Exception):
    """A message was not accepted; the text says why, and contains no secret."""


Post = Callable[[WebhookSection, bytes], None]  # sends one body; raises `NotAccepted`


def post(address: WebhookSection, body: bytes) -> None:
    """Send one body. Raises `NotAccepted`."""
    url = urllib3.util.parse_url(address.url)
    headers = {"Content-Type": "application/json", "User-Agent": "crokinole-table"}
    if url.auth:
        headers |= urllib3.make_headers(basic_auth=unquote(url.auth))
    if address.secret:
        digest = hmac.new(address.secret.encode(), body, hashlib.sha256).hexdigest()
        headers["X-Crokinole-Signature"] = f"sha256={digest}"
    try:
        with urllib3.PoolManager(timeout=TIMEOUT, retries=False) as pool:
            # Redirects are not followed: signature and state are for the configured address only.
            answer = pool.request(
                "POST", url._replace(auth=None).url, body=body, headers=headers, redirect=False, preload_content=False
            )
            status = answer.status
            answer.close()
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise NotAccepted(f"{type(error).__name__}: {_reason(error)}") from error
    if not 200 <= status < 300:
        raise NotAccepted(
            f"it answers {status}" + (": set the address that it redirects to" if 300 <= status < 400 else "")
        )


def _reason(error: Exception) -> str:
    """The system's reason, if any. A library's text may repeat the address with its secrets."""
    reasons = (str(one.strerror) for one in causes(error) if isinstance(one, OSError) and one.strerror)
    return next(reasons, "no answer that can be read")


class WebhookSender:
    """Sends to one address, on a thread, from a queue."""

    def __init__(self, address: WebhookSection, changed: Callable[[], None], send: Post = post) -> None:
        """`changed` is called on this sender's thread when the address begins to fail, and when it works again."""
        self._pause = FIRST_PAUSE  # s until the next attempt, once one has failed
        self.trouble: str | None = None  # why it fails; None if it works
        self.place = place_of(address)
        self._address = address
        self._changed = changed
        self._send = send
        self._waiting: deque[tuple[int, list[Happening], State]] = deque(maxlen=MAX_WAITING)
        self._sequence = 0
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="webhook", daemon=True)
        self._thread.start()

    def put(self, happened: list[Happening], state: State) -> None:
        """Queue a message. Returns at once."""
        with self._wake:
            self._sequence += 1
            self._waiting.append((self._sequence, happened, state))
            self._wake.notify()

    def close(self) -> None:
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
            self._try(*first)
            with self._wake:
                if self.trouble is None:
                    if self._waiting and self._waiting[0] is first:
                        self._waiting.popleft()
                else:
                    self._wake.wait_for(lambda: self._closed, self._pause)

    def _try(self, sequence: int, happened: list[Happening], state: State) -> None:
        document: Webhook = {
            "schema": "webhook/1",
            "sequence": sequence,
            "happened": happened,
            "state": state,
        }
        before, trouble = self.trouble, None
        try:
            self._send(self._address, encoded(document).encode())
        except NotAccepted as error:
            trouble = str(error)
        except Exception as error:  # whatever it is, this address is tried again
            log.exception("A message for %s could not be sent", self.place)
            trouble = type(error).__name__
        self._pause = FIRST_PAUSE if None in (before, trouble) else min(2 * self._pause, LONGEST_PAUSE)
        self.trouble = trouble
        if (before is None) != (trouble is None):
            self._changed()


class Webhooks:
    """All addresses. `happened` and `changed` are called on the engine's thread and return at once."""

    def __init__(
        self,
        addresses: Iterable[WebhookSection],
        changed: Callable[[dict[str, str]], None] = lambda _: None,
        send: Post = post,
    ) -> None:
        """`changed` is called, on any thread, with the failing places and reasons, whenever they change."""
        self._senders = [WebhookSender(address, lambda: changed(self.troubles), send) for address in addresses]
        self._happened: dict[Happening, None] = {}

    @property
    def troubles(self) -> dict[str, str]:
        return {sender.place: sender.trouble for sender in self._senders if sender.trouble is not None}

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Note events that are on disk; the next published state contains them."""
        for event in events:
            if event.webhook is not None:
                self._happened[event.webhook] = None
        if self._happened and state.over:
            self._happened["match_over"] = None

    def changed(self, state: State) -> None:
        """Send the noted events with the state that contains them."""
        if self._happened:
            happened, self._happened = list(self._happened), {}
            for sender in self._senders:
                sender.put(happened, state)

    def close(self) -> None:
        for sender in self._senders:
            sender.close()
