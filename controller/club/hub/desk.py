"""The organiser's actions: read from a page, shown as a plan, and carried out as they were shown."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.club.tournament import (
    Action,
    Adopt,
    BoardAdded,
    BoardBroken,
    BoardMended,
    BoardRemoved,
    BoardRenamed,
    Change,
    Corrected,
    Entrant,
    EntrantAdded,
    EntrantLeft,
    EntrantRenamed,
    EntrantReturned,
    EveningClosed,
    FormatSet,
    MatchMoved,
    NextRound,
    NextStage,
    PairAgain,
    Result,
    Seeded,
    ShootOut,
    State,
    Tournament,
    Undone,
    WalkedOver,
    free_name,
    read,
)
from controller.club.tournament.changes import changes
from controller.club.tournament.errors import BadRecord, NotNow
from controller.club.tournament.fold import named
from controller.errors import BadInput
from controller.messages import Message, say

LONGEST_NAME = 60  # characters of a person's name; the database has 80 for two of them and what tells them apart
LONGEST_TABLE = 40  # characters, as the protocol has it for a table's name
MOST_PLAYERS = 1_000  # in one list: more is no list of players

EVENTS = (
    FormatSet,
    EntrantAdded,
    EntrantRenamed,
    EntrantLeft,
    EntrantReturned,
    Seeded,
    BoardAdded,
    BoardBroken,
    BoardMended,
    BoardRemoved,
    BoardRenamed,
    MatchMoved,
    Result,
    Corrected,
    WalkedOver,
    ShootOut,
    EveningClosed,
    Undone,
)
"""The events that an organiser may bring about directly. All others follow from actions, or are told by tables."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What actions would bring about. Whoever confirms it gives back its `token`, so that what was shown is done."""

    after: Tournament
    changes: tuple[Change, ...]
    notes: tuple[Message, ...]

    @property
    def token(self) -> str:
        """The same for plans that say the same."""
        shown = [[change.kind, change.id, str(change.words)] for change in self.changes]
        return hashlib.sha256(json.dumps([shown, [str(note) for note in self.notes]]).encode()).hexdigest()[:16]


def planned(tournament: Tournament, actions: Sequence[Action], reopened: frozenset[str] = frozenset()) -> Plan:
    """What these actions would bring about, one after another. Raises `TournamentError` where one can't be done.

    `reopened`: the matches whose end was taken back at their table. While there are any, no further round is paired.
    """
    now, notes = tournament, list[Message]()
    for action in actions:
        if isinstance(action, NextRound | NextStage) and reopened:
            names = [named(now.state, now.state.match(match)) for match in sorted(reopened)]
            raise NotNow(say("Going on again at their tables: {matches}. Wait, or correct the results.", matches=names))
        preview = now.preview(action)
        now, notes = preview.after, [*notes, *preview.notes]
    return Plan(now, changes(tournament.state, now.state), tuple(notes))


def action_of(document: Mapping[str, Any]) -> Action:
    """The action that a page asks for: {"do": word} with what belongs to it, or an event as the log has it.

    Raises `BadInput`, which names the member.
    """
    match document:
        case {"do": "next_round"}:
            return NextRound()
        case {"do": "next_stage"}:
            return NextStage()
        case {"do": "pair_again", "round": str(round)}:
            return PairAgain(round)
        case {"do": "adopt", "number": int(number)}:
            return Adopt(number)
        case {"event": _}:
            return _event(document)
    raise BadInput(say("This is no action of the organiser's."))


def _event(document: Mapping[str, Any]) -> Action:
    try:
        event = read({**document, "number": 1}).event
    except BadRecord as error:
        raise BadInput(str(error)) from error
    if not isinstance(event, EVENTS):
        raise BadInput(say("This is no action of the organiser's."))
    told = event.result if isinstance(event, Corrected) else event
    if isinstance(told, Result) and told.report:
        raise BadInput(say("Only a table's report names where it comes from."))
    if isinstance(event, EntrantAdded | EntrantRenamed):
        for name in (*event.players, event.name):
            _check_name(name)
    if isinstance(event, BoardRenamed):
        check_table_name(event.name)
    return event


def check_table_name(name: str) -> None:
    """Raise `BadInput` for what can't be a table's name."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_TABLE:
        raise BadInput(say("A table's name has 1 to {n} characters, on one line.", n=LONGEST_TABLE))


def _check_name(name: str) -> None:
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadInput(
            say(
                "{name} can't be a name: at most {n} characters, on one line.", name=name[:LONGEST_NAME], n=LONGEST_NAME
            )
        )


def pasted(text: str, doubles: bool = False) -> list[tuple[str, ...]]:
    """The entrants of a list as people paste it: one on each line, or all on one with commas.

    >>> pasted("1. Player 1\\n 2) Player 2\\n\\n")
    [('Player 1',), ('Player 2',)]
    >>> pasted("Player 1 & Player 2; Player 3 / Player 4", doubles=True)
    [('Player 1', 'Player 2'), ('Player 3', 'Player 4')]
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = re.split(r"[;,\t]", lines[0])
    names = [re.sub(r"^\s*\d+\s*[.):\t]\s*", "", line).strip() for line in lines]
    if len(names) > MOST_PLAYERS:
        raise BadInput(say("A list has at most {n} players.", n=MOST_PLAYERS))
    found = [tuple(part.strip() for part in re.split(r"[&+/]", name)) if doubles else (name,) for name in names if name]
    for players in found:
        if doubles and (len(players) != 2 or not all(players)):
            raise BadInput(say("{name} is no team: write both partners with & between them.", name=" & ".join(players)))
        for player in players:
            _check_name(player)
    return found


def entering(state: State, entrants: Sequence[tuple[str, ...]]) -> list[EntrantAdded]:
    """The events that enter them, each under an id of its own; who is called as another gets a number."""
    added = []
    for number, players in enumerate(entrants, len(state.entrants) + 1):
        names: tuple[str, ...] = ()
        for player in players:
            names = (*names, free_name(state, player))
            state = state.with_entrant(Entrant(f"p{number}", names))
        added.append(EntrantAdded(f"p{number}", names))
    return added
