"""Undo and redo: which events still count, and which one an undo or redo affects."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from controller.errors import Refused
from controller.match.base import At, BaseCommand, Events, SentEvent, Stamped
from controller.match.counting import check_counted
from controller.match.discs import Measured, Stranger, with_unplayed
from controller.match.lifecycle import MatchDeleted, MatchStarted, StartUndone
from controller.match.model import Number
from controller.match.shots import ShotSeen
from controller.match.state import MatchState
from controller.messages import marked, say


class Undone(SentEvent):
    """An earlier event no longer counts. `ended`: the number of rounds that had ended until then. After an undone shot
    the discs are still where it left them: `measured` are those of the match, `strangers` the others, which do not
    score until they are lifted."""

    webhook = "correction"
    words = marked("Undone")
    revises = True
    target: int
    ended: int = 0
    measured: dict[str, Measured] | None = None
    strangers: tuple[Stranger, ...] = ()

    def apply(self, state: MatchState) -> MatchState:
        if self.measured is None:  # a round's end or a correction: the fold without it is enough
            reopened = state.confirmed < self.ended
            return replace(state, end_undone=state.end_undone or reopened, undone=state.last_id)
        known = {disc: m for disc, m in self.measured.items() if disc in state.measured}
        lying = state.with_measured(known)
        return replace(lying, strangers=self.strangers, last_call=None, undone=state.last_id)


class Redone(SentEvent):
    """An `Undone` no longer counts."""

    webhook = "correction"
    words = marked("Redone")
    revises = True
    target: int

    def apply(self, state: MatchState) -> MatchState:
        return state


def standing(history: Sequence[Stamped]) -> list[Stamped]:
    """The events that are not undone, in journal order."""
    void: set[int] = set()
    for s in history:
        if isinstance(s.event, Undone):
            void.add(s.event.target)
        elif isinstance(s.event, Redone):
            void.add(s.event.target)
            undone = next(o for o in history if o.id == s.event.target)
            assert isinstance(undone.event, Undone)
            void.discard(undone.event.target)
    return [s for s in history if s.id not in void]


def undoable(history: Sequence[Stamped]) -> Stamped | None:
    """The step that an undo would undo: the last one, else the start if it replaced a running match."""
    for s in reversed(standing(history)):
        if s.event.undoable or (isinstance(s.event, MatchStarted) and s.event.before is not None):
            return s
    return None


def redoable(history: Sequence[Stamped]) -> Stamped | None:
    """The undo that a redo would undo: the last one, if no step came after it."""
    last = next((s for s in reversed(standing(history)) if s.event.undoable or isinstance(s.event, Undone)), None)
    return last if last and isinstance(last.event, Undone) else None


class Undo(BaseCommand):
    """Undo the last step, or the `event` that counted a disc of the running round by hand."""

    do: Literal["undo"]
    event: Number | None = None

    def at_stake(self, at: At) -> object:
        return undoable(at.history) if self.event is None else None

    def undoes_start(self, history: Sequence[Stamped]) -> bool:
        """Whether it undoes the match's start, because there is nothing else to undo."""
        if self.event is not None or self.was_carried_out(history):
            return False
        last = undoable(history)
        return last is not None and isinstance(last.event, MatchStarted)

    def start_undone(self, state: MatchState) -> tuple[MatchDeleted, StartUndone]:
        """The events that undo a match's start: one in that match, and one in the match that continues."""
        deleted = MatchDeleted(resumed=state.started.before, **self.sent)
        return deleted, StartUndone(match=state.number, **self.sent)

    def events(self, at: At) -> Events:
        if self.event is not None:
            check_counted(self.event, at.state)
            return [Undone(target=self.event)]
        target = undoable(at.history)
        if target is None or isinstance(target.event, MatchStarted):  # an earlier match's start stays
            raise Refused(say("There is nothing to undo."), "undo")
        if isinstance(target.event, ShotSeen):
            lying = at.state.measured
            rest = {disc: measured for disc, measured in lying.items() if disc != target.event.disc}
            return [Undone(target=target.id, measured=rest, strangers=with_unplayed(at.state.strangers, lying, rest))]
        return [Undone(target=target.id, ended=at.state.confirmed)]


class Redo(BaseCommand):
    """Undo the last undo."""

    rereads = True
    do: Literal["redo"]

    def at_stake(self, at: At) -> object:
        return redoable(at.history)

    def events(self, at: At) -> Events:
        target = redoable(at.history)
        if target is None:
            raise Refused(say("There is nothing to redo."), "undo")
        return [Redone(target=target.id)]
