"""Films one shot: small pictures in, a film out. No threads and no clock."""

import math

import numpy as np

from controller.vision.calibration.camera import Floats
from controller.vision.film.body import PLACE_MM, SHORTEST, Body
from controller.vision.film.film import SHOT, Began, Contact, Ended, Film, Sample, Span, Track, Watched, way
from controller.vision.film.sliding import FRICTION, far
from controller.vision.film.stage import FilmStage
from controller.vision.film.tracking import Meeting, Tracker
from hardware.devices import Image

HOLE_MM = 8.0
"""Beyond the hole's radius, within which a disc that vanished has fallen in."""

GAP_SECONDS = 0.15
"""Between two pictures: in a longer gap discs meet and part unseen."""
SEEN_LATELY = 0.12
"""Seconds before the end: a disc seen since then rests where it was seen."""
STOPPED = 90.0
"""mm/s: a disc this slow slides 4 mm at most, so it rests where last seen, although it may fade into the wood."""
MOVED_MM = 4.0
"""From its first place: a shorter way is no movement."""
FIRST_SEEN_MM = 75.0
"""From a disc that moved to the shot disc's first place out of the hand: nearer, the shot disc struck it."""
FLOWN_MM = 40.0
"""A way farther than a sleeve pushes a disc unseen: it was struck."""
FITTED = 6
"""Samples from which a speed is taken: a fifth of a second at 30 frames a second."""
PREDICTED = 0.99
"""Probability of an expected contact if a resting disc then moved. Measured: 462 of 464."""
GUESSED = 0.94
"""The same if the striking disc was only the nearest. Measured: 32 of 34."""
EDGE_MM = 12.0
"""Inside the surface's edge: a disc that slides outwards and vanishes there has left."""


class Filming:
    """Films from one settled board to the next."""

    def __init__(self, stage: FilmStage) -> None:
        self._stage = stage
        self._tracker = Tracker(stage)
        board = stage.view.board
        self._tips = math.sqrt(max(board.hole_radius**2 - board.disc.radius**2, 0.0))  # mm: no nearer can a disc rest
        self._spans: list[Span] = []
        self._pictures = self._with_hands = 0
        self._newest: Image | None = None
        self._t = 0.0

    def see(self, small: Image, t: float, hands: Image | None = None) -> None:
        """The next small picture (h, w), taken at `t`; `hands` is the mask, 0 or 255, of what they hide, if anything.

        One that shows the same as the picture before, noise and all, was repeated, and is skipped.
        """
        if self._newest is not None and (small is self._newest or np.array_equal(small[::4], self._newest[::4])):
            return
        self._newest = small
        glimpse = self._stage.spotter.look(small, hands)
        self._tracker.see(t, glimpse)
        self._pictures += 1
        self._with_hands += hands is not None
        if self._spans and t - self._t <= GAP_SECONDS:
            self._spans[-1] = Span(self._spans[-1].begin, t)
        else:
            self._spans.append(Span(t, t))
        self._t = t

    def film(self) -> Film:
        """The film up to the newest picture."""
        bodies = [body for body in self._tracker.bodies if body.samples and (body.state != "new" or self._lies(body))]
        shot = self._shot_disc(bodies)
        meetings = self._meetings(bodies, shot)
        went = self._that_went(bodies, shot, {meeting.second for meeting in meetings})
        tracks = tuple(self._track(body, SHOT if body is shot else body.id, meetings) for body in went)
        hidden = self._with_hands / max(1, self._pictures)
        watched = Watched(tuple(self._spans), self._stage.unseen, hidden)
        return Film(self._stage.discs, tracks, self._contacts(meetings, shot), watched)

    def _that_went(self, bodies: list[Body], shot: Body | None, struck: set[str]) -> list[Body]:
        """The shot disc, and the settled board's discs that moved or were struck."""
        return [
            body
            for body in bodies
            if body is shot or (body.home is not None and (body.id in struck or self._moved(body)))
        ]

    def _contacts(self, meetings: list[Meeting], shot: Body | None) -> tuple[Contact, ...]:
        """The contacts of the settled board's discs and the shot disc, in order of time."""
        names = {body.id: body.id for body in self._tracker.bodies if body.home is not None} | {SHOT: SHOT}
        if shot is not None:
            names[shot.id] = SHOT
        return tuple(
            Contact(m.t, (names[m.first], names[m.second]), m.closing, GUESSED if m.guessed else PREDICTED)
            for m in sorted(meetings, key=lambda meeting: meeting.t)
            if m.first in names and m.second in names
        )

    def _lies(self, body: Body) -> bool:
        """Whether a new object rests out of reach of fingers: it stopped before its movement was seen."""
        board = self._stage.view.board
        inside = math.hypot(*body.place) < board.outer_line - board.disc.radius
        return inside and self._t - body.seen <= SEEN_LATELY

    def _moved(self, body: Body) -> bool:
        """Whether a disc of the settled board has moved."""
        if body.state == "resting" or body.home is None:
            return False
        return max(math.dist((s.x, s.y), body.home.tolist()) for s in body.samples) >= MOVED_MM

    def _shot_disc(self, bodies: list[Body]) -> Body | None:
        """The shot disc: of the objects out of the hand, the one that went farthest over the surface; else one never
        seen to move."""
        new = [body for body in bodies if body.began == "flicked"] or [body for body in bodies if body.state == "new"]
        surface = self._stage.view.board.surface_radius
        return max(new, key=lambda body: way(body.samples, surface), default=None)

    def _meetings(self, bodies: list[Body], shot: Body | None) -> list[Meeting]:
        """The seen contacts, and those with an unseen shot disc."""
        meetings = list(self._tracker.meetings)
        for body in sorted(bodies, key=lambda body: body.since):
            if body.began != "unknown" or body.state == "resting" or body.home is None:
                continue
            if (shot is not None and self._came_out(body, shot)) or self._by_unseen(body, shot, meetings):
                name = shot.id if shot is not None else SHOT
                speed = self._speed(body, meetings)
                meetings.append(Meeting(body.since, name, body.id, speed or 0.0, 0.0, True))
        return meetings

    def _came_out(self, body: Body, shot: Body) -> bool:
        """Whether the shot disc was first seen beside a disc that had just moved: it struck that one unseen."""
        first = shot.samples[0]
        late = first.t >= body.since - GAP_SECONDS / 2
        beside = body.home is not None and far(body.home, np.array((first.x, first.y))) < FIRST_SEEN_MM
        return late and beside

    def _by_unseen(self, body: Body, shot: Body | None, meetings: list[Meeting]) -> bool:
        """Whether a disc moved off before the shot disc or any contact was seen: none starts by itself."""
        seen = shot is not None and any(sample.t <= body.since for sample in shot.samples)
        if seen or body.hidden or any(meeting.t <= body.since for meeting in meetings):
            return False
        return self._moved(body) and way(body.samples) >= FLOWN_MM

    def _track(self, body: Body, name: str, meetings: list[Meeting]) -> Track:
        ended, end = self._end(body)
        samples = body.samples
        struck = body.began == "unknown" and any(meeting.second == body.id for meeting in meetings)
        began: Began = "flicked" if body.home is None else "struck" if struck else body.began
        return Track(name, body.colour, tuple(samples), began, ended, end, self._speed(body, meetings), body.came_back)

    def _end(self, body: Body) -> tuple[Ended, tuple[float, float]]:
        board = self._stage.view.board
        last = body.samples[-1]
        place = (last.x, last.y)
        if body.state == "ditch":
            return "left", self._left_at(body)
        before = body.samples[-2] if len(body.samples) > 1 else last
        speed = math.dist((before.x, before.y), place) / max(last.t - before.t, SHORTEST)
        stopped = before is not last and speed < STOPPED
        if stopped or self._t - last.t <= SEEN_LATELY:
            return ("hole" if math.hypot(*place) < self._tips else "rest"), place
        from_hole = math.hypot(*place)
        reach = max(from_hole, math.hypot(*body.place))
        if from_hole > math.hypot(before.x, before.y) and reach > board.surface_radius - EDGE_MM:
            return "left", self._left_at(body)
        if self._would_fall(before, last):
            return "hole", (0.0, 0.0)
        return ("hand" if body.hidden else "lost"), place

    def _left_at(self, body: Body) -> tuple[float, float]:
        """The point on the surface's edge that it crossed: towards its first place beyond, else its present place."""
        radius = self._stage.view.board.surface_radius
        out = next((s for s in body.samples if math.hypot(s.x, s.y) > radius), None)
        x, y = (out.x, out.y) if out else body.place
        scale = radius / max(math.hypot(x, y), 1e-9)
        return float(x * scale), float(y * scale)

    def _would_fall(self, before: Sample, last: Sample) -> bool:
        """Whether the hole is on the disc's path when it was last seen."""
        hole = self._stage.view.board.hole_radius
        if math.hypot(last.x, last.y) < hole + HOLE_MM:
            return True
        step, back = np.array((last.x - before.x, last.y - before.y)), -np.array((last.x, last.y))
        length = float(np.hypot(*step))
        if length < 1.0 or not 0 < float(back @ step) / length < hole + 2 * length:  # it tips over the rim
            return False
        return abs(float(step[0] * back[1] - step[1] * back[0])) / length < hole

    def _speed(self, body: Body, meetings: list[Meeting]) -> float | None:
        """The speed when the track began; the shot disc's at the starting line."""
        samples = self._before_any_meeting(body, [m.t for m in meetings if body.id in (m.first, m.second)])
        if len(samples) < 2:
            return None
        first, last = samples[0], samples[-1]
        t = np.array([s.t - first.t for s in samples])
        unit = np.array((last.x - first.x, last.y - first.y))
        unit /= max(float(np.hypot(*unit)), 1e-9)
        along = np.array([(s.x - first.x, s.y - first.y) for s in samples]) @ unit + FRICTION * t**2 / 2
        speed = float(np.polyfit(t, along, 1)[0])
        if body.home is None:
            speed = math.sqrt(max(speed, 0.0) ** 2 + 2 * FRICTION * self._from_line(first, unit))
        return max(speed, 0.0)

    def _before_any_meeting(self, body: Body, met: list[float]) -> list[Sample]:
        """The straight path on the surface before it met a disc at one of these times; none if that was unseen."""
        begin = body.samples[0].t
        if body.home is None and any(t <= begin for t in met):
            return []
        until = min((t for t in met if t > begin), default=math.inf)
        surface = self._stage.view.board.surface_radius
        samples = [s for s in body.samples if s.t <= until and math.hypot(s.x, s.y) < surface]
        return _straight(samples[: FITTED + 1])

    def _from_line(self, first: Sample, unit: Floats) -> float:
        """The distance (mm), along the path, from the starting line to the first seen place of the shot disc."""
        line = self._stage.view.board.outer_line
        along = first.x * unit[0] + first.y * unit[1]
        inside = line**2 - (first.x**2 + first.y**2)
        return max(0.0, float(along + math.sqrt(max(along**2 + inside, 0.0)))) if inside > 0 else 0.0


def _straight(samples: list[Sample]) -> list[Sample]:
    """The first samples, up to where a peg or a disc turned the path."""
    kept = samples[:2]
    for sample in samples[2:]:
        a, b = kept[0], kept[-1]
        ux, uy = b.x - a.x, b.y - a.y
        vx, vy = sample.x - b.x, sample.y - b.y
        turned = abs(ux * vy - uy * vx) / max(math.hypot(ux, uy), 1e-9)
        if turned > 3 * PLACE_MM or ux * vx + uy * vy <= 0:
            break
        kept.append(sample)
    return kept
