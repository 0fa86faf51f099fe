"""A table that plays its assignments without board and camera: random rounds, counted by the rules.

It has a journal and uses the club's protocol like a real table. A seed determines everything it plays."""

from collections.abc import Sequence
from random import Random

from controller import link
from controller.club.hub.assignments import match_started
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION
from controller.match.fold import fold
from controller.match.state import MatchState, Stamped
from controller.match.timeline import undoable

PROTOCOL = 1
AT = 1_790_000_000.0  # s since 1970: when such tables' clocks say they were switched on, all within a second
PER_ROUND = 90.0  # s, by its clock
BATCH = 20  # events


class SimulatedTable:
    """A table with its journal. Not thread-safe."""

    def __init__(self, id: str, seed: int) -> None:
        self.id = id
        self._dice = Random(f"{seed} {id}")
        self._on_at = AT + Random(f"clock {seed} {id}").random()
        self.journal = self._dice.randbytes(16).hex()
        self.events: list[link.Event] = []
        self.sent = 0  # the number of acknowledged events
        self.history: list[Stamped] = []  # of the running match, or the last one
        self.next: link.Assigned | None = None
        self._begun: set[str] = set()

    @property
    def state(self) -> MatchState | None:
        """The running match, or the last one."""
        return fold(self._match, self.history) if self.history else None

    @property
    def playing(self) -> bool:
        return self.state is not None and not self.state.over

    @property
    def _match(self) -> int:
        return self.events[-1].match if self.events else 0

    # --- what is played

    def begin(self) -> bool:
        """Begin the assigned match. False if it was begun before, and while another match is running."""
        assigned = self.next
        if assigned is None or assigned.id in self._begun or self.playing:
            return False
        self._begun.add(assigned.id)
        number, self.history = self._match + 1, []
        self.write([match_started(assigned)], number)
        return True

    def play_round(self) -> None:
        twenties = {side: self._dice.choice((0, 0, 1, 1, 2, 3)) for side in ("A", "B")}
        totals = {side: 20 * twenties[side] + 5 * self._dice.randrange(8) for side in ("A", "B")}
        self.enter(totals, twenties)

    def enter(self, totals: dict[str, int], twenties: dict[str, int]) -> None:
        self.write([ev.RoundEntered.model_validate({"totals": totals, "twenties": twenties})])

    def undo(self) -> None:
        last = undoable(self.history)
        if last is not None:
            self.write([ev.Undone(target=last.id, round_end=isinstance(last.event, ev.RoundEntered))])

    def step(self) -> bool:
        """Begin the assigned match, or play a round. False if there is nothing to do."""
        if self.playing:
            self.play_round()
            return True
        return self.begin()

    def write(self, events: Sequence[ev.Event], match: int | None = None) -> None:
        for event in events:
            id, at = len(self.events) + 1, self._on_at + PER_ROUND * len(self.events)
            self.events.append(link.make_event(id, match or self._match, at, event.kind, ev.body(event), size=0))
            self.history.append(Stamped(id, at, event))

    # --- messages

    def batch(self) -> link.Events | None:
        """The next unacknowledged events; None if there are none."""
        events = self.events[self.sent : self.sent + BATCH]
        if not events:
            return None
        return link.Events(
            journal=self.journal, journal_schema=SCHEMA_VERSION, first=events[0].id, events=tuple(events)
        )

    def acknowledged(self, batch: link.Events) -> None:
        self.sent = max(self.sent, batch.events[-1].id)

    def assigned(self, payload: bytes) -> None:
        self.next = link.parse(link.Assignment, payload).match

    def asked(self, payload: bytes) -> None:
        ask = link.parse(link.Resend, payload)
        if ask.journal == self.journal:
            self.sent = min(self.sent, ask.from_ - 1)

    def status(self) -> link.Status:
        answer = None
        if self.next is not None:
            begun = self.next.id in self._begun
            word = ("begun" if self.playing else "over") if begun else "shown"
            answer = link.Answer.model_validate(
                {"id": self.next.id, "answer": word, "match": self._match if begun else None}
            )
        return link.Status(
            online=True,
            schemas=link.Schemas(protocol=PROTOCOL, journal=SCHEMA_VERSION),
            outbox=link.Outbox(journal=self.journal, begins=1, sent=self.sent, last=len(self.events)),
            assignment=answer,
        )
