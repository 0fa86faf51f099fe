"""What people's commands become: the events that carry them out, or a refusal in words."""

from controller import commands as cm
from controller import events as ev
from controller.errors import Refused
from controller.match import MatchState
from controller.scorebook import Scorebook
from controller.timeline import redoable, undoable


def events_for(command: cm.Command, book: Scorebook) -> list[ev.Event]:
    """The events that carry out a command on this match. Raises `Refused` where it does not fit."""
    state = book.state
    match command:
        case cm.Undo():
            return [_undo(book)]
        case cm.Redo():
            return [_redo(book)]
        case cm.EndRound():
            if state.over:
                raise Refused("The match is over.")
            return [ev.RoundEnded(how="confirmed")]
        case cm.AnswerQuestion():
            return [_answer(command, state)]
        case cm.CorrectTwenties():
            return [ev.TwentiesCorrected(round=command.round, side=command.side, value=command.value)]
        case cm.CorrectRound():
            return [ev.RoundCorrected(round=command.round, totals=command.totals)]
        case cm.EnterShootOut():
            return [ev.ShootOutEntered(twenties=command.twenties)]
        case cm.CorrectDisc():
            if command.disc not in state.measured:
                raise Refused(f"disc: {command.disc} does not lie on the board.")
            return [ev.DiscCorrected(disc=command.disc, zone=None if command.zone == "remove" else command.zone)]
        case cm.Pause() | cm.Resume():
            return [ev.Paused(paused=isinstance(command, cm.Pause))]
        case _:
            raise AssertionError(command)


def _undo(book: Scorebook) -> ev.Undone:
    target, state = undoable(book.history), book.state
    if target is None:
        raise Refused("There is nothing to undo.")
    if isinstance(target.event, ev.ShotSeen):
        shot = target.event.disc
        strangers = (*state.strangers, *(d for name, d in state.measured.items() if name == shot))
        rest = {name: d for name, d in state.measured.items() if name != shot}
        return ev.Undone(target=target.id, measured=rest, strangers=strangers)
    over = isinstance(target.event, ev.QuestionAnswered) and target.event.answer == "over"
    return ev.Undone(target=target.id, round_end=over or isinstance(target.event, ev.RoundEnded))


def _redo(book: Scorebook) -> ev.Redone:
    target = redoable(book.history)
    if target is None:
        raise Refused("There is nothing to redo.")
    return ev.Redone(target=target.id)


def _answer(command: cm.AnswerQuestion, state: MatchState) -> ev.QuestionAnswered:
    question = state.questions.get(command.question)
    if question is None:
        raise Refused("That question is not open any more.")
    if command.answer not in [a.id for a in question.asked.answers]:
        raise Refused(f"answer: one of {', '.join(a.id for a in question.asked.answers)}.")
    return ev.QuestionAnswered(question=command.question, answer=command.answer)
