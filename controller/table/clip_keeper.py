"""Decides which clips are kept: those of questions, and of shots worth watching again. For the engine's thread."""

import logging
from collections.abc import Iterator, Mapping, Sequence

from controller.errors import JournalError
from controller.journal.media import Clip, Clips
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.shot_kinds import notable, played_shot
from controller.match.state import MatchState
from controller.messages import say
from controller.table.question_pictures import NO_BOARD

log = logging.getLogger(__name__)
REMEMBERED = 4  # shots: a question about an earlier one comes with the next board or the one after it
NO_CLIPS = say("The disk is nearly full: no clips of shots are kept. Make room.")
Span = tuple[int, int, float]  # the first and the last event, and the time of the first


class ClipKeeper:
    """Receives the clip of the motion before each reading, and keeps it if the reading led to something notable."""

    def __init__(self, clips: Clips) -> None:
        self._clips = clips
        self._newest: Clip | None = None
        self._shots: dict[int, tuple[Span, Clip]] = {}  # the newest shots' clips, by event
        self._known: dict[int, str] | None = None  # this match's clips by event; None until they are needed
        self._match = 0

    def filmed(self, clip: Clip | None) -> None:
        """The motion before the newest reading; None if there was none."""
        self._newest = clip or self._newest

    def happened(self, stamped: Sequence[Stamped], state: MatchState, history: Sequence[Stamped]) -> None:
        """Handle new events of the running match, its state after them, and all its events (`history`)."""
        if state.number != self._match:
            self._match, self._known, self._shots, self._newest = state.number, None, {}, None
        if not stamped or self._newest is None:
            return
        span = stamped[0].id, stamped[-1].id, stamped[0].at
        for one in stamped:
            self._remember(one, span)
        if any(self._is_worth_keeping(one, state) for one in stamped):
            self._keep(span, self._newest, history)
        for about in (shot for one in stamped for shot in self._earlier(one, state)):
            if about in self._shots and about not in self.of_match(state.number, history):
                self._keep(*self._shots[about], history)

    def of_match(self, number: int, history: Sequence[Stamped]) -> Mapping[int, str]:
        """The names of the running match's clips by event. `history`: its events."""
        if self._known is None or number != self._match:
            self._match = number
            self._known = self._clips.by_event(number, {one.id: one.at for one in history})
        return self._known

    def _remember(self, one: Stamped, span: Span) -> None:
        if isinstance(one.event, ev.ShotSeen) and one.event.by == "table" and self._newest is not None:
            self._shots[one.id] = span, self._newest
            for old in sorted(self._shots)[:-REMEMBERED]:
                del self._shots[old]

    def _earlier(self, one: Stamped, state: MatchState) -> Iterator[int]:
        """Earlier shots whose clips are now worth keeping: the subject of a question, and revised shots."""
        match one.event:
            case ev.QuestionAsked(shot=int(shot)):
                yield shot
            case ev.Amended(revised=revised):
                yield from (one.number for one in revised if one.number is not None and _notable(state, one.number))

    def _is_worth_keeping(self, one: Stamped, state: MatchState) -> bool:
        match one.event:
            case ev.QuestionAsked(what=what):
                return what not in NO_BOARD
            case ev.ShotSeen(by="table"):
                return _notable(state, one.id)
        return False

    def _keep(self, span: Span, clip: Clip, history: Sequence[Stamped]) -> None:
        first, last, at = span
        try:
            if not self._clips.has_room():  # a notice says so, see `Housekeeping`
                return
            known = dict(self.of_match(self._match, history))
            name = self._clips.keep(self._match, first, last, at, clip)
            self._known = known | dict.fromkeys(range(first, last + 1), name)
        except (JournalError, OSError) as error:  # the score does not need it
            log.warning("A clip can't be kept: %s", error)


def _notable(state: MatchState, number: int) -> bool:
    shot = played_shot(state, number)
    return shot is not None and notable(shot) is not None
