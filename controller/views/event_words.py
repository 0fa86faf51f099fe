"""What an event did, and what undoing it takes back, in words: those of its class, unless its members decide."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules import TWENTY, conduct_words
from controller.views.amendments import amendment_text
from controller.views.phrases import PLACEHOLDERS, disc_name
from controller.views.timers import timer_change

Names = Mapping[str, str]  # the sides' names, by their ids


def in_words(event: ev.Event, names: Names) -> Message:
    """What an event did; `names`: the sides' names."""
    words = _WORDS.get(type(event))
    return words(event, names) if words is not None else _filled(event.words or event.kind, event, names)


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


def undoing(event: ev.Event, state: MatchState) -> Message:
    """What an undo would take back, in words."""
    if isinstance(event, ev.TwentyCounted):
        return say("the {points} of {name}", points=TWENTY, name=state.name_of(event.side))
    if isinstance(event, ev.MatchDeleted) and not event.deleted:
        return say("the last correction")
    return _filled(event.undo_words, event, state.names)
