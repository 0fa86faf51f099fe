"""Streams the evening to every open page: first the whole, then the changes. Each message is encoded once for all."""

from collections.abc import Generator, Iterator
from contextlib import closing

from controller.club.admin_service import AdminService, ClubSnapshot
from web_ui.connections import Guest, Places
from web_ui.events import RESERVED, TURN, Shown, Stream
from web_ui.languages import catalogue

MOST_LISTENERS = 700  # pages that may listen to one process of a hub: 400 players and spectators


class ClubStream(Stream):
    """A page that reads too slowly and missed a change gets the whole evening again."""

    def __init__(self, club: AdminService, heartbeat: float, version: str) -> None:
        super().__init__(club, heartbeat, version)
        self._club = club
        self._places = Places(MOST_LISTENERS, RESERVED, TURN)
        self._before: Shown | None = None
        self._changes: dict[str, bytes] = {}  # by language, from `_before` to the newest state

    def follow(self, guest: Guest) -> Generator[bool]:
        """Ends as soon as the evening can't be followed, so that the pages show that they are not live."""
        with closing(super().follow(guest)) as changes:
            for changed in changes:
                if not self._club.follows():
                    return
                yield changed

    def _publish(self) -> None:
        before = self._taken
        super()._publish()
        if self._taken is not before:
            self._before = before
            self._changes.clear()

    def listen(self, language: str, guest: Guest) -> Iterator[bytes]:
        return self.messages(guest, lambda known: self.update(language, known))

    def update(self, language: str, known: Shown | None) -> bytes:
        """The changes, for a page that has the state before the newest; the whole evening for any other."""
        now = self._taken
        if known is None or known is not self._before:
            return self.message(language)
        assert isinstance(now, ClubSnapshot)
        assert isinstance(known, ClubSnapshot)
        if language not in self._changes:
            changes = now.changes(known, catalogue(language).language)
            self._changes[language] = b"id: %d\nevent: changes\ndata: %s\n\n" % (now.id, changes.encode())
        return self._changes[language]
