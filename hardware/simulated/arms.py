"""Hands, forearms and a jacket over the board: what hides the discs while people act."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board, seat_angle
from hardware.devices import Image
from hardware.simulated.lens import Floats, View
from hardware.simulated.look import Colour, grey
from hardware.simulated.scene import Hand

SKINS: tuple[Colour, ...] = ((150, 180, 224), (120, 152, 205), (80, 115, 172), (52, 76, 120), (38, 52, 84))
SLEEVES: tuple[Colour, ...] = (
    (40, 190, 120),
    (120, 50, 90),
    (60, 60, 62),
    (190, 120, 60),
    (50, 50, 170),
    (205, 208, 210),
)
LEVELS = ((1.0, 0.62), (0.86, 0.80), (0.66, 0.93), (0.4, 1.0))  # share of a limb's width, brightness: it is round
FRACTION = 4  # bits of OpenCV's fractional coordinates
ELBOW = 430.0  # mm from the fingertips
HAND_SHADOW_BLUR = 14.0  # mm


TURN = np.linspace(0, 2 * math.pi, 20, endpoint=False)
CIRCLE = np.stack((np.cos(TURN), np.sin(TURN)), axis=-1)


class Limb(NamedTuple):
    """A part of an arm: from one point to another (3,), mm, thick as a rod with these radii."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_radius: float
    end_radius: float
    colour: Colour


class Finger(NamedTuple):
    """Where a finger's tip and knuckle are: mm ahead of the hand's point (negative is back) and to its left, and up."""

    tip: tuple[float, float, float]
    knuckle: tuple[float, float, float]


PINCH = (  # thumb and two fingers around a disc, two fingers curled
    Finger((0, 17, 8), (-62, 40, 26)),
    Finger((6, -4, 10), (-72, 12, 44)),
    Finger((2, -18, 10), (-76, -8, 46)),
    Finger((-22, -34, 14), (-80, -26, 42)),
    Finger((-38, -44, 16), (-84, -42, 36)),
)
FLICK = (  # the index finger out, the others curled, the thumb beside
    Finger((0, 0, 8), (-82, 8, 40)),
    Finger((-40, 26, 16), (-84, 38, 28)),
    Finger((-42, -14, 18), (-84, -12, 44)),
    Finger((-50, -30, 18), (-88, -28, 42)),
    Finger((-58, -44, 18), (-92, -42, 36)),
)
FLAT = (  # an open hand with spread fingers
    Finger((-42, 62, 14), (-88, 38, 26)),
    Finger((-6, 30, 8), (-86, 20, 28)),
    Finger((0, 4, 8), (-86, 2, 30)),
    Finger((-8, -24, 8), (-90, -18, 28)),
    Finger((-32, -50, 8), (-94, -36, 24)),
)
FINGERS = {"place": PINCH, "lift": PINCH, "flick": FLICK, "sweep": FLAT}
RAISED = {"place": 8.0, "lift": 12.0, "flick": 2.0, "sweep": 6.0}  # mm above the surface, of the whole hand


@dataclass(frozen=True, slots=True)
class Person:
    """Whose arm it is: colours, size, and to which side the elbow points (degrees from the seat's direction)."""

    skin: Colour
    sleeve: Colour
    size: float
    bent: float
    cuff: float  # mm from fingertips to where the sleeve begins


class Arms:
    """Paints limbs, and a jacket that somebody laid over the board. The people are chosen by the seed."""

    def __init__(self, board: Board, throw: tuple[float, float], shadow: float, seed: int) -> None:
        random = np.random.default_rng([seed, 13])
        self._people = {seat: _somebody(random) for seat in (1, 2, 3, 4)}
        self._throw = throw
        self._shadow = shadow
        self._jacket_colour = SLEEVES[int(random.integers(len(SLEEVES)))]
        self._jacket_outline = _crumpled(random, 0.78 * board.surface_radius)

    def hand(self, canvas: Image, view: View, hand: Hand) -> None:
        """Paint one hand with its forearm and shadow."""
        parts = self._limbs(hand)
        self._shade(canvas, view, [limb for part in parts for limb in part])
        for part in parts:
            _paint_limbs(canvas, view, part)

    def jacket(self, canvas: Image, view: View) -> None:
        """Lay a jacket over the middle of the board, with one sleeve across the rail."""
        colour = self._jacket_colour
        for share, brightness in ((1.0, 0.6), (0.97, 0.8), (0.9, 0.95), (0.55, 1.02), (0.3, 0.9)):
            outline = np.concatenate(
                (self._jacket_outline * share, np.full((len(self._jacket_outline), 1), 30.0)), axis=1
            )
            points = _fixed(view.pose.project(outline))
            cv2.fillPoly(canvas, [points], _tone(colour, brightness, canvas), cv2.LINE_AA, FRACTION)
        sleeve = Limb((120.0, 60.0, 40.0), (430.0, 210.0, 60.0), 70.0, 52.0, colour)
        _paint_limbs(canvas, view, [sleeve])

    def _limbs(self, hand: Hand) -> list[list[Limb]]:
        """The arm's parts, each of limbs that grow into each other, the lowest first."""
        person = self._people[hand.seat]
        direction = math.radians(seat_angle(hand.seat) + person.bent)
        outward = np.array(
            (math.cos(math.radians(seat_angle(hand.seat))), math.sin(math.radians(seat_angle(hand.seat))))
        )
        # The forearm points from the fingertips towards a shoulder behind the seat.
        shoulder = 900.0 * outward + 160.0 * np.array(
            (math.cos(direction + math.pi / 2), math.sin(direction + math.pi / 2))
        )
        back = shoulder - (hand.x, hand.y)
        back /= np.linalg.norm(back)
        left = np.array((back[1], -back[0]))
        lift = RAISED[hand.gesture]

        def place(ahead: float, aside: float, up: float) -> tuple[float, float, float]:
            x, y = np.array((hand.x, hand.y)) - back * ahead * person.size + left * aside * person.size
            return float(x), float(y), up + lift

        size, skin = person.size, person.skin
        cuff = place(-person.cuff, 0.0, 62.0)
        fingers = []
        for finger in FINGERS[hand.gesture]:
            middle = [0.5 * (a + b) for a, b in zip(finger.tip, finger.knuckle, strict=True)]
            knee = place(middle[0], middle[1] * 1.04, middle[2] + 10)
            knuckle = Limb(place(*finger.knuckle), knee, 11 * size, 9.5 * size, skin)
            fingers.append([knuckle, Limb(knee, place(*finger.tip), 9.5 * size, 7.5 * size, skin)])
        knuckles = [place(*finger.knuckle) for finger in FINGERS[hand.gesture]]
        wrist = place(-152, 0, 46)
        palm = [Limb(wrist, knuckle, 24 * size, 12.5 * size, skin) for knuckle in knuckles]
        forearm = Limb(wrist, cuff, 25 * size, 36 * size, skin)
        sleeve = Limb(cuff, place(-ELBOW - 300, 0, 130), 43 * size, 58 * size, person.sleeve)
        return [*fingers, [forearm, *palm], [sleeve]]

    def _shade(self, canvas: Image, view: View, limbs: list[Limb]) -> None:
        """The soft shadow of the limbs on the surface."""
        height, width = canvas.shape[:2]
        mask = np.zeros((height // 2, width // 2), np.uint8)
        fallen = [limb._replace(start=self._fallen(limb.start), end=self._fallen(limb.end)) for limb in limbs]
        for rod in _rods(view, fallen):
            cv2.fillConvexPoly(mask, _fixed((rod - 0.5) / 2), (255,), cv2.LINE_8, FRACTION)
        blur = HAND_SHADOW_BLUR * view.pose.focal / float(view.eye[2]) / 2
        size = 2 * math.ceil(blur) + 1
        mask = np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)), np.uint8)
        left, top, across, down = cv2.boundingRect(mask)
        if not across:
            return
        rows, columns = slice(2 * top, 2 * (top + down)), slice(2 * left, 2 * (left + across))
        part = cv2.resize(mask[top : top + down, left : left + across], (2 * across, 2 * down))
        light = np.asarray(255 - part * np.float32(min(1.3 * self._shadow, 0.6)), np.float32)
        under = canvas[rows, columns]
        canvas[rows, columns] = under * (light[..., None] / 255) + 0.5

    def _fallen(self, point: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = point
        return x + self._throw[0] * z, y + self._throw[1] * z, 0.0


def _somebody(random: np.random.Generator) -> Person:
    return Person(
        skin=SKINS[int(random.integers(len(SKINS)))],
        sleeve=SLEEVES[int(random.integers(len(SLEEVES)))],
        size=float(random.uniform(0.88, 1.1)),
        bent=float(random.uniform(-20, 20)),
        cuff=float(random.uniform(190, 330)),
    )


def _crumpled(random: np.random.Generator, radius: float) -> Floats:
    """(n, 2) an irregular outline around the hole, mm."""
    turn = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    waves = np.zeros_like(turn)
    for k in range(2, 9):
        waves += random.normal(0, 0.10 / k) * np.cos(k * turn + random.uniform(0, 2 * math.pi))
    return np.asarray((radius * (1 + waves))[:, None] * np.stack((np.cos(turn), np.sin(turn)), axis=-1))


def _rods(view: View, limbs: list[Limb]) -> list[Floats]:
    """For each limb (n, 2) pixels around a rod with round ends."""
    ends = np.array([(limb.start, limb.end) for limb in limbs])
    radii = np.array([(limb.start_radius, limb.end_radius) for limb in limbs])
    reach = radii * view.pose.focal / (view.eye[2] - ends[..., 2])
    around = view.pose.project(ends)[:, :, None] + reach[..., None, None] * CIRCLE
    return [cv2.convexHull(rod)[:, 0] for rod in around.reshape(len(limbs), -1, 2).astype(np.float32)]


def _paint_limbs(canvas: Image, view: View, limbs: Sequence[Limb]) -> None:
    """Paint limbs that grow into each other as round: dark over their whole width, brighter towards the middle."""
    shrunk = [
        (limb._replace(start_radius=limb.start_radius * share, end_radius=limb.end_radius * share), brightness)
        for share, brightness in LEVELS
        for limb in limbs
    ]
    for rod, (limb, brightness) in zip(_rods(view, [limb for limb, _ in shrunk]), shrunk, strict=True):
        cv2.fillConvexPoly(canvas, _fixed(rod), _tone(limb.colour, brightness, canvas), cv2.LINE_AA, FRACTION)


def _fixed(pixels: Floats) -> NDArray[np.int32]:
    return np.asarray(np.rint(pixels * (1 << FRACTION)), np.int32)


def _tone(colour: Colour, brightness: float, canvas: Image) -> tuple[float, ...]:
    """A colour in the canvas's own channels."""
    bright = np.array(colour, np.float32) * np.float32(brightness)
    if canvas.shape[2] == 1:
        bright = grey(bright)
    return tuple(float(v) for v in np.minimum(bright, 255))
