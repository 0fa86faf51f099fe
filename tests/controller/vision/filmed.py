"""Shots as the camera's small pictures, with what really happened, and their films."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from controller.vision.calibration.calibration import calibrate
from controller.vision.film.filming import Filming
from controller.vision.film.stage import FilmView, KnownDisc, stage
from controller.vision.watching.frame_watcher import region, surface
from controller.vision.watching.gate import Gate
from hardware.board import TOURNAMENT
from hardware.simulated.fall import DiscPose
from hardware.simulated.hands import Reach, home
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.physics import Motion, shoot
from hardware.simulated.players import Flick, Skill, choose_flick
from hardware.simulated.scene import Scene, SceneDisc

COLOURS = {"a": "black", "b": "natural"}
GREYS = {"black": 34.0, "natural": 191.0}  # as earlier boards have shown them
SURFACE = "oak"  # as on the simulated table
EXPOSURE = 0.008  # s
LEAD = (0.25, 0.4)  # s of pictures before the flick
AFTER = 0.3  # s of pictures after the last disc came to rest
FINGER = 12.0  # mm behind the disc's edge
LEAVES = (0.5, 0.9)  # s in which the hand goes home
KEPT = 295.0  # mm from the hole: discs that rest farther out are taken off before the next shot
SHOTS = 8  # filmed of a round
MOST_LAID = 12  # discs that others played before
LAID_OUT = 270.0  # mm from the hole
PEG_ROOM = 21.0  # mm from a peg's axis or the hole's


@dataclass(frozen=True)
class Played:
    """One shot, before anybody looked at it."""

    discs: dict[str, DiscPose]  # that lay there before, without the shot's disc
    shooter: str
    seat: int
    flick: Flick
    motion: Motion
    seed: tuple[int, int]

    @property
    def speed(self):
        return math.hypot(self.flick.vx, self.flick.vy)


@dataclass(frozen=True)
class CameraSetting:
    """How the camera films."""

    fps: float = 30.0
    exposure: float = EXPOSURE
    lost: float = 0.0  # share of the frames that never come
    repeated: float = 0.0  # share of the frames that show the picture before
    late: float = 0.0  # s by which frames come late at most: they carry the time at which they came


def rounds(seed, shots=SHOTS):
    """The shots of one round, each on the board that the last one left."""
    random = np.random.default_rng(seed)
    lying = _laid(random, int(random.integers(0, MOST_LAID)))
    skill = Skill(angle=random.uniform(0.3, 1.6))
    for k in range(shots):
        side, seat = ("a", 1) if k % 2 == 0 else ("b", 3)
        targets = [disc for disc, at in lying.items() if disc[0] != side and at.at == "surface" and not at.leaning]
        if random.random() < 0.15:
            targets = [disc for disc, at in lying.items() if at.at == "surface" and not at.leaning]
        flick = choose_flick(TOURNAMENT, lying, seat, targets, skill, random)
        name = f"{side}{k}"
        discs = {**lying, name: DiscPose("surface", flick.x, flick.y)}
        motion = shoot(TOURNAMENT, discs, name, (flick.vx, flick.vy), random)
        yield Played(dict(lying), name, seat, flick, motion, (seed, k))
        lying = {disc: at for disc, at in {**discs, **motion.rest}.items() if _stays(at)}


def _laid(random, count):
    """Discs of a round that others played, half of them close beside another one."""
    lying = {}
    pegs = [(x, y) for x, y in TOURNAMENT.pegs]
    while len(lying) < count:
        x, y = (float(v) for v in random.uniform(-LAID_OUT, LAID_OUT, 2))
        if lying and random.random() < 0.5:
            near = list(lying.values())[int(random.integers(len(lying)))]
            turn, gap = random.uniform(0, 2 * math.pi), 2 * TOURNAMENT.disc.radius + random.uniform(0.1, 20.0)
            x, y = near.x + gap * math.cos(turn), near.y + gap * math.sin(turn)
        free = all(math.dist((x, y), (d.x, d.y)) > 2 * TOURNAMENT.disc.radius for d in lying.values())
        free &= all(math.dist((x, y), peg) > PEG_ROOM for peg in pegs)
        if free and PEG_ROOM < math.hypot(x, y) < LAID_OUT:
            lying[f"{'ab'[len(lying) % 2]}{len(lying) + 50}"] = DiscPose("surface", x, y)
    return lying


def _stays(lying):
    return lying.at == "surface" and not lying.leaning and math.hypot(lying.x, lying.y) < KEPT


@cache
def painter(exposure=EXPOSURE, surface=SURFACE, seed=1):
    return Painter(look=Look(surface=surface), seed=seed, exposure=exposure)


@cache
def calibration(surface=SURFACE, seed=1):
    return calibrate(painter(EXPOSURE, surface, seed).full(Scene(0.0)))


@cache
def _view(surface):
    return FilmView(calibration(surface), *painter(surface=surface).pose.small)


def staged(played, surface=SURFACE, exposure=EXPOSURE, greys=GREYS):
    """The board as a reading before the shot knows it, with the look of the empty board."""
    paint = painter(exposure, surface)
    known = [KnownDisc(disc, COLOURS[disc[0]], at.x, at.y) for disc, at in played.discs.items()]
    return stage(_view(surface), still(played, paint), known, dict(greys), paint.small(Scene(0.0)))


def film(played, setting):
    paint = painter(setting.exposure)
    ready = staged(played, exposure=setting.exposure)
    return film_of(ready, still(played, paint), pictures(played, setting, paint))


def film_of(ready, board, shown):
    """The film of small pictures and their times, in which a gate that saw the settled `board` sees the hands."""
    filming, view = Filming(ready), ready.view
    gate = Gate(region(view.calibration, board), view.board, surface(view.calibration, board))
    for t, small in shown:
        if gate.state is None:
            gate.see(board, t - 1 / 30)
        gate.see(small, t)
        filming.see(small, t, gate.hand_mask)
    return filming.film()


def still(played, paint):
    """The board before the shot's disc was placed."""
    return paint.small(Scene(1.0, tuple(shown(disc, at) for disc, at in played.discs.items())))


def pictures(played, setting, paint):
    """The frames' times and small pictures; the flick is at 0."""
    random = np.random.default_rng((*played.seed, int(setting.fps), int(1e6 * setting.exposure)))
    begin = -float(random.uniform(*LEAD))
    reach = _hand(played, float(random.uniform(*LEAVES)), begin)
    frames = int((played.motion.duration + AFTER - begin) * setting.fps)
    newest = None
    for k in range(frames):
        t = begin + k / setting.fps
        if k and random.random() < setting.lost:
            continue
        if newest is None or random.random() >= setting.repeated:
            newest = paint.small(_scene(played, reach, t))
        yield t + random.uniform(0.0, setting.late), newest


def scenes(played, lead=0.3, after=0.8, fps=30.0):
    """The shot from so long before the flick, which is at 100 s, until so long after the last disc rests."""
    reach = _hand(played, LEAVES[0], -lead)
    for k in range(int((lead + played.motion.duration + after) * fps)):
        yield _scene(played, reach, k / fps - lead)


def _scene(played, reach, t):
    moving = played.motion.at(t) if t >= 0 else {}
    placed = {**played.discs, played.shooter: DiscPose("surface", played.flick.x, played.flick.y)}
    discs = [shown(disc, at) for disc, at in placed.items() if disc not in moving]
    discs += [shown(disc, s.lying, s.vx, s.vy) for disc, s in moving.items()]
    hand = reach.hand(t)
    return Scene(100.0 + t, tuple(discs), (hand,) if hand else ())


def shown(disc, at, vx=0.0, vy=0.0):
    return SceneDisc(disc, COLOURS[disc[0]], at.x, at.y, at.z, at.tilt, at.tilt_towards, vx, vy)


def _hand(played, leaves, begin):
    """The finger waits behind the disc, snaps forward and leaves."""
    flick = played.flick
    ux, uy = flick.vx / played.speed, flick.vy / played.speed

    def behind(gap):
        back = TOURNAMENT.disc.radius + gap
        return flick.x - ux * back, flick.y - uy * back

    keys = ((begin - 0.1, behind(FINGER)), (-0.04, behind(FINGER)), (0.0, behind(0.0)), (leaves, home(played.seat)))
    return Reach(played.seat, "flick", keys)
