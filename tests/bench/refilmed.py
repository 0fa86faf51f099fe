"""A filmed round's play, filmed again by `tracing`: the same discs and hands on another board, in other light.

    python -m tests.bench.refilmed OUT --seed 4 --kind beside

`OUT` becomes a recording with the truth in `OUT/truth`, which the scorer beside the filmed round reads. A round takes
some ten minutes. The play is that of the shared pictures' generator, the picture that of ours: neither is the
simulated table's.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import TOURNAMENT, Board, DiscSize
from tests.bench import hard, things
from tests.bench.arm import grip_at, limbs
from tests.bench.materials import DISCS
from tests.bench.sensing import Sensor, exposure, shown
from tests.bench.shapes import Body, Field, Finish, Limb, Shape
from tests.bench.tracing import Table, Tracer
from tests.shared import VISION

ROUND = VISION / "video" / "round_1"
FLOOR = 25.0  # mm from the surface down to the ditch's floor, in the round that was filmed
SHUTTER = (0.0, 0.006, 0.012)  # s before a picture's time: discs that move are traced at each, and blurred
IN_SIGHT = 560.0  # mm from the hole: discs that lie farther out are not traced
BEYOND = 900.0  # mm from the hole: no camera shows more of a table
SKIES = 0.7  # of a lamp's height: what is higher casts no shadow that is traced
SOFT = 60.0  # mm that a shadow's edge is wide, by the height of what casts it over the lamp's above it
MUG = 40.0, 95.0  # mm, radius and height
BANDS = 12
BANK = 8  # pictures of noise

Mask = NDArray[np.uint8]
Path3 = Sequence[Sequence[float]]


@dataclass(frozen=True)
class Filmed:
    """The truth of the round, and with what it is played now."""

    truth: Mapping[str, Any]
    table: Table
    discs: tuple[Finish, ...]
    skins: Mapping[str, tuple[Finish, Finish]]  # and sleeves, by the hand's side
    mug: Finish

    def shapes_at(self, t: float) -> dict[object, Shape]:
        """Everything that lies on the board or moves over it at `t`, each with what tells it from all others."""
        found: dict[object, Shape] = {}
        size = self.table.board.disc
        for number, disc in enumerate(self.truth["discs"]):
            place = _on(disc["path"], t)
            if place is not None and math.hypot(*place[:2]) < IN_SIGHT:
                x, y, z = place
                body = Body(x, y, z, size.radius, size.thickness, self.discs[number], rounding=0.9)
                found["disc", number, place] = body
        for number, hand in enumerate(self.truth["hands"]):
            grip = grip_at(hand["keys"], t)
            if grip is not None:
                arm = limbs(grip, hand["seat_angle"], hand["left"], *self.skins[hand["side"]])
                found |= {(number, grip, part): limb for part, limb in enumerate(arm)}
        mug = _on(self.truth["mug"], t) if self.truth["mug"] else None
        if mug is not None:
            x, y = mug
            found["mug", mug] = Body(x, y, -FLOOR, *MUG, self.mug, rounding=3.0)
        return found


def _on(path: Path3, t: float) -> tuple[float, ...] | None:
    """Where a path (time, place..) is at `t`, to a hundredth of a millimetre; None before it begins."""
    if not path or path[0][0] > t:
        return None
    at = int(np.searchsorted([step[0] for step in path], t, side="right")) - 1
    low, high = path[at], path[min(at + 1, len(path) - 1)]
    share = (t - low[0]) / max(high[0] - low[0], 1e-9) if high is not low else 0.0
    return tuple(round(a + share * (b - a), 2) for a, b in zip(low[1:], high[1:], strict=True))


class Camera:
    """Traces only what has changed since the picture before: coarsely while a hand is there, finely once it is gone."""

    def __init__(self, filmed: Filmed, white: float) -> None:
        self._filmed, self._tracer = filmed, Tracer(filmed.table)
        self._light, _ = self._tracer.lit(())
        for band in np.array_split(np.arange(len(self._light)), BANDS):  # whole, it would need gigabytes
            where = np.zeros(self._light.shape[:2], np.bool_)
            where[band] = True
            self._tracer.again(self._light, where, (), fine=2)
        self._gain = exposure(self._light, white)
        self._shown: dict[object, Shape] = {}
        self._coarse = np.zeros(self._light.shape[:2], np.uint8)
        self._blurred = self._coarse.copy()
        self.picture = self._developed()

    def look(self, t: float) -> bool:
        """Take the picture (H, W, 3), 0 to 255 without noise, of the time `t`; whether it differs from the last."""
        wanted = self._filmed.shapes_at(t)
        hand = any(isinstance(shape, Limb) for shape in wanted.values())
        new = [shape for key, shape in wanted.items() if key not in self._shown]
        gone = [shape for key, shape in self._shown.items() if key not in wanted]
        self._shown = wanted
        where = cv2.bitwise_or(self._near((*new, *gone)), self._blurred)
        self._blurred = np.zeros_like(where)
        if not hand:
            where, self._coarse = cv2.bitwise_or(where, self._coarse), np.zeros_like(where)
        if not where.any():
            return False
        self._tracer.again(self._light, where > 0, tuple(wanted.values()), fine=1 if hand else 2)
        if hand:
            self._coarse = np.asarray(cv2.bitwise_or(self._coarse, where), np.uint8)
        moving = [shape for shape in (*new, *gone) if not isinstance(shape, Limb)]
        if moving:
            self._blur(t, self._near(moving))
        self.picture = self._developed()
        return True

    def _blur(self, t: float, where: Mask) -> None:
        """What a shutter that stays open makes of discs that move."""
        total, every = self._light.copy(), where
        for before in SHUTTER[1:]:
            then = self._filmed.shapes_at(t - before)
            moved = [s for key, s in then.items() if key not in self._shown and not isinstance(s, Limb)]
            here, light = cv2.bitwise_or(where, self._near(moved)), self._light.copy()
            self._tracer.again(light, here > 0, tuple(then.values()), fine=1)
            total += light
            every = np.asarray(cv2.bitwise_or(every, here), np.uint8)
        self._light = total / np.float32(len(SHUTTER))
        self._blurred = every
        self._coarse = np.asarray(cv2.bitwise_or(self._coarse, every), np.uint8)

    def _near(self, shapes: Iterable[Shape]) -> Mask:
        """Where (H, W) these are seen, or their shadows on surface and ditch."""
        camera = self._filmed.table.camera
        mask = np.zeros((camera.height, camera.width), np.uint8)
        for shape in shapes:
            for points in (_outline(shape), *(_shadow(shape, lamp.x, lamp.y, lamp.z) for lamp in self._lamps)):
                points[:, :2] = np.clip(points[:, :2], -BEYOND, BEYOND)
                hull = cv2.convexHull(np.rint(camera.project(points)).astype(np.int32))
                cv2.fillConvexPoly(mask, hull, (1,))
        return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)

    @property
    def _lamps(self) -> Sequence[Any]:
        return self._filmed.table.lamps

    def _developed(self) -> Field:
        return shown(cv2.GaussianBlur(self._light * np.float32(self._gain), (0, 0), Sensor().blur))


def _balls(shape: Shape) -> list[tuple[float, float, float, float]]:
    """Circles (x, y, z, radius) that hold a shape between them."""
    if isinstance(shape, Limb):
        return [(*end, shape.thick) for end in (shape.begin, shape.end)]
    return [(shape.x, shape.y, z, shape.radius) for z in shape.heights]


def _ring(x: float, y: float, z: float, radius: float) -> Field:
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    return np.column_stack((x + radius * np.cos(angles), y + radius * np.sin(angles), np.full(16, z)))


def _outline(shape: Shape) -> Field:
    """Points (n, 3) whose hull holds the shape in any picture from above."""
    up = [0.0, shape.thick] if isinstance(shape, Limb) else [0.0]
    return np.concatenate([_ring(x, y, z + more, r) for x, y, z, r in _balls(shape) for more in up])


def _shadow(shape: Shape, x: float, y: float, z: float) -> Field:
    """Points (n, 3) whose hull holds the shadow that a lamp at x, y, z makes of the shape."""
    points = [_ring(at_x, at_y, 0.0, radius + 3) for at_x, at_y, _, radius in _balls(shape)]
    for at_x, at_y, low, radius in _balls(shape):
        high = low + (radius if isinstance(shape, Limb) else 0.0)
        if not 0 < high < SKIES * z:
            continue
        away = high / (z - high)
        to = at_x + (at_x - x) * away, at_y + (at_y - y) * away
        floors = (0.0, -FLOOR) if math.hypot(*to) > TOURNAMENT.outer_line else (0.0,)
        points += [_ring(*to, floor, (radius + 4) * (1 + away) + SOFT * away) for floor in floors]
    return np.concatenate(points)


def _board(random: np.random.Generator) -> Board:
    return replace(
        TOURNAMENT,
        disc=DiscSize(15.9, 9.6),
        hole_radius=float(random.uniform(17.1, 17.6)),
        surface_height=FLOOR,
        rail_height=FLOOR + float(random.uniform(4, 18)),
    )


def film(out: Path, seed: int, setting: Callable[[np.random.Generator], hard.Setting]) -> hard.Setting:
    """Write the round as a recording into `out`, played and lit as `setting` has it."""
    random = np.random.default_rng((991, seed))
    truth = json.loads((ROUND / "truth.json").read_text("utf-8"))
    chosen = setting(random)
    table = hard.table_of(_board(random), chosen, random)
    skins = {
        side: (
            Finish(things.any_of(random, things.SKINS), 0.02, 1.0, 0.04, 20.0),
            Finish(things.any_of(random, things.CLOTHS), 0.08, 1.0, 0.0),
        )
        for side in ("A", "B", "?")
    }
    discs = tuple(hard.shaded(DISCS[chosen.colours["AB".index(disc["side"])]], random) for disc in truth["discs"])
    mug = Finish(things.any_of(random, things.PLAIN), 0.0, 1.0, 0.15, 60.0)
    camera = Camera(Filmed(truth, table, discs, skins, mug), chosen.white)
    noise = _noise(random, camera.picture.shape)
    out.mkdir(parents=True, exist_ok=True)
    lines: list[tuple[float, int, dict[str, Any]]] = [
        (edge["t"], 0, {"t": edge["t"], "hole": edge["state"]}) for edge in truth["hole"]
    ]
    for number in range(truth["frames"]):
        t, name = number / truth["fps"], f"{number:06d}.jpg"
        camera.look(t)
        cv2.imwrite(str(out / name), noise(camera.picture), [cv2.IMWRITE_JPEG_QUALITY, chosen.sensor.quality])
        lines.append((t, 1, {"t": round(t, 4), "frame": name}))
        if not number % 100:
            print(f"{number} of {truth['frames']} pictures", file=sys.stderr, flush=True)
    lines.sort(key=lambda line: line[:2])
    (out / "recording.jsonl").write_text("".join(json.dumps(line) + "\n" for _, _, line in lines), "utf-8")
    truth |= {"landmarks": _landmarks(table), "colours": dict(zip("AB", chosen.colours, strict=True))}
    (out / "truth").mkdir(exist_ok=True)
    (out / "truth" / "truth.json").write_text(json.dumps(truth), "utf-8")
    return chosen


def _noise(random: np.random.Generator, shape: tuple[int, ...]) -> Callable[[Field], NDArray[np.uint8]]:
    """A sensor's noise: some of it in every colour, some of it smeared as demosaicing does, more in the light."""
    height, width = shape[:2]
    amount, bank = float(random.uniform(1.3, 2.6)), []
    for _ in range(BANK):
        luma = 0.8 * random.standard_normal((height + 64, width + 64, 1), np.float32)
        chroma = cv2.GaussianBlur(random.standard_normal((height + 64, width + 64, 3), np.float32), (0, 0), 0.6)
        both = luma + 1.1 * chroma
        bank.append(np.asarray(both * (amount / both.std()), np.float32))

    def noisy(picture: Field) -> NDArray[np.uint8]:
        y, x = random.integers(0, 64, 2)
        sign = -1.0 if random.random() < 0.5 else 1.0
        grain = bank[int(random.integers(BANK))][y : y + height, x : x + width]
        return np.clip(
            picture + grain * sign * (0.75 + 0.25 * np.sqrt(np.maximum(picture, 1) / 128)) + 0.5, 0, 255
        ).astype(np.uint8)

    return noisy


def _landmarks(table: Table) -> dict[str, Any]:
    """As the filmed round's truth has them: pixels of the hole, the pegs and eight places of the outer line."""
    around = [math.radians(45 * k) for k in range(8)]
    line = [(table.board.outer_line * math.cos(a), table.board.outer_line * math.sin(a)) for a in around]
    seen = {"pegs": table.board.pegs, "outer_line": line}
    pixels = {name: table.camera.project(np.array(points)).tolist() for name, points in seen.items()}
    return {"hole": table.camera.project(np.zeros((1, 2)))[0].tolist(), **pixels}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.refilmed", description="Film a round's play again.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(hard.KINDS), default="holes")
    parser.add_argument("--tilt", type=float, nargs=2, default=(0.0, 22.0), metavar=("LEAST", "MOST"), help="degrees")
    given = parser.parse_args()
    if not ROUND.is_dir():
        sys.exit(f"The filmed round is not at {ROUND}: its truth says how discs and hands moved.")
    kind = hard.KINDS[given.kind]
    print(film(given.out, given.seed, lambda random: replace(kind(random), tilt=tuple(given.tilt))))


if __name__ == "__main__":
    main()
