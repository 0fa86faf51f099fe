"""Every kind of stage, and the formats that a club can begin with; and events as JSON, for the log and for pages: the
members are the events' own, `event` names the kind.

>>> from controller.club.tournament.events import Result
>>> document = event_to_json(Result("2.1", ("1", "2"), (5, 3)))
>>> document["event"], document["points"], "twenties" in document
('result', [5, 3], False)
>>> event_from_json(document)
Result(match='2.1', sides=('1', '2'), points=(5, 3), twenties=None, winner=None, short=False, report='')
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json

from controller.club.tournament.events import Event
from controller.club.tournament.formats import CROKI_NL, SWISS, Play, TournamentFormat
from controller.club.tournament.ladder import Ladder
from controller.club.tournament.open_night import OpenNight
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.stages import StageKind
from controller.club.tournament.swiss import Swiss
from controller.errors import BadInput
from controller.messages import marked, say
from controller.validation import first_wrong_member

STAGES: tuple[type[StageKind], ...] = (RoundRobin, Swiss, Playoffs, Ladder, OpenNight)

EIGHT_FOR_A_BYE = Play(bye=8)
"""A bye is 8 to 0: scorekinole, TIEBREAKER.md; croki.nl's organiser (milofarmer/scoring-crokinole), a clean sweep."""

FORMATS: Mapping[str, TournamentFormat] = {
    "round-robin": TournamentFormat((RoundRobin(),)),
    "pools": TournamentFormat((RoundRobin(pools=4), Playoffs(entrants=8))),
    "swiss": TournamentFormat((Swiss(5),), play=EIGHT_FOR_A_BYE, ranking=SWISS),
    "swiss-playoffs": TournamentFormat((Swiss(4), Playoffs(entrants=8)), ranking=SWISS),  # Denver (argylesock)
    "wcc-singles": TournamentFormat(  # 1999-2023, semifinals and final best of three (CrokinoleCentre)
        (RoundRobin(rounds=10), RoundRobin(pools=2, entrants=16), Playoffs(entrants=4, play=Play("best_of", games=3)))
    ),
    "croki-nl": TournamentFormat(
        (Swiss(5, "neighbours"), Playoffs(entrants=8)), play=EIGHT_FOR_A_BYE, ranking=CROKI_NL
    ),
    "ladder": TournamentFormat((Ladder(),)),
    "open-night": TournamentFormat((OpenNight(),)),
}
"""Formats to begin with; a club adjusts them as it likes."""

TITLES = {
    "swiss": marked("Swiss, five rounds"),
    "round-robin": marked("Round robin: everybody meets everybody"),
    "pools": marked("Four pools, then play-offs of eight"),
    "swiss-playoffs": marked("Swiss with four rounds, then play-offs of eight"),
    "ladder": marked("Ladder: winners move up a table"),
    "open-night": marked("Open night: whoever is free plays"),
    "wcc-singles": marked("As the World Championship, singles"),
    "croki-nl": marked("As in the Netherlands"),
}
"""Their titles in the organiser's form, in its order."""


Document = dict[str, Any]


@cache
def _adapter(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(Event.kinds[kind])


def event_to_json(event: Event) -> Document:
    """An event as a JSON object, without members that have their default."""
    return {"event": event.kind, **_adapter(event.kind).dump_python(event, mode="json", exclude_defaults=True)}


def event_from_json(document: Mapping[str, Any]) -> Event:
    """The event of a JSON object. Raises `BadInput`, which names the first wrong member."""
    kind = str(document.get("event"))
    if kind not in Event.kinds:
        known = ", ".join(Event.kinds)
        raise BadInput(say("{place} must be one of {expected}{given}.", place="event", expected=known, given=""))
    members = {name: value for name, value in document.items() if name != "event"}
    with first_wrong_member():
        return _adapter(kind).validate_json(to_json(members))
