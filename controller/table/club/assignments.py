"""Whether this table can play what the club assigns to it."""

from collections.abc import Mapping
from typing import Any

from controller import rules
from controller.club import wire
from controller.errors import BadInput
from controller.match import commands as cm
from controller.match.commands import parse_command
from controller.match.fold import new_game
from controller.messages import wording
from controller.table.match_start import match_started
from controller.views.club import InClub


def in_club(name: str, assigned: wire.Assigned | None, own_rules: Mapping[str, Mapping[str, Any]]) -> InClub:
    """The club's assignment, tried as its start will be. `own_rules`: the club's own rule sets by id, as configured."""
    if assigned is None:
        return InClub(name)
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
