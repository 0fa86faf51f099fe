"""Detects commands that would overwrite a change that their sender has not seen. A command names the state that its
sender saw. What it would overwrite, such as a round's figures, is compared between that state and the present one: the
sender has not seen a difference, whether a person, the camera or an answer made it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from controller.match import commands as cm
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.fold import apply, fold
from controller.match.state import MatchState
from controller.match.timeline import redoable, undoable
from controller.match.timers import TimerCommand
from controller.rules import TWENTY


def unseen_changes(command: cm.Command, history: Sequence[Stamped]) -> list[Stamped]:
    """The events that changed what the command would overwrite after its sender saw it."""
    if command.seen is None or already_carried_out(command, history):
        return []
    known = [s for s in history if s.id <= command.seen]
    newer = history[len(known) :]
    if not known:  # this match began afterwards
        return [s for s in newer if _is_by_people(s.event)] or list(newer[:1])
    if resumed := [s for s in newer if isinstance(s.event, ev.StartUndone)]:
        return resumed  # its sender saw the later match
    return _changes(command, known, newer)


def _is_by_people(event: ev.Event) -> bool:
    return isinstance(event, ev.SentEvent) and event.by != "table"


def _changes(command: cm.Command, known: list[Stamped], newer: Sequence[Stamped]) -> list[Stamped]:
    """The newer events that changed what is at stake, unless others brought it back to what the sender saw."""
    if not any(isinstance(s.event, ev.SentEvent) for s in newer):
        return []  # readings alone change nothing that a command overwrites
    state = fold(0, known)
    seen = before = _at_stake(command, state, known)
    changes = []
    for s in newer:
        known.append(s)
        state = fold(0, known) if s.event.reorders else apply(state, s)
        now = _at_stake(command, state, known)
        if now != before and before == seen and _counted_itself(command, s.event):
            seen = now  # as when counting the first disc takes a match over
        elif now != before:
            changes.append(s)
        before = now
    return changes if before != seen else []


def _counted_itself(command: cm.Command, event: ev.Event) -> bool:
    """Whether the sender of a count caused this event by counting just before."""
    own = isinstance(event, ev.DiscCounted | ev.TwentyCounted | ev.Handed) and event.sender == command.sender != ""
    return own and isinstance(command, cm.Count)


def already_carried_out(command: cm.Command, history: Iterable[Stamped]) -> bool:
    """Whether the match has the command's events already, so that it was sent again because its answer was lost."""
    return bool(command.key) and any(isinstance(s.event, ev.SentEvent) and s.event.key == command.key for s in history)


def _at_stake(command: cm.Command, state: MatchState, history: Sequence[Stamped]) -> object:
    """The part of a state that the command would overwrite or continue; None if it can't conflict."""
    if isinstance(command, cm.Undo):
        return _id(undoable(history)) if command.event is None else None
    if isinstance(command, cm.Redo):
        return _id(redoable(history))
    at_stake = _AT_STAKE.get(type(command))
    return at_stake(command, state) if at_stake else None


def _id(stamped: Stamped | None) -> int | None:
    return stamped.id if stamped else None


def _round(command: cm.CorrectRound | cm.Award, state: MatchState) -> object:
    rounds = state.game.all_rounds[command.round - 1 : command.round]
    return [(r.totals, r.twenty_counts, r.awarded_by_hand, r.number <= state.confirmed) for r in rounds]


def _running(command: cm.Command, state: MatchState) -> object:
    running = state.game.round
    figures = (running.totals, running.twenty_counts, state.by_hand, len(running.shots))
    return (running.number, state.confirmed, state.paused, state.uncleared, *figures)


def _counted(command: cm.Count, state: MatchState) -> object:
    """The side's count, excluding counts by the sender itself."""
    counted = state.counted_for(command.side)
    own = [one for one in counted if command.sender and one.sender == command.sender]
    twenties = state.game.round.twenty_counts.get(command.side, 0) - sum(one.points == TWENTY for one in own)
    return state.game.round.number, state.manual, twenties, [one.id for one in counted if one not in own]


def _twenties(command: cm.CorrectTwenties, state: MatchState) -> object:
    rounds = state.game.all_rounds[command.round - 1 : command.round]
    return [r.twenty_counts.get(command.side) for r in rounds]


def _disc(command: cm.CorrectDisc, state: MatchState) -> object:
    rounds = state.game.all_rounds[(command.round or state.game.round.number) - 1 :][:1]
    shots = [shot for r in rounds for shot in r.shots][: command.shot]
    return [(one.board.discs.get(command.disc), command.disc in one.banked) for one in shots[-1:]]


def _shot(command: cm.CorrectShot | cm.AnnulShot | cm.OverruleShot, state: MatchState) -> object:
    place = (command.round, command.shot)
    if place not in state.shots:
        return None
    played = state.game.all_rounds[command.round - 1].shots[command.shot - 1]
    judgement = played.judgement
    return state.shots[place], judgement.valid, judgement.played_as, judgement.rule


def _timer(command: TimerCommand, state: MatchState) -> object:
    timer = state.timers.get(command.timer)
    return timer.id if timer else None


_AT_STAKE: Mapping[type, Callable[[Any, MatchState], object]] = {
    cm.Start: lambda command, state: state.over,
    cm.Confirm: _running,
    cm.EndRound: _running,
    cm.EnterRound: _running,
    cm.TimeOut: _running,
    cm.Automatic: _running,
    cm.Count: _counted,
    cm.CorrectTwenties: _twenties,
    cm.CorrectRound: _round,
    cm.Award: _round,
    cm.CorrectDisc: _disc,
    cm.AddShot: lambda command, state: (state.game.round.number, len(state.game.round.shots)),
    cm.CorrectShot: _shot,
    cm.AnnulShot: _shot,
    cm.OverruleShot: _shot,
    cm.AnswerQuestion: lambda command, state: [
        one for one in (command.question, *command.also) if one <= state.last_id and one not in state.questions
    ],
    cm.CallConduct: lambda command, state: [c for c in state.conduct if c.side == command.side],
    cm.EnterShootOut: lambda command, state: (state.game.round.number, len(state.game.shoot_outs)),
    cm.TurnSeats: lambda command, state: state.seating.directions,
    **dict.fromkeys(get_args(TimerCommand), _timer),
}
