"""Judges a shot: valid or foul, which discs come off, who gets a twenty.

>>> from controller.rules import Position, Disc, HOLE, Placed, Shot, judge, rule_set
>>> board = Position({"b1": Disc("B", 0.0, 60.0)})
>>> shot = Shot("A", "a1", (), {"a1": HOLE})
>>> judge(board, shot, rule_set("nca")).reason
'no_opponent_contact'
>>> judge(Position(), shot, rule_set("nca")).twenties
('a1',)
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from controller.rules.choices import RuleSet
from controller.rules.errors import ImpossibleShot
from controller.rules.geometry import clearance
from controller.rules.shots import POSES, Disc, Ditch, Hole, Placed, Position, Rest, Shot, is_exact, zone_of
from hardware.board import TOURNAMENT

Rule = Literal["opponent_contact", "open_board", "annulled"]
Reason = Literal["no_opponent_contact", "not_in_fifteen", "not_in_hole"]
Why = Literal["foul", "outer_line", "left_surface", "returned", "twenty"]
PlayedAs = Literal["agreed_foul", "agreed_valid", "conduct_foul"]
"""How people overrule the verdict: the sides agree on a foul or a valid shot, or the player's conduct is a foul."""
OVERLAP = 4.0
"""mm by which two touching discs may seem to overlap: 2 mm because real discs are up to that much narrower than those
of the drawing (29.75 to 32 mm in measured sets), and 2 mm for the errors of two measured centres."""
Decides = Literal["opponent_contact", "open_board"]  # the rule that decides whether a shot was a foul


@dataclass(frozen=True)
class Removal:
    """A disc that came off by a shot."""

    disc: str  #: Its id.
    why: Why  #: Why it came off. Its own movement takes precedence over a foul.


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a shot.

    `twenties`: the discs banked, each for its owner; `board`: the position after all removals. `rule`: the deciding
    choice, "annulled" for an annulled shot; `deciding`: the discs that made the shot valid (opponent's discs hit, or
    own discs in the 15), or in a foul those that took part.

    `valid`, `reason`, `rule` and `deciding` are always the rules' verdict. If `played_as` overrules it, `removed`,
    `twenties` and `board` follow `played_as`."""

    valid: bool
    reason: Reason | None
    removed: tuple[Removal, ...]
    twenties: tuple[str, ...]
    board: Position
    rule: Rule
    deciding: tuple[str, ...]
    played_as: PlayedAs | None = None

    @property
    def counted_valid(self) -> bool:
        """Whether the shot counted as valid: by `played_as`, else by the rules' verdict."""
        return self.valid if self.played_as is None else self.played_as == "agreed_valid"


def judge(board: Position, shot: Shot, rules: RuleSet, played_as: PlayedAs | None = None) -> Judgement:
    """Judge one shot, given the position before it. Knows no turns, rounds or disc counts. `played_as`: how people
    overrule the verdict. A contact with a disc off the board (in the ditch) does not count. Raises `ImpossibleShot` if
    the shot can't have happened in this position."""
    check_shot(board, shot)
    settled = _settle(board, shot)
    rule, deciding = _decide(settled, rules)
    foul = not deciding if played_as is None else played_as != "agreed_valid"
    fouled = _removed_by_foul(settled, rules, rule) if foul else []
    twenties = tuple(id for id in settled.sunk if id not in fouled)
    gone = settled.gone | dict.fromkeys(fouled, "foul") | dict.fromkeys(twenties, "twenty")
    order = {id: None for id in (*shot.rest, *gone) if id in gone}
    return Judgement(
        valid=bool(deciding),
        reason=None if deciding else _foul_reason(rule, rules),
        removed=tuple(Removal(id, gone[id]) for id in order),
        twenties=twenties,
        board=Position({id: disc for id, disc in settled.after.items() if id not in fouled}),
        rule=rule,
        deciding=deciding or tuple(settled.hit),
        played_as=played_as,
    )


@dataclass(frozen=True, slots=True)
class _Settled:
    """A shot after all discs have come to rest, before removals for a foul."""

    before: Mapping[str, Disc]
    shot: Shot
    hit: Mapping[str, None]  # the discs that the shot reached, see `chain`
    after: Mapping[str, Disc]  # the discs on the surface
    gone: dict[str, Why]
    sunk: Sequence[str]  # flat in the hole


def _decide(settled: _Settled, rules: RuleSet) -> tuple[Decides, tuple[str, ...]]:
    """The rule that decides this shot, and the discs that make it valid; none if it is a foul."""
    before, side = settled.before, settled.shot.side
    if any(disc.side != side for disc in before.values()):
        return "opponent_contact", tuple(id for id in settled.hit if id in before and before[id].side != side)
    return "open_board", _valid_on_open_board(settled, rules)


def _foul_reason(rule: Decides, rules: RuleSet) -> Reason:
    """The reason why this rule makes a shot a foul."""
    if rule == "opponent_contact":
        return "no_opponent_contact"
    return "not_in_hole" if rules.open_board == "hole" else "not_in_fifteen"


def _valid_on_open_board(settled: _Settled, rules: RuleSet) -> tuple[str, ...]:
    """The discs that make a shot on an open board valid; none if it is a foul."""
    shot = settled.shot
    if rules.open_board == "free":
        return (shot.disc,)
    if rules.open_board == "hole":
        return tuple(settled.sunk)
    who: Iterable[str] = (shot.disc,) if rules.open_board == "shot_disc" else dict.fromkeys((*settled.hit, *shot.rest))
    reached = {id for id, disc in settled.after.items() if _in_fifteen(disc, rules)}
    return tuple(id for id in who if id in settled.sunk or id in reached)


def _removed_by_foul(settled: _Settled, rules: RuleSet, rule: Decides) -> list[str]:
    """The shooter's discs that a foul against this rule removes, of those that the shot left on the board or sank.
    Rules that allow any shot on an open board define no foul there: if people play one, it removes what a foul usually
    removes."""
    before, shot = settled.before, settled.shot
    free = rules.open_board == "free"
    groups = rules.foul_removes if rule == "opponent_contact" or free else rules.open_failure_removes
    members = {"shot_disc": (shot.disc,), "own_hit": settled.hit, "own_moved": shot.rest, "own_sunk": settled.sunk}
    named = dict.fromkeys(id for group in groups for id in members[group])
    own = (id for id in named if id == shot.disc or before[id].side == shot.side)
    return [id for id in own if id in settled.after or id in settled.sunk]


def annulled(board: Position) -> Judgement:
    """The judgement of an annulled shot: the position before it."""
    return Judgement(True, None, (), (), board, "annulled", ())


def chain(board: Position, shot: Shot) -> dict[str, None]:
    """The discs that the shot reached, in the order of the hits, the shot disc first."""
    reached: dict[str, None] = {shot.disc: None}
    for one, other in shot.contacts:
        if one in reached and other in board.discs:
            reached[other] = None
        elif other in reached and one in board.discs:
            reached[one] = None
    return reached


def _settle(board: Position, shot: Shot) -> _Settled:
    """Where every disc is after the shot."""
    after = dict(board.discs)
    gone: dict[str, Why] = {}
    sunk: list[str] = []
    for id, rest in shot.rest.items():
        was = after.pop(id, None)
        if isinstance(rest, Ditch):
            gone[id] = "left_surface"
        elif rest.returned:
            gone[id] = "returned"
        elif isinstance(rest, Hole):
            sunk.append(id)
        else:
            side = was.side if was else shot.side
            after[id] = Disc(side, rest.x, rest.y, rest.pose, zone_of(rest))
    for id in [id for id, disc in after.items() if zone_of(disc) == 0]:
        del after[id]
        gone[id] = "outer_line"
    return _Settled(board.discs, shot, chain(board, shot), after, gone, sunk)


def _in_fifteen(disc: Disc, rules: RuleSet) -> bool:
    """Whether a disc is in the 15, or on its line if that is enough."""
    zone = zone_of(disc)
    on_line = zone == 10 and rules.fifteen_line != "inside" and short_of_fifteen(disc.x, disc.y, rules) <= 0
    return zone == 15 or on_line


def short_of_fifteen(x: float, y: float, rules: RuleSet) -> float:
    """The distance in mm by which a disc at (x, y) misses what makes a shot on an open board valid: the 15 or, under
    most rules, its line, although a disc on the line scores 10 (NCA rule 3). Negative if it does not miss.

    >>> from controller.rules import rule_set
    >>> round(short_of_fifteen(0.0, 118.0, rule_set("nca")), 1), round(short_of_fifteen(0.0, 119.0, rule_set("nca")), 1)
    (-0.3, 0.7)
    """
    if rules.fifteen_line == "inside":
        return -clearance(x, y, "fifteen")
    return math.hypot(x, y) - TOURNAMENT.disc.radius - TOURNAMENT.fifteen_line - TOURNAMENT.line_width / 2


def check_shot(board: Position, shot: Shot) -> None:
    """Raise `ImpossibleShot` unless the shot can have happened on this board."""
    before = board.discs
    if shot.disc in before:
        raise ImpossibleShot(f"{shot.disc} is on the board already; a shot needs a disc that was not shot yet", "disc")
    if shot.disc not in shot.rest:
        raise ImpossibleShot(f"where the shot disc {shot.disc} came to rest is missing", "rest")
    for k, (one, other) in enumerate(shot.contacts):
        if one == other:
            raise ImpossibleShot(f"{one} can't touch itself", f"contacts[{k}]")
    for id, rest in shot.rest.items():
        if id != shot.disc and id not in before:
            raise ImpossibleShot(f"{id} was not on the board, so this shot can't have moved it", f"rest.{id}")
        if isinstance(rest, Placed):
            check_place(rest, f"rest.{id}")
    check_apart(shot.rest, before, "rest.")


def check_place(rest: Placed, place: str) -> None:
    """Raise `ImpossibleShot` unless a disc can rest there."""
    if rest.pose not in POSES:
        raise ImpossibleShot(f'{rest.pose!r} is not a pose; say "flat", "leaning" or "edge"', f"{place}.pose")
    distance = math.hypot(rest.x, rest.y)
    beyond = distance > TOURNAMENT.surface_radius and is_exact(rest)
    if beyond or not math.isfinite(distance):
        raise ImpossibleShot(
            f"({rest.x}, {rest.y}) is not on the playing surface, which ends {TOURNAMENT.surface_radius:g} mm from the "
            'hole; a disc that left it is in the "ditch"',
            f"{place}.at",
        )
    if rest.pose != "flat" and rest.zone not in (15, None):
        raise ImpossibleShot(
            f"a disc that reaches into the hole lies in the 15, not in the {rest.zone}", f"{place}.zone"
        )
    if rest.pose != "flat" and distance > TOURNAMENT.hole_radius + TOURNAMENT.disc.radius + OVERLAP:
        raise ImpossibleShot(
            f"a disc {distance:.0f} mm from the hole does not reach it: it can't be {rest.pose}", f"{place}.pose"
        )


def check_apart(rests: Mapping[str, Rest], discs: Mapping[str, Disc], place: str = "") -> None:
    """Raise `ImpossibleShot` if two flat discs overlap, within `rests` or with an unmoved disc of `discs`."""
    min_distance = 2 * TOURNAMENT.disc.radius - OVERLAP
    lying = [
        (id, disc.x, disc.y) for id, disc in discs.items() if disc.pose == "flat" and id not in rests and is_exact(disc)
    ]
    for id, rest in rests.items():
        if isinstance(rest, Placed) and rest.pose == "flat" and is_exact(rest):
            x, y = rest.x, rest.y
        elif isinstance(rest, Hole):
            x, y = 0.0, 0.0
        else:
            continue
        for other, u, v in lying:
            if math.hypot(x - u, y - v) < min_distance:
                raise ImpossibleShot(
                    f"{id} and {other} are in one place: their centres are {math.hypot(x - u, y - v):.1f} mm apart, "
                    f"and discs are {2 * TOURNAMENT.disc.radius:g} mm wide",
                    f"{place}{id}.at",
                )
        lying.append((id, x, y))
