"""A table of a club for tests: it plays without board and camera, and speaks the club's protocol."""

from collections.abc import Sequence
from random import Random

from controller.club.hub.assignments import match_started
from controller.club.hub.hub import Hub
from controller.club.hub.message_intake import OutOfStep
from controller.match import events as ev
from controller.match.base import SCHEMA_VERSION, Stamped
from controller.match.club import Assigned, Assignment, Batch, Event, Have, parse, serialize
from controller.match.fold import fold
from controller.match.state import MatchState

AT = 1_790_000_000.0  # s since 1970: when such tables' clocks say they were switched on, all within a second
PER_ROUND = 90.0  # s, by its clock
BATCH = 20  # events


class SimulatedClubTable:
    """A table with its journal. Not thread-safe."""

    def __init__(self, id: str, seed: int) -> None:
        self.id = id
        self._dice = Random(f"{seed} {id}")
        self._on_at = AT + Random(f"clock {seed} {id}").random()
        self.journal = self._dice.randbytes(16).hex()
        self.events: list[Event] = []
        self.have: int | None = None  # the last of its events that the hub has
        self.history: list[Stamped] = []  # of the running match, or the last one
        self.next: Assigned | None = None
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
        """Begin the assigned match. False if it has begun already, or another match is running."""
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
        self.write([ev.RoundEnded.model_validate({"totals": totals, "twenties": twenties})])

    def write(self, events: Sequence[ev.Event], match: int | None = None) -> None:
        for event in events:
            id, at = len(self.events) + 1, self._on_at + PER_ROUND * len(self.events)
            self.events.append(Event(id=id, match=match or self._match, at=at, kind=event.kind, body=ev.body(event)))
            self.history.append(Stamped(id, at, event))

    # --- what it says to its hub

    def batch(self) -> Batch:
        """The last event that the hub has and what follows; an empty batch while nobody knows what it has."""
        sent = len(self.events) if self.have is None else max(self.have - 1, 0)
        events = self.events[sent : sent + BATCH]
        return Batch(
            journal=self.journal,
            journal_schema=SCHEMA_VERSION,
            begins=1,
            first=sent + 1,
            last=sent + len(events),
            events=tuple(events),
        )

    def report(self, hub: Hub) -> None:
        """Send all that the hub does not have."""
        known = False
        while not known or self.have != len(self.events):
            known = self.have is not None
            try:
                said = hub.receive(self.id, serialize(self.batch()))
            except OutOfStep as error:
                said = error.have
            self.hear(said)

    def hear(self, said: Have) -> None:
        self.have = said.have
        if said.renew:
            self.journal, self.have = self._dice.randbytes(16).hex(), 0

    def assigned(self, payload: bytes) -> None:
        self.next = parse(Assignment, payload).match
