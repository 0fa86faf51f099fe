"""What the film of a shot is worth, held against what the simulated table's physics knows: contacts, ends, speed.

The settings of the film were chosen on rounds of the seeds below 100; these are others.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from controller.vision.film.film import SHOT, Film, Track
from controller.vision.film.filming import Filming
from controller.vision.film.stage import KnownDisc, View, stage
from hardware.simulated.fall import DiscPose
from hardware.simulated.scene import Scene
from tests.bench import filmed
from tests.bench.filmed import COLOURS, Played

FIRST_SEED, ROUNDS = 3000, 16
CLOSING = 300.0  # mm/s: contacts that must be found
SOFTEST = 20.0  # mm/s: a gentler touch is none that anybody could see, and is neither wanted nor wrong
SAME_TIME = 0.1  # s between a contact and what the film says of it
SAME_PLACE = 8.0  # mm
GREYS = {"black": 34.0, "natural": 191.0}  # as earlier boards have shown them
SETTINGS = {
    "30 a second": filmed.CameraSetting(),
    "15 a second": filmed.CameraSetting(fps=15.0),
    "60 a second": filmed.CameraSetting(fps=60.0),
    "120 a second": filmed.CameraSetting(fps=120.0),
    "30, exposed 4 ms": filmed.CameraSetting(exposure=0.004),
    "30, exposed 16 ms": filmed.CameraSetting(exposure=0.016),
    "30, 10 % lost": filmed.CameraSetting(lost=0.1),
    "30, 10 % repeated": filmed.CameraSetting(repeated=0.1),
    "30, up to 8 ms late": filmed.CameraSetting(late=0.008),
}


@dataclass
class Score:
    """Counts of one way to film."""

    shots: int = 0
    wanted: int = 0
    found: int = 0
    reported: int = 0
    invented: int = 0
    with_contact: int = 0
    first_right: int = 0
    moved: int = 0
    ends_right: int = 0
    ends_unsure: int = 0  # under a hand, or lost sight of: said, and no error
    flicks: int = 0
    speeds: list[float] = field(default_factory=list)  # relative errors

    def add(self, played: Played, film: Film) -> None:
        """One shot."""
        self.shots += 1
        name = {played.shooter: SHOT}
        touches = [
            (touch.t, frozenset(name.get(disc, disc) for disc in touch.pair), touch.closing)
            for touch in played.motion.touches
            if touch.closing >= SOFTEST
        ]
        said = [(contact.t, frozenset(contact.discs)) for contact in film.contacts]
        self.reported += len(said)
        self.invented += sum(not any(_same(touch, one) for touch in touches) for one in said)
        hard = [touch for touch in touches if touch[2] > CLOSING]
        self.wanted += len(hard)
        self.found += sum(any(_same(touch, one) for one in said) for touch in hard)
        firsts = [touch for touch in touches if SHOT in touch[1]][:1]
        if firsts and firsts[0][2] > CLOSING:
            self.with_contact += 1
            first = [one for one in said if SHOT in one[1]][:1]
            self.first_right += bool(first and _same(firsts[0], first[0]))
        for disc, lying in played.motion.rest.items():
            over = next((sample.lying for sample in played.motion.track[disc] if sample.lying.at == "ditch"), lying)
            self._end(over if lying.at == "ditch" else lying, film.of(name.get(disc, disc)), played.discs.get(disc))
        shot = film.of(SHOT)
        self.flicks += 1
        if shot is not None and shot.speed is not None:
            self.speeds.append(shot.speed / played.speed - 1)

    def _end(self, lying: DiscPose, track: Track | None, before: DiscPose | None) -> None:
        """`lying`: where the disc came to rest, or went over the edge."""
        if before is not None and lying.at == "surface" and math.dist((lying.x, lying.y), (before.x, before.y)) < 4.0:
            return  # so short a way is none
        self.moved += 1
        if track is None:
            return
        if track.ended in ("hand", "lost"):
            self.ends_unsure += 1
        elif lying.at == "ditch":
            apart = math.degrees(math.atan2(lying.y, lying.x) - math.atan2(track.end[1], track.end[0]))
            self.ends_right += track.ended == "left" and abs((apart + 180) % 360 - 180) < 20
        elif lying.at == "hole" or lying.leaning:
            self.ends_right += track.ended == "hole"
        else:
            self.ends_right += track.ended == "rest" and math.dist((lying.x, lying.y), track.end) < SAME_PLACE

    def figures(self, name: str) -> Iterator[tuple[str, float, str]]:
        """(name, value, unit) for each figure."""
        yield f"{name}: contacts over 0.3 m/s", self.wanted, "contacts"
        yield f"{name}: of these found", 100 * self.found / max(1, self.wanted), "%"
        yield f"{name}: invented, of those reported", 100 * self.invented / max(1, self.reported), "%"
        yield f"{name}: first contact right", 100 * self.first_right / max(1, self.with_contact), "%"
        yield f"{name}: ends right", 100 * self.ends_right / max(1, self.moved), "%"
        yield f"{name}: ends not seen, and said so", 100 * self.ends_unsure / max(1, self.moved), "%"
        errors = np.abs(self.speeds) if self.speeds else np.array([math.nan])
        within = 100 * float(np.sum(errors < 0.05)) / max(1, self.flicks)
        yield f"{name}: speed at the flick within 5 %", within, "%"
        yield f"{name}: speed not reported", 100 * (1 - len(self.speeds) / max(1, self.flicks)), "%"
        yield f"{name}: speed, median error", 100 * float(np.median(errors)), "%"


def _same(touch: tuple[float, frozenset[str], float], said: tuple[float, frozenset[str]]) -> bool:
    return touch[1] == said[1] and abs(touch[0] - said[0]) <= SAME_TIME


def known(played: Played) -> list[KnownDisc]:
    """The discs as a reading of the settled board knows them."""
    return [KnownDisc(disc, COLOURS[disc[0]], lying.x, lying.y) for disc, lying in played.discs.items()]


class Studio:
    """Films shots, with a board whose empty look is known."""

    def __init__(self, surface: str = filmed.SURFACE) -> None:
        self._surface = surface
        self._view: View | None = None

    def film(self, played: Played, way: filmed.CameraSetting, score: Score | None = None) -> Film:
        paint = filmed.painter(way.exposure, self._surface)
        if self._view is None:
            self._view = View(filmed.calibration(self._surface), *paint.pose.small)
        empty = paint.small(Scene(0.0))
        board = filmed.still(played, paint)
        filming = Filming(stage(self._view, board, known(played), dict(GREYS), empty))
        for t, small in filmed.pictures(played, way, paint):
            filming.see(small, t)
        film = filming.film()
        if score is not None:
            score.add(played, film)
        return film


def score(way: filmed.CameraSetting, seeds: Iterable[int]) -> Score:
    studio, total = Studio(), Score()
    for seed in seeds:
        for played in filmed.rounds(seed):
            studio.film(played, way, total)
    return total


def run(first: int = FIRST_SEED, rounds: int = ROUNDS) -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        seeds = range(first, first + rounds)
        return [figure for name, way in SETTINGS.items() for figure in score(way, seeds).figures(name)]
    finally:
        cv2.setNumThreads(threads)
