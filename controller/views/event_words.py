"""Describes events and undos in words: those of the event's class, unless they depend on its members."""

from collections.abc import Callable, Mapping
from typing import Any

from controller.match import events as ev
from controller.match.discs import disc_name
from controller.match.parts import Amendment, Change, Revision, Why
from controller.match.state import MatchState
from controller.messages import Message, say
from controller.rules import TWENTY, conduct_words
from controller.views.phrases import PLACEHOLDERS
from controller.views.schema import table_state as sc
from controller.views.timers import timer_change

Names = Mapping[str, str]  # the sides' names, by their ids

_CHANGES: Mapping[Change, Callable[[int], Message]] = {
    "valid": lambda shot: say("shot {shot}: not a foul after all", shot=shot),
    "foul": lambda shot: say("shot {shot}: a foul after all", shot=shot),
    "twenty": lambda shot: say("shot {shot}: a twenty after all", shot=shot),
    "no_twenty": lambda shot: say("shot {shot}: no twenty after all", shot=shot),
    "added": lambda shot: say("shot {shot}: was missed at first", shot=shot),
    "dropped": lambda shot: say("shot {shot}: there was none", shot=shot),
    "otherwise": lambda shot: say("shot {shot}: revised", shot=shot),
}

_WHY: Mapping[Why, Callable[[Message], Message]] = {
    "taken_off": lambda disc: say("{disc} was taken off.", disc=disc),
    "left_lying": lambda disc: say("{disc} was left lying.", disc=disc),
    "lifted": lambda disc: say("{disc} was lifted out of the hole.", disc=disc),
    "seen_again": lambda disc: say("{disc} was there all the time.", disc=disc),
    "gone": lambda disc: say("{disc} is not there any more.", disc=disc),
    "turn": lambda _: say("The next disc shows it."),
    "later_board": lambda _: say("What was seen later shows it."),
    "colours": lambda _: say("The sides play other colours than assumed."),
}


def amendment_text(amended: Revision, names: Mapping[str, str]) -> Message:
    """The text of a revision with its reason; `names`: the sides' names."""
    side = (amended.disc or "?")[0].upper()
    why = _WHY[amended.why](disc_name(amended.disc or "", names.get(side, side)))
    if not amended.shots:
        return say("Round {round} was revised. {why}", round=amended.round, why=why)
    shots = tuple(_CHANGES[one.change](one.shot) for one in amended.shots)
    return say("Round {round}, {shots}. {why}", round=amended.round, shots=shots, why=why)


def amendments_now(state: MatchState) -> list[sc.Amendment]:
    """The revisions of the running round."""
    return [_view(one, state) for one in state.amendments if one.event.round == state.game.round.number]


def amendments_of(state: MatchState, round_: int, shot: int) -> list[Message]:
    """The texts of a shot's revisions, by its number in its round."""
    return [
        amendment_text(one.event, state.names)
        for one in state.amendments
        if one.event.round == round_ and shot in (changed.shot for changed in one.event.shots)
    ]


def _view(amendment: Amendment, state: MatchState) -> sc.Amendment:
    return {
        "id": amendment.id,
        "round": amendment.event.round,
        "after": amendment.after,
        "shots": [one.shot for one in amendment.event.shots],
        "text": amendment_text(amendment.event, state.names),
    }


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
