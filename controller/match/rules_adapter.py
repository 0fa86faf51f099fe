"""Converts events into values of the rules: shots and resting places."""

from dataclasses import replace

from controller import rules
from controller.match import events as ev
from controller.vision.readings import Zone


def to_shot(seen: ev.ShotSeen) -> rules.Shot:
    """Convert a seen shot."""
    rest: dict[str, rules.Rest] = {}
    for disc, where in seen.rest.items():
        if where == "surface":
            rest[disc] = placed(seen.measured[disc], seen.measured[disc].zone, returned=disc in seen.returned)
        else:
            rest[disc] = rules.HOLE if where == "hole" else rules.DITCH
    return rules.Shot(seen.side, seen.disc, seen.contacts, rest)


def played_as(seen: ev.ShotSeen, rule_set: rules.RuleSet) -> rules.PlayedAs | None:
    """How people overruled the verdict; None if they did not.

    An agreement of both sides takes precedence over a penalty for conduct.
    """
    if seen.agreed is not None:
        return "agreed_valid" if seen.agreed else "agreed_foul"
    return "conduct_foul" if seen.conduct and rule_set.conduct == "foul" else None


def placed(measured: ev.Measured, zone: Zone, *, returned: bool = False) -> rules.Placed:
    """Convert a measured disc, with the zone that the camera or a person decided.

    A disc that leans into the hole is in the 15, and so is one in the hole that is not a twenty.
    """
    if measured.pose == "leaning":
        return rules.Placed(measured.x, measured.y, "leaning", returned, 15)
    return rules.Placed(measured.x, measured.y, "flat", returned, 15 if zone == 20 else zone)


def ruled_shot(shot: rules.Shot, valid: bool, board: rules.Position) -> rules.Shot:
    """The shot with contacts that fit the corrected verdict."""
    opponents = board.opponents_of(shot.side)
    contacts = tuple(pair for pair in shot.contacts if not set(pair) & set(opponents))
    if valid and opponents:
        contacts += ((shot.disc, next((d for d in shot.rest if d in opponents), opponents[0])),)
    return replace(shot, contacts=contacts)


def rest_in(disc: str, zone: Zone | None, measured: ev.Measured | None) -> rules.Rest:
    """The resting place for a corrected zone; without a zone, the ditch. Raises `rules.BadCorrection`."""
    if zone is None:
        return rules.DITCH
    if zone == 20:
        return rules.HOLE
    if measured is None:
        raise rules.BadCorrection(f"{disc} does not lie on the board: say where it lies", "at")
    return placed(measured, zone)
