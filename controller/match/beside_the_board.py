"""What happens to a match beside the board: calls for conduct, clocks. Part of the fold."""

from dataclasses import replace

from controller.match import events as ev
from controller.match.state import Called, MatchState
from controller.match.timers import Timer


def conduct_called(state: MatchState, called: ev.ConductCalled, id_: int) -> MatchState:
    """A side is called for conduct."""
    target = next((place for place, shot in state.shots.items() if shot == called.target), None)
    number, shot = target or (state.game.round.number, None)
    after = len(state.game.all_rounds[number - 1].shots)
    one = Called(id_, number, shot, called.side, called.conduct, after)
    return replace(state, conduct=(*state.conduct, one))


def timer_set(state: MatchState, event: ev.TimerSet, id_: int) -> MatchState:
    """A clock stands or runs as the event says."""
    return replace(state, timers={**state.timers, event.timer: Timer(id_, event)})


def timer_ended(state: MatchState, ended: ev.TimerEnded, id_: int) -> MatchState:
    """A clock has run down."""
    timers = {name: timer.over() if name == ended.timer else timer for name, timer in state.timers.items()}
    return replace(state, timers=timers)


def timer_removed(state: MatchState, removed: ev.TimerRemoved, id_: int) -> MatchState:
    """There is no such clock any more."""
    return replace(state, timers={name: timer for name, timer in state.timers.items() if name != removed.timer})
