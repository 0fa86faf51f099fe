"""What was seen, and what people say of it, as the rules take it: shots and where discs rest."""

from dataclasses import replace

from controller import rules
from controller.match import events as ev
from controller.vision.readings import Zone


def to_shot(seen: ev.ShotSeen) -> rules.Shot:
    """What the referee saw, in the rules' words."""
    rest: dict[str, rules.Rest] = {}
    for disc, where in seen.rest.items():
        if where == "surface":
            rest[disc] = placed(seen.measured[disc], seen.measured[disc].zone, returned=disc in seen.returned)
        else:
            rest[disc] = rules.HOLE if where == "hole" else rules.DITCH
    return rules.Shot(seen.side, seen.disc, seen.contacts, rest)


def played_as(seen: ev.ShotSeen, rule_set: rules.RuleSet) -> rules.PlayedAs | None:
    """What the shot is played as instead of the verdict on the board; None where that decides.

    What both sides agreed on stands above the penalty for conduct.
    """
    if seen.agreed is not None:
        return "agreed_valid" if seen.agreed else "agreed_foul"
    return "conduct_foul" if seen.conduct and rule_set.conduct == "foul" else None


def placed(measured: ev.Measured, zone: Zone, *, returned: bool = False) -> rules.Placed:
    """The disc where it was measured, in the zone that the camera or a person decided.

    A disc that leans into the hole lies in the 15, and so does one in the hole that is no twenty.
    """
    if measured.pose == "leaning":
        return rules.Placed(measured.x, measured.y, "leaning", returned, 15)
    return rules.Placed(measured.x, measured.y, "flat", returned, 15 if zone == 20 else zone)


def ruled_shot(shot: rules.Shot, valid: bool, board: rules.Board) -> rules.Shot:
    """The shot with its contacts as people say that they were."""
    opponents = board.opponents_of(shot.side)
    contacts = tuple(pair for pair in shot.contacts if not set(pair) & set(opponents))
    if valid and opponents:
        contacts += ((shot.disc, next((d for d in shot.rest if d in opponents), opponents[0])),)
    return replace(shot, contacts=contacts)


def rest_in(disc: str, zone: Zone | None, measured: ev.Measured | None) -> rules.Rest:
    """Where a disc rests that counts so; in the ditch without a zone. Raises `rules.BadCorrection`."""
    if zone is None:
        return rules.DITCH
    if zone == 20:
        return rules.HOLE
    if measured is None:
        raise rules.BadCorrection(f"{disc} does not lie on the board: say where it lies", "at")
    return placed(measured, zone)
