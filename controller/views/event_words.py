"""What an event did, and what undoing it takes back, in words: a line of a table for each kind of event."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.rules import TWENTY, conduct_words
from controller.views.amendments import amendment_text
from controller.views.phrases import disc_name
from controller.views.timers import timer_change

Names = Mapping[str, str]  # the sides' names, by their ids


def in_words(event: ev.Event, names: Names) -> Message:
    """What an event did; `names`: the sides' names."""
    words = _WORDS.get(type(event))
    return words(event, names) if words is not None else Message(_PLAIN.get(event.kind, event.kind))


def _shot_seen(event: ev.ShotSeen, names: Names) -> Message:
    if event.by == "table":
        return say("A shot was seen")
    return say("A shot of {name} added", name=names.get(event.side, event.side))


def _disc_corrected(event: ev.DiscCorrected, names: Names) -> Message:
    side = event.disc[0].upper()
    disc = disc_name(event.disc, names.get(side, side))
    if event.zone is not None:
        return say("{disc} counts {zone}", disc=disc, zone=event.zone)
    return say("{disc} taken off", disc=disc) if event.at is None else say("{disc} put where it lies", disc=disc)


def _shot_corrected(event: ev.ShotCorrected, names: Names) -> Message:
    if event.valid is not None:
        return say("A shot called valid") if event.valid else say("A shot called a foul")
    if event.returned:
        return say("Left the board and bounced back: {discs}", discs=event.returned)
    return say("A shot corrected")


def _shot_overruled(event: ev.ShotOverruled, names: Names) -> Message:
    if event.valid is None:
        return say("A shot counts by the rules again")
    return say("A shot played as valid by agreement") if event.valid else say("A shot played as a foul by agreement")


def _figures(by_side: Mapping[ev.SideId, int], names: Names) -> tuple[Message, ...]:
    return tuple(
        say("{side} {value}", side=names.get(side, side), value=value) for side, value in sorted(by_side.items())
    )


_WORDS: Mapping[type, Callable[[Any, Names], Message]] = {
    ev.ShotSeen: _shot_seen,
    ev.TwentiesCorrected: lambda event, names: say(
        "Twenties of {side} in round {number}: {value}",
        side=names.get(event.side, event.side),
        number=event.round,
        value=event.value,
    ),
    ev.TwentyCounted: lambda event, names: say(
        "One more twenty of {side} in round {number}", side=names.get(event.side, event.side), number=event.round
    ),
    ev.DiscCounted: lambda event, names: say(
        "{points} counted for {name} in round {number}",
        points=event.points,
        name=names.get(event.side, event.side),
        number=event.round,
    ),
    ev.RoundCorrected: lambda event, names: say(
        "Totals of round {number}: {totals}", number=event.round, totals=_figures(event.totals, names)
    ),
    ev.RoundEntered: lambda event, names: say("Round entered by hand: {totals}", totals=_figures(event.totals, names)),
    ev.RoundAwarded: lambda event, names: say(
        "Round {number} awarded: {points}", number=event.round, points=_figures(event.points, names)
    ),
    ev.DiscCorrected: _disc_corrected,
    ev.ShotCorrected: _shot_corrected,
    ev.ShotOverruled: _shot_overruled,
    ev.ConductCalled: lambda event, names: say(
        "Called: {name} {what}", name=names.get(event.side, event.side), what=conduct_words(event.conduct)
    ),
    ev.MatchDeleted: lambda event, _: say("Match deleted") if event.deleted else say("Match brought back"),
    ev.PlayerRenamed: lambda event, _: say("{name} renamed to {to}", name=event.name, to=event.to),
    ev.PlayersMerged: lambda event, _: say("{name} merged into {to}", name=event.name, to=event.to),
    ev.TimerSet: lambda event, _: timer_change(event),
    ev.ShootOutEntered: lambda event, names: say("Shoot-out: {twenties}", twenties=_figures(event.twenties, names)),
    ev.Handed: lambda event, _: say("Handed to the scorer") if event.manual else say("Handed back to the table"),
    ev.Amended: amendment_text,
    ev.Paused: lambda event, _: say("Paused") if event.paused else say("Resumed"),
}

_PLAIN = {
    "match_started": marked("Match started"),
    "start_undone": marked("This match goes on: the start of the next one was undone"),
    "seats_learnt": marked("The seats are known"),
    "round_ended": marked("Round ended"),
    "question_answered": marked("A question answered"),
    "shot_annulled": marked("A shot annulled"),
    "timed_out": marked("Time called"),
    "timer_removed": marked("A clock removed"),
    "board_adopted": marked("The board taken over as it lies"),
    "undone": marked("Undone"),
    "redone": marked("Redone"),
}
"""Events whose words are the same each time, by kind."""


def undoing(event: ev.Event, state: MatchState) -> Message:
    """What an undo would take back, in words."""
    words = _UNDONE.get(type(event))
    return words(event, state) if words is not None else say("the last correction")


_UNDONE: Mapping[type, Callable[[Any, MatchState], Message]] = {
    ev.ShotSeen: lambda event, state: say("the last shot of {name}", name=state.name_of(event.side)),
    ev.TwentyCounted: lambda event, state: _points_undone(TWENTY, event, state),
    ev.DiscCounted: lambda event, state: _points_undone(event.points, event, state),
    ev.RoundEnded: lambda event, state: say("the end of the round"),
    ev.RoundEntered: lambda event, state: say("the end of the round"),
    ev.RoundAwarded: lambda event, state: say("the points of round {number}", number=event.round),
    ev.QuestionAnswered: lambda event, state: say("the last answer"),
    ev.MatchStarted: lambda event, state: say("the start of this match"),
    ev.MatchDeleted: lambda event, state: (
        say("the deletion of the match") if event.deleted else say("the last correction")
    ),
    ev.ConductCalled: lambda event, state: say("the call for conduct"),
    ev.ShootOutEntered: lambda event, state: say("the shoot-out"),
    ev.Amended: lambda event, state: say("the table's revision"),
}


def _points_undone(points: int, event: ev.TwentyCounted | ev.DiscCounted, state: MatchState) -> Message:
    return say("the {points} of {name}", points=points, name=state.name_of(event.side))
