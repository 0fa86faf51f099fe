"""Crokinole Match Notation 1.0-draft, of the Crokinole Open Data Alliance.

Its words are not ours:

| in CMN | here |
| --- | --- |
| game | round |
| hammer | by its written definition the team that shot first; commonly, and here, the hammer is the last shot |
| team 0, 1 | the first and the second side |

Its document lets any program add members, so `first_shooter` and `last_shooter` stand beside `hammer`, and what CMN has
no place for stands under `crokinole_table`.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from controller.exchange.played import NotExpressible, Occasion, PlayedMatch, PlayedRound
from controller.messages import say

VERSION = "1.0"
SOURCE = {"app": "crokinole-table"}

Document = dict[str, Any]


def single(match: PlayedMatch, occasion: Occasion | None = None) -> Document:
    """One match. Raises `NotExpressible` while it is not over: CMN holds results of matches that are."""
    return {"cmn": VERSION, **_entry(match), **_event(occasion), "source": SOURCE}


def batch(matches: Iterable[PlayedMatch], occasion: Occasion | None = None) -> Document:
    """The matches of one event. Raises `NotExpressible` as `single` does."""
    return {
        "cmn": VERSION,
        "batch": True,
        **_event(occasion),
        "source": SOURCE,
        "matches": [_entry(match) for match in matches],
    }


def _entry(match: PlayedMatch) -> Document:
    if not match.over:
        raise NotExpressible(say("The match is not over yet: Crokinole Match Notation holds results only."))
    return {
        "id": str(match.id),
        "match": {
            "date": match.began.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "format": "doubles" if match.doubles else "singles",
            "teams": [{"players": [{"name": name} for name in side]} for side in match.sides],
            **_game_format(match),
            "games": [_game(played) for played in match.rounds],
            "winner": match.winner,
            "crokinole_table": {"rules": match.rules, "format": dict(match.format)},
        },
    }


def _game(played: PlayedRound) -> Document:
    return {
        "winner": _higher(played.points),
        "hammer": played.first,
        "first_shooter": played.first,
        "last_shooter": 1 - played.first,
        "scores": list(played.totals),
        "twenties": list(played.twenties),
    }


def _higher(points: tuple[int, int]) -> int | None:
    return None if points[0] == points[1] else int(points[1] > points[0])


def _game_format(match: PlayedMatch) -> Mapping[str, Document]:
    """How long the match was to be. Left out where CMN's two ways do not say it: 100 points by difference, or a further
    round after a tie, which `fixed` ("exactly N games") rules out."""
    match match.format:
        case {"kind": "race", "target": target}:
            return {"gameFormat": {"type": "first_to", "target": target}}
        case {"kind": "rounds", "rounds": rounds, **more} if len(match.rounds) == rounds * more.get("games", 1):
            return {"gameFormat": {"type": "fixed", "count": len(match.rounds)}}
    return {}


def _event(occasion: Occasion | None) -> Mapping[str, Document]:
    if occasion is None:
        return {}
    told = {"name": occasion.name, "type": occasion.kind, "round": occasion.round, "venue": occasion.venue}
    return {"event": {name: value for name, value in told.items() if value}}
