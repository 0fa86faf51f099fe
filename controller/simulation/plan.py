"""The matches to play: rule sets, formats, players, seats, starters, faults and seeds, all derived from one seed."""

from dataclasses import dataclass
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np

from controller import rules
from hardware.simulated.arrangement import Arrangement, Hung
from hardware.simulated.faults import FAULTS, FaultPlan

ALL = "all"
RANDOM = "random"
MOST_FAULTS = 3  # in one match with random faults
RING = "ring-at-hole"  # comes on top of them, as often as each, so that the dice of the others stay as they were
SIDES = {"singles": "AB", "doubles": "AB", "three": "ABC", "four": "ABCD", "alone": "A"}
PLAYERS = ("singles", "doubles", "three", "four")
"""Two, two pairs, and three or four each for themselves: every rule set and format can be played by all of them."""
FORMATS: tuple[dict[str, object], ...] = (
    {"kind": "points", "target": 40},
    {"kind": "rounds", "rounds": 2},
    {"kind": "race", "target": 4},
)
"""The formats that `all` plays: one of each kind. They are short, so that many matches are played in the same time."""
COLOURS = {"A": "black", "B": "natural", "C": "red", "D": "green"}
STARTERS = 2  # part of the seed, so that starters and faults are independent


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One planned match. `format` None: the rule set's usual one. `hung` "straight": seat 1 is at the picture's bottom
    and begins. The table gets the starting side, and in doubles the seat, as people enter it on the page; it must find
    the seats' directions itself."""

    number: int
    seed: int
    rules: str
    format: dict[str, object] | None = None
    players: str = "singles"
    faults: tuple[str, ...] = ()
    hung: Hung = "random"

    @property
    def arrangement(self) -> Arrangement:
        """How camera, players and lamps are arranged."""
        return Arrangement.of(self.hung, self.seed)

    @property
    def seats(self) -> tuple[tuple[int, str], ...]:
        """(seat, side) of the players, clockwise."""
        sides = tuple(rules.Side(side, side) for side in SIDES[self.players])
        return rules.Match.start(self.rules, sides=sides, doubles=self.players == "doubles").terms.seats

    @property
    def starter(self) -> tuple[int, str]:
        """The (seat, side) that begins."""
        return self.seats[who_begins(len(self.seats), self.hung, self.seed)]

    @property
    def truth(self) -> dict[str, Any]:
        """The table's arrangement, for people who examine a wrong match. Never for the code under test. `quarter`:
        quarter turns clockwise in the picture from its bottom to seat 1; `askew`: degrees; `lamps_on`: s; `seats`: each
        seat's side and its side of the picture; `begins`: the seat with the first shot."""
        arranged, (begins, _) = self.arrangement, self.starter
        sits = arranged.sits(seat for seat, _ in self.seats)
        return {
            "quarter": arranged.quarter,
            "askew": round(arranged.askew, 1),
            "lamps_on": round(arranged.lamps_on, 1),
            "seats": {str(seat): f"{side} at the {arranged.side_of_picture(sits[seat])}" for seat, side in self.seats},
            "begins": begins,
        }

    @property
    def start(self) -> dict[str, Any]:
        """The command that starts it."""
        sides = [{"name": COLOURS[side].capitalize(), "colour": COLOURS[side]} for side in SIDES[self.players]]
        seat, starter = self.starter
        document: dict[str, Any] = {"do": "start", "rules": self.rules, "sides": sides, "starter": starter}
        if self.format is not None:
            document["format"] = self.format
        return document | ({"doubles": True, "seat": seat} if self.players == "doubles" else {"doubles": False})

    @property
    def title(self) -> str:
        """Its name in reports and of folders."""
        kind = self.format["kind"] if self.format else "usual"
        return f"{self.number:04}-{self.rules}-{kind}-{self.players}"


def who_begins(players: int, hung: Hung, seed: int) -> int:
    """The index of the player who starts a simulated match; 0 if `hung` straight."""
    return int(np.random.default_rng([seed, STARTERS]).integers(players)) if hung != "straight" else 0


def plans(
    matches: int, rules_id: str, seed: int, faults: tuple[str, ...] = (), hung: Hung = "random"
) -> list[MatchPlan]:
    """The matches of one run, numbered from 0. Each can be played without the others.

    `rules_id`: a rule set, played by two (practice by one) in its usual format, or `all` for every rule set and format
    of matches, by two, in doubles, and by three and four each for themselves, in turn. `faults`: names, or `random`
    alone for up to three of any kind in every other match. Raises `UnknownFault` and `rules.UnknownRuleSet`."""
    if rules_id != ALL:
        rules.rule_set(rules_id)
    if faults != (RANDOM,):
        FaultPlan.from_names(faults, seed)
    return [_plan(number, rules_id, seed, faults, hung) for number in range(matches)]


def _plan(number: int, rules_id: str, seed: int, faults: tuple[str, ...], hung: Hung) -> MatchPlan:
    own = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
    if faults == (RANDOM,):
        random = np.random.default_rng([seed, number, 1])
        count = int(random.integers(1, MOST_FAULTS + 1)) if number % 2 else 0
        names = random.choice(sorted(FAULTS.keys() - {RING}), count, replace=False)
        ring = {RING} if count and random.random() < count / len(FAULTS) else set()
        faults = tuple(sorted({str(name) for name in names} | ring))
    if rules_id != ALL:
        players = "alone" if rules.rule_set(rules_id).practice else "singles"
        return MatchPlan(number, own, rules_id, players=players, faults=faults, hung=hung)
    kinds = _kinds()
    # Two rounds through the kinds, so that in each of them half of the matches have random faults.
    id_, format_, players = kinds[(number + number // len(kinds)) % len(kinds)]
    return MatchPlan(number, own, id_, dict(format_), players, faults, hung)


def _kinds() -> list[tuple[str, dict[str, object], str]]:
    """Every rule set with every format and number of players, in mixed order."""
    ids = [one.id for one in rules.rule_sets()]
    return sorted(product(ids, FORMATS, PLAYERS), key=lambda kind: crc32(repr(kind).encode()))
