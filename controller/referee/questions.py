"""The questions that the state itself raises: discs too near a line, and discs at the hole that are not plain."""

import math

from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.vision.readings import AT_HOLE
from hardware.board import TOURNAMENT

LOWER = {15: 10, 10: 5, 5: 0}
HIGHER = {10: 15, 5: 10, 0: 5}


AT_LINE = 5.0  # standard errors: farther from its line, a disc is in doubt because it is not seen well
OVER_HOLE = TOURNAMENT.hole_radius + TOURNAMENT.disc.radius  # mm: nearer to its middle a disc reaches over the hole


def zones_in_doubt(disc: ev.Measured) -> tuple[int, int]:
    """The zone as measured, and the other one that it may be: beyond the line that decides, at the hole, or none."""
    if disc.pose in AT_HOLE:
        return (15, 20) if disc.pose == "leaning" else (20, 15)
    if unseen(disc):
        return disc.zone, 20 if math.hypot(disc.x, disc.y) < OVER_HOLE else 0
    other = LOWER.get(disc.zone) if disc.clearance > 0 else HIGHER.get(disc.zone)
    return disc.zone, other if other is not None else disc.zone


def unseen(disc: ev.Measured) -> bool:
    """Whether a disc on the surface is in doubt for another reason than a line: a hand hides most of it, say."""
    return disc.pose == "flat" and disc.call == "close" and abs(disc.clearance) > AT_LINE * disc.sigma


def ask_close(state: MatchState) -> list[ev.Event]:
    """A question for each disc that lies too near a line, unless asked or ruled."""
    return _ask(state, {n: m for n, m in state.on_board.items() if m.pose not in AT_HOLE})


def ask_outer_line(state: MatchState) -> list[ev.Event]:
    """A question for each disc that is to come off although it lies too near the outer line to be sure."""
    marked = (n for n, why in state.to_remove.items() if why == "outer_line" and n in state.measured)
    return _ask(state, {n: state.measured[n] for n in marked if not unseen(state.measured[n])})


def ask_at_hole(state: MatchState) -> list[ev.Event]:
    """A question for each disc at the hole of which camera and sensor, or the camera alone, are not sure."""
    return _ask(state, {n: m for n, m in state.measured.items() if _in_doubt_at_hole(state, n)})


def _in_doubt_at_hole(state: MatchState, name: str) -> bool:
    why, pose = state.to_remove.get(name), state.measured[name].pose
    return (pose == "leaning" and why is None) or (pose == "in_hole" and why == "twenty")


def _ask(state: MatchState, discs: dict[str, ev.Measured]) -> list[ev.Event]:
    number = state.game.round.number
    asked = {q.asked.disc for q in state.questions.values() if q.asked.round == number and q.asked.what == "close_call"}
    questions: list[ev.Event] = []
    for name, disc in discs.items():
        zone, other = zones_in_doubt(disc)
        if disc.call == "close" and name not in asked and name not in state.ruled and zone != other:
            questions.append(_close_call(state, name, disc, (zone, other)))
    return questions


def _close_call(state: MatchState, name: str, disc: ev.Measured, zones: tuple[int, int]) -> ev.QuestionAsked:
    side, number = state.side_of(name), state.game.round.number
    by_line = disc.pose not in AT_HOLE and not unseen(disc)
    answers = []
    for zone in sorted(zones, reverse=True):
        total = state.game.round.totals[side] + zone - zones[0]
        effect = say("{name} {total} in round {round}.", name=state.owner_of(name), total=total, round=number)
        answers.append(ev.Answer(id=str(zone), text=Message(str(zone)), effect=effect, change={side: zone - zones[0]}))
    return ev.QuestionAsked(
        what="close_call",
        text=_at_line(state, name, disc, zones) if by_line else _not_plain(state, name, disc),
        round=number,
        disc=name,
        discs=(name,),
        clearance=disc.clearance if by_line else None,
        sigma=disc.sigma if by_line else None,
        answers=tuple(answers),
    )


def _at_line(state: MatchState, name: str, disc: ev.Measured, zones: tuple[int, int]) -> Message:
    figures = {"mm": round(abs(disc.clearance), 1), "sigma": round(disc.sigma, 1)}
    clear = disc.clearance > 0
    gap = say("{mm} mm clear, ± {sigma}", **figures) if clear else say("{mm} mm over, ± {sigma}", **figures)
    label = state.owner_of(name)
    return say("{side}: {high} or {low}? Measured {gap}.", side=label, high=max(zones), low=min(zones), gap=gap)


def _not_plain(state: MatchState, name: str, disc: ev.Measured) -> Message:
    label = state.owner_of(name)
    if disc.pose not in AT_HOLE:
        return say("{name}'s disc is not seen well. What does it count?", name=label)
    if state.hole_level is None:
        return say("Does {name}'s disc lie flat in the hole? The camera is not sure.", name=label)
    return say("Does {name}'s disc lie flat in the hole? Camera and hole sensor disagree.", name=label)
