"""Shared by the routes of the club's application."""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from werkzeug.exceptions import ServiceUnavailable

from controller.club.desk import Desk
from controller.club.hub.evening import EveningChanges
from controller.club.showing import ClubSnapshot
from controller.errors import ControllerError
from controller.match.club import BEAT, Assignment, serialize
from web_ui.access import Access
from web_ui.connections import Guest, Places
from web_ui.events import RESERVED, TURN, NumberedState, Stream
from web_ui.languages import document, translated
from web_ui.parts import extension, place_to_listen
from web_ui.reader_pool import off_thread

Result = TypeVar("Result")
MOST_TABLES = 100  # places for tables, which no page can take
NOTHING = serialize(Assignment(match=None))
MOST_LISTENERS = 700  # pages that may listen to one process of a hub: 400 players and spectators


class ClubStream(Stream):
    """A page that reads too slowly and missed a change gets the whole evening again."""

    def __init__(self, desk: Desk, heartbeat: float, version: str) -> None:
        super().__init__(desk.showing, heartbeat, version)
        self._desk = desk
        self._showing = desk.showing
        self._places = Places(MOST_LISTENERS, RESERVED, TURN)
        self._table_places = Places(MOST_TABLES, 0, TURN)
        self._tables: Counter[str] = Counter()  # the open streams of each
        self._before: NumberedState | None = None
        self._changes: dict[str, bytes] = {}  # by language, from `_before` to the newest state

    def follow(self, guest: Guest, places: Places | None = None, heartbeat: float | None = None) -> Generator[bool]:
        """Ends as soon as the evening can't be followed, so that the pages show that they are not live."""
        with closing(super().follow(guest, places, heartbeat)) as changes:
            for changed in changes:
                if not self._showing.follows():
                    return
                yield changed

    def assignments(self, table: str, token: str, address: str) -> Iterator[bytes]:
        """What a table plays next, now and whenever it changes. The table is there as long as it listens, also if
        another process of the hub notices only now that it left there. It ends within two beats after the token was
        revoked."""
        known: bytes | None = None
        look_again = self._showing.clock() + BEAT
        self._tables[table] += 1
        try:
            off_thread(self._desk.hub.heard, table, True)
            off_thread(self._showing.show)  # what it hears first includes a round that was drawn a moment ago
            for _ in self.follow(Guest(address), self._table_places, BEAT):
                if self._showing.clock() > look_again:
                    if off_thread(self._desk.tokens.holder, "table", token) is None:
                        return
                    if not self._desk.hub.reports[table].seen:
                        off_thread(self._desk.hub.heard, table, True)
                    look_again = self._showing.clock() + BEAT
                newest = self._showing.snapshot().assignments.get(table, NOTHING)
                yield b": still here\n\n" if newest == known else b"data: %s\n\n" % newest
                known = newest
        finally:
            self._tables[table] -= 1
            if not self._tables[table]:
                with suppress(ControllerError):  # else it is silent
                    off_thread(self._desk.hub.heard, table, False)

    def has_place(self, address: str) -> bool:
        """Whether a table may listen now."""
        return self._watcher is not None and self._table_places.room(Guest(address))

    def _publish(self) -> None:
        before = self.taken
        super()._publish()
        if self.taken is not before:
            self._before = before
            self._changes.clear()

    def shown(self, state: ClubSnapshot) -> object:
        return state.document

    def message(self, language: str, before: NumberedState | None) -> bytes:
        """The changes, for a page that has the state before the newest; the whole evening for any other."""
        now = self.taken
        if before is None or before is not self._before:
            return super().message(language, before)
        assert isinstance(now, ClubSnapshot)
        assert isinstance(before, ClubSnapshot)
        if language not in self._changes:
            changes = document(EveningChanges.between(vars(before.document), vars(now.document)), language)
            self._changes[language] = b"id: %d\nevent: changes\ndata: %s\n\n" % (now.id, changes.encode())
        return self._changes[language]


@dataclass(frozen=True, slots=True)
class ClubParts:
    """The parts that the club's routes use."""

    desk: Desk
    stream: ClubStream
    access: Access
    silence: float
    sending: set[str] = field(default_factory=set)  # the tables whose events are being stored


def club_parts() -> ClubParts:
    """The parts of the application that answers this request."""
    return extension("club", ClubParts)


def place() -> Guest:
    """The client that wants to listen. Raises `ServiceUnavailable` if there is no place for it, and while the evening
    can't be followed."""
    here = club_parts()
    if not here.desk.showing.follows():
        words = translated(
            "The hub can't read its database now. Its log says why; this page goes on as soon as it can."
        )
        raise ServiceUnavailable(words, retry_after=2)
    return place_to_listen(here.stream, here.access)
