"""The thread that holds a session with the club's broker, and reopens it whenever it ends."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from controller import link
from controller.errors import JournalError
from controller.link import mqtt
from controller.messages import Message, say
from controller.table.club.account import Account
from controller.table.club.conversation import Conversation, Outgoing
from controller.table.outbox import Outbox

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # s between attempts to open a session, doubling
LASTING = 60.0  # s: a session that ends sooner counts as a failed attempt
GOODBYE = 2.0  # s that a stopping table waits for the broker to acknowledge its last message
MAX_WAITING = 1000  # unprocessed messages of one session; then the broker waits
OFFLINE = link.serialize(link.Status(online=False))


def away(account: Account) -> Message:
    """The broker does not answer."""
    return say(
        "The club's broker at {place} does not answer. What is played is kept here and sent when it does.",
        place=account.broker.place,
    )


def refused(account: Account, why: str) -> Message:
    """The broker rejects this table or its events."""
    return say(
        "The club's broker at {place} refuses this table: {why}. What is played is kept here. Join the club again on "
        "the set-up page, or ask the organiser.",
        place=account.broker.place,
        why=why,
    )


class Link:
    """Holds one account's sessions, one after the other. Thread-safe; `run` is the body of its own thread."""

    def __init__(
        self,
        account: Account,
        outbox: Callable[[], Outbox],
        *,
        assignment: Callable[[bytes], None],
        command: Callable[[bytes], None],
        trouble: Callable[[Message | None], None],
        discovery: tuple[str, bytes] | None = None,
    ) -> None:
        """`outbox` opens the outbox. All callbacks are called on this link's thread."""
        self.outgoing = Outgoing()
        self._account = account
        self._open_outbox = outbox
        self._outbox: Outbox | None = None
        self._assignment, self._command = assignment, command
        self._trouble = trouble
        self._discovery = discovery
        self._stopping = threading.Event()
        self._inbox: queue.Queue[mqtt.SessionEvent | None] = queue.Queue(MAX_WAITING)
        self._thread = threading.Thread(target=self.run, name="club", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the session properly, after announcing that the table is off."""
        self._stopping.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(10.0)

    def show(self, outgoing: Outgoing) -> None:
        """Publish this from now on."""
        self.outgoing = outgoing
        self.wake()

    def wake(self) -> None:
        """Wake the thread, since there may be something to send. Returns at once."""
        with suppress(queue.Full):  # it is awake then
            self._inbox.put_nowait(None)

    def run(self) -> None:
        failed = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._hold()
            except mqtt.BrokerUnavailable as error:
                self._trouble(refused(self._account, str(error)) if error.refused else away(self._account))
            except JournalError as error:  # a notice says so already
                log.debug("%s", error)
            except Exception:
                log.exception("The session with the club's broker failed")
            failed = 0 if time.monotonic() - began > LASTING else failed + 1
            self._stopping.wait(min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(max(failed - 1, 0), 30)))
        if self._outbox is not None:
            self._outbox.save(now=True)

    def _hold(self) -> None:
        """Hold one session to its end. Raises `BrokerUnavailable` if it can't be opened, or ends by itself."""
        if self._outbox is None:
            self._outbox = self._open_outbox()
        account, topics = self._account, link.Topics(self._account.club)
        status = topics.of(account.table, "status")
        inbox: queue.Queue[mqtt.SessionEvent | None] = queue.Queue(MAX_WAITING)
        self._inbox = inbox
        over = threading.Event()
        session = mqtt.Session(
            account.broker,
            f"crokinole-{account.club}-{account.table}",
            lambda happened: _put(inbox, happened, over),
            will=(status, OFFLINE),
        )
        try:
            self._trouble(None)
            conversation = Conversation(
                session,
                (topics, account.table),
                self._outbox,
                lambda: self.outgoing,
                assignment=self._assignment,
                command=self._command,
                trouble=self._events_refused,
                discovery=self._discovery,
                now=time.monotonic,
                wall=time.time,
            )
            self._converse(conversation, inbox)
            _await(inbox, session.publish(status, OFFLINE, qos=1, retain=True))
        finally:
            over.set()
            session.close()

    def _converse(self, conversation: Conversation, inbox: "queue.Queue[mqtt.SessionEvent | None]") -> None:
        """Converse until `stop`. Raises `BrokerUnavailable` if the session ends first."""
        while not self._stopping.is_set():
            wait = conversation.step()
            if conversation.dead:
                raise mqtt.BrokerUnavailable("it acknowledges nothing")
            try:
                happened = inbox.get(timeout=wait)
            except queue.Empty:
                continue
            if isinstance(happened, mqtt.SessionEnded):
                raise mqtt.BrokerUnavailable(happened.why, refused="taken over" in happened.why)
            if isinstance(happened, mqtt.MessageReceived | mqtt.Acknowledged):
                conversation.handle(happened)

    def _events_refused(self, why: str | None) -> None:
        self._trouble(None if why is None else refused(self._account, why))


def _await(inbox: "queue.Queue[mqtt.SessionEvent | None]", message: int) -> None:
    """Wait briefly for the broker to acknowledge this message, which closing the session might lose."""
    until = time.monotonic() + GOODBYE
    while (left := until - time.monotonic()) > 0:
        with suppress(queue.Empty):
            happened = inbox.get(timeout=left)
            if isinstance(happened, mqtt.SessionEnded) or happened == mqtt.Acknowledged(message):
                return


def _put(inbox: "queue.Queue[mqtt.SessionEvent | None]", happened: mqtt.SessionEvent, over: threading.Event) -> None:
    """Queue an event of the session; while the queue is full, the broker waits."""
    while not over.is_set():
        try:
            inbox.put(happened, timeout=1.0)
            return
        except queue.Full:
            continue
