"""The ray-traced round as a film's input, and what the film says of each shot beside what is known of it."""

import json
import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from controller.vision.calibration.calibration import calibrate
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.film.film import SHOT, Film
from controller.vision.film.stage import FilmView, KnownDisc, stage
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from tests.bench.truth import read_image
from tests.controller.vision.filmed import film_of

SMALL = (320, 240)
SAME_DISC = 8.0  # mm between a disc as read and as it lies
BEYOND = 331.0  # mm from the hole: off the surface
IN_HOLE = -4.0  # mm below the surface


@dataclass(frozen=True)
class FilmedShot:
    """A shot's film, with the discs named as the truth names them."""

    truth: dict[str, Any]
    film: Film
    ends: dict[int, tuple[str, float, float]]  # of every disc that moved: rest, hole or left, and where


class FilmedRound:
    """A recording that was extracted from a round's video, with the round's truth."""

    def __init__(self, recording, source):
        self.truth = json.loads((source / "truth.json").read_text(encoding="utf-8"))
        lines = (recording / "recording.jsonl").read_text(encoding="utf-8").splitlines()
        entries = [json.loads(line) for line in lines]
        self._frames = [(entry["t"], recording / entry["frame"]) for entry in entries if "frame" in entry]
        landmarks = Landmarks.from_json(self.truth["landmarks"], TOURNAMENT)
        empty = read_image(self._frames[0][1])
        self.calibration = calibrate(empty, landmarks)
        self._background = Background.from_empty(empty, self.calibration)
        self._view, self._wood = FilmView(self.calibration, *SMALL), _small(empty)
        self._greys = {}

    def shots(self):
        return [self.film(shot) for shot in self.truth["shots"]]

    def film(self, shot):
        """Film one shot from the board as the project's reader reads it before the player's hand comes."""
        before = max((frame for frame in self._frames if frame[0] < shot["t_in"] - 0.05), key=lambda frame: frame[0])
        picture = read_image(before[1])
        reading = read_board(picture, self.calibration, empty=self._background)
        lying = self.board_at(before[0])
        discs = []
        for k, seen in enumerate(disc for disc in reading.discs if disc.pose in ("flat", "leaning")):
            near = min(lying, key=lambda disc: math.dist(lying[disc][:2], (seen.x, seen.y)), default=None)
            same = near is not None and math.dist(lying[near][:2], (seen.x, seen.y)) < SAME_DISC
            discs.append(KnownDisc(str(near) if same else f"unknown {k}", seen.colour, seen.x, seen.y))
        ready = stage(self._view, _small(picture), discs, self._greys, self._wood)
        until = shot["t_rest"] + 0.15
        pictures = ((t, _small(read_image(path))) for t, path in self._frames if before[0] < t <= until)
        film = film_of(ready, _small(picture), pictures)
        return FilmedShot(shot, film, self._ends(shot))

    def board_at(self, t):
        """Where the discs on the surface and in the hole are at `t`, mm."""
        places = {}
        for disc in self.truth["discs"]:
            times, *ways = zip(*disc["path"], strict=True) if disc["path"] else ((math.inf,), (), (), ())
            if times[0] <= t:
                x, y, z = (float(np.interp(t, times, way)) for way in ways[:3])
                places[int(disc["id"])] = x, y, z
        return {disc: (x, y, z) for disc, (x, y, z) in places.items() if math.hypot(x, y) < BEYOND and -10 < z < 3}

    def _ends(self, shot):
        """How each disc that the shot moved ended, and where it went over the edge or rests."""
        start, end = shot["t_flick"] - 0.02, shot["t_rest"] + 0.02
        ends = {}
        for disc in self.truth["discs"]:
            path = [p for p in disc["path"] if start <= p[0] <= end]
            on = [p for p in path if math.hypot(p[1], p[2]) < BEYOND]
            if not on or max(math.dist(p[1:3], on[0][1:3]) for p in path) < SAME_DISC:
                continue
            over = next((p for p in path if math.hypot(p[1], p[2]) >= BEYOND), None)
            last = over or path[-1]
            how = "left" if over else "hole" if last[3] < IN_HOLE else "rest"
            ends[int(disc["id"])] = (how, last[1], last[2])
        return ends


def named(disc, shot):
    """A disc of the truth as the film names it."""
    return SHOT if disc == shot["disc"] else str(disc)


def _small(picture):
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, SMALL, interpolation=cv2.INTER_AREA)
