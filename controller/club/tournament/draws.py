"""The next round of whatever stage is on: drawn, with starters and boards."""

from controller.club.tournament import ladder, open_night, playoffs, round_robin, swiss
from controller.club.tournament.boards import pairings
from controller.club.tournament.drawn import Draw, with_starters
from controller.club.tournament.errors import Message
from controller.club.tournament.events import RoundPaired
from controller.club.tournament.formats import Ladder, OpenNight, Playoffs, RoundRobin, Swiss
from controller.club.tournament.state import State


def drawn(state: State) -> Draw:
    """The pairs of the next round. Raises `NotNow` or `NoPairing` with what to do."""
    form = state.stage_format
    match form:
        case RoundRobin():
            return round_robin.draw(state, form)
        case Swiss():
            return swiss.draw(state, form)
        case Playoffs():
            return playoffs.draw(state, form)
        case Ladder():
            return ladder.draw(state, form)
        case OpenNight():
            return open_night.draw(state, form)


def next_round(state: State) -> tuple[RoundPaired, tuple[Message, ...]]:
    """The next round as an event, and what the organiser should know about it."""
    draw = drawn(state)
    pairs = with_starters(draw.pairs, state.starts_of())
    return RoundPaired(tuple(pairings(state, pairs, draw.on_boards)), draw.byes), draw.notes
