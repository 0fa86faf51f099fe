"""Checks whether this table can play the match that the club assigns, or has played it already."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from controller import link, rules
from controller.errors import BadInput, ControllerError
from controller.journal import Journal
from controller.match import commands as cm
from controller.match.commands import parse_command
from controller.match.fold import fold, new_game
from controller.match.state import parse
from controller.messages import wording
from controller.table.match_start import match_started
from controller.views.club import InClub

LOOKED_BACK = 50  # matches: more than a table plays in an evening. A restored hub assigns no older one again.


def in_club(
    name: str,
    assigned: link.Assigned | None,
    own_rules: Mapping[str, Mapping[str, Any]],
    over_as: int | None = None,
) -> InClub:
    """The club's assignment, after a trial start. `own_rules`: the club's own rule sets by id, as configured.

    `over_as`: the number of the finished match here that was this assignment.
    """
    if assigned is None:
        return InClub(name)
    if over_as is not None:
        return InClub(name, assigned, over_as=over_as)
    try:
        command = parse_command(
            {
                "do": "start",
                "rules": assigned.rules,
                "format": assigned.format,
                "discs": assigned.discs,
                "doubles": assigned.doubles,
                "sides": [{"name": side.name.strip()} for side in assigned.sides],
                "starter": assigned.starter,
            }
        )
        assert isinstance(command, cm.Start)
        game = new_game(match_started(command, own_rules.get(command.rules), None, cleared=True))
    except rules.RulesError as error:
        return InClub(name, assigned, refused=error.words)
    except BadInput as error:
        return InClub(name, assigned, refused=wording(error.args[0]))
    return InClub(name, assigned, game.terms)


def over_as(assignment: str, journal: Journal) -> int | None:
    """The newest match in the journal that was this assignment, if it is over. Unreadable matches are skipped."""
    for match in sorted(journal.matches(), reverse=True)[:LOOKED_BACK]:
        with suppress(ControllerError, ValueError):
            [first] = journal.since((journal.first_of(match) or 1) - 1, 1)
            if first.match == match and first.body.get("assignment") == assignment:
                return match if fold(match, [parse(entry) for entry in journal.events(match)]).over else None
    return None
