"""Creates the events of counting by hand: count a disc, take it back, agree on the figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.errors import Refused, Stale
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, counted, say
from controller.rules import TWENTY


def check_running(number: int, state: MatchState) -> None:
    """Raise `Refused` unless this round is running."""
    if state.over:
        raise Refused(say("The match is over."))
    if number <= state.confirmed:
        raise Refused(say("Round {number} has ended already.", number=number))
    if number != state.game.round.number:
        raise Refused(say("There is no round {number} yet.", number=number))


def count(command: cm.Count, state: MatchState) -> Sequence[ev.Event]:
    """Count one more disc for a side. Raises `Refused` if all its discs are counted."""
    check_running(command.round, state)
    if command.side not in state.sides:
        raise Refused(say("side: there are {sides}.", sides=", ".join(state.sides)))
    discs, twenties = state.game.terms.discs, state.game.round.twenty_counts[command.side]
    if twenties + sum(one.points != TWENTY for one in state.counted_for(command.side)) >= discs:
        raise Refused(say("All {n} discs of {name} are counted already.", n=discs, name=state.name_of(command.side)))
    if command.points == 20:
        return [ev.TwentyCounted(round=command.round, side=command.side)]
    disc = ev.DiscCounted(round=command.round, side=command.side, points=command.points)
    return [disc] if state.manual else [ev.Handed(manual=True, recount=True), disc]


def take_back(event: int, state: MatchState) -> ev.Undone:
    """Undo the count of a disc by its event. Raises `Refused` if that was undone already."""
    running = state.game.round.number
    if all(one.id != event or one.round != running for one in state.counted) or state.confirmed >= running:
        raise Refused(say("That was taken back already."))
    return ev.Undone(target=event)


def agree(command: cm.Agree, state: MatchState) -> ev.RoundEntered:
    """End the round with the agreed figures. Raises `Stale` with both totals if the round counts otherwise."""
    check_running(command.round, state)
    _check_seen(command.totals, command.twenties, state)
    return ev.RoundEntered(totals=command.totals, twenties=command.twenties)


def win(command: cm.WinRound, state: MatchState) -> ev.RoundAwarded:
    """Award the round to its winner. Raises `Stale` if the twenties differ, `Refused` if the totals are needed."""
    check_running(command.round, state)
    terms = state.game.terms
    if len(state.sides) != 2 or terms.format.kind not in ("rounds", "race"):
        raise Refused(say("In this match the totals count: count the discs."))
    if command.winner is not None and command.winner not in state.sides:
        raise Refused(say("side: there are {sides}.", sides=", ".join(state.sides)))
    if state.game.round.counted_by_hand or state.game.round.shots:
        raise Refused(say("Discs are counted in this round already: agree to the totals."))
    _check_seen(state.by_hand, command.twenties, state)
    points = terms.format.award({side: int(side == command.winner) for side in state.sides})
    return ev.RoundAwarded.model_validate({"round": command.round, "points": points})


def _check_seen(totals: Mapping[Any, int], twenties: Mapping[Any, int], state: MatchState) -> None:
    now = state.game.round.twenty_counts
    if (totals, twenties) == (state.by_hand, now):
        return
    words = say(
        "The round has changed since you saw it. You saw {seen}; it now counts {now}.",
        seen=_figures(totals, twenties, state),
        now=_figures(state.by_hand, now, state),
    )
    raise Stale(words, ())


def _figures(totals: Mapping[Any, int], twenties: Mapping[Any, int], state: MatchState) -> tuple[Message, ...]:
    return tuple(
        counted(
            "{name} {total} with {n} twenty",
            "{name} {total} with {n} twenties",
            twenties.get(side, 0),
            name=state.name_of(side),
            total=totals.get(side, 0),
        )
        for side in state.sides
    )
