"""The hub of one club: takes what tables send, carries out what the organiser confirms, and tells both what follows.

Nothing here is the truth of anything: that is in the database. Several hubs may run on one PostgreSQL; each follows
what the others wrote. Time is a parameter: `clock` for people, `steady` for waiting.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from controller.club.errors import Overtaken
from controller.club.hub.assignments import assignment
from controller.club.hub.claims import claimed
from controller.club.hub.desk import Plan, planned
from controller.club.hub.matches import Key, Matches, Played
from controller.club.hub.reception import Outgoing, Reception
from controller.club.hub.results import Answer, LeftOut, told
from controller.club.store import Decision, Evening, Store
from controller.club.tournament import Action, NotNow, Tournament
from controller.errors import Refused
from controller.link import Topics, parse_topic, serialize
from controller.messages import say

BY_TABLE = "table"  # who made an entry that a table's report brought about
MOST_TRIES = 50
"""How often something is decided anew because another process decided something in the same moment. Each time one of
them gets through, so that this many processes would have to be at it at once."""


class PlanChanged(Refused):
    """What was shown is not what would be done any more; `plan` is what would be done now."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(say("Something happened meanwhile that changes this plan. Look at it again."))
        self.plan = plan


class Hub:
    """One club's evening. Every method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        rules: str = "nca",
        *,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """`rules`: the rule set that matches are played by. The present evening is open, if there is one."""
        self.store = store
        self.rules = rules
        self.reception = Reception(store, steady)
        self._clock = clock
        self._topics = Topics(store.club)
        self._lock = threading.RLock()
        self._listeners: list[Callable[[], None]] = []
        self._opened = 0
        """The version of when the evening that is open here became the present one."""
        self._leave()
        self.refresh()

    def _leave(self) -> None:
        self.evening: Evening | None = None
        self.log: tuple[Decision, ...] = ()
        self.tournament = Tournament()
        self._matches = Matches(lambda key, to: self.store.events_of(*key, to=to))
        self._answers: dict[Key, Answer] = {}
        self._version = 0
        self._assigned: tuple[Tournament | None, list[str], list[Outgoing]] = (None, [], [])
        self._settled = True
        """Whether the tournament has all that was read: not where the database went away in the middle of that."""

    # --- evenings

    def begin(self, title: str) -> Evening:
        """Begin an evening, which is then the open one."""
        with self._lock:
            id = secrets.token_hex(4)
            self.store.begin_evening(id, title, self._clock())
            self.refresh()
            assert self.evening is not None
            return self.evening

    def open(self, id: str) -> Evening:
        """Make an evening of this club the present one. Raises `Refused` where there is none of this id."""
        with self._lock:
            if id not in {each.id for each in self.store.evenings()}:
                raise Refused(say("There is no such evening."))
            self.store.open_evening(id)
            self.refresh()
            assert self.evening is not None
            return self.evening

    def _enter(self, evening: Evening) -> None:
        self._leave()
        self.evening, self._version, self._settled = evening, evening.version, False
        self._opened = evening.opened

    # --- what was written, here or by another process

    def refresh(self) -> bool:
        """Take over all that is new in the database, also another evening. Gives whether anything was."""
        with self._lock:
            version = self.store.version()
            if version == self._version and self._settled:
                return False
            if version < self._version:  # the database was set back to an older copy of itself: all is read anew
                self._leave()
                self._opened = 0
            present = max(self.store.evenings(), key=lambda evening: evening.opened, default=None)
            if present is not None and present.opened > self._opened:
                self._enter(present)
            if self.evening is None:
                self._version = version
            else:
                self._follow(self.evening, version)
        self._tell()
        return True

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _follow(self, evening: Evening, version: int) -> None:
        all_anew = not self._settled
        changed: Iterable[Played] = self._matches.take(self.store.events_since(self._version, version), version)
        self._version, self._settled = version, False
        if self._read_decisions(evening) or all_anew:
            changed = self._matches
        self._settle(evening, changed)

    def _read_decisions(self, evening: Evening) -> bool:
        new = self.store.decisions(evening.id, after=len(self.log))
        if not new:
            return False
        self.log += tuple(new)
        self.tournament = Tournament.of(decision.entry for decision in self.log)
        return True

    def _settle(self, evening: Evening, played: Iterable[Played]) -> None:
        """Take into the tournament what tables told of these matches."""
        self._settled = False
        for _ in range(MOST_TRIES):
            after, answers = told(self.tournament, evening.id, played)
            if self._decided(evening, after, BY_TABLE):
                self._answers |= answers
                self._settled = True
                return
            played = self._matches
        raise Overtaken(say("Too many others change the evening. Try again."))

    def _decided(self, evening: Evening, after: Tournament, who: str) -> bool:
        """Put the new entries of a tournament into the log. False, and all is read anew, where others came first."""
        new = after.entries[len(self.tournament.entries) :]
        if new:
            at = self._clock()
            try:
                self.store.decide(evening.id, new, who, at)
            except Overtaken:
                self._read_decisions(evening)
                return False
            self.log += tuple(Decision(entry, who, at) for entry in new)
            self.tournament = after
        return True

    @property
    def version(self) -> int:
        """A number that grows with every change; 0 where no evening is open."""
        return self._version

    # --- the organiser

    @property
    def reopened(self) -> frozenset[str]:
        """The matches whose end counts and was taken back at their table."""
        with self._lock:
            return frozenset(answer.reopened for answer in self._answers.values() if answer.reopened is not None)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What tables told and what counts nowhere."""
        with self._lock:
            return tuple(answer.left_out for answer in self._answers.values() if answer.left_out is not None)

    def playing(self) -> dict[str, Played]:
        """By table, the match that it began last, of those that were assigned."""
        with self._lock:
            return {played.key.table: played for played in self._matches}

    def plan(self, actions: Sequence[Action]) -> Plan:
        """What these actions would bring about. Raises `TournamentError` where one of them can't be done."""
        with self._lock:
            self.refresh()
            if self.evening is None:
                raise NotNow(say("Begin an evening first."))
            return planned(self.tournament, actions, self.reopened)

    def confirm(self, actions: Sequence[Action], token: str, who: str) -> None:
        """Carry out what a plan showed, which had this token. Raises as `plan` does, and `PlanChanged`."""
        with self._lock:
            for _ in range(MOST_TRIES):
                plan = self.plan(actions)
                assert self.evening is not None
                if plan.token != token:
                    raise PlanChanged(plan)
                if self._decided(self.evening, plan.after, who):
                    self._settle(self.evening, self._matches)
                    self.refresh()
                    return
            raise Overtaken(say("Too many others change the evening. Try again."))

    def claim(self, match: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str) -> None:
        """Take what one of the two says of the end of their match. Raises `TournamentError`, and `PlanChanged` where
        somebody was quicker."""
        with self._lock:
            self.refresh()
            event = claimed(self.tournament, match, by, points, twenties, phone)
            if event is not None:
                self.confirm([event], self.plan([event]).token, self.tournament.state.labels[by])

    # --- tables

    def receive(self, topic: str, payload: bytes) -> list[Outgoing]:
        """Take a message of a table; gives what is to be sent for it. No message makes it raise anything."""
        place = parse_topic(topic)
        if place is None or place.club != self.store.club:
            return []
        with self._lock:
            before = self.reception.shown(place.table)
            answers = self.reception.receive(place.table, place.kind, payload)
            if not self.refresh() and self.reception.shown(place.table) != before:
                self._tell()
        return answers

    def lose_tables(self, silent: float = 0.0) -> None:
        """The tables that have said nothing of themselves for so many seconds count as not connected, until they do
        again: all of them where the broker is away."""
        with self._lock:
            if self.reception.lose(silent):
                self._tell()

    def assignments(self) -> list[Outgoing]:
        """What is to be retained for every table of the club."""
        with self._lock:
            tables = [table.id for table in self.store.tables() if not table.by_hand]
            if self._assigned[:2] != (self.tournament, tables):
                id, state = (self.evening.id if self.evening else ""), self.tournament.state
                found = [serialize(assignment(id, state, table, self.rules)) for table in tables]
                topics = map(self._topics.assignment, tables)
                outgoing = [Outgoing(topic, payload, True) for topic, payload in zip(topics, found, strict=True)]
                self._assigned = (self.tournament, tables, outgoing)
            return self._assigned[2]

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after each change, on the thread that made it; gives how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
