"""The players' behaviour turn by turn: think, place, aim, flick, ask the umpire, tidy, sweep; and bad habits."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hardware.board import seat_angle
from hardware.simulated import hand_habits
from hardware.simulated.fall import DiscPose
from hardware.simulated.faults import FaultPlan
from hardware.simulated.hands import polar
from hardware.simulated.physics import Motion, shoot
from hardware.simulated.player_actions import PlayerActions, Waiting
from hardware.simulated.players import Flick, Skill, choose_flick
from hardware.simulated.scene import Aftermath, CorrectedMatch, Place, RestingDisc, TrueShot, Turn, Umpire

THINK = (1.0, 3.5)  # s before a player reaches for the board
NOTICE = (0.4, 1.2)  # s until somebody actions on what came to rest
COUNT = (2.5, 6.0)  # s for the players to count the round
EARLY = (0.05, 0.25)  # s between a hasty player's placement and the last disc's rest
LISTEN = 2.0  # s from the last movement until the players follow a correction: by then the table has read the board
ASK = 0.5  # s between checks whether a pause is over
ASTRAY = 8.0  # mm: a disc farther than this from its corrected place is moved there
QUICKEST = 0.3  # s from the flick to a hasty player's disc: the hand was already on its way
AWAY: Place = ("", math.inf, math.inf)  # the place of a disc that does not belong to the round
ARM = 70.0  # mm beside a reaching arm: within reach of its sleeve


@dataclass(slots=True)
class SimulatedPlayers:
    """The people at the table, who know only what they see and what the umpire tells them."""

    actions: PlayerActions
    umpire: Umpire
    skill: Skill
    faults: FaultPlan
    forgotten: Aftermath = field(default_factory=Aftermath)
    out: set[str] = field(default_factory=set)  # judged off, but still on the table
    placed: Flick | None = None  # a hasty player's disc is already placed
    skills: dict[int, Skill] = field(init=False)  # by seat

    def __post_init__(self) -> None:
        self.skills = {seat: self.skill.of_player(self.actions.random) for seat in (1, 2, 3, 4)}

    def play(self, sweep_first: bool) -> Waiting:
        """Wait until the table rests, then play until the match is over."""
        actions = self.actions
        yield from actions.until(actions.top.busy_until())
        actions.top.settle()
        yield from self._rounds(sweep_first)

    def follow(self, corrected: Callable[[], CorrectedMatch]) -> Waiting:
        """Wait until the table rests and has been read, arrange the board as corrected, and play on."""
        actions = self.actions
        yield from actions.until(actions.top.busy_until())
        actions.top.settle()
        yield from actions.wait(LISTEN)
        wanted = corrected()
        self.umpire = wanted.umpire
        if not wanted.sweep:
            yield from self._arrange(wanted)
        yield from self._rounds(wanted.sweep)

    def _rounds(self, sweep_first: bool) -> Waiting:
        """Play until the match is over, sweeping the board after every round."""
        turn = self.umpire.turn()
        if sweep_first:
            yield from self.sweep()
        while turn:
            yield from self._while_paused()
            yield from self.take(turn)
            played, turn = turn, self.umpire.turn()
            if turn is None or turn.round > played.round:
                yield from self.sweep()

    def _while_paused(self) -> Waiting:
        while self.actions.top.paused:
            yield from self.actions.wait(ASK)

    def _arrange(self, wanted: CorrectedMatch) -> Waiting:
        """Move every disc to its corrected place, and remove discs that are not part of the match."""
        actions, seat = self.actions, self.umpire.seats[0]
        astray = [
            disc
            for disc, lying in actions.top.discs.items()
            if not (lying.at == "surface" and disc in wanted.stay) and not _is_at(lying, wanted.discs.get(disc, AWAY))
        ]
        goals = {disc: _lying(wanted.discs.get(disc)) for disc in astray}
        if goals:  # removals first, to free their places
            yield from actions.put(seat, dict(sorted(goals.items(), key=lambda to: to[1] is not None)))
        for disc, place in wanted.discs.items():
            if place is not None and disc not in actions.top.discs:
                side, *at = place
                actions.top.take(disc, side)
                yield from actions.until(actions.top.busy_until())
                yield from actions.place(seat, disc, (at[0], at[1]))
                yield from actions.withdraw(seat, (at[0], at[1]))
        yield from actions.until(actions.top.busy_until())

    def take(self, turn: Turn) -> Waiting:
        """Play one turn, once the player can see and reach the board."""
        actions, habits = self.actions, self.actions.habits
        prompt = self.placed is not None and actions.happens(habits.prompt)
        if not prompt:
            yield from actions.until(self.faults.clear_at(actions.t))
            yield from self._before(turn)
        choice, self.placed = self.placed or self._choose(turn), None
        if turn.disc not in actions.top.discs:
            yield from self._place(turn, choice)
            if actions.happens(habits.take_back):
                yield from actions.take_back(turn.seat, turn.disc)
                choice = self._choose(turn)
                yield from self._place(turn, choice)
        yield from self._while_paused()
        yield from actions.aim(turn.seat, choice, prompt)
        flicked = actions.t
        motion = shoot(
            actions.top.board,
            actions.top.discs,
            turn.disc,
            (choice.vx, choice.vy),
            actions.random,
            lively="returned-discs" in self.faults.names,
            leaners="leaners" in self.faults.names,
        )
        actions.top.flick(flicked, motion)
        shot = self._true_shot(flicked + motion.duration, turn, motion)
        if actions.happens(habits.haste):
            due = self.umpire.judge(shot)  # nobody has seen the end yet, but the next player sees enough
            yield from self._place_early(turn, due, motion)
            yield from actions.until(flicked + motion.duration)
        else:
            yield from actions.until(flicked + motion.duration)
            due = self.umpire.judge(shot)
        actions.top.settle()
        actions.top.truth.shots.append(shot)
        yield from self._tidy(turn.seat, due)

    def sweep(self) -> Waiting:
        """Clear the table: each hand takes the discs nearest to its side."""
        actions = self.actions
        yield from actions.wait(actions.time(COUNT))
        yield from actions.until(self.faults.clear_at(actions.t))
        tempo = actions.tempo()
        seats = sorted(self.umpire.seats)
        spread = (-20.0, 20.0) if len(seats) == 2 else (0.0,)
        hands = [(seat, sideways) for seat in seats for sideways in spread]
        piles: dict[tuple[int, float], list[str]] = {hand: [] for hand in hands}
        for disc, lying in actions.top.discs.items():
            near = [math.dist((lying.x, lying.y), polar(200.0, seat_angle(seat) + 2 * s)) for seat, s in hands]
            piles[hands[int(np.argmin(near))]].append(disc)
        ends = [actions.gather(seat, sideways, pile, tempo) for (seat, sideways), pile in piles.items() if pile]
        yield from actions.until(max(ends, default=actions.t))
        actions.top.truth.sweeps.append(actions.t)
        self.forgotten = Aftermath()
        self.out.clear()

    def _before(self, turn: Turn) -> Waiting:
        """What happens before a player reaches for a disc."""
        actions, habits = self.actions, self.actions.habits
        yield from actions.wait(actions.time(THINK))
        if actions.happens(habits.phone):
            yield from actions.lay_phone(turn.seat)
        if actions.happens(habits.hover):
            yield from actions.hover(turn.seat)
        if actions.happens(habits.nudge):
            yield from self._nudge(turn.seat)

    def _choose(self, turn: Turn) -> Flick:
        actions = self.actions
        targets = self.umpire.opponents_on_board(turn.side)
        lying = actions.top.discs | (dict(actions.top.shot[1].rest) if actions.top.shot else {})
        return choose_flick(actions.top.board, lying, turn.seat, targets, self.skills[turn.seat], actions.random)

    def _place(self, turn: Turn, choice: Flick) -> Waiting:
        self.actions.top.take(turn.disc, turn.side)
        place = hand_habits.choose_habit(self.actions) or PlayerActions.place
        yield from place(self.actions, turn.seat, turn.disc, (choice.x, choice.y))

    def _place_early(self, played: Turn, due: Aftermath, motion: Motion) -> Waiting:
        """The next player places a disc before the last shot's discs rest, if none of them passes there."""
        actions = self.actions
        turn = None if due.to_ditch or due.bank else self.umpire.turn()
        if turn is None or turn.round > played.round:
            return
        choice = self._choose(turn)
        width = 2 * actions.top.board.disc.radius + 2.0
        ways = [(s.lying.x, s.lying.y) for samples in motion.track.values() for s in samples]
        if any(math.dist((choice.x, choice.y), at) < width for at in ways):
            return
        actions.top.take(turn.disc, turn.side)
        at = (choice.x, choice.y)
        yield from actions.place(turn.seat, turn.disc, at, max(QUICKEST, motion.duration - actions.time(EARLY)))
        self.placed = choice
        if not actions.habits.prompt:
            yield from actions.withdraw(turn.seat, at)

    def _tidy(self, seat: int, due: Aftermath) -> Waiting:
        """Take off what the umpire says and what was forgotten after the last shot; sometimes forget something."""
        actions = self.actions
        late = self._forget(due)
        self.out |= {*due.to_ditch, *due.bank}
        lift = [disc for disc in (*self.forgotten.bank, *due.bank) if disc not in late.bank]
        remove = self._to_remove(due, late)
        self.forgotten = Aftermath((), late.bank) if actions.habits.never_remove else late
        if not (lift or remove):
            return
        yield from actions.wait(actions.time(NOTICE))
        helper = seat if actions.happens(0.8) else self._opposite(seat)
        wrong = self._in_play()
        if remove and wrong and actions.happens(actions.habits.wrong_removal):
            disc = wrong[int(actions.random.integers(len(wrong)))]
            self.umpire.moved(disc, *(yield from actions.remove_wrong_disc(helper, disc)))
        yield from actions.take_off(helper, lift, remove)

    def _forget(self, due: Aftermath) -> Aftermath:
        """Draw the discs that the players forget to take off until after the next shot."""
        actions, habits = self.actions, self.actions.habits
        return Aftermath(
            tuple(disc for disc in due.to_ditch if actions.happens(habits.forget_removal)),
            tuple(disc for disc in due.bank if actions.happens(habits.forget_twenty)),
        )

    def _to_remove(self, due: Aftermath, late: Aftermath) -> list[str]:
        """The discs to take off now: due, not forgotten, and not in the ditch."""
        if self.actions.habits.never_remove:
            return []
        ordered = (*self.forgotten.to_ditch, *due.to_ditch)
        discs = self.actions.top.discs
        return [disc for disc in ordered if disc not in late.to_ditch and discs[disc].at != "ditch"]

    def _opposite(self, seat: int) -> int:
        opposite, left = (seat + 1) % 4 + 1, seat % 4 + 1
        return opposite if opposite in self.umpire.seats else left

    def _nudge(self, seat: int) -> Waiting:
        """A sleeve pushes one of the discs under this seat's arm."""
        angle = math.radians(seat_angle(seat))
        ux, uy = math.cos(angle), math.sin(angle)
        at = self.actions.top.discs
        under = [
            disc
            for disc in self._in_play()
            if abs(at[disc].y * ux - at[disc].x * uy) < ARM and at[disc].x * ux + at[disc].y * uy > 0
        ]
        if under:
            disc = under[int(self.actions.random.integers(len(under)))]
            if place := (yield from self.actions.nudge(seat, disc)):
                self.umpire.moved(disc, *place)

    def _in_play(self) -> list[str]:
        """The discs that are flat on the surface and count."""
        discs = self.actions.top.discs.items()
        return [d for d, lies in discs if lies.at == "surface" and not lies.leaning and d not in self.out]

    def _true_shot(self, t: float, turn: Turn, motion: Motion) -> TrueShot:
        """The shot for the umpire, without discs that were judged off earlier but are still on the table."""
        contacts = tuple(pair for pair in motion.contacts if not self.out & set(pair))
        rest = {
            disc: resting(lying, disc in motion.returned) for disc, lying in motion.rest.items() if disc not in self.out
        }
        return TrueShot(t, turn.side, turn.disc, contacts, rest)


def _lying(place: Place | None) -> DiscPose | None:
    return DiscPose("surface", place[1], place[2]) if place else None


def _is_at(lying: DiscPose, place: Place | None) -> bool:
    if place is None:
        return lying.at == "ditch"
    return lying.at == "surface" and math.dist((lying.x, lying.y), place[1:]) < ASTRAY


def resting(lying: DiscPose, returned: bool = False) -> RestingDisc:
    """Convert a pose into the umpire's terms."""
    if lying.at != "surface":
        return RestingDisc(lying.at, returned=returned)
    return RestingDisc((lying.x, lying.y), "leaning" if lying.leaning else "flat", returned)
