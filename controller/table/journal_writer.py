"""Writes the match to the journal, and shows a notice while that fails."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from controller.errors import JournalError, Refused, Unreadable
from controller.journal import Journal
from controller.journal.match_log import MatchLog
from controller.match import events as ev
from controller.match.commands import Command
from controller.match.lifecycle import resumed
from controller.messages import say, wording
from controller.table.question_pictures import PictureMaker, with_pictures
from controller.table.status import Notices
from controller.vision.readings import BoardReading
from hardware.devices import Image

T = TypeVar("T")
Kept = Mapping[str, str] | None  # facts that are kept together with events
Evidence = tuple[BoardReading | None, Image | None, PictureMaker | None]
"""The newest reading, its picture, and the maker of pictures."""
NO_PICTURES = say("The disk is nearly full: no pictures are kept. Make room.")


class JournalWriter:
    """The engine's access to the journal. A notice says that it can't be written, until a write succeeds."""

    def __init__(self, journal: Journal, notices: Notices) -> None:
        self._journal = journal
        self._notices = notices

    @property
    def failing(self) -> bool:
        return "journal" in self._notices

    def guarded(self, write: Callable[[], T]) -> T:
        """Call `write` and return its result. If it fails, set a notice and raise the `JournalError` on."""
        try:
            result = write()
        except JournalError as error:
            self._notices.set("journal", wording(error.args[0]))
            raise
        self._notices.set("journal", None)
        return result

    def newest_match(self) -> MatchLog | None:
        """The newest match whose start was not undone; None before the first, or if it can't be read. An unreadable
        match sets a notice; another one can be started."""
        number: int | None = self._journal.newest()
        match_log = None
        try:
            while number:
                match_log = MatchLog.open(self._journal, number)
                number = resumed(match_log.history)
            return match_log
        except Unreadable as error:
            self._notices.set("match", error.args[0])
            return None

    def match_of(self, command: Command, played: MatchLog | None) -> MatchLog:
        """The match that a command applies to: the running one (`played`) or an earlier one. Raises `Refused`."""
        if played is None:
            raise Refused(say("No match has been started."))
        if command.match in (None, played.number):
            return played
        if command.only_running:
            raise Refused(say("Match {number} is no longer being played.", number=command.match))
        if not self._journal.has(command.match):
            raise Refused(say("match: there is no match {number} in the journal.", number=command.match))
        return MatchLog.open(self._journal, command.match)

    def write_outside_matches(self, events: Sequence[ev.Event], at: float, facts: Kept = None) -> None:
        """Write events that belong to no match, or facts alone."""
        bodies = [(event.kind, ev.body(event)) for event in events]
        self.guarded(lambda: self._journal.append(0, at, bodies, facts=facts))

    def write(
        self, match_log: MatchLog, events: Sequence[ev.Event], at: float, facts: Kept, evidence: Evidence
    ) -> Sequence[ev.Event]:
        """Write events with their pictures to a match's log. Returns them as written. If the pictures can't be written,
        they are left out."""
        reading, picture, picture_maker = evidence
        picture_maker = picture_maker if self.room_for_pictures() else None
        illustrated, pictures = with_pictures(events, match_log.state, reading, picture, picture_maker, at)
        try:
            self.guarded(lambda: match_log.write(illustrated, at, facts=facts, pictures=pictures))
        except JournalError:
            if not pictures:
                raise
            illustrated, _ = with_pictures(events, match_log.state, reading, picture, None, at)
            self.guarded(lambda: match_log.write(illustrated, at, facts=facts))
        return illustrated

    def recovers(self) -> bool:
        """Whether writing has just become possible again. Raises `JournalError` while it is not."""
        if not self.failing:
            return False
        self.guarded(self._journal.try_to_write)
        return True

    def room_for_pictures(self) -> bool:
        """Whether the disk has room for pictures besides events."""
        room = self._journal.pictures.has_room()
        self._notices.set("pictures", None if room else NO_PICTURES)
        return room
