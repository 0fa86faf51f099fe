"""The table's conversation with its club's broker during one session. Has no threads; time is a parameter."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from controller import link
from controller.journal import SCHEMA_VERSION
from controller.link.mqtt import Acknowledged, MessageReceived, Session
from controller.table.outbox import Batch, Outbox

STATE_EVERY = 0.2  # s between states: nobody can read a score that changes more often
STATUS_EVERY = 60.0  # s between unchanged statuses, which show the hub any missing events, and the table's clock
ACKNOWLEDGED_IN = 30.0  # s after which an unacknowledged batch means that the session is dead
REFUSED_FOR = 30.0  # s until a refused batch is sent again
IDLE = 5.0  # s between checks for due messages while nothing happens


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The table's present state and answer, replaced by the engine's thread."""

    state: bytes | None = None
    answer: link.Answer | None = None


class Conversation:
    """One session's conversation. Raises `JournalError` if the journal can't be read."""

    def __init__(
        self,
        session: Session,
        topics: tuple[link.Topics, str],
        outbox: Outbox,
        outgoing: Callable[[], Outgoing],
        *,
        assignment: Callable[[bytes], None],
        command: Callable[[bytes], None],
        trouble: Callable[[str | None], None],
        discovery: tuple[str, bytes] | None,
        now: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        """`topics`: the club's topics, and the table's id. `assignment` and `command` get its messages, `trouble` the
        reason when the broker refuses events, and None when it accepts them again. `discovery`: the announcement's
        topic and payload."""
        self._session = session
        self._topics, self._table = topics
        self._outbox = outbox
        self._outgoing = outgoing
        self._received = {"assignment": assignment, "command": command}
        self._trouble = trouble
        self._now, self._wall = now, wall
        self._in_flight: tuple[int, Batch, float] | None = None
        self._refused_at = -math.inf
        self._state: bytes | None = None
        self._state_at = -math.inf
        self._answer: link.Answer | None = None
        self._status_at = -math.inf
        self._behind = False
        kinds = {"assignment": 1, "resend": 1, "command": 0}
        session.subscribe({self._topics.of(self._table, kind): qos for kind, qos in kinds.items()})  # type: ignore[arg-type]
        if discovery is not None:
            session.publish(*discovery, qos=1, retain=True)
        self._send_status()

    @property
    def dead(self) -> bool:
        """Whether an acknowledgement is overdue."""
        return self._in_flight is not None and self._now() - self._in_flight[2] > ACKNOWLEDGED_IN

    def step(self) -> float:
        """Send what is due. Returns the seconds until the next call at the latest."""
        now = self._now()
        due = [IDLE]
        if self._in_flight is None:
            if (rest := self._refused_at + REFUSED_FOR - now) > 0:
                due.append(rest)
            else:
                self._send_events()
        due.append(self._send_state())
        if self._outgoing().answer != self._answer or now - self._status_at >= STATUS_EVERY:
            self._send_status()
        self._outbox.save()
        return max(0.0, min(due))

    def _send_events(self) -> None:
        batch = self._outbox.next()
        if batch is not None:
            number = self._session.publish(self._topics.of(self._table, "events"), batch.payload, qos=1)
            self._in_flight = (number, batch, self._now())
        elif self._behind:
            self._send_status()
        self._behind = batch is not None

    def _send_state(self) -> float:
        """Send the state if it is due. Returns the seconds until it will be."""
        state, now = self._outgoing().state, self._now()
        if state is None or state == self._state:
            return IDLE
        if (rest := self._state_at + STATE_EVERY - now) > 0:
            return rest
        self._session.publish(self._topics.of(self._table, "state"), state, retain=True)
        self._state, self._state_at = state, now
        return IDLE

    def _send_status(self) -> None:
        self._answer, self._status_at = self._outgoing().answer, self._now()
        status = link.Status(
            online=True,
            program=version("crokinole-table"),
            schemas=link.Schemas(protocol=1, journal=SCHEMA_VERSION),
            outbox=self._outbox.position,
            assignment=self._answer,
            clock=self._wall(),
        )
        self._session.publish(self._topics.of(self._table, "status"), link.serialize(status), qos=1, retain=True)

    def handle(self, happened: MessageReceived | Acknowledged) -> None:
        if isinstance(happened, Acknowledged):
            self._acknowledged(happened)
            return
        place = link.parse_topic(happened.topic)
        if place is None or (place.club, place.table) != (self._topics.club, self._table):
            return
        if place.kind == "resend":
            self._resend(happened.payload)
        elif place.kind == "assignment" or (place.kind == "command" and not happened.retained):
            self._received[place.kind](happened.payload)

    def _acknowledged(self, happened: Acknowledged) -> None:
        if self._in_flight is None or happened.message != self._in_flight[0]:
            return
        batch, self._in_flight = self._in_flight[1], None
        if happened.refused is not None:
            self._refused_at = self._now()
        else:
            self._outbox.acknowledged(batch)
        self._trouble(happened.refused)

    def _resend(self, payload: bytes) -> None:
        try:
            resend = link.parse(link.Resend, payload)
        except link.BadMessage:
            return  # the hub will ask again
        if self._outbox.resend(resend) and resend.renew:
            self._send_status()
