"""An evening at a simulated table: its players follow the engine's match, and start another one after it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from controller.config import Config
from controller.match import events as ev
from controller.match.state import MatchState
from controller.simulation.plan import COLOURS, who_begins
from controller.simulation.setting import SimulatedSetting
from controller.table.engine import Engine
from hardware.devices import Clock, Frame, HoleCounts, HoleEvent
from hardware.simulated.arrangement import Arrangement
from hardware.simulated.look import DISC_COLOURS

AS_IT_LIES = (ev.Paused, ev.ScoringModeChanged)
"""People's events that leave the discs in place."""
INTERVAL = 20.0  # s that the players rest between two matches


def own_match(config: Config) -> dict[str, Any]:
    """The command that starts the configured match; at a simulated table the starter is random unless configured."""
    document = {"do": "start", **config.match.model_dump(mode="json", exclude_none=True)}
    if config.camera.device == "simulated" and config.match.starter is None:
        simulated = config.simulated
        document["starter"] = "ABCD"[who_begins(len(config.match.sides), simulated.hung, simulated.seed)]
    return document


def colours_of(state: MatchState) -> dict[str, str]:
    """The painted colour of each side's discs: the side's chosen colour if it can be painted, else an unused one."""
    named = {
        id_: side.colour
        for id_, side in zip(state.sides, state.started.sides, strict=True)
        if side.colour in DISC_COLOURS
    }
    spare = (colour for colour in COLOURS.values() if colour not in named.values())
    return {id_: named.get(id_) or next(spare) for id_ in state.sides}


class SimulatedEvening:
    """Continues the journal's match, or starts one."""

    def __init__(self, config: Config, engine: Engine, clock: Clock, kept: HoleCounts | None = None) -> None:
        """`kept`: the counts of the hole's unit that the journal has."""
        self._engine = engine
        if engine.state is None or engine.state.over:
            engine.command(own_match(config))
        assert engine.state is not None
        self.setting = SimulatedSetting(
            engine.state.game,
            clock,
            seed=config.simulated.seed + engine.state.last_id,
            colours=colours_of(engine.state),
            arrangement=Arrangement.of(config.simulated.hung, config.simulated.seed),
            faults=config.simulated.faults,
            frames_per_second=config.simulated.frames_per_second,
            pace=True,
            kept=kept,
        )
        self._playing = engine.state.number
        self._over_since: float | None = None
        engine.on_happened.append(self._follow)

    def _follow(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Make the players follow the page.

        | what happened                                               | what the players do                      |
        | ----------------------------------------------------------- | ---------------------------------------- |
        | another match was started                                   | sweep the board and play that match      |
        | people corrected, undid or ended something                  | arrange the discs as the match has them  |
        | people paused the match                                     | wait until it goes on                    |
        """
        if state.number != self._playing:
            self._playing = state.number
            self.setting.restart(state.game, colours_of(state))
        elif any(e.by_people and not isinstance(e, AS_IT_LIES) for e in events):
            self.setting.follow(self._newest)
        self.setting.table.pause(state.paused)

    def _newest(self) -> MatchState:
        assert self._engine.state is not None
        return self._engine.state

    def frames(self, on_hole: Callable[[HoleEvent], None], rested: Callable[[], None]) -> Iterator[Frame]:
        """The camera's frames. `rested` is called once per match, when the players want another one."""
        for frame in self.setting.frames(on_hole):
            if self._rested(frame.t):
                rested()
            yield frame

    def _rested(self, t: float) -> bool:
        """Whether the players have rested after the match and want another one; true once per match."""
        if not self.setting.table.over:
            self._over_since = None
        elif self._over_since is None:
            self._over_since = t
        elif t - self._over_since > INTERVAL:
            self._over_since = None
            return True
        return False
