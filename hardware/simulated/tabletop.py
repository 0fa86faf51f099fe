"""The state of the simulated table: discs, movements, hands and things, which make a scene."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.board import Board
from hardware.simulated.fall import DiscPose
from hardware.simulated.faults import FaultPlan
from hardware.simulated.hands import Carry, Reach
from hardware.simulated.hole_contact import HoleContact
from hardware.simulated.physics import Motion, MotionSample
from hardware.simulated.scene import ForeignObject, Scene, SceneDisc, TrueShot


@dataclass(slots=True)
class Truth:
    """What really happened, for comparisons, never for the pipeline."""

    shots: list[TrueShot] = field(default_factory=list)
    sweeps: list[float] = field(default_factory=list)  # when the board was empty after a round
    hole: list[tuple[float, bool]] = field(default_factory=list)  # whether a disc is flat in the hole, from when on

    def reset_for_match(self) -> None:
        """Start a new match. Keeps the hole's content."""
        del self.shots[:], self.sweeps[:], self.hole[:-1]


@dataclass(slots=True)
class Tabletop:
    """The table's state. `discs` are at rest unless a shot moves them or a hand carries them."""

    board: Board
    colours: Mapping[str, str]  # by side
    contact: HoleContact
    truth: Truth
    discs: dict[str, DiscPose] = field(default_factory=dict)
    disc_colours: dict[str, str] = field(default_factory=dict)  # by disc
    reaches: list[Reach] = field(default_factory=list)
    carries: list[Carry] = field(default_factory=list)
    things: tuple[ForeignObject, ...] = ()  # foreign objects on the board
    paused: bool = False  # people asked the players to wait
    shot: tuple[float, Motion] | None = None  # time of the flick, and its result
    _shown: dict[str, tuple[DiscPose, SceneDisc]] = field(default_factory=dict)  # discs at rest, as in the last scene

    def flick(self, t: float, motion: Motion) -> None:
        """Play this motion back until `settle`."""
        self.shot = t, motion
        for after, kind in motion.hole:
            if kind == "seated":
                self.contact.seat(t + after)
                self._flat_in_hole(t + after, True)
            elif kind == "leaning":
                self.contact.lean(t + after)
            else:
                self.contact.skim(t + after)

    def settle(self) -> None:
        """End the shot with every disc at its final place."""
        if self.shot:
            self.discs.update(self.shot[1].rest)
        self.shot = None

    def carry(self, carry: Carry) -> None:
        """A hand takes a disc at `carry.begin`; call `released` from `carry.end` on."""
        self.carries.append(carry)
        if carry.source and (carry.source.at == "hole" or carry.source.leaning):
            self.contact.lift(carry.begin)
            if carry.source.at == "hole":
                self._flat_in_hole(carry.begin, False)

    def released(self, t: float) -> None:
        """Put down the discs that hands have released by `t`, and remove hands that have left."""
        for carry in self.carries:
            if carry.end <= t:
                self.discs.pop(carry.disc, None)
                if carry.goal:
                    self.discs[carry.disc] = carry.goal
        self.carries = [carry for carry in self.carries if carry.end > t]
        self.reaches = [reach for reach in self.reaches if reach.end > t]

    def busy_until(self) -> float:
        """When the last disc rests and the last hand has left."""
        shot = [self.shot[0] + self.shot[1].duration] if self.shot else []
        return max([*shot, *(reach.end for reach in self.reaches)], default=0.0)

    def calm(self, t: float) -> bool:
        """Whether nothing moves and no hand is over the table."""
        return self.shot is None and not any(reach.begin <= t < reach.end for reach in self.reaches)

    def take(self, disc: str, side: str) -> None:
        self.disc_colours[disc] = self.colours[side]

    def lay(self, discs: Mapping[str, DiscPose], sides: Mapping[str, str], t: float) -> None:
        """Reset the table to exactly these discs at rest, without hands."""
        self.contact.lift(t)
        self._flat_in_hole(t, False)
        self.discs = dict(discs)
        self.disc_colours = {disc: self.colours[side] for disc, side in sides.items()}
        self._shown.clear()
        self.reaches, self.carries, self.shot, self.things = [], [], None, ()

    def scene(self, t: float, faults: FaultPlan) -> Scene:
        moving = dict(self.shot[1].at(t - self.shot[0])) if self.shot else {}
        moving.update((carry.disc, carry.at(t)) for carry in self.carries if t >= carry.begin)
        resting = [self._at_rest(disc, lying) for disc, lying in self.discs.items() if disc not in moving]
        discs = (*resting, *(self._scene_disc(disc, sample) for disc, sample in moving.items()))
        hands = tuple(hand for reach in self.reaches if (hand := reach.hand(t)))
        light, warmth = faults.light(t)
        return Scene(
            t,
            discs,
            hands + faults.hands_beside(t),
            light,
            warmth,
            faults.board_shift(t),
            faults.covered(t),
            self.things + faults.clutter(t),
            faults.camera_nudge(t),
            faults.glows(t),
        )

    def _at_rest(self, disc: str, lying: DiscPose) -> SceneDisc:
        """A disc at rest: the same object as in the last scene if it has not moved."""
        known = self._shown.get(disc)
        if known is None or known[0] is not lying:
            known = self._shown[disc] = lying, self._scene_disc(disc, MotionSample(0.0, lying))
        return known[1]

    def _scene_disc(self, disc: str, sample: MotionSample) -> SceneDisc:
        lies, colour = sample.lying, self.disc_colours[disc]
        return SceneDisc(disc, colour, lies.x, lies.y, lies.z, lies.tilt, lies.tilt_towards, sample.vx, sample.vy)

    def _flat_in_hole(self, t: float, there: bool) -> None:
        if there != (bool(self.truth.hole) and self.truth.hole[-1][1]):
            self.truth.hole.append((t, there))
