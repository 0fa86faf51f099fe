"""What became of the discs of one set of pictures under one reader."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.vision.readings import SeenDisc
from tests.bench.truth import TrueDisc

RADIUS = 15.9  # mm, of every disc in these pictures
MATCHED = 12.0  # mm: a disc read farther off than this is a ghost, and the true one was missed
MATCHED_LOOSELY = 25.0  # mm: the same for discs that do not lie flat on the surface, whose place is uncertain


@dataclass
class Tally:
    """Pairs of a true disc and what was read of it, and what was read where nothing is."""

    pairs: list[tuple[TrueDisc, SeenDisc | None]] = field(default_factory=list)
    ghosts: list[SeenDisc] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)  # errors of clearance over sigma, of flat discs
    sides: list[tuple[TrueDisc, bool]] = field(default_factory=list)  # whether its side was right
    totals: Counter[str] = field(default_factory=Counter)  # pictures by how their totals came out
    refused: int = 0  # pictures in which no board was found

    def add(self, truth: Sequence[TrueDisc], seen: Sequence[SeenDisc], lines: Sequence[float], asks: bool) -> None:
        """Match what was read to what is there, each once. `lines` are the true inner edges; `asks`: obstructed."""
        left = list(seen)
        pairs: list[tuple[TrueDisc, SeenDisc | None]] = []
        for true in truth:
            near = min(left, key=lambda disc: apart(true, disc), default=None)
            limit = MATCHED if true.status in ("flat", "in_hole") else MATCHED_LOOSELY
            if near is not None and apart(true, near) < limit:
                left.remove(near)
                pairs.append((true, near))
            else:
                pairs.append((true, None))
        self.pairs += pairs
        self.ghosts += left
        self.scores += [_score(true, disc, lines) for true, disc in pairs if disc is not None and true.status == "flat"]
        self._sides(pairs, left, asks)

    def _sides(self, pairs: list[tuple[TrueDisc, SeenDisc | None]], ghosts: list[SeenDisc], asks: bool) -> None:
        """Colours are names or groups: each stands for the side that most of its discs are of."""
        votes: dict[str, Counter[str]] = {}
        for true, disc in pairs:
            if disc is not None:
                votes.setdefault(disc.colour, Counter())[true.side] += 1
        side_of = {label: count.most_common(1)[0][0] for label, count in votes.items()}
        self.sides += [(true, side_of[disc.colour] == true.side) for true, disc in pairs if disc is not None]
        true_totals: Counter[str] = Counter()
        read_totals: Counter[str] = Counter()
        for true, disc in pairs:
            true_totals[true.side] += true.zone
            if disc is not None:
                read_totals[side_of[disc.colour]] += disc.zone
        for disc in ghosts:
            read_totals[side_of.get(disc.colour, "A")] += disc.zone
        exact = all(true_totals[side] == read_totals[side] for side in ("A", "B"))
        asks = asks or any(disc.call == "close" for _, disc in pairs if disc) or any(g.call == "close" for g in ghosts)
        self.totals["asked" if asks else "exact" if exact else "wrong"] += 1


def apart(true: TrueDisc, disc: SeenDisc) -> float:
    return math.hypot(disc.x - true.x, disc.y - true.y)


def _score(true: TrueDisc, disc: SeenDisc, lines: Sequence[float]) -> float:
    """The error of the clearance from the line that the reader judged by, over its sigma."""
    judged = disc.clearance + math.hypot(disc.x, disc.y)  # the line less the disc's radius
    line = min((line for line in lines), key=lambda line: abs(line - RADIUS - judged))
    return (disc.clearance - (line - RADIUS - true.from_hole)) / disc.sigma
