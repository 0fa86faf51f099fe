"""Paints the pictures of a camera above the simulated table, full in colour, small in grey, with the image sensor's
brightness, white balance and noise."""

import math
from dataclasses import dataclass, field
from operator import attrgetter
from threading import Lock
from zlib import crc32

import cv2
import numpy as np

from hardware.board import TOURNAMENT, Board
from hardware.devices import Image
from hardware.simulated.arms import Arms
from hardware.simulated.empty_board import BASE, EVERYWHERE, EmptyBoard
from hardware.simulated.foreign_objects import ForeignObjects
from hardware.simulated.lens import CameraPose, PaintedView
from hardware.simulated.look import Look, textures
from hardware.simulated.scene import RGB, Glow, Scene, SceneDisc
from hardware.simulated.sprites import EXPOSURE, Sprites, Stamp

GAMMA = 2.2  # from light to grey level
READ_NOISE = 2.0  # grey levels, at black
SHOT_NOISE = 1.8  # grey levels, at white; grows with the root of the brightness
SMALL_NOISE = 0.7  # grey levels: the small stream averages 16 pixels, whose noise is not independent
POOL = 2  # small noise pictures; each frame uses one at a random offset
SPARE = 128  # pixels by which a noise picture is larger than a frame
SCALE_BITS = 4  # fractional bits of noise levels
SCALE = 1 << SCALE_BITS
HALF = SCALE * SCALE // 2  # rounds the product of two scaled numbers
WARMTH = (-0.14, 0.0, 0.14)  # change of blue, green, red at warmth 1


class Sensor:
    """Turns a canvas into a picture. The noise depends on the seed and the scene's time alone."""

    def __init__(self, width: int, height: int, small: tuple[int, int], contrast: float, seed: int) -> None:
        self._level = (128 + (np.arange(256) - 128) * contrast)[:, None]
        random = np.random.default_rng([seed, 11])
        shape = (height + SPARE, width + SPARE, 3)
        self._noise = np.rint(random.standard_normal(shape, np.float32) * SCALE).astype(np.int16)
        small_shape = (small[1] + SPARE, small[0] + SPARE)
        self._small_noise = [self._split(random, small_shape) for _ in range(POOL)]
        self._seed = seed
        self._light: tuple[float, float] | None = None
        self._curve = self._level.astype(np.uint8)
        self._same = False  # whether the curve is the identity
        self._lit: tuple[Image, Image] | None = None  # the last small canvas before and after the curve
        level = np.arange(256) / 255
        self._spread = np.rint(np.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * level) * SCALE).astype(np.int16)

    @staticmethod
    def _split(random: np.random.Generator, shape: tuple[int, int]) -> tuple[Image, Image]:
        """Noise as bytes to add and bytes to subtract: saturating byte arithmetic is the fastest."""
        noise = np.rint(random.standard_normal(shape) * SMALL_NOISE)
        return np.maximum(noise, 0).astype(np.uint8), np.maximum(-noise, 0).astype(np.uint8)

    def full(self, canvas: Image, scene: Scene) -> Image:
        """(h, w, 3) the picture of a canvas (h, w, 3)."""
        self._expose(scene)
        lit = canvas if self._same else cv2.LUT(canvas, self._curve)
        _, top, left = self._place(scene.t)
        height, width = canvas.shape[:2]
        noise = self._noise[top : top + height, left : left + width]
        change = np.asarray(noise * cv2.LUT(lit, self._spread), np.int16)
        change += HALF
        change >>= 2 * SCALE_BITS
        return np.asarray(cv2.add(lit, change, dtype=cv2.CV_8U), np.uint8)

    def small(self, canvas: Image, scene: Scene) -> Image:
        """(h, w) the picture of a canvas (h, w, 1), which must not change afterwards."""
        self._expose(scene)
        if self._lit is None or self._lit[0] is not canvas:
            self._lit = canvas, np.asarray(cv2.LUT(canvas[..., 0], np.ascontiguousarray(self._curve[..., 1])), np.uint8)
        lit = self._lit[1]
        which, top, left = self._place(scene.t)
        height, width = canvas.shape[:2]
        more, less = (noise[top : top + height, left : left + width] for noise in self._small_noise[which])
        return np.asarray(cv2.subtract(cv2.add(lit, more), less), np.uint8)

    def _expose(self, scene: Scene) -> None:
        """Set the tone curve (1, 256, 3) for the scene's light: output by input level and channel."""
        if self._light == (scene.light, scene.warmth):
            return
        gain = np.array([max(scene.light * (1 + scene.warmth * w), 0.0) ** (1 / GAMMA) for w in WARMTH])
        self._curve = np.asarray(np.clip(np.rint(self._level * gain), 0, 255), np.uint8)[None]
        self._same = bool(np.all(self._curve[0] == np.arange(256)[:, None]))
        self._light, self._lit = (scene.light, scene.warmth), None

    def _place(self, t: float) -> tuple[int, int, int]:
        """A noise picture and an offset in it."""
        key = crc32(f"{self._seed}:{t:.6f}".encode())
        return key % POOL, key // POOL % SPARE, key // (POOL * SPARE) % SPARE


MIRRORED = 0.2  # width of a glow's highlight, as a share of its reach
RING_RADIUS, RING_LAMP = 26.0, 2.5  # mm, of the ring of lamps round the hole and of one lamp
RING_LIGHT = 3.1  # grey levels for each level of a lamp: its brightest, 64 of 255, adds 200
RING_HALO = 4.2, 0.2  # width of a lamp's halo on wood and lens in its radii, and its share of the light in the middle
PAINTED = attrgetter("discs", "hands", "covered", "things", "glows", "ring")  # of a scene, beside light and place
Place = tuple[tuple[float, float, float], tuple[float, float, float]]  # the board's shift and the camera's nudge


@dataclass
class Backdrop:
    """What one picture size keeps from frame to frame until the board or the camera moves."""

    view: PaintedView
    empty: Image  # (h, w, 3) or (h, w, 1)
    glare: Image | None  # (h, w, same)
    stamps: dict[SceneDisc, Stamp] = field(default_factory=dict)  # of discs at rest
    resting: tuple[SceneDisc, ...] = ()
    ring: tuple[RGB, ...] = ()
    picture: Image | None = None  # the empty board with `ring` and `resting`
    shown: Scene | None = None  # the last scene
    canvas: Image | None = None  # its canvas


class Painter:
    """Paints scenes of one table through one camera. The same scene, seed and time give the same picture. `full` and
    `small` show the same moment; both may be called from any thread. Both raise `HardwareError` for a disc of unknown
    colour and for a pose that does not see the board."""

    def __init__(
        self,
        board: Board = TOURNAMENT,
        look: Look | None = None,
        pose: CameraPose | None = None,
        seed: int = 0,
        *,
        exposure: float = EXPOSURE,
    ) -> None:
        """`exposure` is each picture's exposure time in seconds, over which moving discs are smeared."""
        self.board = board
        self.look = look or Look()
        self.pose = pose or CameraPose()
        self._textures = textures(seed)
        self._empty = EmptyBoard(board, self.look, self._textures)
        self._sprites = Sprites(board, self.look, self._empty, self._textures["wood"], exposure)
        self._arms = Arms(board, self._empty.throw, self.look.shadow, seed)
        self._foreign_objects = ForeignObjects(board, self._empty.throw, self.look.shadow)
        self._sensor = Sensor(self.pose.width, self.pose.height, self.pose.small, self.look.contrast, seed)
        self._place: Place | None = None
        self._full: Backdrop
        self._small: Backdrop
        self._lock = Lock()

    def full(self, scene: Scene) -> Image:
        """(height, width, 3) blue, green, red."""
        with self._lock:
            self._prepare((scene.board_shift, scene.camera_nudge))
            blurred = cv2.GaussianBlur(self._compose(self._full, scene), (5, 5), self.look.blur)
            return self._sensor.full(np.asarray(blurred, np.uint8), scene)

    def small(self, scene: Scene) -> Image:
        """(height, width) grey."""
        with self._lock:
            self._prepare((scene.board_shift, scene.camera_nudge))
            stage = self._small
            if stage.canvas is None or stage.shown is None or not _looks_the_same(scene, stage.shown):
                stage.canvas = self._compose(stage, scene)
            stage.shown = scene
            return self._sensor.small(stage.canvas, scene)

    def _prepare(self, place: Place) -> None:
        """Repaint the empty board if it or the camera was moved."""
        if place == self._place:
            return
        shift, nudge = place
        pose = self.pose.nudged(*nudge) if any(nudge) else self.pose
        bumped = pose.after_bump(shift)
        view = PaintedView(bumped)
        table = PaintedView(pose) if any(shift) else view
        canvas = np.clip(self._empty.paint(view, table) + 0.5, 0, 255).astype(np.uint8)
        self._sprites.pegs(canvas, view)
        ground = -self.board.surface_height - BASE
        spares = [SceneDisc(f"spare {k}", c, x, y, ground) for k, (x, y, c) in enumerate(self.look.spares)]
        self._sprites.discs(canvas, table, spares, {})
        width, height = self.pose.small
        small = PaintedView(bumped.scaled(width, height))
        self._full = Backdrop(view, canvas, self._empty.glare(view, 3))
        self._small = Backdrop(small, _shrunk(canvas, width, height), self._empty.glare(small, 1))
        self._place = place

    def _compose(self, stage: Backdrop, scene: Scene) -> Image:
        """The canvas (h, w, channels) of a scene, before the sensor; a copy."""
        moving = [disc for disc in scene.discs if _moves(disc)]
        resting = tuple(disc for disc in scene.discs if not _moves(disc)) if moving else scene.discs
        canvas = self._with_resting(stage, resting, scene.ring).copy()
        self._sprites.discs(canvas, stage.view, moving, {})
        if stage.glare is not None:
            cv2.add(canvas, stage.glare, dst=canvas)
        for thing in scene.things:
            self._foreign_objects.paint(canvas, stage.view, thing)
        for hand in scene.hands:
            self._arms.hand(canvas, stage.view, hand)
        if scene.covered:
            self._arms.jacket(canvas, stage.view)
        for glow in scene.glows:
            canvas = _glowing(canvas, stage.view, glow)
        return canvas

    def _with_resting(self, stage: Backdrop, resting: tuple[SceneDisc, ...], ring: tuple[RGB, ...]) -> Image:
        """The empty board with its lamps and these discs at rest, repainted only when they change."""
        if stage.picture is None or (stage.resting, stage.ring) != (resting, ring):
            stage.stamps = {disc: stage.stamps[disc] for disc in resting if disc in stage.stamps}
            picture = stage.empty.copy()
            if any(map(any, ring)):
                _light_up(picture, stage.view, ring)
            self._sprites.discs(picture, stage.view, resting, stage.stamps)  # which may refuse a disc
            stage.picture, stage.resting, stage.ring = picture, resting, ring
        return stage.picture


def _moves(disc: SceneDisc) -> bool:
    return bool(disc.vx or disc.vy)


def _looks_the_same(a: Scene, b: Scene) -> bool:
    """Whether two scenes of one painter differ in light and noise at most."""
    return PAINTED(a) == PAINTED(b)


def _light_up(canvas: Image, view: PaintedView, ring: tuple[RGB, ...]) -> None:
    """Add the light of the lamps round the hole to the canvas (h, w, channels)."""
    turn = np.arange(len(ring)) * (2 * math.pi / len(ring))
    places = RING_RADIUS * np.stack((np.cos(turn), np.sin(turn), np.zeros_like(turn)), axis=-1)
    pixels = view.pose.project(places)
    size = RING_LAMP / RING_RADIUS * float(np.linalg.norm(pixels - pixels.mean(axis=0), axis=1).mean())
    light = np.zeros((*canvas.shape[:2], 3), np.float32)
    for (u, v), rgb in zip(pixels * 16, ring, strict=True):
        blue_green_red = [RING_LIGHT * level for level in rgb[::-1]]
        cv2.circle(light, (round(u), round(v)), round(size * 16), blue_green_red, cv2.FILLED, cv2.LINE_8, 4)
    wide, share = RING_HALO
    light += 2 * share * wide**2 * cv2.GaussianBlur(light, (0, 0), wide * size)
    if canvas.shape[2] == 1:
        light = cv2.cvtColor(light, cv2.COLOR_BGR2GRAY)[..., None]
    canvas[:] = np.clip(canvas + light, 0, 255)


def _glowing(canvas: Image, view: PaintedView, glow: Glow) -> Image:
    """The canvas (h, w, channels) in the light of a glow."""
    x, y = view.plane(EVERYWHERE, 0.0)
    lit = 1 + (glow.gain - 1) * np.exp(-((x - glow.x) ** 2 + (y - glow.y) ** 2) / (2 * glow.reach**2))
    away = ((x - glow.x / 2) ** 2 + (y - glow.y / 2) ** 2) / (2 * (MIRRORED * glow.reach) ** 2)
    shown = canvas * (lit ** (1 / GAMMA))[..., None] + (glow.mirrored * np.exp(-away))[..., None]
    return np.clip(shown + 0.5, 0, 255).astype(np.uint8)


def _shrunk(picture: Image, width: int, height: int) -> Image:
    """Shrink a colour picture to grey (height, width, 1), averaged over areas."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)[..., None]
