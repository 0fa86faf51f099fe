"""The organiser's actions: parsed from a page, shown as a plan, and carried out as shown."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from controller.club.tournament import events as ev
from controller.club.tournament.planning import Action, NextRound, NextStage, PairAgain, free_name
from controller.club.tournament.record import event_from_json
from controller.club.tournament.state import Entrant, TournamentState
from controller.errors import BadInput
from controller.messages import say

LONGEST_NAME = 60  # characters of a person's name; the database has 80, for two names and a number
LONGEST_TABLE = 40  # characters, as the protocol has it for a table's name
MOST_PLAYERS = 1_000  # in one list: more is no list of players


def parse_action(document: Mapping[str, Any]) -> Action:
    """The action in a page's request: {"do": word} with its parameters, or an event as in the log. Raises `BadInput`,
    which names the member."""
    match document:
        case {"do": "next_round"}:
            return NextRound()
        case {"do": "next_stage"}:
            return NextStage()
        case {"do": "pair_again", "round": str(round)}:
            return PairAgain(round)
        case {"event": _}:
            return _event(document)
    raise BadInput(say("The organiser has no such action."))


def _event(document: Mapping[str, Any]) -> Action:
    event = event_from_json(document)
    if not isinstance(event, ev.ByOrganiser):
        raise BadInput(say("The organiser has no such action."))
    result = event.result if isinstance(event, ev.Corrected) else event
    if isinstance(result, ev.Result) and result.report:
        raise BadInput(say("Only a table's report names where it comes from."))
    if isinstance(event, ev.EntrantAdded | ev.EntrantRenamed):
        for name in event.players:
            _check_name(name)
    if isinstance(event, ev.BoardRenamed):
        check_table_name(event.name)
    return event


def check_table_name(name: str) -> None:
    """Raise `BadInput` for an unusable table name."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_TABLE:
        raise BadInput(say("A table's name has 1 to {n} characters, on one line.", n=LONGEST_TABLE))


def _check_name(name: str) -> None:
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadInput(
            say(
                "{name} can't be a name: at most {n} characters, on one line.", name=name[:LONGEST_NAME], n=LONGEST_NAME
            )
        )


def parse_players(text: str, doubles: bool = False) -> list[tuple[str, ...]]:
    """The entrants of a pasted list: one on each line, or all on one with commas.

    >>> parse_players("1. Player 1\\n 2) Player 2\\n\\n")
    [('Player 1',), ('Player 2',)]
    >>> parse_players("Player 1 & Player 2; Player 3 / Player 4", doubles=True)
    [('Player 1', 'Player 2'), ('Player 3', 'Player 4')]
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = re.split(r"[;,\t]", lines[0])
    names = [re.sub(r"^\s*\d+\s*[.):\t]\s*", "", line).strip() for line in lines]
    if len(names) > MOST_PLAYERS:
        raise BadInput(say("A list has at most {n} players.", n=MOST_PLAYERS))
    return [_parse_entrant(name, doubles) for name in names if name]


def _parse_entrant(name: str, doubles: bool) -> tuple[str, ...]:
    players = tuple(part.strip() for part in re.split(r"[&+/]", name)) if doubles else (name,)
    if doubles and (len(players) != 2 or not all(players)):
        raise BadInput(say("{name} is no team: write both partners with & between them.", name=" & ".join(players)))
    for player in players:
        _check_name(player)
    return players


def add_entrants(state: TournamentState, entrants: Sequence[tuple[str, ...]]) -> list[ev.EntrantAdded]:
    """The events that add them, each with an id of its own; a name that is taken gets a number."""
    added = []
    for number, players in enumerate(entrants, len(state.entrants) + 1):
        names: tuple[str, ...] = ()
        for player in players:
            names = (*names, free_name(state, player))
            state = state.with_entrant(Entrant(f"p{number}", names))
        added.append(ev.EntrantAdded(f"p{number}", names))
    return added
