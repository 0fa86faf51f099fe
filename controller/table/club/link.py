"""The thread that keeps a session with the club's broker: opens one, talks, and opens the next when that one ends."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from controller import link
from controller.errors import JournalError
from controller.link.mqtt import (
    Acknowledged,
    BrokerUnavailable,
    MessageReceived,
    OldBroker,
    Protocol,
    Session,
    SessionEnded,
    SessionEvent,
)
from controller.messages import Message, say
from controller.table.club.account import Account
from controller.table.club.talk import Hears, Talk, ToSay
from controller.table.outbox import Outbox

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # s between two attempts to open a session, doubling

LASTING = 60.0  # s: a session that ends sooner is followed by a pause as one that could not be opened

GOODBYE = 2.0  # s that a table which is stopped waits until its club knows

MOST_WAITING = 1000  # messages of one session that this thread has not taken; then the broker waits

OFFLINE = link.serialize(link.Status(online=False))


def away(account: Account) -> Message:
    """The broker does not answer."""
    return say(
        "The club's broker at {place} does not answer. What is played is kept here and sent when it does.",
        place=account.broker.place,
    )


def refused(account: Account, why: str) -> Message:
    """The broker does not take this table, or what it sends."""
    return say(
        "The club's broker at {place} refuses this table: {why}. What is played is kept here. Join the club again on "
        "the set-up page, or ask the organiser.",
        place=account.broker.place,
        why=why,
    )


class Link:
    """One account's sessions, one after the other. All may be called from any thread; `run` is that of its own."""

    def __init__(
        self,
        account: Account,
        outbox: Callable[[], Outbox],
        *,
        assignment: Callable[[bytes], None],
        command: Callable[[bytes], None],
        trouble: Callable[[Message | None], None],
        program: str,
        discovery: tuple[str, bytes] | None = None,
    ) -> None:
        """`outbox` opens it, on this thread. The others are told what comes and what is wrong, on this thread too."""
        self.to_say = ToSay()
        self._account = account
        self._open_outbox = outbox
        self._outbox: Outbox | None = None
        self._hears = Hears(assignment, command, self._not_taken)
        self._trouble = trouble
        self._program = program
        self._discovery = discovery
        self._protocol: Protocol = 5
        self._stopping = threading.Event()
        self._inbox: queue.Queue[SessionEvent | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self.run, name="club", daemon=True)

    def start(self) -> None:
        """Begin the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the session in order: the club is told that the table is off. Waits for it."""
        self._stopping.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(10.0)

    def show(self, said: ToSay) -> None:
        """What the table has to say from now on."""
        self.to_say = said
        self.wake()

    def wake(self) -> None:
        """There may be something to send. Returns at once."""
        with suppress(queue.Full):  # it is awake then
            self._inbox.put_nowait(None)

    def run(self) -> None:
        """Hold sessions until `stop`."""
        failed = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._hold()
            except OldBroker:
                self._protocol = 3
                continue
            except BrokerUnavailable as error:
                self._trouble(refused(self._account, str(error)) if error.refused else away(self._account))
                self._protocol = 5  # another broker may be there next time
            except JournalError as error:  # the page says so already
                log.debug("%s", error)
            except Exception:
                log.exception("The session with the club's broker failed")
            failed = 0 if time.monotonic() - began > LASTING else failed + 1
            self._stopping.wait(min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(max(failed - 1, 0), 30)))
        if self._outbox is not None:
            self._outbox.save(now=True)

    def _hold(self) -> None:
        """One session, to its end. Raises `BrokerUnavailable` where there is none, or where it ended."""
        if self._outbox is None:
            self._outbox = self._open_outbox()
        account, topics = self._account, link.Topics(self._account.club)
        status = topics.status(account.table)
        inbox: queue.Queue[SessionEvent | None] = queue.Queue(MOST_WAITING)
        self._inbox = inbox
        over = threading.Event()
        session = Session(
            account.broker,
            f"crokinole-{account.club}-{account.table}",
            lambda happened: _put(inbox, happened, over),
            will=(status, OFFLINE),
            protocol=self._protocol,
        )
        try:
            self._trouble(None)
            talk = Talk(
                session,
                (topics, account.table),
                self._outbox,
                lambda: self.to_say,
                self._hears,
                program=self._program,
                discovery=self._discovery,
                now=time.monotonic,
                wall=time.time,
            )
            self._talk(talk, inbox)
            _await(inbox, session.publish(status, OFFLINE, qos=1, retain=True))
        finally:
            over.set()
            session.close()

    def _talk(self, talk: Talk, inbox: "queue.Queue[SessionEvent | None]") -> None:
        """Until `stop`. Raises `BrokerUnavailable` when the session ends before."""
        while not self._stopping.is_set():
            wait = talk.step()
            if talk.dead:
                raise BrokerUnavailable("it acknowledges nothing")
            try:
                happened = inbox.get(timeout=wait)
            except queue.Empty:
                continue
            if isinstance(happened, SessionEnded):
                raise BrokerUnavailable(happened.why, refused="taken over" in happened.why)
            if isinstance(happened, MessageReceived | Acknowledged):
                talk.took(happened)

    def _not_taken(self, why: str | None) -> None:
        self._trouble(None if why is None else refused(self._account, why))


def _await(inbox: "queue.Queue[SessionEvent | None]", message: int) -> None:
    """Wait a little until the broker has this message: what is only on its way may be lost when a session is closed."""
    until = time.monotonic() + GOODBYE
    while (left := until - time.monotonic()) > 0:
        with suppress(queue.Empty):
            happened = inbox.get(timeout=left)
            if isinstance(happened, SessionEnded) or happened == Acknowledged(message):
                return


def _put(inbox: "queue.Queue[SessionEvent | None]", happened: SessionEvent, over: threading.Event) -> None:
    """Hand over what happened; where nobody takes it, the broker waits, until the session is over."""
    while not over.is_set():
        try:
            inbox.put(happened, timeout=1.0)
            return
        except queue.Full:
            continue
