"""The fold: computes a match's state from its events, and nothing else does.

Undo, redo, corrections, replay and recovery after a power cut all fold the events that still count.
"""

from collections.abc import Iterable
from dataclasses import replace

from controller import rules
from controller.match import events as ev
from controller.match.seating import Seating, assumed_seating
from controller.match.state import MatchState, Stamped
from controller.match.timeline import effective_events


def fold(number: int, stamped: Iterable[Stamped]) -> MatchState:
    """The state after these events. The first must be `MatchStarted`."""
    history = list(stamped)
    first, *rest = effective_events(history)
    state = begin(number, first)
    for s in rest:
        state = apply(state, s)
    return replace(state, last_id=history[-1].id)


def begin(number: int, stamped: Stamped) -> MatchState:
    """The state after a match's first event."""
    started = stamped.event
    assert isinstance(started, ev.MatchStarted)
    game = new_game(started)
    before = Seating(started.directions) if started.directions else None
    seating = assumed_seating(dict(game.terms.seats), before)
    return MatchState(number, started, game, stamped.id, seating, uncleared=not started.cleared)


def new_game(started: ev.MatchStarted) -> rules.Match:
    """Create the match with these choices. Raises `rules.RulesError`."""
    form = rules.read_format(started.format) if started.format else None
    game = rules.Match.start(
        rules.own_rule_set(started.rules) if isinstance(started.rules, dict) else started.rules,
        form,
        [rules.Side(id_, side.name) for id_, side in started.by_id.items()],
        started.starter,
        discs=started.discs,
        doubles=started.doubles,
        seat=started.seat,
    )
    nobody = [seat for seat in started.seats if seat not in dict(game.terms.seats)]
    if nobody:
        raise rules.BadMatch(f"nobody sits at seat {nobody[0]} in this match", "seats")
    return game


def apply(state: MatchState, stamped: Stamped) -> MatchState:
    """Apply one more event that counts."""
    after = stamped.event.apply(state, stamped.id)
    undone = None if stamped.event.undoable else after.undone
    after = replace(after, last_id=stamped.id, undone=undone)
    number = after.game.round.number
    if number == state.game.round.number or isinstance(stamped.event, ev.ShotSeen):
        return after
    return replace(after, begun={**state.begun, number: after})
