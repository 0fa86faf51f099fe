"""The movements of hands at the table. A method that takes time yields the times until which it waits."""

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.board import seat_angle
from hardware.simulated.fall import DiscPose, ditch_spot
from hardware.simulated.hands import Carry, Gesture, Point, Reach, home, polar
from hardware.simulated.players import Flick, Habits
from hardware.simulated.scene import ForeignObject
from hardware.simulated.tabletop import Tabletop

Waiting = Generator[float, None, None]
REACH = (0.5, 0.9)  # s for a hand from its seat to the board or back
AIM = (0.8, 2.8)  # s with the finger behind the disc
PROMPT_AIM = (0.15, 0.4)  # s, of a player who shoots at once
CARRYING = (0.5, 0.9)  # s with a disc in the hand
GATHER = (0.2, 0.4)  # s from disc to disc while sweeping
SECOND_THOUGHTS = (0.4, 2.0)  # s
PHONE_LIES = (6.0, 30.0)  # s
FINGER = 12.0  # mm between the disc's edge and the finger that aims at it
BESIDE = 440.0  # mm from the hole: where twenties are put, outside the rail
PALM = 45.0  # mm from the fingertips towards the wrist, where swept discs collect
PHONE_AT = 215.0  # mm from the hole: beside the pegs
PHONE_ROOM = 115.0  # mm from its middle to the next disc's
PUT_BACK = 1.5  # mm, standard deviation of where a disc is put back
PUSH = 3.0  # mm, standard deviation of a sleeve's push, each way


@dataclass(slots=True)
class PlayerActions:
    """Moves hands over one table, and passes the time that they take."""

    top: Tabletop
    habits: Habits
    random: np.random.Generator
    t: float

    def wait(self, seconds: float) -> Waiting:
        """Let time pass while hands move on."""
        yield from self.until(self.t + seconds)

    def until(self, t: float) -> Waiting:
        self.t = max(self.t, t)
        yield self.t
        self.top.released(self.t)

    def place(self, seat: int, disc: str, at: Point, hurry: float | None = None) -> Waiting:
        """A hand places a disc on the table, within `hurry` seconds if given, and stays there."""
        arrival = hurry or self.time(REACH) * self.tempo()
        reach = Reach(seat, "place", ((self.t, home(seat)), (self.t + arrival, at)))
        self.top.reaches.append(reach)
        self.top.carry(Carry(disc, reach, reach.begin, reach.end, None, DiscPose("surface", *at)))
        yield from self.wait(arrival)

    def reach(self, seat: int, start: Point, end: Point, seconds: float, gesture: Gesture = "place") -> Waiting:
        """The hand moves from one place to another, or stays if they are equal."""
        self.top.reaches.append(Reach(seat, gesture, ((self.t, start), (self.t + seconds, end))))
        yield from self.wait(seconds)

    def withdraw(self, seat: int, at: Point) -> Waiting:
        yield from self.reach(seat, at, home(seat), self.time(REACH))

    def take_back(self, seat: int, disc: str) -> Waiting:
        """The player takes the placed disc back off the table."""
        at = (self.top.discs[disc].x, self.top.discs[disc].y)
        if self.happens(0.5):
            yield from self.withdraw(seat, at)
        yield from self.wait(self.time(SECOND_THOUGHTS))
        begin = self.t + self.time(REACH)
        end = begin + self.time(REACH)
        reach = Reach(seat, "place", ((self.t, home(seat)), (begin, at), (end, home(seat))))
        self.top.reaches.append(reach)
        self.top.carry(Carry(disc, reach, begin, end, self.top.discs[disc], None))
        yield from self.until(end)
        yield from self.wait(self.time(SECOND_THOUGHTS))

    def aim(self, seat: int, choice: Flick, prompt: bool) -> Waiting:
        """The finger goes behind the disc, waits there, snaps forward and leaves."""
        speed = math.hypot(choice.vx, choice.vy)
        ux, uy = choice.vx / speed, choice.vy / speed

        def behind(gap: float) -> Point:
            back = self.top.board.disc.radius + gap
            return choice.x - ux * back, choice.y - uy * back

        settle, aim = self.random.uniform(0.2, 0.4), self.time(AIM) * self.tempo()
        if prompt:
            aim = self.time(PROMPT_AIM)
        flick = self.t + settle + aim
        keys = (
            (self.t, (choice.x, choice.y)),
            (self.t + settle, behind(FINGER)),
            (flick - 0.04, behind(FINGER)),
            (flick, behind(0.0)),
            (flick + self.time(REACH), home(seat)),
        )
        self.top.reaches.append(Reach(seat, "flick", keys))
        yield from self.until(flick)

    def hover(self, seat: int) -> Waiting:
        over = polar(self.random.uniform(60.0, 260.0), seat_angle(seat) + self.random.uniform(-30.0, 30.0))
        yield from self._visit(seat, over, self.random.uniform(0.5, 2.5))

    def nudge(self, seat: int, disc: str) -> Generator[float, None, Point | None]:
        """A sleeve pushes a disc as the arm reaches over it. Returns the new place; None if there was no room."""
        lying, board = self.top.discs[disc], self.top.board
        x, y = lying.x + self.random.normal(0.0, PUSH), lying.y + self.random.normal(0.0, PUSH)
        stands = [((d.x, d.y), board.disc.radius) for name, d in self.top.discs.items() if name != disc]
        stands += [(peg, board.peg_radius) for peg in board.pegs]
        free = all(math.dist((x, y), at) > radius + board.disc.radius + 0.5 for at, radius in stands)
        inside = 3 * board.hole_radius < math.hypot(x, y) < board.outer_line - board.disc.radius - 2.0
        if not (free and inside):
            return None
        angle = seat_angle(seat)
        beyond = (lying.x - 60.0 * math.cos(math.radians(angle)), lying.y - 60.0 * math.sin(math.radians(angle)))
        arrive, stay = self.time(REACH), 0.3
        keys = ((self.t, home(seat)), (self.t + arrive, beyond), (self.t + arrive + stay, beyond))
        self.top.reaches.append(Reach(seat, "place", (*keys, (self.t + 2 * arrive + stay, home(seat)))))
        yield from self.wait(arrive + stay / 2)
        self.top.discs[disc] = DiscPose("surface", x, y)
        yield from self.wait(arrive + stay / 2)
        return x, y

    def lay_phone(self, seat: int) -> Waiting:
        """Somebody lays a phone on a free part of the board, and later takes it away."""
        lying = [(d.x, d.y) for d in self.top.discs.values() if d.at == "surface"]
        places = [(angle, polar(PHONE_AT, angle)) for angle in self.random.uniform(0.0, 360.0, 12)]
        angle, at = max(places, key=lambda place: min((math.dist(place[1], d) for d in lying), default=math.inf))
        if any(math.dist(at, d) < PHONE_ROOM for d in lying):
            return
        yield from self._visit(seat, at, 0.2, ForeignObject("phone", *at, angle + 90.0))
        yield from self.wait(self.time(PHONE_LIES))
        yield from self._visit(seat, at, 0.2)

    def _visit(self, seat: int, at: Point, stay: float, leave: ForeignObject | None = None) -> Waiting:
        """A hand comes, stays and goes. It removes things other than discs, and leaves `leave` behind."""
        arrive, t = self.time(REACH), self.t
        keys = ((t, home(seat)), (t + arrive, at), (t + arrive + stay, at), (t + 2 * arrive + stay, home(seat)))
        self.top.reaches.append(Reach(seat, "place", keys))
        yield from self.until(t + arrive + stay)
        self.top.things = (leave,) if leave else ()
        yield from self.until(keys[-1][0])

    def take_off(self, seat: int, lift: Sequence[str], remove: Sequence[str]) -> Waiting:
        """One hand takes discs off one by one: `lift` beside the board, `remove` into the ditch."""
        board, goals = self.top.board, dict[str, DiscPose | None].fromkeys(lift)
        ditch = [(lying.x, lying.y) for lying in self.top.discs.values() if lying.at == "ditch"]
        for disc in remove:
            source = self.top.discs[disc]
            to = ditch_spot(board, math.atan2(source.y, source.x), ditch)
            ditch.append(to)
            goals[disc] = DiscPose("ditch", *to, -board.surface_height)
        yield from self.put(seat, goals)

    def put(self, seat: int, goals: Mapping[str, DiscPose | None]) -> Waiting:
        """One hand moves discs to their goals one by one; None is beside the board."""
        tempo = self.tempo()
        t, keys = self.t, [(self.t, home(seat))]
        jobs: list[tuple[str, float, float, DiscPose | None]] = []
        for disc, goal in goals.items():
            source = self.top.discs[disc]
            to = (goal.x, goal.y) if goal else polar(BESIDE, seat_angle(seat) + 25.0)
            begin = t + self.time(REACH) * tempo
            t = begin + self.time(CARRYING) * tempo
            keys += [(begin, (source.x, source.y)), (t, to)]
            jobs.append((disc, begin, t, goal))
        reach = Reach(seat, "lift", (*keys, (t + self.time(REACH) * tempo, home(seat))))
        self.top.reaches.append(reach)
        for disc, begin, end, goal in jobs:
            self.top.carry(Carry(disc, reach, begin, end, self.top.discs[disc], goal))
        for _, _, end, _ in jobs:
            yield from self.until(end)

    def remove_wrong_disc(self, seat: int, disc: str) -> Generator[float, None, Point]:
        """A hand removes a disc that should stay, then puts it back. Returns its new place."""
        was = self.top.discs[disc]
        yield from self.take_off(seat, (disc,), ())
        yield from self.until(self.top.busy_until())
        yield from self.wait(self.time(SECOND_THOUGHTS))
        x, y = was.x + self.random.normal(0.0, PUT_BACK), was.y + self.random.normal(0.0, PUT_BACK)
        stands = [(d.x, d.y) for d in self.top.discs.values()]
        if any(math.dist((x, y), at) < 2 * self.top.board.disc.radius + 0.1 for at in stands):
            x, y = was.x, was.y
        yield from self.place(seat, disc, (x, y))
        yield from self.withdraw(seat, (x, y))
        return x, y

    def gather(self, seat: int, sideways: float, pile: Sequence[str], tempo: float) -> float:
        """One hand collects its discs around the board and leaves with them. Returns when it is gone."""
        away = home(seat, sideways)
        t = self.t + self.random.uniform(0.0, 0.5)
        keys: list[tuple[float, Point]] = [(t, away)]
        t += self.time(REACH) * tempo
        picked: list[tuple[float, str]] = []
        for disc in sorted(pile, key=lambda d: math.atan2(self.top.discs[d].y, self.top.discs[d].x)):
            keys.append((t, (self.top.discs[disc].x, self.top.discs[disc].y)))
            picked.append((t, disc))
            t += self.time(GATHER) * tempo
        t += self.time(REACH) * tempo
        reach = Reach(seat, "sweep", (*keys, (t, away)))
        self.top.reaches.append(reach)
        for begin, disc in picked:
            offset = polar(PALM + self.random.uniform(-15.0, 15.0), seat_angle(seat) + self.random.uniform(-30.0, 30.0))
            self.top.carry(Carry(disc, reach, begin, t, self.top.discs[disc], None, offset))
        return t

    def time(self, span: tuple[float, float]) -> float:
        return float(self.random.uniform(*span))

    def tempo(self) -> float:
        """The factor by which this person is slower than usual: 1 or more."""
        return float(self.random.uniform(2.0, 4.0)) if self.happens(self.habits.slow) else 1.0

    def happens(self, probability: float) -> bool:
        return bool(self.random.random() < probability)
