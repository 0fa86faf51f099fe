"""Faults on request: what goes wrong at the simulated table, and when, by names and seed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from hardware.board import seat_angle
from hardware.errors import UnknownFault
from hardware.simulated.scene import ForeignObject, Glow, Hand

SENSOR: Mapping[str, str] = {
    "bounce": "the hole's contact chatters for tens of milliseconds",
    "missed-edge": "now and then the hole's contact does not notice a disc that is seated or lifted",
    "stuck": "the hole's contact sticks at one level for up to a minute",
    "dead-sensor": "some minutes into the match the hole's contact dies for good",
    "serial-unplugged": "the hole unit's cable is pulled for some seconds, now and then",
    "serial-noise": "one line in twenty on the hole unit's cable is lost, damaged or late",
    "unit-restart": "the hole unit's microcontroller resets, now and then",
}
CAMERA: Mapping[str, str] = {
    "dropped-frames": "the camera loses frames, one by one and in bursts",
    "frozen-camera": "the camera repeats the same picture for some seconds",
    "camera-unplugged": "the camera's cable is pulled for some seconds, in the middle of shots too",
    "camera-nudged": "somebody knocks against the camera's arm: it looks a little elsewhere from then on",
    "ring-at-hole": "the table's lamp ring lies round the hole, where the camera sees its signals",
}
SURROUNDINGS: Mapping[str, str] = {
    "bumped-board": "somebody bumps the board: it moves by millimetres and turns a little",
    "turned-board": "somebody turns the board by some degrees, and moves it by a centimetre",
    "changing-light": "daylight drifts and lamps are switched: brightness and warmth change",
    "near-lamp": "a lamp close to the table goes on and off: it lights one side more, and the surface mirrors it",
    "bodies": "people bend over the table for some seconds, and shade a part of the board",
    "lights-off": "the lights go off for some seconds, and on again; nobody shoots in the dark",
    "sleeve": "a jacket lies over the board for about a minute; nobody shoots until it is gone",
    "spectators": "onlookers hold their hands over the rail",
    "resting-hands": "players rest a hand or an arm on the rail or in the ditch for a whole round",
    "clutter": "glasses and score sheets stand beside the board, come and go",
}
PEOPLE: Mapping[str, str] = {
    "haste": "the next disc is placed before the last one came to rest",
    "two-shots": "the next player places early and shoots at once: no still board between two shots",
    "taken-back": "a placed disc is taken back and placed again",
    "late-removal": "discs that must come off are taken off late, after the next shot",
    "wrong-removal": "a wrong disc is taken off first, and put back",
    "forgotten-removal": "discs that must come off stay until the round is over",
    "forgotten-twenty": "twenties stay in the hole until after the next shot",
    "nudged": "a sleeve pushes discs by some millimetres",
    "returned-discs": "a lively rail throws many discs back onto the board",
    "leaners": "many discs stop leaning into the hole, and most of them close its contact",
    "phone": "somebody lays a phone on the board between shots, and takes it away",
    "slid": "a placed disc is slid along the starting line under the hand",
    "placed-twice": "a placed disc is lifted and placed elsewhere on the starting line",
    "second-thoughts": "a player aims, does not flick, and slides the disc elsewhere",
    "tapped": "a placed disc is tapped straight by some millimetres",
    "dropped": "a disc falls from the hand onto the board, and is carried to the starting line",
    "carried-back": "a disc slips inwards from under the finger, and is brought back to the starting line",
}
FAULTS: Mapping[str, str] = {**SENSOR, **CAMERA, **SURROUNDINGS, **PEOPLE}  # every fault's description by name
MISSED_EDGE_SHARE = 0.15  # of the contact's changes
LATEST_DEATH = 600.0  # s into the match
LINE_NOISE = 0.05  # of the serial lines
LOST_FRAME_SHARE = 0.02  # of single frames, beside the bursts
BUMP_SHIFT = 4.0  # mm, standard deviation of dx and dy
BUMP_TURN = 0.8  # degrees, standard deviation
TURN = (3.0, 15.0)  # degrees, either way
TURN_SHIFT = 10.0  # mm, standard deviation
NUDGE_TILT = 0.35  # degrees, standard deviation of the camera's tilts: 6 mm on the board from a metre above
LAMPS = (0.55, 1.2)  # brightness that a switched lamp leaves, lowest and highest
LAMP_FADE = 0.4  # s
DARK = 0.004  # of the usual light: what the exit sign gives
NEAR_LAMP = 350.0, (250.0, 400.0), (1.25, 1.8), (0.0, 70.0)  # mm away, mm of reach, gain, grey levels mirrored
BODY = 480.0, (150.0, 260.0), (0.45, 0.8)  # mm away, mm of reach, gain
BODY_FADE = 0.7  # s in which somebody bends over
DRIFT_PERIOD = 400.0  # s, of the daylight
HELD = {
    "spectators": ((40.0, 1.0, 8.0), (300.0, 400.0), ((4.0, 1.7), (6.0, 2.6))),
    "resting-hands": ((150.0, 60.0, 140.0), (315.0, 375.0), ((0.3, 1.9), (0.5, 3.1))),
}
"""Hands beside the board: period, shortest and longest (s); where their fingertips are, mm from the hole; their sway
towards the hole and back, and sideways (mm, s per swing)."""
BESIDE = {"glass": (450.0, 530.0), "sheet": (540.0, 600.0)}  # mm from the hole: clear of the rail
Shift = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Episodes:
    """The times of one fault: one episode at a random time in every `period` seconds."""

    name: str
    seed: int
    period: float
    shortest: float = 0.0
    longest: float = 0.0

    def random(self, k: int) -> np.random.Generator:
        """The random generator of the k-th period, independent of the order of calls."""
        return np.random.default_rng([self.seed, crc32(self.name.encode()), k])

    def episode(self, k: int) -> tuple[float, float]:
        """Begin and end of the k-th episode."""
        return _episode(self, k)

    def inside(self, t: float) -> int | None:
        """The number of the episode that covers `t`; None if there is none."""
        k = int(t // self.period)
        begin, end = self.episode(k)
        return k if begin <= t < end else None

    def until(self, t: float) -> float | None:
        """The end of the episode that covers `t`; None if there is none."""
        k = self.inside(t)
        return None if k is None else self.episode(k)[1]

    def begun(self, t: float) -> list[tuple[int, float]]:
        """Number and begin of at most two episodes, the last that have begun by `t`."""
        k = int(t // self.period)
        episodes = [(i, self.episode(i)[0]) for i in range(max(k - 2, 0), k + 1)]
        return [(i, begin) for i, begin in episodes if begin <= t][-2:]


@lru_cache(maxsize=256)
def _episode(episodes: Episodes, k: int) -> tuple[float, float]:
    random = episodes.random(k)
    length = random.uniform(episodes.shortest, episodes.longest)
    begin = episodes.period * k + random.uniform(0.0, episodes.period - length)
    return begin, begin + length


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Which faults there are, and when. Every method is a pure function of the table's time in seconds."""

    names: frozenset[str] = frozenset()
    seed: int = 0
    lamps_on: float = 0.0  # when the room's lamps are switched on

    @classmethod
    def from_names(cls, names: Iterable[str], seed: int, lamps_on: float = 0.0) -> "FaultPlan":
        """The plan for these faults. Raises `UnknownFault` for a name that is not in `FAULTS`."""
        chosen = frozenset(names)
        if unknown := sorted(chosen - FAULTS.keys()):
            raise UnknownFault(f"unknown fault {', '.join(unknown)}; choose from {', '.join(FAULTS)}")
        return cls(chosen, seed, lamps_on)

    @property
    def bounces(self) -> bool:
        """Whether the hole's contact chatters long."""
        return "bounce" in self.names

    def misses_edge(self, number: int) -> bool:
        """Whether the hole's contact misses this change, by number."""
        if "missed-edge" not in self.names:
            return False
        return bool(Episodes("missed-edge", self.seed, 1.0).random(number).random() < MISSED_EDGE_SHARE)

    def stuck_until(self, t: float) -> float | None:
        """When the stuck contact works again, possibly never; None while it works."""
        if "dead-sensor" in self.names and t >= Episodes("dead-sensor", self.seed, LATEST_DEATH).episode(0)[0]:
            return math.inf
        return self._until("stuck", t, 180.0, 10.0, 60.0)

    def unit_unplugged(self, t: float) -> bool:
        return self._until("serial-unplugged", t, 200.0, 3.0, 30.0) is not None

    def unit_restarts(self, t: float) -> int:
        """How many times the hole unit has reset by `t`."""
        if "unit-restart" not in self.names:
            return 0
        begun = Episodes("unit-restart", self.seed, 150.0).begun(t)
        return begun[-1][0] + 1 if begun else 0

    @property
    def serial_noise(self) -> float:
        """Share of serial lines that are lost, damaged or late."""
        return LINE_NOISE if "serial-noise" in self.names else 0.0

    @property
    def ring_at_hole(self) -> bool:
        """Whether the camera sees the lamp ring."""
        return "ring-at-hole" in self.names

    def frozen(self, t: float) -> bool:
        """Whether the camera repeats the picture from the begin of the freeze."""
        return self._until("frozen-camera", t, 120.0, 2.0, 8.0) is not None

    def camera_unplugged(self, t: float) -> bool:
        return self._until("camera-unplugged", t, 200.0, 2.0, 25.0) is not None

    def camera_nudge(self, t: float) -> Shift:
        """The camera's turn since the start: two tilts and a roll in degrees."""
        nudges = Episodes("camera-nudged", self.seed, 300.0)
        if "camera-nudged" not in self.names or not (begun := nudges.begun(t)):
            return (0.0, 0.0, 0.0)
        tilt, lean, roll = nudges.random(begun[-1][0]).normal(0.0, NUDGE_TILT, 3)
        return float(tilt), float(lean), float(roll)

    def dropped(self, t: float, frame_number: int) -> bool:
        if "dropped-frames" not in self.names:
            return False
        if Episodes("dropped-burst", self.seed, 30.0, 0.1, 1.5).inside(t) is not None:
            return True
        single = Episodes("dropped-frame", self.seed, 1.0).random(frame_number)
        return bool(single.random() < LOST_FRAME_SHARE)

    def board_shift(self, t: float) -> Shift:
        """The board's displacement since the start: dx and dy in mm, turn in degrees."""
        x = y = turn = 0.0
        bumps, turns = Episodes("bumped-board", self.seed, 240.0), Episodes("turned-board", self.seed, 400.0)
        if "bumped-board" in self.names and (begun := bumps.begun(t)):
            x, y, turn = bumps.random(begun[-1][0]).normal(0.0, (BUMP_SHIFT, BUMP_SHIFT, BUMP_TURN))
        if "turned-board" in self.names and (begun := turns.begun(t)):
            random = turns.random(begun[-1][0])
            dx, dy = random.normal(0.0, TURN_SHIFT, 2)
            x, y, turn = x + dx, y + dy, turn + random.uniform(*TURN) * random.choice((-1, 1))
        return float(x), float(y), float(turn)

    def clear_at(self, t: float) -> float:
        """When people can see and reach the board again; `t` if they can."""
        ends = (self._until("sleeve", t, 400.0, 40.0, 80.0), self._until("lights-off", t, 250.0, 4.0, 30.0))
        return max((t, self.lamps_on, *(end for end in ends if end is not None)))

    def covered(self, t: float) -> bool:
        return self._until("sleeve", t, 400.0, 40.0, 80.0) is not None

    def hands_beside(self, t: float) -> tuple[Hand, ...]:
        """The hands of onlookers over the rail, and of players on it."""
        visits = [Episodes(name, self.seed, *HELD[name][0]) for name in HELD if name in self.names]
        return tuple(
            _held(visit, k, t, *HELD[visit.name][1:]) for visit in visits if (k := visit.inside(t)) is not None
        )

    def clutter(self, t: float) -> tuple[ForeignObject, ...]:
        """The things beside the board."""
        if "clutter" not in self.names:
            return ()
        things = []
        for number, kind in enumerate(("glass", "sheet", "glass")):
            moves = Episodes(f"clutter {number}", self.seed, 180.0)
            for k, _ in moves.begun(t)[-1:]:
                random = moves.random(k)
                angle, radius = random.uniform(0.0, 2 * math.pi), random.uniform(*BESIDE[kind])
                turn = random.uniform(0.0, 360.0)
                things.append(ForeignObject(kind, radius * math.cos(angle), radius * math.sin(angle), turn))  # type: ignore[arg-type]
        return tuple(things)

    def light(self, t: float) -> tuple[float, float]:
        """Brightness (1 as at calibration) and warmth (-1 bluish to 1 reddish) of the light."""
        if t < self.lamps_on or self._until("lights-off", t, 250.0, 4.0, 30.0) is not None:
            return DARK, 0.0
        if "changing-light" not in self.names:
            return 1.0, 0.0
        swing = math.sin(2 * math.pi * t / DRIFT_PERIOD)
        lamps = Episodes("changing-light", self.seed, 150.0)
        level, warmth = 1.0, 0.0
        for k, begin in lamps.begun(t):
            random = lamps.random(k)
            target, tint = random.uniform(*LAMPS), random.uniform(-0.5, 0.5)
            fade = min(1.0, (t - begin) / LAMP_FADE)
            level, warmth = level + (target - level) * fade, warmth + (tint - warmth) * fade
        return level * (1.0 + 0.1 * swing), warmth + 0.15 * swing

    def glows(self, t: float) -> tuple[Glow, ...]:
        """Lights and shadows on parts of the table."""
        glows = []
        if "near-lamp" in self.names:
            glows += _glow(Episodes("near-lamp", self.seed, 100.0, 20.0, 60.0), t, LAMP_FADE, *NEAR_LAMP)
        if "bodies" in self.names:
            glows += _glow(Episodes("bodies", self.seed, 30.0, 2.0, 8.0), t, BODY_FADE, *BODY)
        return tuple(glows)

    def _until(self, name: str, t: float, period: float, shortest: float, longest: float) -> float | None:
        """The end of this fault's present episode; None if there is none."""
        return Episodes(name, self.seed, period, shortest, longest).until(t) if name in self.names else None


def _held(visit: Episodes, k: int, t: float, over: tuple[float, float], sway: Sequence[tuple[float, float]]) -> Hand:
    """The hand of the k-th visit, with its fingertips `over` (mm from the hole, least and most)."""
    random = visit.random(k)
    radius, side = random.uniform(*over), math.radians(random.uniform(-40.0, 40.0))
    seat = int(random.integers(1, 5))
    begin, end = visit.episode(k)
    away = max(0.0, 0.5 - (t - begin), 0.5 - (end - t)) / 0.5  # half a second to come and to go
    angle = math.radians(seat_angle(seat)) + side
    inwards, sideways = (size * math.sin(2 * math.pi * t / period) for size, period in sway)
    distance = radius + (560.0 - radius) * away * away + inwards
    angle += sideways / distance
    return Hand(seat, distance * math.cos(angle), distance * math.sin(angle), "lift")


def _glow(
    when: Episodes,
    t: float,
    fade: float,
    away: float,
    reach: tuple[float, float],
    gain: tuple[float, float],
    mirrored: tuple[float, float] = (0.0, 0.0),
) -> list[Glow]:
    """The glow of the episode that covers `t`, if any; it fades in and out in `fade` seconds."""
    k = when.inside(t)
    if k is None:
        return []
    begin, end = when.episode(k)
    random = when.random(k + 1_000_000)
    share = min(1.0, (t - begin) / fade, (end - t) / fade)
    angle, wide, full, bright = (random.uniform(*of) for of in ((0.0, 2 * math.pi), reach, gain, mirrored))
    x, y = away * math.cos(angle), away * math.sin(angle)
    return [Glow(x, y, wide, 1 + share * (full - 1), share * bright)]
