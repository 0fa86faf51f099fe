"""What the players' hands do, turn by turn. Each method that takes time yields the moments until which it waits."""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from hardware.board import seat_angle
from hardware.simulated.fall import Lying, ditch_spot
from hardware.simulated.hands import Carry, Point, Reach, home, polar
from hardware.simulated.physics import Motion, shoot
from hardware.simulated.players import Flick, Habits, Skill, choose_flick
from hardware.simulated.scene import Aftermath, RestingDisc, TrueShot, Turn, Umpire
from hardware.simulated.tabletop import Tabletop

Waiting = Generator[float, None, None]

REACH = (0.5, 0.9)  # s for a hand from its seat to the board or back
THINK = (1.0, 3.5)  # s before a player reaches for the board
AIM = (0.8, 2.8)  # s with the finger behind the disc
NOTICE = (0.4, 1.2)  # s until somebody acts on what came to rest
CARRYING = (0.5, 0.9)  # s with a disc in the hand
COUNT = (2.5, 6.0)  # s in which the players look at the finished round
GATHER = (0.2, 0.4)  # s from disc to disc while sweeping
FINGER = 12.0  # mm between the disc's edge and the finger that aims at it
BESIDE = 440.0  # mm from the hole: where twenties are put, outside the rail
PALM = 45.0  # mm from the fingertips towards the wrist: where swept discs gather


@dataclass(slots=True)
class Players:
    """The people at the table."""

    top: Tabletop
    umpire: Umpire
    skill: Skill
    habits: Habits
    random: np.random.Generator
    t: float
    forgotten: Aftermath = field(default_factory=Aftermath)
    out: set[str] = field(default_factory=set)  # judged off, but still on the table
    skills: dict[int, Skill] = field(init=False)  # by seat

    def __post_init__(self) -> None:
        self.skills = {seat: self.skill.of_player(self.random) for seat in (1, 2, 3, 4)}

    def play(self, sweep_first: bool) -> Waiting:
        """Once the table is at rest, play until the umpire has no turn left, sweeping the board after every round."""
        yield from self.until(max(self.t, self.top.busy_until()))
        self.top.settle()
        turn = self.umpire.turn()
        if sweep_first:
            yield from self.sweep(turn)
        while turn:
            yield from self.take(turn)
            played, turn = turn, self.umpire.turn()
            if turn is None or turn.round > played.round:
                yield from self.sweep(turn)

    def take(self, turn: Turn) -> Waiting:
        """One turn: think, place, aim, flick, wait for rest, hear the umpire, tidy."""
        yield from self.wait(self._time(THINK))
        if self._happens(self.habits.hover):
            yield from self._hover(turn.seat)
        targets = self.umpire.opponents_on_board(turn.side)
        choice = choose_flick(self.top.board, self.top.discs, turn.seat, targets, self.skills[turn.seat], self.random)
        yield from self._place(turn, choice)
        yield from self._aim(turn, choice)
        motion = shoot(self.top.board, self.top.discs, turn.disc, (choice.vx, choice.vy), self.random)
        self.top.flick(self.t, motion)
        yield from self.wait(motion.duration)
        self.top.settle()
        shot = self._true_shot(turn, motion)
        self.top.truth.shots.append(shot)
        yield from self._tidy(turn.seat, self.umpire.judge(shot))

    def wait(self, seconds: float) -> Waiting:
        """Let time pass; hands move on meanwhile."""
        yield from self.until(self.t + seconds)

    def until(self, t: float) -> Waiting:
        """Let time pass until `t`."""
        self.t = t
        yield t
        self.top.released(t)

    def sweep(self, turn: Turn | None) -> Waiting:
        """Clear the table with both players' hands, each taking the discs nearest to its side."""
        yield from self.wait(self._time(COUNT))
        tempo = self._tempo()
        seats = sorted({1, 3} | ({2, 4} if turn and turn.seat in (2, 4) else set()))
        spread = (-20.0, 20.0) if len(seats) == 2 else (0.0,)
        hands = [(seat, sideways) for seat in seats for sideways in spread]
        piles: dict[tuple[int, float], list[str]] = {hand: [] for hand in hands}
        for disc, lying in self.top.discs.items():
            near = [math.dist((lying.x, lying.y), polar(200.0, seat_angle(seat) + 2 * s)) for seat, s in hands]
            piles[hands[int(np.argmin(near))]].append(disc)
        ends = [self._gather(seat, sideways, pile, tempo) for (seat, sideways), pile in piles.items() if pile]
        yield from self.until(max(ends, default=self.t))
        self.top.truth.sweeps.append(self.t)
        self.forgotten = Aftermath()
        self.out.clear()

    def _gather(self, seat: int, sideways: float, pile: Sequence[str], tempo: float) -> float:
        """One hand takes its discs, going round the board, and leaves with them; returns when it is gone."""
        away = home(seat, sideways)
        t = self.t + self.random.uniform(0.0, 0.5)
        keys: list[tuple[float, Point]] = [(t, away)]
        t += self._time(REACH) * tempo
        picked: list[tuple[float, str]] = []
        for disc in sorted(pile, key=lambda d: math.atan2(self.top.discs[d].y, self.top.discs[d].x)):
            keys.append((t, (self.top.discs[disc].x, self.top.discs[disc].y)))
            picked.append((t, disc))
            t += self._time(GATHER) * tempo
        t += self._time(REACH) * tempo
        reach = Reach(seat, "sweep", (*keys, (t, away)))
        self.top.reaches.append(reach)
        for begin, disc in picked:
            offset = polar(PALM + self.random.uniform(-15.0, 15.0), seat_angle(seat) + self.random.uniform(-30.0, 30.0))
            self.top.carry(Carry(disc, reach, begin, t, self.top.discs[disc], None, offset))
        return t

    def _place(self, turn: Turn, choice: Flick) -> Waiting:
        self.top.sides[turn.disc] = turn.side
        arrival = self._time(REACH) * self._tempo()
        reach = Reach(turn.seat, "place", ((self.t, home(turn.seat)), (self.t + arrival, (choice.x, choice.y))))
        self.top.reaches.append(reach)
        lying = Lying("surface", choice.x, choice.y)
        self.top.carry(Carry(turn.disc, reach, reach.begin, reach.end, None, lying))
        yield from self.wait(arrival)

    def _aim(self, turn: Turn, choice: Flick) -> Waiting:
        """The finger goes behind the disc, waits there, snaps forward and leaves."""
        speed = math.hypot(choice.vx, choice.vy)
        ux, uy = choice.vx / speed, choice.vy / speed

        def behind(gap: float) -> Point:
            back = self.top.board.disc.radius + gap
            return choice.x - ux * back, choice.y - uy * back

        settle, aim = self.random.uniform(0.2, 0.4), self._time(AIM) * self._tempo()
        flick = self.t + settle + aim
        keys = (
            (self.t, (choice.x, choice.y)),
            (self.t + settle, behind(FINGER)),
            (flick - 0.04, behind(FINGER)),
            (flick, behind(0.0)),
            (flick + self._time(REACH), home(turn.seat)),
        )
        self.top.reaches.append(Reach(turn.seat, "flick", keys))
        yield from self.until(flick)

    def _hover(self, seat: int) -> Waiting:
        over = polar(self.random.uniform(60.0, 260.0), seat_angle(seat) + self.random.uniform(-30.0, 30.0))
        arrive, stay = self._time(REACH), self.random.uniform(0.5, 2.5)
        t = self.t
        keys = ((t, home(seat)), (t + arrive, over), (t + arrive + stay, over), (t + 2 * arrive + stay, home(seat)))
        self.top.reaches.append(Reach(seat, "place", keys))
        yield from self.until(keys[-1][0])

    def _tidy(self, seat: int, told: Aftermath) -> Waiting:
        """Take off what the umpire says, and what was forgotten after the shot before; forget something at times."""
        late = Aftermath(
            tuple(disc for disc in told.to_ditch if self._happens(self.habits.forget_removal)),
            tuple(disc for disc in told.bank if self._happens(self.habits.forget_twenty)),
        )
        self.out |= {*told.to_ditch, *told.bank}
        lift = [disc for disc in (*self.forgotten.bank, *told.bank) if disc not in late.bank]
        remove = [disc for disc in (*self.forgotten.to_ditch, *told.to_ditch) if disc not in late.to_ditch]
        remove = [disc for disc in remove if self.top.discs[disc].at != "ditch"]
        self.forgotten = late
        if lift or remove:
            yield from self.wait(self._time(NOTICE))
            helper = seat if self._happens(0.8) else (seat + 1) % 4 + 1
            yield from self._take_off(helper, lift, remove)

    def _take_off(self, seat: int, lift: Sequence[str], remove: Sequence[str]) -> Waiting:
        """One hand brings twenties beside the board and other discs into the ditch, one after the other."""
        tempo, board = self._tempo(), self.top.board
        t, keys = self.t, [(self.t, home(seat))]
        jobs: list[tuple[str, float, float, Lying | None]] = []
        ditch = [(lying.x, lying.y) for lying in self.top.discs.values() if lying.at == "ditch"]
        for disc in (*lift, *remove):
            source = self.top.discs[disc]
            goal, to = None, polar(BESIDE, seat_angle(seat) + 25.0)
            if disc in remove:
                to = ditch_spot(board, math.atan2(source.y, source.x), ditch)
                ditch.append(to)
                goal = Lying("ditch", *to, -board.surface_height)
            begin = t + self._time(REACH) * tempo
            t = begin + self._time(CARRYING) * tempo
            keys += [(begin, (source.x, source.y)), (t, to)]
            jobs.append((disc, begin, t, goal))
        reach = Reach(seat, "lift", (*keys, (t + self._time(REACH) * tempo, home(seat))))
        self.top.reaches.append(reach)
        for disc, begin, end, goal in jobs:
            self.top.carry(Carry(disc, reach, begin, end, self.top.discs[disc], goal))
        for _, _, end, _ in jobs:
            yield from self.until(end)

    def _true_shot(self, turn: Turn, motion: Motion) -> TrueShot:
        """The shot as the rules see it: without the discs that were judged off before and only not taken yet."""
        contacts = tuple(pair for pair in motion.contacts if not self.out & set(pair))
        rest = {
            disc: resting(lying, disc in motion.returned) for disc, lying in motion.rest.items() if disc not in self.out
        }
        return TrueShot(self.t, turn.side, turn.disc, contacts, rest)

    def _time(self, span: tuple[float, float]) -> float:
        return float(self.random.uniform(*span))

    def _tempo(self) -> float:
        return float(self.random.uniform(2.0, 4.0)) if self._happens(self.habits.slow) else 1.0

    def _happens(self, probability: float) -> bool:
        return bool(self.random.random() < probability)


def resting(lying: Lying, returned: bool = False) -> RestingDisc:
    """How a disc ended, in the umpire's words."""
    if lying.at != "surface":
        return RestingDisc(lying.at, returned=returned)
    return RestingDisc((lying.x, lying.y), "leaning" if lying.leaning else "flat", returned)
