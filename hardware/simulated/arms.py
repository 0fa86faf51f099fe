"""Paints hands, forearms and a jacket over the board, which hide discs while people act."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board import Board, seat_angle
from hardware.devices import Image
from hardware.simulated.lens import Floats, PaintedView
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
LEVELS = {  # share of a limb's width and its brightness there, by the canvas's channels: a limb is round
    3: ((1.0, 0.66), (0.84, 0.86), (0.55, 1.0)),
    1: ((1.0, 0.75), (0.7, 0.97)),
}
ARC = 6  # points of each end of a limb
ARC_SHARES = np.linspace(0.0, 1.0, ARC)
FRACTION = 4  # bits of OpenCV's fractional coordinates
ELBOW = 730.0  # mm behind the fingertips
SHOULDER = (900.0, 160.0)  # mm from the hole behind the seat, and to the sitter's right
JACKET_HEIGHT = 30.0
FOLDS = 14
HAND_SHADOW_BLUR = 14.0  # mm
HAND_SHADOW = 1.3  # of the shadow of a disc: a hand hides more of the room's light
DARKEST = 0.6
FARTHEST = 1e5  # px
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Limbs:
    """Rods with round ends, in painting order. The shadows come first, one rod of full width for each of the first
    `dark` limbs. Then come the limbs, each several times, ever thinner and brighter, so that they look round."""

    ends: Floats  # (dark + n, 2, 3) mm
    radii: Floats  # (dark + n, 2) mm
    tones: list[list[float]]  # n colours in the canvas's channels
    dark: int
    fall: Floats  # (dark, 2, 2) mm from each end to its shadow


class Rod(NamedTuple):
    """A part of an arm between two points with their radii; mm."""

    start: Point
    end: Point
    start_radius: float
    end_radius: float
    colour: Colour


class Finger(NamedTuple):
    """A finger's tip and knuckle: mm ahead of the hand's point, to its left, and up."""

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
FINGERS: dict[str, tuple[Finger, ...]] = {"place": PINCH, "lift": PINCH, "flick": FLICK, "sweep": FLAT}
RAISED = {"place": 8.0, "lift": 12.0, "flick": 2.0, "sweep": 6.0}  # mm above the surface, of the whole hand


@dataclass(frozen=True, slots=True)
class ArmOwner:
    """An arm's owner: colours and size."""

    skin: Colour
    sleeve: Colour
    size: float
    cuff: float  # mm from fingertips to where the sleeve begins


class Arms:
    """Paints limbs, and a jacket laid over the board. The seed chooses the people."""

    def __init__(self, board: Board, throw: tuple[float, float], shadow: float, seed: int) -> None:
        random = np.random.default_rng([seed, 13])
        people = {seat: _random_person(random) for seat in (1, 2, 3, 4)}
        self._limbs = {
            (seat, gesture, channels): _limbs(_arm(person, gesture), channels, throw)
            for seat, person in people.items()
            for gesture in FINGERS
            for channels in LEVELS
        }
        self._dimming = np.asarray(255 - min(HAND_SHADOW * shadow, DARKEST) * np.arange(256), np.uint8)
        self._jacket_outline, jacket = _crumpled(random, 0.78 * board.surface_radius)
        self._jacket = {channels: _limbs(jacket, channels, None) for channels in LEVELS}

    def hand(self, canvas: Image, view: PaintedView, hand: Hand) -> None:
        limbs = self._limbs[hand.seat, hand.gesture, canvas.shape[2]]
        angle = math.radians(seat_angle(hand.seat))
        # The forearm points from the fingertips to a shoulder behind the seat: a right arm's.
        ahead_x = hand.x - SHOULDER[0] * math.cos(angle) + SHOULDER[1] * math.sin(angle)
        ahead_y = hand.y - SHOULDER[0] * math.sin(angle) - SHOULDER[1] * math.cos(angle)
        length = math.hypot(ahead_x, ahead_y)
        ux, uy = ahead_x / length, ahead_y / length
        turn = np.array(((ux, uy, 0.0), (-uy, ux, 0.0), (0.0, 0.0, 1.0)))
        ends = (limbs.ends.reshape(-1, 3) @ turn + (hand.x, hand.y, 0.0)).reshape(limbs.ends.shape)
        ends[: limbs.dark, :, :2] += limbs.fall
        outlines = _outlines(view, ends, limbs.radii)
        self._shade(canvas, view, outlines[: limbs.dark])
        _paint(canvas, outlines[limbs.dark :], limbs)

    def jacket(self, canvas: Image, view: PaintedView) -> None:
        """Lay a jacket over the middle of the board, with one sleeve across the rail."""
        jacket = self._jacket[canvas.shape[2]]
        outline = _fixed_point(view.pose.project(self._jacket_outline))
        cv2.fillPoly(canvas, [outline], jacket.tones[0], cv2.LINE_AA, FRACTION)
        _paint(canvas, _outlines(view, jacket.ends, jacket.radii), jacket)

    def _shade(self, canvas: Image, view: PaintedView, outlines: Floats) -> None:
        """Paint the soft shadow of limbs from its `outlines` on the surface, through a mask of half the size."""
        height, width = canvas.shape[0] // 2, canvas.shape[1] // 2
        blur = HAND_SHADOW_BLUR * view.pose.focal / float(view.eye[2]) / 2
        size = 2 * math.ceil(blur) + 1
        halves = (outlines - 0.5) / 2
        (left, top), (right, bottom) = halves.min(axis=(0, 1)) - 2 * size, halves.max(axis=(0, 1)) + 2 * size
        left, top = max(int(left), 0), max(int(top), 0)
        right, bottom = min(int(right), width), min(int(bottom), height)
        if right <= left or bottom <= top:
            return
        mask = np.zeros((bottom - top, right - left), np.uint8)
        for rod in _fixed_point(halves - (left, top)):
            cv2.fillConvexPoly(mask, rod, (255,), cv2.LINE_8, FRACTION)
        soft = cv2.blur(cv2.blur(mask, (size, size)), (size, size))
        part = cv2.resize(soft, (2 * mask.shape[1], 2 * mask.shape[0]))
        light = cv2.LUT(part, self._dimming)
        if canvas.shape[2] == 3:
            light = cv2.merge((light, light, light))
        here = np.s_[2 * top : 2 * bottom, 2 * left : 2 * right]
        under = np.ascontiguousarray(canvas[here])
        canvas[here] = cv2.multiply(under, light.reshape(under.shape), scale=1 / 255).reshape(under.shape)


def _arm(person: ArmOwner, gesture: str) -> list[list[Rod]]:
    """One arm's parts, the lowest first, in (ahead, left, up) from the fingertips' place on the board."""
    size, skin = person.size, person.skin
    lift = RAISED[gesture]

    def place(ahead: float, aside: float, up: float) -> Point:
        return ahead * size, aside * size, up + lift

    fingers = []
    for finger in FINGERS[gesture]:
        middle = [0.5 * (a + b) for a, b in zip(finger.tip, finger.knuckle, strict=True)]
        knee = place(middle[0], middle[1] * 1.04, middle[2] + 10)
        fingers.append(
            [
                Rod(place(*finger.knuckle), knee, 11 * size, 9.5 * size, skin),
                Rod(knee, place(*finger.tip), 9.5 * size, 7.5 * size, skin),
            ]
        )
    wrist, cuff = place(-152, 0, 46), place(-person.cuff, 0, 62)
    palm = [Rod(wrist, place(*f.knuckle), 24 * size, 12.5 * size, skin) for f in FINGERS[gesture]]
    forearm = Rod(wrist, cuff, 25 * size, 36 * size, skin)
    sleeve = Rod(cuff, place(-ELBOW, 0, 130), 43 * size, 58 * size, person.sleeve)
    return [*fingers, [forearm, *palm], [sleeve]]


def _limbs(parts: list[list[Rod]], channels: int, throw: tuple[float, float] | None) -> Limbs:
    """Build limbs from parts, the lowest first; the rods of one part merge into a rounded shape. `throw`: how far the
    shadow moves per mm of height; None if there is none."""
    ends, radii, colours, outer = [], [], [], []
    for part in parts:
        for share, brightness in LEVELS[channels]:
            for rod in part:
                outer.append(share == 1.0)
                ends.append((rod.start, rod.end))
                radii.append((rod.start_radius * share, rod.end_radius * share))
                colours.append([brightness * c for c in rod.colour])
    tones = np.minimum(colours, 255.0)
    shown = grey(tones) if channels == 1 else tones
    bodies, sizes = np.array(ends, np.float64), np.array(radii)
    dark = np.flatnonzero(outer) if throw else np.zeros(0, np.intp)
    fallen = bodies[dark] * (1.0, 1.0, 0.0)
    fall = np.array(throw or (0.0, 0.0)) * bodies[dark][..., 2:]
    both = np.concatenate((fallen, bodies)), np.concatenate((sizes[dark], sizes))
    return Limbs(*both, shown.tolist(), len(dark), fall)


def _outlines(view: PaintedView, ends: Floats, radii: Floats) -> Floats:
    """(n, 2 * ARC, 2) pixels of each rod's outline: the outer half of one end's circle, then of the other's."""
    centres = view.pose.project(ends)
    reach = radii * view.pose.focal / (view.eye[2] - ends[..., 2])
    along = centres[:, 1] - centres[:, 0]
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)
    direction = np.arctan2(along[:, 1], along[:, 0])[:, None]
    tangent = np.arccos(np.clip((reach[:, 0] - reach[:, 1]) / length, -1.0, 1.0))[:, None]
    share = ARC_SHARES
    first = direction + tangent + share * (2 * math.pi - 2 * tangent)
    second = direction - tangent + share * 2 * tangent
    circles = [np.stack((np.cos(angle), np.sin(angle)), axis=-1) for angle in (first, second)]
    arcs = [centres[:, None, k] + reach[:, k, None, None] * circles[k] for k in (0, 1)]
    return np.concatenate(arcs, axis=1)


def _paint(canvas: Image, outlines: Floats, limbs: Limbs) -> None:
    for rod, tone in zip(_fixed_point(outlines), limbs.tones, strict=True):
        cv2.fillConvexPoly(canvas, rod, tone, cv2.LINE_AA, FRACTION)


def _random_person(random: np.random.Generator) -> ArmOwner:
    return ArmOwner(
        skin=SKINS[int(random.integers(len(SKINS)))],
        sleeve=SLEEVES[int(random.integers(len(SLEEVES)))],
        size=float(random.uniform(0.88, 1.1)),
        cuff=float(random.uniform(190, 330)),
    )


def _crumpled(random: np.random.Generator, radius: float) -> tuple[Floats, list[list[Rod]]]:
    """A random jacket: its outline (n, 3) around the hole in mm, and its folds and sleeve."""
    turn = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    waves = np.zeros_like(turn)
    for k in range(2, 9):
        waves += random.normal(0, 0.10 / k) * np.cos(k * turn + random.uniform(0, 2 * math.pi))
    outline = radius * (1 + waves)[:, None] * np.stack((np.cos(turn), np.sin(turn)), axis=-1)
    colour = SLEEVES[int(random.integers(len(SLEEVES)))]
    folds = [
        Rod((x, y, JACKET_HEIGHT), (x + dx, y + dy, JACKET_HEIGHT), thick, thick * 0.6, colour)
        for x, y, dx, dy, thick in random.uniform(
            (-120, -120, -90, -90, 25), (120, 120, 90, 90, 60), (FOLDS, 5)
        ).tolist()
    ]
    sleeve = Rod((120, 60, 40), (430, 210, 60), 70, 52, colour)
    return np.concatenate((outline, np.full((72, 1), JACKET_HEIGHT)), axis=1), [folds, [sleeve]]


def _fixed_point(pixels: Floats) -> NDArray[np.int32]:
    """Fixed-point coordinates for OpenCV's drawing, clipped because it overflows far outside the picture."""
    return np.asarray(np.rint(np.clip(pixels, -FARTHEST, FARTHEST) * (1 << FRACTION)), np.int32)
