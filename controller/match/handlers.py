"""Turns people's commands into the events that carry them out, or refuses them with a reason."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from controller.errors import Refused
from controller.match import commands as cm
from controller.match import counting
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.conflicts import already_carried_out
from controller.match.questions import UNKNOWN
from controller.match.seating import clockwise
from controller.match.state import MatchState
from controller.match.timekeeper import Timekeeper
from controller.match.timeline import redoable, undoable
from controller.match.timers import TimerCommand
from controller.messages import counted, say

IN_A_ROUND = (cm.EndRound, cm.EnterRound, cm.Agree, cm.WinRound, cm.TimeOut)  # commands that need a round in progress


class _At(NamedTuple):
    history: Sequence[Stamped]
    state: MatchState


Handlers = Mapping[type[Any], Callable[[Any, _At], Sequence[ev.Event]]]


def events_for(
    command: cm.Command, history: Sequence[Stamped], state: MatchState, timers: Timekeeper, own: Handlers
) -> Sequence[ev.Event]:
    """The events that carry out a command on this match, with its sender; none if it was carried out before. `timers`:
    runs the match's clocks; `own`: the caller's handlers of commands that need more than the match. Raises `Refused` if
    the match does not allow it."""
    if already_carried_out(command, history):
        return []
    if isinstance(command, IN_A_ROUND):
        counting.check_running(state.game.round.number, state)
    if isinstance(command, TimerCommand):
        events: Sequence[ev.Event] = [timers.event_for(command, state)]
    else:
        handler = own.get(type(command)) or _HANDLERS[type(command)]
        events = handler(command, _At(history, state))
    return [event.model_copy(update=command.sent) if isinstance(event, ev.SentEvent) else event for event in events]


def _undo(command: cm.Undo, history: Sequence[Stamped], state: MatchState) -> ev.Event:
    if command.event is not None:
        return counting.take_back(command.event, state)
    target = undoable(history)
    if target is None or isinstance(target.event, ev.MatchStarted):  # an earlier match's start stays
        raise Refused(say("There is nothing to undo."))
    if isinstance(target.event, ev.ShotSeen):
        shot = target.event.disc
        left = [d for name, d in state.measured.items() if name == shot]
        strangers = (ev.Stranger.of(d, target.event.side) for d in left)
        rest = {name: d for name, d in state.measured.items() if name != shot}
        return ev.Undone(target=target.id, measured=rest, strangers=(*state.strangers, *strangers))
    over = isinstance(target.event, ev.QuestionAnswered) and target.event.answer == "over"
    return ev.Undone(target=target.id, round_end=over or target.event.ends_round)


def _redo(history: Sequence[Stamped]) -> ev.Redone:
    target = redoable(history)
    if target is None:
        raise Refused(say("There is nothing to redo."))
    return ev.Redone(target=target.id)


def _confirm(state: MatchState) -> list[ev.Event]:
    """Confirm the first of these that is pending: the end of a pause, the cleared board, the end of the round."""
    if state.paused:
        return [ev.Paused(paused=False)]
    if state.uncleared:
        return [ev.BoardAdopted(shots=(), measured={})]
    if state.round_proposed and not state.over:
        return [ev.RoundEnded(how="confirmed")]
    raise Refused(say("There is nothing to confirm."))


def _enter_round(command: cm.EnterRound, state: MatchState) -> ev.RoundEntered:
    _refuse_impossible(command.totals, command.twenties, state)
    return ev.RoundEntered(totals=command.totals, twenties=command.twenties)


def _refuse_impossible(totals: Mapping[Any, int], twenties: Mapping[Any, int], state: MatchState) -> None:
    """Raise `Refused` if a side's discs can't make this total with these twenties."""
    for side, count in twenties.items():
        total = totals.get(side)
        least, most = 20 * count, 20 * count + 15 * (state.game.terms.discs - count)
        if side not in state.sides or total is None or least <= total <= most:
            continue  # the rules refuse an unknown side
        figures = {"name": state.name_of(side), "total": total, "least": least, "most": most}
        raise Refused(
            counted(
                "{name}: with {n} twenty the total is from {least} to {most}; {total} is not possible.",
                "{name}: with {n} twenties the total is from {least} to {most}; {total} is not possible.",
                count,
                **figures,
            )
        )


def _check_board(state: MatchState) -> ev.QuestionAsked:
    if not state.round_proposed:
        raise Refused(say("You can check the board once all discs of the round have been shot."))
    number = state.game.round.number
    if any(q.asked.what == "check" and q.asked.round == number for q in state.questions.values()):
        raise Refused(say("This board is being checked already."))
    answers = (ev.Answer(id="right"), ev.Answer(id="wrong"))
    return ev.QuestionAsked(what="check", case="board", round=number, discs=tuple(state.measured), answers=answers)


def _found_wrong(command: cm.CorrectDisc, state: MatchState) -> Iterator[ev.QuestionAnswered]:
    """Correcting a disc answers its round's spot check: the board was wrong."""
    number = command.round or state.game.round.number
    for id_, question in state.questions.items():
        if question.asked.what == "check" and question.asked.round == number:
            yield ev.QuestionAnswered(question=id_, answer="wrong")


def _answer(command: cm.AnswerQuestion, state: MatchState) -> ev.QuestionAnswered:
    for number in (command.question, *command.also):
        question = state.questions.get(number)
        if question is None:
            raise Refused(say("That question is not open any more."))
        known = [answer.id for answer in question.asked.answers]
        if not question.aside:
            known.append(UNKNOWN)
        if command.answer not in known:
            raise Refused(say("answer: one of {answers}.", answers=", ".join(known)))
    return ev.QuestionAnswered(question=command.question, answer=command.answer, also=command.also)


def _shot(state: MatchState, number: int, shot: int) -> int:
    target = state.shots.get((number, shot))
    if target is None:
        count = max((k for n, k in state.shots if n == number), default=0)
        raise Refused(
            say("Round {number} has no shot {shot}; the table saw {count}.", number=number, shot=shot, count=count)
        )
    return target


def _overrule(command: cm.OverruleShot, state: MatchState) -> ev.ShotOverruled:
    target = _shot(state, command.round, command.shot)
    judgement = state.game.all_rounds[command.round - 1].shots[command.shot - 1].judgement
    if judgement.rule == "annulled":
        raise Refused(say("That shot was annulled: it counts for nothing."))
    if command.valid is None and judgement.played_as is None:
        raise Refused(say("That shot follows the rules already: nothing else was agreed."))
    if command.valid is not None and command.valid == judgement.counted_valid:
        raise Refused(say("That shot counts as valid already.") if command.valid else say("It is a foul already."))
    return ev.ShotOverruled(target=target, valid=command.valid)


def _conduct(command: cm.CallConduct, state: MatchState) -> ev.ConductCalled:
    if command.side not in state.sides:
        raise Refused(say("side: there are {sides}.", sides=", ".join(state.sides)))
    if command.shot is None and state.over:
        raise Refused(say("The match is over."))
    target = None
    if command.round is not None and command.shot is not None:
        target = _shot(state, command.round, command.shot)
    return ev.ConductCalled(side=command.side, conduct=command.conduct, target=target)


def _delete(command: cm.DeleteMatch, state: MatchState) -> ev.MatchDeleted:
    if command.deleted and state.deleted:
        raise Refused(say("Match {number} is deleted already.", number=state.number))
    if not command.deleted and not state.deleted:
        raise Refused(say("Match {number} is not deleted.", number=state.number))
    return ev.MatchDeleted(deleted=command.deleted)


def _disc(command: cm.CorrectDisc, state: MatchState) -> ev.DiscCorrected:
    zone = None if command.zone == "remove" else command.zone
    number = command.round or state.game.round.number
    if number > len(state.game.all_rounds):
        raise Refused(say("There is no round {number} yet.", number=number))
    if command.disc not in state.game.all_rounds[number - 1].owners:
        raise Refused(say("disc: no disc {disc} was shot in round {number}.", disc=command.disc, number=number))
    after = _corrected_shot(command.shot, number, state)
    if after is None and command.at is None and command.disc not in state.measured:
        raise Refused(
            say("disc: {disc} does not lie on the board; say where it lies, as at: [x, y].", disc=command.disc)
        )
    at = None if command.at is None else state.seating.measured(*command.at)
    return ev.DiscCorrected(disc=command.disc, zone=zone, at=at, after=after)


def _corrected_shot(shot: int | None, number: int, state: MatchState) -> int | None:
    """The `ShotSeen` after which a disc is corrected: that of `shot`, else the last one of an ended round. None for a
    correction of the present board."""
    if shot is not None:
        return _shot(state, number, shot)
    if number <= state.confirmed:
        return _shot(state, number, max((k for n, k in state.shots if n == number), default=0))
    return None


def _turn_seats(command: cm.TurnSeats, state: MatchState) -> ev.SeatsLearnt:
    turned = {seat: clockwise(side, command.quarters) for seat, side in state.seating.directions.items()}
    return ev.SeatsLearnt(directions=turned)


_HANDLERS: Handlers = {
    cm.Undo: lambda command, at: [_undo(command, at.history, at.state)],
    cm.Redo: lambda command, at: [_redo(at.history)],
    cm.Confirm: lambda command, at: _confirm(at.state),
    cm.AnswerQuestion: lambda command, at: [_answer(command, at.state)],
    cm.CheckBoard: lambda command, at: [_check_board(at.state)],
    cm.Pause: lambda command, at: [ev.Paused(paused=True)],
    cm.Resume: lambda command, at: [ev.Paused(paused=False)],
    cm.Manual: lambda command, at: [] if at.state.manual else [ev.Handed(manual=True, recount=True)],
    cm.TurnSeats: lambda command, at: [_turn_seats(command, at.state)],
    cm.Count: lambda command, at: counting.count(command, at.state),
    cm.EndRound: lambda command, at: [ev.RoundEnded(how="confirmed")],
    cm.EnterRound: lambda command, at: [_enter_round(command, at.state)],
    cm.Agree: lambda command, at: [counting.agree(command, at.state)],
    cm.WinRound: lambda command, at: [counting.win(command, at.state)],
    cm.TimeOut: lambda command, at: [ev.TimedOut()],
    cm.EnterShootOut: lambda command, at: [ev.ShootOutEntered(twenties=command.twenties)],
    cm.CorrectTwenties: lambda command, at: [
        ev.TwentiesCorrected(round=command.round, side=command.side, value=command.value)
    ],
    cm.CorrectRound: lambda command, at: [ev.RoundCorrected(round=command.round, totals=command.totals)],
    cm.Award: lambda command, at: [ev.RoundAwarded(round=command.round, points=command.points)],
    cm.CorrectShot: lambda command, at: [
        ev.ShotCorrected(target=_shot(at.state, command.round, command.shot), valid=command.valid)
    ],
    cm.AnnulShot: lambda command, at: [ev.ShotAnnulled(target=_shot(at.state, command.round, command.shot))],
    cm.OverruleShot: lambda command, at: [_overrule(command, at.state)],
    cm.CorrectDisc: lambda command, at: [*_found_wrong(command, at.state), _disc(command, at.state)],
    cm.CallConduct: lambda command, at: [_conduct(command, at.state)],
    cm.DeleteMatch: lambda command, at: [_delete(command, at.state)],
}
"""How each command is carried out on a match. The table starts matches, adopts boards and adds shots that it missed;
clocks carry out the timers' commands."""
