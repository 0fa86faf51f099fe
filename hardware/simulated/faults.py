"""Faults on request: what goes wrong at the simulated table, and when. Same names and seed, same faults."""

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from hardware.errors import UnknownFault

FAULTS: dict[str, str] = {
    "bounce": "the hole's contact chatters for tens of milliseconds",
    "missed-edge": "now and then the hole's contact does not notice a disc that is seated or lifted",
    "stuck": "the hole's contact sticks at one level for up to a minute",
    "dropped-frames": "the camera loses frames, one by one and in bursts",
    "frozen-camera": "the camera repeats the same picture for some seconds",
    "bumped-board": "somebody bumps the board: it moves by millimetres and turns a little",
    "changing-light": "daylight drifts and lamps are switched: brightness and warmth change",
}
"""Every fault by name, with one line that says what it does."""

MISSED_EDGE_SHARE = 0.15  # of the contact's changes
LOST_FRAME_SHARE = 0.02  # of single frames, beside the bursts
BUMP_SHIFT = 4.0  # mm, standard deviation of dx and dy
BUMP_TURN = 0.8  # degrees, standard deviation
LAMPS = (0.55, 1.2)  # brightness that a switched lamp leaves, lowest and highest
LAMP_FADE = 0.4  # s
DRIFT_PERIOD = 400.0  # s, of the daylight


@dataclass(frozen=True, slots=True)
class Episodes:
    """Times at which one fault is there: one episode in every `period` seconds, at a random place in it."""

    name: str
    seed: int
    period: float
    shortest: float = 0.0
    longest: float = 0.0

    def random(self, k: int) -> np.random.Generator:
        """The randomness of the k-th period, whoever asks and in which order."""
        return np.random.default_rng([self.seed, crc32(self.name.encode()), k])

    def episode(self, k: int) -> tuple[float, float]:
        """Begin and end of the k-th episode."""
        random = self.random(k)
        length = random.uniform(self.shortest, self.longest)
        begin = self.period * k + random.uniform(0.0, self.period - length)
        return begin, begin + length

    def inside(self, t: float) -> int | None:
        """The number of the episode that covers `t`, or None."""
        k = int(t // self.period)
        begin, end = self.episode(k)
        return k if begin <= t < end else None

    def begun(self, t: float) -> list[tuple[int, float]]:
        """Number and begin of the last episodes that have begun by `t`, at most two."""
        k = int(t // self.period)
        episodes = [(i, self.episode(i)[0]) for i in range(max(k - 2, 0), k + 1)]
        return [(i, begin) for i, begin in episodes if begin <= t][-2:]


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Which faults there are, and when. Every method is a pure function of the table's time in seconds."""

    names: frozenset[str] = frozenset()
    seed: int = 0

    @classmethod
    def from_names(cls, names: Iterable[str], seed: int) -> "FaultPlan":
        """The plan for these faults. Raises `UnknownFault` for a name that is not in `FAULTS`."""
        chosen = frozenset(names)
        if unknown := sorted(chosen - FAULTS.keys()):
            raise UnknownFault(f"unknown fault {', '.join(unknown)}; choose from {', '.join(FAULTS)}")
        return cls(chosen, seed)

    @property
    def bounces(self) -> bool:
        """Whether the hole's contact chatters long."""
        return "bounce" in self.names

    def misses_edge(self, number: int) -> bool:
        """Whether the hole's contact overlooks its change of this number."""
        if "missed-edge" not in self.names:
            return False
        return bool(Episodes("missed-edge", self.seed, 1.0).random(number).random() < MISSED_EDGE_SHARE)

    def stuck_until(self, t: float) -> float | None:
        """Until when the hole's contact holds its level, whatever lies in the hole; None when it works."""
        jams = Episodes("stuck", self.seed, 180.0, 10.0, 60.0)
        if "stuck" not in self.names or (k := jams.inside(t)) is None:
            return None
        return jams.episode(k)[1]

    def frozen(self, t: float) -> bool:
        """Whether the camera delivers the picture that it had when the freeze began."""
        if "frozen-camera" not in self.names:
            return False
        return Episodes("frozen-camera", self.seed, 120.0, 2.0, 8.0).inside(t) is not None

    def dropped(self, t: float, frame_number: int) -> bool:
        """Whether this frame never arrives."""
        if "dropped-frames" not in self.names:
            return False
        if Episodes("dropped-burst", self.seed, 30.0, 0.1, 1.5).inside(t) is not None:
            return True
        single = Episodes("dropped-frame", self.seed, 1.0).random(frame_number)
        return bool(single.random() < LOST_FRAME_SHARE)

    def board_shift(self, t: float) -> tuple[float, float, float]:
        """How the last bump left the board, from where it stood at first: dx and dy in mm, turn in degrees."""
        if "bumped-board" not in self.names:
            return (0.0, 0.0, 0.0)
        bumps = Episodes("bumped-board", self.seed, 240.0)
        if not (begun := bumps.begun(t)):
            return (0.0, 0.0, 0.0)
        dx, dy, turn = bumps.random(begun[-1][0]).normal(0.0, (BUMP_SHIFT, BUMP_SHIFT, BUMP_TURN))
        return float(dx), float(dy), float(turn)

    def light(self, t: float) -> tuple[float, float]:
        """Brightness (1 as at calibration) and warmth (-1 bluish to 1 reddish) of the light."""
        if "changing-light" not in self.names:
            return 1.0, 0.0
        swing = float(np.sin(2 * np.pi * t / DRIFT_PERIOD))
        lamps = Episodes("changing-light", self.seed, 150.0)
        level, warmth = 1.0, 0.0
        for k, begin in lamps.begun(t):
            random = lamps.random(k)
            target, tint = random.uniform(*LAMPS), random.uniform(-0.5, 0.5)
            fade = min(1.0, (t - begin) / LAMP_FADE)
            level, warmth = level + (target - level) * fade, warmth + (tint - warmth) * fade
        return level * (1.0 + 0.1 * swing), warmth + 0.15 * swing
