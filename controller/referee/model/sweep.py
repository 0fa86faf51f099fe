"""Whether people have cleared the board of a complete round.

The result of a complete round stands once it was read at rest, whatever hands do until the board is clear.
"""

from controller.match.state import MatchState
from controller.referee.model.hypotheses import Explanation


def cleared(state: MatchState, told: Explanation) -> bool:
    """Whether the board of a complete round was cleared.

    | discs in play at its end | the board was cleared if none of them lies where it lay, and |
    | --- | --- |
    | two or more | at most one other disc lies where it counts: the next round's first shot |
    | one | the ditch was emptied, or a hand was seen and no other disc lies there |
    | none | the ditch was emptied and a hand was seen, or a disc lies where it counts |
    """
    seen = told.seen
    in_play = [n for n in state.measured if n not in state.to_remove]
    still = [n for n in in_play if n in told.known and told.known[n].became == "stays"]
    if seen.reading.obstructed or still or state.await_tap or not state.round_proposed:
        return False
    lying = {id(f.place) for f in told.known.values() if f.became == "stays"}
    other = [d for d in seen.discs if id(d) not in lying]
    inside = sum(d.zone != 0 for d in other)
    if len(in_play) > 1:
        return inside <= 1
    if in_play:
        return seen.emptied or (seen.watching.hand and not other)
    return inside > 0 or (seen.emptied and seen.watching.hand)


def sweeping(state: MatchState, told: Explanation, already: bool) -> bool:
    """Whether people are clearing the board: several discs in play are gone, or one while a hand is beside the board."""
    gone = [n for n, f in told.known.items() if n not in state.to_remove and f.became in ("taken", "overlooked", "lifted")]
    return bool(gone) and (already or len(gone) > 1 or told.seen.watching.beside)
