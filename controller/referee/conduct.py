"""People who play on answer a question by it: a disc that they leave on the board is in play.

This holds for two questions of the running round: a close call at the outer line, and a contact that decides a foul.
"""

from collections.abc import Collection

from controller import rules
from controller.match import events as ev
from controller.match.questions import OpenQuestion
from controller.match.state import MatchState
from controller.referee.questions import TOUCHED
from controller.referee.read_board import distance
from controller.referee.settings import CONDUCT


def played_on(state: MatchState, lying: Collection[str]) -> ev.Event | None:
    """The next event by which a disc that may have to come off stays in play, now that another shot was taken.

    `lying`: the discs that lie on the board.
    """
    asked = [q for q in state.questions.values() if q.asked.round == state.game.round.number and q.asked.disc in lying]
    events = (_over_line(state, q, asked) if q.asked.what == "close_call" else _touched(state, q) for q in asked)
    return next((event for event in events if event is not None), None)


def _over_line(state: MatchState, question: OpenQuestion, asked: list[OpenQuestion]) -> ev.Event | None:
    disc = str(question.asked.disc)
    close = state.to_remove.get(disc) == "outer_line" and state.measured[disc].call == "close"
    alone = all(other.asked.disc != disc for other in asked if other is not question)
    return ev.DiscCorrected(disc=disc, zone=5) if close and alone else None  # the ring within the outer line counts 5


def _touched(state: MatchState, question: OpenQuestion) -> ev.Event | None:
    asked, disc = question.asked, str(question.asked.disc)
    played = next((p for p in state.game.round.shots if p.shot.disc == disc), None)
    if asked.what != "contact" or disc not in state.to_remove or played is None or played.judgement.counted_valid:
        return None
    rest = played.shot.rest.get(disc)
    untouched = isinstance(rest, rules.Placed) and distance(rest, state.measured[disc]) < CONDUCT.nudge_mm
    if untouched and any(answer.id == TOUCHED and answer.does for answer in asked.answers):
        return ev.QuestionAnswered(question=question.id, answer=TOUCHED)
    return None
