"""The only module of the club that its pages import: the evening for them to show, and the actions that they send.

Documents are those of `controller.club.hub.schemas`; their texts are messages, translated for each reader."""

import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.club.errors import ClubError
from controller.club.exports import FILES, Export, export
from controller.club.hub import organiser_views, views
from controller.club.hub import schemas as doc
from controller.club.hub.by_hand import ByHand
from controller.club.hub.hub import Hub, PlanChanged
from controller.club.hub.message_intake import OutOfStep, TooMuch
from controller.club.hub.organiser_actions import add_entrants, check_table_name, parse_action, parse_players
from controller.club.hub.report import evening_report, in_short, report
from controller.club.hub.views import differences
from controller.club.store import HubTokens, Report, TableOfClub
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import BoardAdded, BoardRenamed, Entry, FormatSet
from controller.club.tournament.formats import Format
from controller.club.tournament.planning import Action
from controller.club.tournament.record import entry_to_json
from controller.club.tournament.state import normalized_name
from controller.club.tournament.tournament import Tournament
from controller.errors import BadInput, ControllerError, Refused
from controller.match.club import BEAT, Assignment, BadMessage, Have, Join, Joined, parse, serialize
from controller.messages import Language, Message, encoded, say

__all__ = [
    "BEAT", "FILES", "NOTHING", "AdminService", "BadInput", "ClubSnapshot", "ControllerError", "Export", "Have",
    "OutOfStep", "PlanOutdated", "Refused", "TooMuch", "say",
]  # fmt: skip
POLL = 0.1  # s, at most, until changes by another process of the hub are noticed
LONGEST_POLL = 10.0
"""Seconds that one poll of the database may take: as long as it waits for another writer, which is `PATIENCE` in
`controller.club.store.engine`. A longer one may never end, for example if the network to PostgreSQL failed."""
STRANGER = 600.0  # s that the desk says who sent something without a valid token
WATCH = 1.0  # s between two looks at which tables have fallen silent
PAUSE = 0.05  # s between two snapshots: whatever a hall sends in this time is combined
LONGEST_TITLE = 60  # characters
NOTHING = serialize(Assignment(match=None))
EVENING_ID = re.compile(r"[0-9a-f]{8,32}")
SHORTEST_PASSWORD = 8  # characters (NIST SP 800-63B, 5.1.1.2)
LONGEST_PASSWORD = 200
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClubSnapshot:
    """The evening after one change."""

    id: int
    document: doc.EveningDocument
    assignments: Mapping[str, bytes]  # by table with hardware, what it plays next

    def rendered(self, language: Language) -> str:
        """The evening as JSON, in `language`."""
        return encoded(self.document, language)

    def changes(self, before: "ClubSnapshot", language: Language) -> str:
        """`club-changes/2` for a page that has the evening `before`, as JSON, in `language`."""
        return encoded(differences(before.document, self.document), language)


class PlanOutdated(Refused):
    """The plan that was confirmed is outdated; `plan` is the current one."""

    def __init__(self, words: Message, plan: doc.PlanOffered) -> None:
        super().__init__(words)
        self.plan = plan


class AdminService:
    """A club's hub, for its pages. `start` and `stop` once each; otherwise thread-safe. Methods that change something
    raise `BadInput` for an invalid request, `Refused` for one that the evening does not allow."""

    def __init__(self, hub: Hub, name: str, boot: str = "") -> None:
        """`boot` identifies this boot of the machine, whose monotonic clock times the boards' clocks."""
        self._hub = hub
        self.wall = hub.clock
        self.tokens = HubTokens(hub.store.engine, hub.store.club, hub.clock)
        self.name = name
        self._by_hand = ByHand(hub, hub.clock, self.clock, boot)
        self._listeners: list[Callable[[ClubSnapshot], None]] = []
        self._number = 0
        self._showing = threading.Lock()
        self._newest = ClubSnapshot(0, views.evening(hub), hub.assignments())
        self._failing = False
        self._polled = self.clock()  # when the snapshot was last known to be current
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="club pages", daemon=True)
        hub.subscribe(self._wake.set)

    # --- the pages' state

    def start(self) -> None:
        self._polled = self.clock()
        self._thread.start()

    def stop(self) -> None:
        """Stop following the evening; returns when the thread has ended."""
        self._stopping = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        watched = self.clock()
        while not self._stopping:
            if changed := self._wake.wait(POLL):
                self._wake.clear()  # not after a timeout: a change that came in between would be lost
            try:
                if self.clock() - watched > WATCH:
                    self._hub.watch_tables()
                    watched = self.clock()
                if self._hub.refresh() or changed:
                    self.show()
                    time.sleep(PAUSE)
                self._failing, self._polled = False, self.clock()
            except (ClubError, Refused) as error:
                if not self._failing:
                    _log.error("The evening can't be followed: %s", error)
                self._failing = True
                self._wake.set()  # this change still has to be shown
                time.sleep(POLL)

    def show(self) -> None:
        """Send the current evening to all listeners."""
        with self._showing:
            self._number += 1
            self._newest = ClubSnapshot(self._number, views.evening(self._hub), self._hub.assignments())
            for listener in tuple(self._listeners):
                listener(self._newest)

    def clock(self) -> float:
        return time.monotonic()

    def snapshot(self) -> ClubSnapshot:
        """The evening at the last change."""
        return self._newest

    def follows(self) -> bool:
        """Whether the snapshot is current: the last poll of the database succeeded a short time ago."""
        return not self._failing and self.clock() - self._polled <= LONGEST_POLL

    def subscribe(self, listener: Callable[[ClubSnapshot], None]) -> Callable[[], None]:
        """Call `listener` with each new evening, on a thread of the hub's; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def matches_of(self, entrant: str) -> list[doc.MatchDocument]:
        return views.matches_of(self._hub, entrant)

    # --- evenings

    def evenings(self) -> list[doc.EveningInShort]:
        """All evenings, the newest first."""
        return [in_short(evening, self._active) for evening in reversed(self._hub.store.evenings())]

    @property
    def _active(self) -> str | None:
        return self._hub.evening.id if self._hub.evening else None

    def evening(self, id: str) -> doc.EveningReport:
        return evening_report(report(self._hub.store, id), self.name, self._active)

    def export(self, evening: str, kind: str) -> Export:
        """A whole evening as one of `FILES`."""
        return export(report(self._hub.store, evening), self.name, kind)

    def begin(
        self,
        title: str,
        format: str | Mapping[str, Any],
        boards: Sequence[str],
        players: str,
        doubles: bool,
        who: str,
        id: str | None = None,
    ) -> None:
        """Begin an evening: its format by name or as in the log, the ids of its boards, and a pasted list of players.
        Starts nothing if any of it is impossible, or if an evening with this `id` has begun."""
        if id is not None and not EVENING_ID.fullmatch(id):
            raise BadInput(say("An evening's id has 8 to 32 of the digits 0 to 9 and a to f."))
        chosen = _format(format)
        if not title.strip().isprintable() or len(title) > LONGEST_TITLE:
            raise BadInput(say("An evening's title has at most {n} characters, on one line.", n=LONGEST_TITLE))
        known = {table.id: table for table in self._hub.store.tables()}
        if not boards or any(board not in known for board in boards):
            raise BadInput(say("Choose the boards that are there; each must be one of the club's."))
        entrants = parse_players(players, doubles)
        actions: list[Action] = [FormatSet(chosen)]
        actions += [BoardAdded(board, known[board].name) for board in dict.fromkeys(boards)]
        actions += add_entrants(Tournament().state, entrants)
        Tournament().preview(*actions)
        self._hub.begin(title.strip(), actions, who, id)
        self.show()

    def activate_evening(self, evening: str) -> None:
        """Make an evening the active one: tables get its matches, and their reports for it count."""
        self._hub.activate_evening(evening)
        self.show()

    # --- the organiser

    def set_password(self, password: str) -> None:
        """Set the organiser's password; who came in by the former one needs it."""
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise BadInput(say("A password has {n} characters or more.", n=SHORTEST_PASSWORD))
        self.tokens.set_password(password)
        self.tokens.end_all("session", "device")

    def organiser_document(self) -> doc.OrganiserDocument:
        """The organiser's view, without the codes of boards."""
        stranger = self._hub.reports.get("", Report())
        found: doc.OrganiserDocument = {
            "log": organiser_views.log(self._hub),
            "people": [person.name for person in self._hub.store.people()],
            "evening": self._active,
            "stranger": stranger.trouble if stranger.is_heard(self.wall(), STRANGER) else None,
            "evenings": self.evenings(),
            "formats": organiser_views.formats(self._hub.tournament.state),
            **organiser_views.waiting(self._hub.tournament.state),
        }
        return found

    def actions_to_add(self, players: str, doubles: bool) -> list[dict[str, Any]]:
        """The actions that add the entrants of a pasted list."""
        events = add_entrants(self._hub.tournament.state, parse_players(players, doubles))
        return [entry_to_json(Entry(1, event)) for event in events]

    def plan(self, actions: Sequence[Mapping[str, Any]]) -> doc.PlanDocument:
        return organiser_views.plan(self._hub.plan(self._parse(actions)))

    def confirm(self, actions: Sequence[Mapping[str, Any]], token: str, who: str) -> None:
        """Carry out the plan with this token. Raises `PlanOutdated` if it has changed."""
        parsed = self._parse(actions)
        try:
            self._hub.confirm(parsed, token, who)
        except PlanChanged as changed:
            offered: doc.PlanOffered = {**organiser_views.plan(changed.plan), "actions": [*map(dict, actions)]}
            raise PlanOutdated(changed.args[0], offered) from changed
        self._rename_tables(parsed)
        self.show()  # the answer to this request includes the change

    def _parse(self, actions: Sequence[Mapping[str, Any]]) -> list[Action]:
        """The actions of a page's request. Raises `BadInput`, and `Refused` for the name of another of the club's
        tables, which need not be part of this evening."""
        parsed = [self._parse_action(action) for action in actions]
        for action in parsed:
            if isinstance(action, BoardRenamed):
                self._check_free(action.name, but=action.board)
        return parsed

    def _parse_action(self, document: Mapping[str, Any]) -> Action:
        """As `parse_action`, and {"do": "count", "source": ..} for a rejected report."""
        if document.get("do") != "count":
            return parse_action(document)
        found = (each.alternative for each in self._hub.rejected if each.source == document.get("source"))
        if (result := next(found, None)) is None:
            raise Refused(say("The two play no other match; enter their result in the match that it belongs to."))
        return result

    def _check_free(self, name: str, but: str = "") -> None:
        names = {normalized_name(table.name) for table in self._hub.store.tables() if table.id != but}
        if normalized_name(name) in names:
            raise Refused(say("The club has a table {name} already; give this one another name.", name=name))

    def _rename_tables(self, actions: Sequence[Action]) -> None:
        """Keep new names of boards for later evenings."""
        store = self._hub.store
        names = {action.board: action.name for action in actions if isinstance(action, BoardRenamed)}
        for table in store.tables() if names else ():
            if table.id in names:
                store.put_table(table._replace(name=names[table.id]))

    def tables(self) -> list[dict[str, Any]]:
        """The club's tables: `id`, `name`, `by_hand`, and whether a table has `joined`."""
        joined = {holder for _, holder, _ in self.tokens.held("table")}
        return [{**table._asdict(), "joined": table.id in joined} for table in self._hub.store.tables()]

    def add_table(self, name: str, by_hand: bool) -> str:
        """Add a table to the club; its id is the first free number."""
        name = name.strip()
        check_table_name(name)
        self._check_free(name)
        taken = {table.id for table in self._hub.store.tables()}
        id = next(str(k) for k in range(1, len(taken) + 2) if str(k) not in taken)
        self._hub.store.put_table(TableOfClub(id, name, by_hand))
        return id

    def join_code(self, table: str) -> str:
        if table not in {each.id for each in self._hub.store.tables() if not each.by_hand}:
            raise BadInput(say("There is no table {id} with hardware.", id=table))
        return self.tokens.join_code(table)

    # --- tables with hardware

    def join(self, payload: bytes) -> bytes | None:
        """The answer to a table's `Join`, a `Joined`; None for an invalid code."""
        try:
            asked = parse(Join, payload)
        except BadMessage as error:
            raise BadInput(str(error)) from error
        table = self.tokens.join(asked.code)
        if table is None:
            return None
        self.revoke(table)
        return serialize(Joined(club=self.name, table=table, token=self.tokens.make("table", table)))

    def revoke(self, table: str) -> None:
        """End the token of a table, if it has one: it has to join again."""
        self.tokens.revoke_all("table", table)

    def table_of(self, token: str, address: str) -> str | None:
        """The table whose token this is; None for a token that is not valid, which the organiser sees."""
        table = self.tokens.holder("table", token) if token else None
        if table is None:
            words = say(
                "A device at {address} without a valid token sends results, which do not count: a table that has to "
                "join again, or a stranger.",
                address=address,
            )
            before = self._hub.reports.get("", Report())
            if before.trouble != words or not before.is_heard(self.wall(), STRANGER / 2):
                self._hub.refused("", words)
        return table

    def receive(self, table: str, payload: bytes) -> Have:
        """Store what a table sends. Raises `OutOfStep`, `TooMuch`, and `BadInput` for what can't be read."""
        return self._hub.receive(table, payload)

    def refused(self, table: str, why: Message) -> None:
        """Show the organiser what a table sent in vain."""
        self._hub.refused(table, why)

    def heard(self, table: str, here: bool) -> None:
        """A table listens for its assignments, or has just gone."""
        self._hub.heard(table, here=here)
        if here:
            self.show()  # what it hears first includes a round that was drawn a moment ago

    # --- players' phones, and boards without hardware

    def board_of(self, match: str) -> str | None:
        """The board of a match. Raises `Refused` for an unknown one."""
        return self._hub.tournament.state.match(match).board

    def claim(self, match: str, by: str, points: Sequence[int], twenties: Sequence[int] | None, phone: str) -> None:
        """Enter the result that the player `by` claims, in the order of the match's sides. It counts as soon as the
        opponent claims the same from another `phone`, a text that identifies it."""
        self._hub.claim(match, by, points, twenties, phone)

    def at_board(self, board: str, command: Mapping[str, Any], who: str) -> None:
        self._by_hand.command(board, command, who)
        self.show()


def _format(format: str | Mapping[str, Any]) -> Format:
    """A format by its name, or as in the log. Raises `BadInput`."""
    if isinstance(format, str):
        if format not in FORMATS:
            raise BadInput(say("There is no format {name}; there are {names}.", name=format, names=tuple(FORMATS)))
        return FORMATS[format]
    event = parse_action({"event": "format_set", "format": format})
    assert isinstance(event, FormatSet)
    return event.format
