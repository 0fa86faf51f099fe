"""What people see of the running match: its state, the table's status word, and notices about missing and broken
things."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from controller.errors import Unreadable
from controller.journal import Journal
from controller.journal.match_log import MatchLog
from controller.match.base import Stamped
from controller.match.state import MatchState
from controller.messages import Message, wording
from controller.views.club import InClub
from controller.views.state import NoticeKind, State, StatusWord, TableView
from controller.vision.watching.gate import Word

log = logging.getLogger(__name__)


class ShownMatch:
    """The running match, which the engine changes, and its newest state, as listeners get it. On one thread."""

    snapshot: State  # the newest

    def __init__(self, journal: Journal, view: TableView) -> None:
        self.on_changed: list[Callable[[State], None]] = []
        self.view = view
        self._journal = journal
        self._gate: Word = "still"
        self._camera_lost = False
        self._match_log: MatchLog | None = None
        try:
            self._match_log = MatchLog.newest(journal)  # a restarted table continues it
        except Unreadable as error:  # another match can be started
            self._note("match", error.args[0])

    @property
    def state(self) -> MatchState | None:
        """The running or last match; None before the first."""
        return self._match_log.state if self._match_log else None

    @property
    def history(self) -> Sequence[Stamped]:
        """The match's events, undone ones included."""
        return self._match_log.history if self._match_log else ()

    @property
    def word(self) -> StatusWord:
        """The page's status word."""
        if (state := self.state) is not None and (state.paused or state.over or state.manual):
            return "paused" if state.paused else "over" if state.over else "manual"  # the camera does not matter
        if self._camera_lost:
            return "no_camera"
        if state is None:
            return "no_match"
        waits = "light" in dict(self.view.notices)  # until the camera has adapted, nothing is read
        seen: Word = "light_changed" if waits else self._gate
        return ("check" if state.pressing else "ready") if seen == "still" else seen

    def rename(self, name: str) -> None:
        self.view = replace(self.view, name=name)
        self.publish()

    def set_club(self, club: InClub | None) -> None:
        self.view = replace(self.view, club=club)
        self.publish()

    def set_notice(self, kind: NoticeKind, text: Message | str | None) -> None:
        """Set the notice about something missing or broken, the only one of its kind; None removes it."""
        if self._note(kind, text):
            self.publish()

    def _note(self, kind: NoticeKind, text: Message | str | None) -> bool:
        """Set a notice to be published later. Returns whether anything has changed; only then the log says so."""
        wanted, notices = None if text is None else wording(text), dict(self.view.notices)
        if notices.get(kind) == wanted:
            return False
        if wanted is None:
            del notices[kind]
        else:
            notices[kind] = wanted  # a changed notice keeps its place on the page
        self.view = replace(self.view, notices=tuple(notices.items()))
        log.warning("%s: %s", kind, wanted or "no longer")
        return True

    def publish(self) -> None:
        """Publish the newest state to all listeners, if it has changed. A failing one does not affect the others."""
        snapshot = self._take_snapshot()
        if snapshot != self.snapshot:
            self.snapshot = snapshot
            for changed in tuple(self.on_changed):  # other threads add and remove some
                try:
                    changed(snapshot)
                except Exception:
                    log.exception("A listener failed")

    def _take_snapshot(self) -> State:
        self._note("journal", self._journal.trouble)
        view = replace(self.view, word=self.word, history=tuple(self.history))
        return State.of(view, self.state)
