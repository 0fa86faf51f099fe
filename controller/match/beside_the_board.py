"""The fold's part for events beside the board: conduct calls, clocks, counting by hand, colours, seats."""

from dataclasses import replace

from controller import rules
from controller.match import events as ev
from controller.match.seating import Seating
from controller.match.state import TWENTY, ConductCall, CountedDisc, MatchState
from controller.match.timers import Timer
from controller.messages import say


def colours_learnt(state: MatchState, learnt: ev.ColoursLearnt, id_: int) -> MatchState:
    """The sides' colours, from play, from people or certified by set-up."""
    sides = dict[str, ev.Lab](learnt.sides.items())
    if learnt.certified:
        return replace(state, certified=sides)
    return replace(state, colours=sides if learnt.instead else {**state.colours, **sides})


def seats_learnt(state: MatchState, learnt: ev.SeatsLearnt, id_: int) -> MatchState:
    """Where the seats are. Raises `BadCorrection` if one is missing, unknown or at the side of another."""
    if set(learnt.directions) != set(dict(state.game.terms.seats)):
        raise rules.BadCorrection(say("Every seat that is taken needs its direction, and no other."), "directions")
    if len(set(learnt.directions.values())) < len(learnt.directions):
        raise rules.BadCorrection(say("Two players can't sit at the same side of the board."), "directions")
    questions = {q.id: q for q in state.questions.values() if q.asked.what != "seats"}
    return replace(state, seating=Seating(learnt.directions, sure=True), questions=questions)


def conduct_called(state: MatchState, called: ev.ConductCalled, id_: int) -> MatchState:
    """A side is called for conduct."""
    target = next((place for place, shot in state.shots.items() if shot == called.target), None)
    number, shot = target or (state.game.round.number, None)
    after = len(state.game.all_rounds[number - 1].shots)
    one = ConductCall(id_, number, shot, called.side, called.conduct, after)
    return replace(state, conduct=(*state.conduct, one))


def timer_set(state: MatchState, event: ev.TimerSet, id_: int) -> MatchState:
    """A clock is set, stopped or started."""
    return replace(state, timers={**state.timers, event.timer: Timer(id_, event)})


def timer_ended(state: MatchState, ended: ev.TimerEnded, id_: int) -> MatchState:
    """A clock has run down."""
    timers = {name: timer.end() if name == ended.timer else timer for name, timer in state.timers.items()}
    return replace(state, timers=timers)


def timer_removed(state: MatchState, removed: ev.TimerRemoved, id_: int) -> MatchState:
    """A clock is removed."""
    return replace(state, timers={name: timer for name, timer in state.timers.items() if name != removed.timer})


def counted(state: MatchState, event: ev.TwentyCounted | ev.DiscCounted, id_: int) -> MatchState:
    """People counted one more twenty, or one more disc on the board, for a side."""
    game, points = state.game, TWENTY
    if isinstance(event, ev.DiscCounted):
        points = event.points
        state = replace(state, game=game.count_by_hand(event.round, event.side, points))
    else:
        before = game.all_rounds[event.round - 1].twenties_adjusted.get(event.side, 0)
        game = game.adjust_twenties(event.round, {event.side: before + 1})
        state = replace(state, game=game, hole=())  # it explains the sensor's signal
    if event.by == "table":
        return state
    return replace(state, counted=(*state.counted, CountedDisc(id_, event.round, event.side, points, event.sender)))


def handed(state: MatchState, event: ev.Handed, id_: int) -> MatchState:
    """The scorer takes over from the table, or the table from the scorer; counted discs of the board are dropped."""
    if state.game.round.complete:
        return replace(state, manual=event.manual)
    number = state.game.round.number
    left = tuple(one for one in state.counted if one.round != number or one.points == TWENTY)
    return replace(state, game=state.game.recount(event.recount), counted=left, manual=event.manual)
