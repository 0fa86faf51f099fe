"""Writing to the journal while a match is played: people are told for as long as it can't be done."""

from collections.abc import Callable
from typing import TypeVar

from controller.errors import JournalError
from controller.journal import Journal
from controller.notices import Notices
from controller.words import say, wording

T = TypeVar("T")

NO_PICTURES = say("The disk is nearly full: no pictures are kept. Make room.")


class Keeping:
    """The engine's way to the journal. The notice that it can't be written stands until something was written."""

    def __init__(self, journal: Journal, notices: Notices) -> None:
        self._journal = journal
        self._notices = notices

    @property
    def failing(self) -> bool:
        """Whether the last write failed."""
        return "journal" in self._notices

    def kept(self, write: Callable[[], T]) -> T:
        """What a write gives. Raises `JournalError` as it does."""
        try:
            given = write()
        except JournalError as error:
            self._notices.set("journal", wording(error.args[0]))
            raise
        self._notices.set("journal", None)
        return given

    def try_to_write(self) -> None:
        """See whether the journal can be written again. Raises `JournalError` while it can't."""
        self.kept(self._journal.try_to_write)

    def room_for_pictures(self) -> bool:
        """Whether the disk has room for more than the events."""
        room = self._journal.pictures.welcome()
        self._notices.set("pictures", None if room else NO_PICTURES)
        return room
