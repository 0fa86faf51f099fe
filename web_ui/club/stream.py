"""The evening to every open page: the whole of it at first, then what changed. Each message is made once for all."""

from collections.abc import Generator, Iterator
from contextlib import closing

from controller.club.api import Club, ClubSnapshot
from web_ui.connections import Places
from web_ui.events import RESERVED, Shown, Stream
from web_ui.languages import catalogue

MOST_LISTENERS = 700
"""Pages that may listen to one process of a hub: 400 players and whoever looks on."""

MOST_OF_ONE = 350
"""Pages of one address that may listen. One address may be a whole club behind one router."""


class ClubStream(Stream):
    """A page that missed a change, because it reads slowly, gets the whole evening again."""

    def __init__(self, club: Club, heartbeat: float, version: str) -> None:
        super().__init__(club, heartbeat, version)
        self._club = club
        self._places = Places(MOST_LISTENERS, MOST_OF_ONE, RESERVED)
        self._before: Shown | None = None
        self._changes: dict[tuple[str, int], bytes] = {}  # from `_before` to the newest state

    def follow(self, address: str) -> Generator[bool]:
        """Ends as soon as the evening can't be followed, so that its pages say that they are not live."""
        with closing(super().follow(address)) as changes:
            for changed in changes:
                if not self._club.follows():
                    return
                yield changed

    def _take(self) -> None:
        before = self._taken
        super()._take()
        if self._taken is not before:
            self._before = before
            self._changes.clear()

    def listen(self, language: str, address: str, version: int = 1) -> Iterator[bytes]:
        """The stream of one page, which takes `club-changes` of this version."""
        return self.tell(address, lambda known: self.told(language, known, version))

    def told(self, language: str, known: Shown | None, version: int) -> bytes:
        """What changed for a page that knows the state before the newest; the whole evening for any other."""
        now = self._taken
        if known is None or known is not self._before:
            return self.message(language)
        assert isinstance(now, ClubSnapshot)
        assert isinstance(known, ClubSnapshot)
        if (language, version) not in self._changes:
            told = now.changes(known, catalogue(language).language, version)
            self._changes[language, version] = b"id: %d\nevent: changes\ndata: %s\n\n" % (now.id, told.encode())
        return self._changes[language, version]
