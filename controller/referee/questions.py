"""What the referee asks people, in words. A question never blocks: until it is answered the measured zone counts."""

from controller import events as ev
from controller.match import MatchState
from controller.vision.readings import AT_HOLE
from controller.words import Words, counted, say

LOWER = {15: 10, 10: 5, 5: 0}
HIGHER = {10: 15, 5: 10, 0: 5}


def zones_in_doubt(disc: ev.Measured) -> tuple[int, int]:
    """The zone as measured, and the one on the other side of the line that decides."""
    if disc.pose in AT_HOLE:
        return (15, 20) if disc.pose == "leaning" else (20, 15)
    other = LOWER.get(disc.zone) if disc.clearance > 0 else HIGHER.get(disc.zone)
    return disc.zone, other if other is not None else disc.zone


def ask_close(state: MatchState, frame: str, *, at_hole: bool = False) -> list[ev.QuestionAsked]:
    """A question for each disc that lies too near a line, unless it was asked or ruled.

    With `at_hole` only for discs at the hole: where camera and hole sensor say different things, or where the camera
    alone is not sure.
    """
    number = state.game.round.number
    asked = {q.asked.disc for q in state.questions.values() if q.asked.round == number}
    questions = []
    for name, disc in (state.measured if at_hole else state.on_board).items():
        if disc.call == "sure" or name in asked or name in state.ruled or (at_hole and not _asks_hole(state, name)):
            continue
        zone, other = zones_in_doubt(disc)
        if zone != other:
            questions.append(_close_call(state, name, disc, (zone, other), number, frame))
    return questions


def _asks_hole(state: MatchState, name: str) -> bool:
    why, pose = state.to_remove.get(name), state.measured[name].pose
    return (pose == "leaning" and why is None) or (pose == "in_hole" and why == "twenty" and state.hole_level is None)


def _close_call(
    state: MatchState, name: str, disc: ev.Measured, zones: tuple[int, int], number: int, frame: str
) -> ev.QuestionAsked:
    side = state.side_of(name)
    label = state.started.sides["AB".index(side)].name
    lengths = {"mm": round(abs(disc.clearance), 1), "sigma": round(disc.sigma, 1)}
    clear = disc.clearance > 0
    gap = say("{mm} mm clear, ± {sigma}", **lengths) if clear else say("{mm} mm over, ± {sigma}", **lengths)
    text = say("{side}: {high} or {low}? Measured {gap}.", side=label, high=max(zones), low=min(zones), gap=gap)
    at_hole = disc.pose in AT_HOLE
    if at_hole:
        unheard = state.hole_level is None
        why = say("The camera is not sure.") if unheard else say("Camera and hole sensor disagree.")
        text = say("{side}: does this disc lie flat in the hole? {why}", side=label, why=why)
    totals = state.game.round.totals
    answers = tuple(
        ev.Answer(
            id=str(zone),
            text=Words(str(zone)),
            effect=say("{side} {total} in round {n}", side=label, total=totals[side] + zone - disc.zone, n=number),
        )
        for zone in sorted(zones, reverse=True)
    )
    return ev.QuestionAsked(
        what="close_call",
        text=text,
        round=number,
        disc=name,
        clearance=None if at_hole else disc.clearance,
        sigma=None if at_hole else disc.sigma,
        answers=answers,
        picture=f"{state.number}-{number}-{name}-{state.last_id}.jpg",
    )


def ask_swept(state: MatchState, left: int) -> list[ev.Event]:
    """The board was swept early: has the round ended?"""
    number = state.game.round.number
    if any(q.asked.what == "swept" and q.asked.round == number for q in state.questions.values()):
        return []
    return [
        ev.QuestionAsked(
            what="swept",
            text=counted(
                "The board was swept with one shot left. Is the round over?",
                "The board was swept with {n} shots left. Is the round over?",
                left,
            ),
            round=number,
            answers=(
                ev.Answer(id="over", text=say("Round over"), effect=say("The round counts as it stood")),
                ev.Answer(id="goes_on", text=say("It goes on"), effect=say("Nothing is counted yet")),
            ),
        )
    ]
