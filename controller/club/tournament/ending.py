"""The end of an evening: whether everything is played, the bracket, and the first three."""

from itertools import takewhile

from controller.club.tournament.errors import Message
from controller.club.tournament.playoffs import Slot, bracket, bracket_size, slot_name
from controller.club.tournament.ranking import Row
from controller.club.tournament.state import Match, Round, State
from controller.club.tournament.tables import overall

PODIUM = 3  # places


def all_played(state: State) -> bool:
    """Whether every round of the last stage has its results."""
    if not state.stages or state.open_matches or len(state.stages) < len(state.known_format.stages):
        return False
    return state.stage_format.all_drawn(state)


def podium(state: State) -> list[Row]:
    """The first three places, shared ones included, once all is played or the evening is closed; else nobody."""
    if not state.stages or not (state.closed or all_played(state)):
        return []
    return list(takewhile(lambda row: row.place <= PODIUM, overall(state)))


def last_bracket(state: State) -> list[list[Slot]]:
    """The bracket of the last play-offs that have begun; empty if there are none."""
    for stage in reversed(state.stages):
        if state.known_format.stages[stage.number].knock_out:
            return bracket(state, stage.number)
    return []


def match_name(state: State, match: Match) -> Message | None:
    """The name of a play-off match; None for any other."""
    return slot_name(match.slot, _rounds_of(state, match.stage)) if match.slot else None


def round_names(state: State, round: Round) -> list[Message]:
    """The names of a play-off round, one for each kind of match; empty for any other round."""
    slots = sorted(match.slot for match in state.matches_of(round=round.id) if match.slot)  # that for third place last
    rounds = _rounds_of(state, round.stage)
    names = {str(name): name for name in (slot_name(slot, rounds) for slot in slots)}
    return list(names.values())


def _rounds_of(state: State, stage: int) -> int:
    """How many rounds the bracket of a stage has."""
    return bracket_size(len(state.stages[stage].entrants)).bit_length() - 1
