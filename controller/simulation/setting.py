"""One simulated table with its devices, wired as the real ones: painted camera, hole unit over the serial protocol; and
the umpire, who applies the rules to the true shots, so that simulated players know the rules."""

from collections.abc import Callable, Iterator, Mapping

from controller import rules
from controller.match.state import MatchState
from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit, WireFaults
from hardware.devices import Clock, Frame, HoleCounts, HoleEvent
from hardware.simulated.arrangement import Arrangement
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Aftermath, CorrectedMatch, RestingDisc, TrueShot, Turn
from hardware.simulated.table import SimulatedTable


class RulesUmpire:
    """Keeps the true match of a simulated table. A `hardware.simulated.scene.Umpire`."""

    def __init__(self, match: rules.Match, sits: Mapping[int, int] | None = None) -> None:
        """`sits`: the place of each seat of the match at the table; by default its number's."""
        self.match = match
        self._sits = sits or {seat: seat for seat, _ in match.terms.seats}

    @property
    def seats(self) -> tuple[int, ...]:
        """The occupied places."""
        return tuple(self._sits.values())

    def turn(self) -> Turn | None:
        """Whose turn it is by the rules; None when the match is over."""
        if self.match.round.complete and not self.match.over:
            self.match = self.match.next_round()
        current = self.match.round
        if current.to_shoot is None or current.seat_to_shoot is None:
            return None
        side = current.to_shoot
        shot = sum(s.shot.side == side for s in current.shots) + 1
        return Turn(current.number, side, self._sits[current.seat_to_shoot], f"{side.lower()}{shot}")

    def judge(self, shot: TrueShot) -> Aftermath:
        """Play the shot, and return the discs that must come off."""
        self.match = self.match.play(true_shot(shot))
        judgement = self.match.round.shots[-1].judgement
        return Aftermath(
            to_ditch=tuple(r.disc for r in judgement.removed if r.why != "twenty" and _must_be_lifted(shot, r.disc)),
            bank=judgement.twenties,
        )

    def moved(self, disc: str, x: float, y: float) -> None:
        """Note that the disc was moved without a shot."""
        self.match = self.match.place(disc, rules.Placed(x, y))

    def opponents_on_board(self, side: str) -> tuple[str, ...]:
        """The discs in play of all other sides."""
        return self.match.round.board.opponents_of(side)


def corrected_match(umpire: RulesUmpire, state: MatchState) -> CorrectedMatch:
    """The match after people corrected it, for the players to arrange the discs; `umpire` is of the same match."""
    current = state.game.round
    board = current.board.discs
    discs = {
        disc: (board[disc].side, board[disc].x, board[disc].y) if disc in board else None for disc in current.owners
    }
    sweep = current.complete or not current.shots
    return CorrectedMatch(umpire, discs, frozenset(state.ruled) & set(board), sweep)


def _must_be_lifted(shot: TrueShot, disc: str) -> bool:
    """Whether people must lift the disc, because it did not fall off by itself."""
    rest = shot.rest.get(disc)
    return rest is None or rest.at != "ditch"


def true_shot(shot: TrueShot) -> rules.Shot:
    """The true shot as the rules library takes it."""
    return rules.Shot(shot.side, shot.disc, shot.contacts, {disc: _rest(rest) for disc, rest in shot.rest.items()})


def _rest(rest: RestingDisc) -> rules.Rest:
    if rest.at == "hole":
        return rules.HOLE
    if rest.at == "ditch":
        return rules.DITCH
    return rules.Placed(rest.at[0], rest.at[1], rest.pose, rest.returned)


LOOK = Look(surface="oak")


class SimulatedSetting:
    """A table that plays the given match. Time passes only while `frames` is iterated. With `pace`, frames come in real
    time on `clock`; otherwise as fast as they are requested."""

    def __init__(
        self,
        game: rules.Match,
        clock: Clock,
        *,
        seed: int,
        colours: Mapping[str, str],
        arrangement: Arrangement,
        faults: tuple[str, ...] = (),
        frames_per_second: float = 30.0,
        pace: bool = False,
        kept: HoleCounts | None = None,
    ) -> None:
        self._arrangement = arrangement
        self.umpire = self._umpire(game)
        self.table = SimulatedTable(
            self.umpire, seed=seed, faults=frozenset(faults), colours=colours, lamps_on=arrangement.lamps_on
        )
        self._faults = self.table.faults
        self.pose = arrangement.pose()
        painter = Painter(look=arrangement.look(LOOK), pose=self.pose, seed=seed)
        self.camera = SimulatedCamera(self.table, painter, clock, fps=frames_per_second, faults=self._faults, pace=pace)
        self.unit = VirtualUnit(seed=seed, faults=WireFaults(self._faults.serial_noise))
        self.hole = HoleUnit(self.unit.link, clock, kept=kept)
        self.table.on_hole(self.unit.sense)
        self.table.ring = self.unit.ring
        self._restarts = 0
        self._restart: tuple[rules.Match, Mapping[str, str]] | None = None
        self._corrected: Callable[[], MatchState] | None = None
        at = game.round.board.discs
        self.table.place({name: (disc.side, disc.x, disc.y) for name, disc in at.items()})
        if game.round.complete:
            self.table.restart(self.umpire)  # its board has to be swept before the next round

    def _umpire(self, game: rules.Match) -> RulesUmpire:
        return RulesUmpire(game, self._arrangement.sits(seat for seat, _ in game.terms.seats))

    def frames(self, on_hole: Callable[[HoleEvent], None]) -> Iterator[Frame]:
        """Advance time frame by frame; hole events are reported in between, on the caller's thread."""
        self.hole.attach(on_hole)
        for frame in self.camera.frames():
            self._serve_unit(frame.t)
            if self._restart is not None:
                (game, colours), self._restart = self._restart, None
                self.umpire = self._umpire(game)
                self.table.restart(self.umpire, colours)
            if self._corrected is not None:
                newest, self._corrected = self._corrected, None
                self.table.follow(lambda newest=newest: self._corrected_match(newest()))  # type: ignore[misc]
            yield frame

    def _serve_unit(self, t: float) -> None:
        """Advance the hole unit and its cable to `t`."""
        if self._faults.unit_unplugged(t) == self.unit.wire.plugged:
            if self.unit.wire.plugged:
                self.unit.unplug()
            else:
                self.unit.plug(t)
        if self.unit.wire.plugged and self._faults.unit_restarts(t) > self._restarts:
            self._restarts = self._faults.unit_restarts(t)
            self.unit.reboot(t)
        self.unit.step(t)
        self.hole.pump(t)

    def restart(self, game: rules.Match, colours: Mapping[str, str]) -> None:
        """From the next frame on, the players sweep the board and play this match with discs of these colours.
        Thread-safe."""
        self._restart = game, colours

    def follow(self, newest: Callable[[], MatchState]) -> None:
        """The players rearrange the discs after people corrected the match. `newest` returns the match; it is called
        when they begin. Thread-safe."""
        self._corrected = newest

    def _corrected_match(self, state: MatchState) -> CorrectedMatch:
        self.umpire = self._umpire(state.game)
        return corrected_match(self.umpire, state)

    def close(self) -> None:
        """Close the devices."""
        self.camera.close()
        self.hole.close()
