"""What an event did, and what undoing it takes back, in words: a line of a table for each kind of event."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.rules import TWENTY, conduct_words
from controller.views.amendments import amendment_text
from controller.views.phrases import PLACEHOLDERS, disc_name
from controller.views.timers import timer_change

Names = Mapping[str, str]  # the sides' names, by their ids


def in_words(event: ev.Event, names: Names) -> Message:
    """What an event did; `names`: the sides' names."""
    words = _WORDS.get(type(event))
    return words(event, names) if words is not None else _filled(_TEXTS.get(event.kind, event.kind), event, names)


def _filled(text: str, event: ev.Event, names: Names) -> Message:
    """A text with the event's members; sides are named."""
    values: dict[str, Any] = dict(event)
    if "side" in values:
        values["name"] = values["side"] = names.get(values["side"], values["side"])
    if isinstance(event, ev.ConductCalled):
        values["what"] = conduct_words(event.conduct)
    values |= {name: _figures(value, names) for name, value in values.items() if isinstance(value, dict)}
    values["number"] = values.get("round")
    return Message(text, {name: values[name] for name in PLACEHOLDERS.findall(text)})


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
    ev.DiscCorrected: _disc_corrected,
    ev.ShotCorrected: _shot_corrected,
    ev.ShotOverruled: _shot_overruled,
    ev.MatchDeleted: lambda event, _: say("Match deleted") if event.deleted else say("Match brought back"),
    ev.TimerSet: lambda event, _: timer_change(event),
    ev.Handed: lambda event, _: say("Handed to the scorer") if event.manual else say("Handed back to the table"),
    ev.Amended: amendment_text,
    ev.Paused: lambda event, _: say("Paused") if event.paused else say("Resumed"),
}

_TEXTS = {
    "match_started": marked("Match started"),
    "start_undone": marked("This match goes on: the start of the next one was undone"),
    "seats_learnt": marked("The seats are known"),
    "twenties_corrected": marked("Twenties of {side} in round {number}: {value}"),
    "twenty_counted": marked("One more twenty of {side} in round {number}"),
    "disc_counted": marked("{points} counted for {name} in round {number}"),
    "round_corrected": marked("Totals of round {number}: {totals}"),
    "round_entered": marked("Round entered by hand: {totals}"),
    "round_awarded": marked("Round {number} awarded: {points}"),
    "round_ended": marked("Round ended"),
    "shoot_out_entered": marked("Shoot-out: {twenties}"),
    "question_answered": marked("A question answered"),
    "shot_annulled": marked("A shot annulled"),
    "conduct_called": marked("Called: {name} {what}"),
    "player_renamed": marked("{name} renamed to {to}"),
    "players_merged": marked("{name} merged into {to}"),
    "timed_out": marked("Time called"),
    "timer_removed": marked("A clock removed"),
    "board_adopted": marked("The board taken over as it lies"),
    "undone": marked("Undone"),
    "redone": marked("Redone"),
}
"""The words of the other kinds of events, with the event's members."""


def undoing(event: ev.Event, state: MatchState) -> Message:
    """What an undo would take back, in words."""
    if isinstance(event, ev.TwentyCounted):
        return say("the {points} of {name}", points=TWENTY, name=state.name_of(event.side))
    back = isinstance(event, ev.MatchDeleted) and not event.deleted
    text = _UNDONE.get("" if back else event.kind)
    return _filled(text, event, state.names) if text is not None else say("the last correction")


_UNDONE = {
    "shot_seen": marked("the last shot of {name}"),
    "disc_counted": marked("the {points} of {name}"),
    "round_ended": marked("the end of the round"),
    "round_entered": marked("the end of the round"),
    "round_awarded": marked("the points of round {number}"),
    "question_answered": marked("the last answer"),
    "match_started": marked("the start of this match"),
    "match_deleted": marked("the deletion of the match"),
    "conduct_called": marked("the call for conduct"),
    "shoot_out_entered": marked("the shoot-out"),
    "amended": marked("the table's revision"),
}
"""What an undo of an event takes back, by its kind; of others, the last correction."""
