"""How true the readings are: pictures with truth, ray-traced and painted, against what is read in them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.vision.background import Background
from controller.vision.calibration import calibrate
from controller.vision.reading import read_board
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import TOURNAMENT
from hardware.simulated.fall import LEAST_LEAN, MOST_LEAN, flat_in_hole, leaning_on_rim
from hardware.simulated.lens import CameraPose
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.vision.reading_pictures import PICTURES, load

Truth = dict[str, Any]
MATCHED = 12.0  # mm: a disc read farther off than this is a ghost, and the true one was missed
MATCHED_LOOSELY = 25.0  # mm: the same for discs that do not lie flat on the surface, whose place is uncertain
UNOBSTRUCTED = 0.02  # share of a disc that may be hidden
CLEAR = 1.5  # mm from a decision
LOOKS = (  # surface and the two sides
    ("maple", "black", "natural"),
    ("oak", "black", "natural"),
    ("cherry", "black", "natural"),
    ("birch", "black", "natural"),
    ("maple", "red", "blue"),
    ("maple", "black", "white"),
    ("dark_stain", "black", "natural"),
)
BOARDS_PER_LOOK = 8
POSES = (CameraPose(), CameraPose(position=(-180.0, -260.0, 900.0), roll=25.0), CameraPose(position=(5.0, 5.0, 1000.0)))


@dataclass
class Tally:
    """What became of the discs of one set of pictures."""

    of: str
    pairs: list[tuple[Truth, SeenDisc | None]] = field(default_factory=list)
    ghosts: list[SeenDisc] = field(default_factory=list)

    def add(self, discs: list[Truth], reading: BoardReading) -> None:
        """Match what was read to what is there, each once."""
        left = list(reading.discs)
        for truth in discs:
            seen = min(left, key=lambda disc: _apart(truth, disc), default=None)
            limit = MATCHED if truth["status"] in ("flat", "in_hole") else MATCHED_LOOSELY
            if seen is not None and _apart(truth, seen) < limit:
                left.remove(seen)
                self.pairs.append((truth, seen))
            else:
                self.pairs.append((truth, None))
        self.ghosts += left

    def figures(self) -> Iterator[tuple[str, float, str]]:
        """(name, value, unit) for each figure."""
        flat = [pair for pair in self.pairs if pair[0]["status"] == "flat" and pair[0]["occluded_frac"] < UNOBSTRUCTED]
        found = [(truth, seen) for truth, seen in flat if seen is not None]
        read = [(truth, seen) for truth, seen in self.pairs if seen is not None]
        away = np.array([_apart(truth, seen) for truth, seen in found])
        scores = [(truth["from_hole"] - math.hypot(seen.x, seen.y)) / seen.sigma for truth, seen in found]
        clear = [seen.call == "sure" for truth, seen in found if abs(truth["clearance_mm"]) > CLEAR]
        wrong = [seen for truth, seen in read if seen.zone != truth["zone"]]
        yield f"{self.of}: unobstructed flat discs", len(flat), "discs"
        yield f"{self.of}: found", 100 * len(found) / len(flat), "%"
        yield f"{self.of}: ghosts", len(self.ghosts), "discs"
        yield f"{self.of}: position, RMS", float(np.sqrt(np.mean(away**2))), "mm"
        yield f"{self.of}: position, 99 %", float(np.quantile(away, 0.99)), "mm"
        yield f"{self.of}: in the right ring", 100 - 100 * len(wrong) / len(read), "%"
        yield f"{self.of}: silently wrong", sum(seen.call == "sure" for seen in wrong), "discs"
        yield f"{self.of}: sure, of those clear of a line", 100 * float(np.mean(clear)), "%"
        yield f"{self.of}: close calls", 100 * float(np.mean([seen.call == "close" for _, seen in found])), "%"
        yield f"{self.of}: error over sigma, deviation", float(np.std(scores)), ""
        yield f"{self.of}: error over sigma, largest", float(np.abs(scores).max()), ""
        yield f"{self.of}: colour wrong", sum(truth["colour"] != seen.colour for truth, seen in read), "discs"


def _apart(truth: Truth, seen: SeenDisc) -> float:
    return math.hypot(seen.x - truth["x_mm"], seen.y - truth["y_mm"])


def _rendered(truths: list[Path], tally: Tally, *, first_is_empty: bool) -> None:
    empty = None
    for path in truths:
        picture = load(path)
        if first_is_empty and empty is None:
            empty = Background.from_empty(picture.image, picture.calibration)
        for disc in picture.discs:
            disc["from_hole"] = math.hypot(disc["x_mm"], disc["y_mm"])
        tally.add(picture.discs, read_board(picture.image, picture.calibration, empty=empty))


def truth_of(disc: SceneDisc, status: str) -> Truth:
    """A painted disc, as the ray-traced pictures tell theirs."""
    from_hole, board = math.hypot(disc.x, disc.y), TOURNAMENT
    lines = [board.inner_edge(line) for line in (board.fifteen_line, board.ten_line, board.outer_line)]
    gaps = [line - from_hole - board.disc.radius for line in lines]
    zone = next((zone for zone, gap in zip((15, 10, 5), gaps, strict=True) if gap > 0), 0)
    return {
        "status": status,
        "x_mm": disc.x,
        "y_mm": disc.y,
        "from_hole": from_hole,
        "colour": disc.colour,
        "occluded_frac": 0.0,
        "clearance_mm": min(gaps, key=abs),
        "zone": 20 if status == "in_hole" else zone,
    }


def scattered(random: np.random.Generator, colours: tuple[str, str], count: int, least: float) -> list[SceneDisc]:
    """Discs on the surface at least `least` mm from the hole, clear of each other and of the pegs."""
    spots: list[tuple[float, float]] = []
    while len(spots) < count:
        out, turn = math.sqrt(random.uniform(least**2, 300**2)), random.uniform(0, 2 * math.pi)
        spot = (out * math.cos(turn), out * math.sin(turn))
        if all(math.dist(spot, s) > 32.2 for s in spots) and all(math.dist(spot, p) > 21 for p in TOURNAMENT.pegs):
            spots.append(spot)
    return [SceneDisc(f"d{k}", colours[k % 2], x, y) for k, (x, y) in enumerate(spots)]


def at_the_hole(random: np.random.Generator, colour: str) -> tuple[SceneDisc, str]:
    """A disc that lies flat in the hole or leans on its rim, and which of the two."""
    towards, leans = random.uniform(0, 2 * math.pi), random.random() < 0.5
    if leans:
        lying = leaning_on_rim(TOURNAMENT, towards, random.uniform(LEAST_LEAN, MOST_LEAN))
    else:
        lying = flat_in_hole(TOURNAMENT, towards, random.uniform(0, 1))
    disc = SceneDisc("h", colour, lying.x, lying.y, lying.z, lying.tilt, lying.tilt_towards)
    return disc, "leaning" if leans else "in_hole"


def _painted(on: Tally, at_hole: Tally) -> None:
    random = np.random.default_rng(20)
    for k, (surface, *colours) in enumerate(LOOKS):
        painter = Painter(look=Look(surface=surface), pose=POSES[k % len(POSES)], seed=k)
        image = painter.full(Scene(0.0))
        calibration = calibrate(image)
        empty = Background.from_empty(image, calibration)
        for n in range(BOARDS_PER_LOOK):
            discs = scattered(random, (colours[0], colours[1]), 8, 40.0)
            hole, status = at_the_hole(random, colours[n // 2 % 2])
            reading = read_board(painter.full(Scene(1.0 + n, (*discs, hole))), calibration, empty=empty)
            near = [seen for seen in reading.discs if math.hypot(seen.x, seen.y) < 20]
            far = tuple(seen for seen in reading.discs if math.hypot(seen.x, seen.y) >= 20)
            on.add([truth_of(disc, "flat") for disc in discs], BoardReading(far))
            at_hole.add([truth_of(hole, status)], BoardReading(tuple(near)))


def _hole_figures(tally: Tally) -> Iterator[tuple[str, float, str]]:
    for status in ("in_hole", "leaning"):
        seen = [seen for truth, seen in tally.pairs if truth["status"] == status]
        yield f"{tally.of}: {status}", len(seen), "discs"
        yield f"{tally.of}: {status}, read so", sum(s is not None and s.pose == status for s in seen), "discs"
        right = sum(s is not None and s.pose == status and s.call == "sure" for s in seen)
        yield f"{tally.of}: {status}, read so and sure", right, "discs"
        wrong = sum(s is not None and s.pose != status and s.call == "sure" for s in seen)
        yield f"{tally.of}: {status}, silently wrong", wrong, "discs"


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure; empty where the pictures are not beside the checkout."""
    if not PICTURES.is_dir():
        return []
    stills, rounds = Tally("stills, empty board unknown"), Tally("rounds, empty board known")
    painted, hole = Tally("painted, empty board known"), Tally("painted at the hole")
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        _rendered(sorted((PICTURES / "raytraced").glob("*.json")), stills, first_is_empty=False)
        for folder in sorted((PICTURES / "sequences").iterdir()):
            _rendered(sorted(folder.glob("*.json")), rounds, first_is_empty=True)
        _painted(painted, hole)
    finally:
        cv2.setNumThreads(threads)
    return [*stills.figures(), *rounds.figures(), *painted.figures(), *_hole_figures(hole)]
