"""Discs that people take off although nobody asked them to: people are believed.

| people | means |
| --- | --- |
| take off a disc that a shot has just moved | it had left the surface and bounced back |
| put back a disc that they took off | they had taken the wrong one |
"""

from collections.abc import Sequence

from controller import rules
from controller.match import events as ev
from controller.match.state import MatchState
from controller.referee.read_board import ReadBoard
from controller.referee.settings import CONDUCT


def removals(state: MatchState, taken: Sequence[str], lifted: Sequence[str]) -> list[ev.Event]:
    """The events of taking these discs off, some of which were `lifted` from the hole as twenties."""
    taken = [n for n in taken if n not in lifted]
    moved_by = {n: k for n in taken if n not in state.ruled and (k := _moved_lately(state, n)) is not None}
    events: list[ev.Event] = [ev.DiscCorrected(disc=n, zone=20) for n in lifted]
    for number in sorted(set(moved_by.values())):
        back = (n for n in taken if moved_by.get(n) == number)
        events.append(_corrected(state, number, (*_returned(state, number), *back)))
    return events + [ev.DiscCorrected(disc=n, zone=None) for n in taken if n not in moved_by]


def lifted_twenties(state: MatchState, board: ReadBoard, taken: Sequence[str], *, hand: bool) -> tuple[str, ...]:
    """Which of the `taken` discs people took as twenties out of the hole, although they had seemed to lean into it.

    A disc that leans is in play, and people leave it there. Where camera and sensor were sure that it leaned, it is a
    twenty only if a hand was seen, no disc of its side came into the ditch, and the round goes on; else the hand may
    have laid it into the ditch, or is clearing the board.
    """
    across = [n for n in taken if state.measured[n].pose == "leaning" and n not in state.ruled]
    plain = hand and not state.game.round.complete
    return tuple(
        n for n in across if state.measured[n].call == "close" or (plain and not board.in_ditch[board.side_of[n]])
    )


def taken_off(event: ev.Event) -> tuple[str, ...]:
    """The discs that people take off by this event."""
    match event:
        case ev.ShotCorrected(returned=tuple(discs)):
            return discs
        case ev.DiscCorrected(disc=disc, zone=None):
            return (disc,)
    return ()


def put_back(state: MatchState, disc: str, was: ev.Measured) -> ev.Event:
    """The event that puts it back in play; where it was asked about, this is the answer."""
    for question in state.questions.values():
        if question.asked.what == "lost" and question.asked.disc == disc:
            return ev.QuestionAnswered(question=question.id, answer="counts")
    for number, _ in _latest(state):
        if disc in (returned := _returned(state, number)):
            return _corrected(state, number, tuple(n for n in returned if n != disc))
    return ev.DiscCorrected(disc=disc, zone=was.zone, at=(was.x, was.y))


def _corrected(state: MatchState, number: int, returned: tuple[str, ...]) -> ev.ShotCorrected:
    return ev.ShotCorrected(target=state.shots[state.game.round.number, number], returned=returned)


def _latest(state: MatchState) -> list[tuple[int, rules.Shot]]:
    """The newest shots, newest first, with their numbers."""
    current = state.game.round
    shots = list(enumerate(current.shots, start=1))[-CONDUCT.late_shots :]
    return [(number, played.shot) for number, played in reversed(shots) if (current.number, number) in state.shots]


def _moved_lately(state: MatchState, disc: str) -> int | None:
    """The shot that left the disc on the surface at another place, if nothing has touched it since."""
    for number, shot in _latest(state):
        if isinstance(shot.rest.get(disc), rules.Placed):
            return number
        if any(disc in pair for pair in shot.contacts):
            return None
    return None


def _returned(state: MatchState, number: int) -> tuple[str, ...]:
    """The discs that bounced back in this shot, as people have shown by taking them off."""
    rest = state.game.round.shots[number - 1].shot.rest
    return tuple(n for n, at in rest.items() if isinstance(at, rules.Placed) and at.returned)
