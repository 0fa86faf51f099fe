"""The hub as its pages know it: `controller.club.api.Club` over a `Hub`, and the thread that tells them what is new."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.club.api import ClubSnapshot, PlanOutdated
from controller.club.errors import ClubError
from controller.club.exports import Export, export
from controller.club.hub import SILENT, Hub, PlanChanged, action_of, check_table_name, entering, pasted, views
from controller.club.hub.by_hand import ByHand
from controller.club.hub.desk import planned
from controller.club.hub.documents import (
    EveningInShort,
    EveningReport,
    MatchDocument,
    OrganiserDocument,
    PlanDocument,
)
from controller.club.hub.organiser import formats, waiting
from controller.club.hub.report import in_short, report, whole
from controller.club.store import TableOfClub
from controller.club.tournament import (
    FORMATS,
    Action,
    BoardAdded,
    BoardRenamed,
    EntrantAdded,
    Entry,
    Format,
    FormatSet,
    Tournament,
    TournamentError,
    written,
)
from controller.club.tournament.state import plain_name
from controller.errors import BadInput, Refused
from controller.link import BadMessage, Join, Joined, parse, serialize
from controller.messages import Message, say

LOOK = 0.1  # s, at the latest, until what another process of the hub wrote is seen
LONGEST_LOOK = 10.0
"""Seconds that one look at the database may take: as long as it waits for another process that writes, which is
`PATIENCE` in `controller.club.store.engine`. A longer one may never end, as where the network to PostgreSQL broke."""
PAUSE = 0.05  # s between two states of the pages: what a hall sends in this moment comes together
LONGEST_TITLE = 60  # characters
SHORTEST_PASSWORD = 8  # characters (NIST SP 800-63B, 5.1.1.2)
LONGEST_PASSWORD = 200

_log = logging.getLogger(__name__)


class Office:
    """A club's hub, for its pages. `start` and `stop` once each."""

    def __init__(
        self,
        hub: Hub,
        name: str,
        admit: Callable[[str, str], Joined] | None = None,
        clock: Callable[[], float] = time.time,
        broker_trouble: Callable[[], Message | None] = lambda: None,
        boot: str = "",
    ) -> None:
        """`admit` lets a table into the broker with a password, and says what the table has to know. `broker_trouble`
        says why no table can be heard. `boot` tells this boot of the machine, with whose steady clock the
        clocks of boards run, from others."""
        self._hub = hub
        self._admit = admit
        self._clock = clock
        self._broker_trouble = broker_trouble
        self.name = name
        self._by_hand = ByHand(hub, clock, self.clock, boot)
        self._listeners: list[Callable[[ClubSnapshot], None]] = []
        self._number = 0
        self._showing = threading.Lock()
        self._newest = ClubSnapshot(0, views.evening(hub))
        self._failing = False
        self._looked = self.clock()  # when the evening was known to stand as shown
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="club pages", daemon=True)
        hub.subscribe(self._wake.set)

    # --- the pages' state

    def start(self) -> None:
        """Follow the evening from now on."""
        self._looked = self.clock()
        self._thread.start()

    def stop(self) -> None:
        """Follow it no more; returns when the thread is gone."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        trouble = self._broker_trouble()
        while not self._stopping:
            if changed := self._wake.wait(LOOK):
                self._wake.clear()  # never after a wait that timed out: a change may have come since, and would be lost
            try:
                before, trouble = trouble, self._broker_trouble()
                self._hub.lose_tables(SILENT)
                if self._hub.refresh() or changed or trouble != before:
                    self.show()
                    time.sleep(PAUSE)
                self._failing, self._looked = False, self.clock()
            except (ClubError, Refused) as error:
                if not self._failing:
                    _log.error("The evening can't be followed: %s", error)
                self._failing = True
                self._wake.set()  # this change is still to be shown
                time.sleep(LOOK)

    def show(self) -> None:
        """Hand the evening as it stands to all who listen."""
        with self._showing:
            self._number += 1
            self._newest = ClubSnapshot(self._number, views.evening(self._hub))
            for listener in tuple(self._listeners):
                listener(self._newest)

    def clock(self) -> float:
        """Seconds on a steady clock."""
        return time.monotonic()

    def snapshot(self) -> ClubSnapshot:
        """The evening as it stood at the last change."""
        return self._newest

    def follows(self) -> bool:
        """Whether the snapshot is how the evening stands: the last look at the database succeeded a short time ago."""
        return not self._failing and self.clock() - self._looked <= LONGEST_LOOK

    def subscribe(self, listener: Callable[[ClubSnapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new evening; gives how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def matches_of(self, entrant: str) -> list[MatchDocument]:
        """All matches of an entrant, in their order."""
        return views.matches_of(self._hub, entrant)

    # --- the organiser

    def password_mark(self) -> str:
        """A text that changes with the organiser's password; empty while there is none."""
        return self._hub.store.credentials.mark("organiser")

    def lets_in(self, password: str) -> bool:
        """Whether this is the organiser's password."""
        return self._hub.store.credentials.lets_in("organiser", password)

    def set_password(self, password: str) -> None:
        """Let the organiser in by this password from now on."""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise BadInput(say("A password has {n} characters or more.", n=SHORTEST_PASSWORD))
        self._hub.store.credentials.set_password("organiser", password)

    def book_guess(self, known: bool, every: float, most: int) -> float:
        """Book a try of the password, and give 0; else the seconds until one may come."""
        return self._hub.store.credentials.book_guess(known, every, most, self._clock())

    def unbook_guess(self, known: bool, every: float) -> None:
        """The try that was booked was right."""
        self._hub.store.credentials.unbook_guess(known, every)

    def open_session(self, token: str, lasts: float) -> None:
        """Keep that somebody was let in, for every process of the hub."""
        self._hub.store.credentials.open_session(token, self._clock(), lasts)

    def holds_session(self, token: str, lasts: float) -> bool:
        """Whether the session holds; asking counts as using it."""
        return self._hub.store.credentials.holds_session(token, self._clock(), lasts)

    def end_session(self, token: str) -> None:
        """End the session at every process of the hub."""
        self._hub.store.credentials.end_session(token)

    def begin(
        self, title: str, format: str | Mapping[str, Any], boards: Sequence[str], players: str, doubles: bool, who: str
    ) -> None:
        """Begin an evening; nothing is begun where anything of it can't be."""
        chosen = _format(format)
        if not title.strip().isprintable() or len(title) > LONGEST_TITLE:
            raise BadInput(say("An evening's title has at most {n} characters, on one line.", n=LONGEST_TITLE))
        known = {table.id: table for table in self._hub.store.tables()}
        if not boards or any(board not in known for board in boards):
            raise BadInput(say("Choose the boards that are there; each must be one of the club's."))
        entrants = pasted(players, doubles)
        actions: list[Action] = [FormatSet(chosen)]
        actions += [BoardAdded(board, known[board].name) for board in dict.fromkeys(boards)]
        actions += entering(Tournament().state, entrants)
        self._begin(title.strip(), actions, who)
        self._hub.store.remember([name for names in entrants for name in names], self._clock())

    def _begin(self, title: str, actions: Sequence[Action], who: str) -> None:
        try:
            planned(Tournament(), actions)
        except TournamentError as error:
            raise Refused(error.words) from error
        self._hub.begin(title)
        self._hub.confirm(actions, self._hub.plan(actions).token, who)
        self.show()

    def open(self, evening: str) -> None:
        """Make an evening the present one: tables get its matches, and what they told for it counts."""
        self._hub.open(evening)
        self.show()

    def evenings(self) -> list[EveningInShort]:
        """All evenings, the newest first."""
        return [in_short(evening, self._present) for evening in reversed(self._hub.store.evenings())]

    @property
    def _present(self) -> str | None:
        return self._hub.evening.id if self._hub.evening else None

    def evening(self, id: str) -> EveningReport:
        """A whole evening."""
        return whole(report(self._hub.store, id), self.name, self._present)

    def export(self, evening: str, kind: str) -> Export:
        """A whole evening as a file."""
        return export(report(self._hub.store, evening), self.name, kind)

    def desk(self) -> OrganiserDocument:
        """What the organiser alone sees, without the codes of boards."""
        found: OrganiserDocument = {
            "log": views.log(self._hub),
            "people": [person.name for person in self._hub.store.people()],
            "evening": self._present,
            "broker": self._broker_trouble(),
            "evenings": self.evenings(),
            "formats": formats(self._hub.tournament.state),
            **waiting(self._hub.tournament.state),
        }
        return found

    def entering(self, players: str, doubles: bool) -> list[dict[str, Any]]:
        """The actions that enter those of a pasted list."""
        events = entering(self._hub.tournament.state, pasted(players, doubles))
        return [written(Entry(1, event)) for event in events]

    def plan(self, actions: Sequence[Mapping[str, Any]]) -> PlanDocument:
        """What these actions would bring about."""
        try:
            return views.plan(self._hub.plan(self._wanted(actions)))
        except TournamentError as error:
            raise Refused(error.words) from error

    def confirm(self, actions: Sequence[Mapping[str, Any]], token: str, who: str) -> None:
        """Carry out what a plan showed."""
        wanted = self._wanted(actions)
        try:
            self._hub.confirm(wanted, token, who)
        except PlanChanged as changed:
            raise PlanOutdated(changed.args[0], views.plan(changed.plan)) from changed
        except TournamentError as error:
            raise Refused(error.words) from error
        self._remember(wanted)
        self.show()  # whoever confirmed gets the evening as it stands with that

    def _wanted(self, actions: Sequence[Mapping[str, Any]]) -> list[Action]:
        """The actions that a page asks for. Raises `BadInput`, and `Refused` for the name of another of the club's
        tables, which need not be there this evening."""
        wanted = [self._action(action) for action in actions]
        for action in wanted:
            if isinstance(action, BoardRenamed):
                self._must_be_free(action.name, but=action.board)
        return wanted

    def _action(self, document: Mapping[str, Any]) -> Action:
        """As `action_of`, and {"do": "count", "source": ..} for what a table told and what is left out."""
        if document.get("do") != "count":
            return action_of(document)
        found = (each.instead for each in self._hub.left_out if each.source == document.get("source"))
        if (result := next(found, None)) is None:
            raise Refused(say("The two play no other match; enter their result in the match that it belongs to."))
        return result

    def _must_be_free(self, name: str, but: str = "") -> None:
        if plain_name(name) in {plain_name(table.name) for table in self._hub.store.tables() if table.id != but}:
            raise Refused(say("The club has a table {name} already; give this one another name.", name=name))

    def _remember(self, actions: Sequence[Action]) -> None:
        """Keep for the evenings to come who came late, and how boards are called now."""
        store = self._hub.store
        late = [name for action in actions if isinstance(action, EntrantAdded) for name in action.players]
        if late:
            store.remember(late, self._clock())
        called = {action.board: action.name for action in actions if isinstance(action, BoardRenamed)}
        for table in store.tables() if called else ():
            if table.id in called:
                store.put_table(table._replace(name=called[table.id]))

    def tables(self) -> list[dict[str, Any]]:
        """The club's tables."""
        return [table._asdict() for table in self._hub.store.tables()]

    def add_table(self, name: str, by_hand: bool) -> str:
        """Add a table to the club; its id is the first free number."""
        name = name.strip()
        check_table_name(name)
        self._must_be_free(name)
        taken = {table.id for table in self._hub.store.tables()}
        id = next(str(k) for k in range(1, len(taken) + 2) if str(k) not in taken)
        self._hub.store.put_table(TableOfClub(id, name, by_hand))
        return id

    def join_code(self, table: str) -> str:
        """A code by which a table may join as this one."""
        if table not in {each.id for each in self._hub.store.tables() if not each.by_hand}:
            raise BadInput(say("There is no table {id} with hardware.", id=table))
        return self._hub.store.credentials.join_code(table, self._clock())

    def join(self, payload: bytes) -> bytes | None:
        """The answer to a table that wants to join. None for a code that is none."""
        try:
            asked = parse(Join, payload)
        except BadMessage as error:
            raise BadInput(str(error)) from error
        if self._admit is None:
            raise Refused(say("This club's broker has its accounts from elsewhere: set [club] in the table's file."))
        found = self._hub.store.credentials.join(asked.code, self._clock())
        return None if found is None else serialize(self._admit(*found))

    def claim(self, match: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str) -> None:
        """What a player says of the end of a match, in the order of its sides. It counts as soon as the opponent has
        said the same from another phone."""
        try:
            self._hub.claim(match, by, points, twenties, phone)
        except TournamentError as error:
            raise Refused(error.words) from error

    # --- boards without hardware

    def at_board(self, board: str, command: Mapping[str, Any], who: str) -> None:
        """Carry out what a phone at a board asks for."""
        self._by_hand.command(board, command, who)
        self.show()


def _format(told: str | Mapping[str, Any]) -> Format:
    """A format by its name, or as a page wrote it. Raises `BadInput`."""
    if isinstance(told, str):
        if told not in FORMATS:
            raise BadInput(say("There is no format {name}; there are {names}.", name=told, names=tuple(FORMATS)))
        return FORMATS[told]
    event = action_of({"event": "format_set", "format": told})
    assert isinstance(event, FormatSet)
    return event.format
