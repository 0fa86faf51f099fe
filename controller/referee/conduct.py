"""What people do answers what the table asks: a disc that they leave on the board while they play on is in play."""

from controller import events as ev
from controller.match import MatchState, OpenQuestion
from controller.referee.read_board import ReadBoard

TOUCHED = "touched"  # the answer by which the shot was a good one


def played_on(state: MatchState, board: ReadBoard) -> ev.Event | None:
    """The next event by which a disc that may have to come off stays in play, now that another shot was taken."""
    events = (_in_play(state, board, question) for question in state.questions.values())
    return next((event for event in events if event is not None), None)


def _in_play(state: MatchState, board: ReadBoard, question: OpenQuestion) -> ev.Event | None:
    asked = question.asked
    disc = asked.disc or next(iter(asked.discs), None)
    if disc is None or disc not in board.known:
        return None
    why = state.to_remove.get(disc)
    if asked.what == "close_call" and why == "outer_line":
        return ev.DiscCorrected(disc=disc, zone=5)  # what the surface counts within its outer line
    if asked.what == "contact" and why == "foul" and any(answer.id == TOUCHED for answer in asked.answers):
        return ev.QuestionAnswered(question=question.id, answer=TOUCHED)
    return None
