"""What became of the discs of pictures: true ones beside what was read of them, and what was read where nothing is."""

import math
from collections import Counter
from dataclasses import dataclass, field

from controller.vision.readings import SeenDisc
from tests.bench.truth import TrueDisc

MATCHED = 12.0  # mm: a disc read farther off than this is a ghost, and the true one was missed
MATCHED_LOOSELY = 25.0  # mm: the same for discs that do not lie flat on the surface, whose place is uncertain
Pair = tuple[TrueDisc, SeenDisc | None]


@dataclass
class Tally:
    """What became of the discs of one board, or of several."""

    pairs: list[Pair] = field(default_factory=list)
    ghosts: list[SeenDisc] = field(default_factory=list)
    asked: bool = False  # of some picture
    mistaken: bool = False  # some picture's totals are wrong, and nothing was asked

    @property
    def silent(self):
        """Discs that are surely in another ring than the true one."""
        return [pair for pair in self.pairs if pair[1] and pair[1].zone != pair[0].zone and pair[1].call == "sure"]

    @property
    def wrong(self):
        """Whether something was shown as sure and false: a ring, or a total though nothing was asked."""
        return bool(self.silent) or self.mistaken

    @property
    def sure(self):
        return sum(disc is not None and disc.call == "sure" for _, disc in self.pairs)

    def add(self, truth, seen, asks):
        """Match what was read in a picture to what is there, each once. `asks`: the reading asks people to look."""
        left = list(seen)
        pairs = []
        for true in truth:
            near = min(left, key=lambda disc: apart(true, disc), default=None)
            limit = MATCHED if true.status in ("flat", "in_hole") else MATCHED_LOOSELY
            if near is not None and apart(true, near) < limit:
                left.remove(near)
                pairs.append((true, near))
            else:
                pairs.append((true, None))
        asks = asks or any(disc.call == "close" for disc in seen)
        self.pairs += pairs
        self.ghosts += left
        self.asked |= asks
        self.mistaken |= not asks and _totals_differ(pairs, left)


def _totals_differ(pairs, ghosts):
    """Colours are names or groups: each stands for the side that most of its discs are of."""
    votes = {}
    for true, disc in pairs:
        if disc is not None:
            votes.setdefault(disc.colour, Counter())[true.side] += 1
    side_of = {label: count.most_common(1)[0][0] for label, count in votes.items()}
    totals = Counter()
    for true, disc in pairs:
        totals[true.side] += true.zone
        if disc is not None:
            totals[side_of[disc.colour]] -= disc.zone
    for ghost in ghosts:
        totals[side_of.get(ghost.colour, "A")] -= ghost.zone
    return any(totals.values())


def apart(true, disc):
    """Millimetres between where a disc is and where it was read."""
    return math.hypot(disc.x - true.x, disc.y - true.y)
