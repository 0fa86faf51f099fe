"""Plays one simulated match through the whole pipeline, with a real table's frame watcher and engine."""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.errors import Refused
from controller.journal import Journal
from controller.match import events as ev
from controller.match.seating import Directions
from controller.match.state import MatchState
from controller.simulation.comparison import Comparison, Counts, RoundVerdict, true_directions
from controller.simulation.plan import COLOURS, MatchPlan
from controller.simulation.setting import SimulatedSetting
from controller.table.engine import Engine
from controller.table.lamps_and_buttons import Panel, lights
from controller.vision.watching.frame_watcher import FrameWatcher
from controller.vision.watching.observations import BoardRead
from firmware_bridge.client import UnitLamps
from hardware.devices import Frame, HoleEvent, Image, ManualClock
from hardware.errors import DeviceLost
from hardware.recording import LINES

LONGEST = 4 * 3600.0  # simulated seconds: a longer match is stuck, and is counted as it stands
PATIENCE = 2.0  # s after an unnoticed sweep until people end the round with a tap
REPORT = "wrong.json"


class Keeper:
    """Cuts rounds out of a match's recording in `folder`."""

    def __init__(self, folder: Path, plan: MatchPlan) -> None:
        self.folder = folder
        self._plan = plan
        self._ends: dict[int, int] = {}  # by round: the recording's size at its end

    def confirmed(self, rounds: int) -> None:
        """Note that the table has ended this number of rounds."""
        for number in range(len(self._ends) + 1, rounds + 1):
            self._ends[number] = (self.folder / LINES).stat().st_size

    def keep(self, folder: Path, wrong: Sequence[RoundVerdict]) -> None:
        """Store a recording in `folder` for each of these rounds, from the match's start to the round's end, with a
        `REPORT` of the errors and the table's true arrangement."""
        written = (self.folder / LINES).read_bytes()
        for verdict in wrong:
            kept = folder / f"{self._plan.title}-round-{verdict.number}"
            kept.mkdir(parents=True)
            lines = written[: self._ends.get(verdict.number)]
            (kept / LINES).write_bytes(lines)
            for line in lines.splitlines():
                if name := json.loads(line).get("frame"):
                    shutil.copyfile(self.folder / name, kept / name)
            report = {**asdict(self._plan), **asdict(verdict), "truth": self._plan.truth}
            (kept / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")


@dataclass(frozen=True, slots=True)
class Played:
    """A match's counts, and the comparison of each round."""

    plan: MatchPlan
    counts: Counts
    rounds: tuple[RoundVerdict, ...]

    @property
    def wrong(self) -> tuple[RoundVerdict, ...]:
        """The rounds with an error."""
        return tuple(verdict for verdict in self.rounds if verdict.wrong)


def play(plan: MatchPlan, *, frames_per_second: float = 30.0, film: bool = True, keep: Path | None = None) -> Played:
    """Play one match and compare. `film`: whether the table films shots. `keep`: the folder for recordings of wrong
    rounds; the match is the same without it."""
    began = time.process_time()
    with TemporaryDirectory(prefix="crokinole-") as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        keeper = Keeper(Path(folder) / "recording", plan) if keep else None
        try:
            played = SimulatedMatch(journal, plan, frames_per_second, keeper, film=film).play()
            if keep and keeper:
                keeper.keep(keep, played.wrong)
        finally:
            journal.close()
    played.counts.cpu_seconds = time.process_time() - began
    return played


class SimulatedMatch:
    """One table while one match is played."""

    def __init__(
        self, journal: Journal, plan: MatchPlan, frames_per_second: float, keeper: Keeper | None, *, film: bool = True
    ) -> None:
        self._plan = plan
        self._keeper = keeper
        self._t = 0.0
        self._missed = 0
        self._painting = 0.0  # seconds spent on pictures, which no real table spends
        self._reading = 0.0
        self._lost = False
        clock = ManualClock()
        self._engine = engine = Engine(
            journal,
            now=lambda: self._t,
            wall=lambda: self._t,
            simulated=True,
            pictures=False,
            level=lambda: self._setting.hole.occupied(),
        )
        engine.command(plan.start)
        self._setting: SimulatedSetting = SimulatedSetting(
            self._state.game,
            clock,
            seed=plan.seed,
            colours=COLOURS,
            arrangement=plan.arrangement,
            faults=plan.faults,
            frames_per_second=frames_per_second,
        )
        engine.on_happened.append(self._on_events)
        if self._setting.table.faults.ring_at_hole:
            self._wire_lamps()
        self._watcher = FrameWatcher(engine.model, live=True, film=film)
        self._watcher.steer(self._setting.camera)
        if keeper:
            engine.recorder.renew(keeper.folder, journal)
        self._comparison = Comparison()
        self._shots: list[ev.ShotSeen] = []
        self._flicked = 0
        self._calm: float | None = None  # when the discs last came to rest without a hand over the board
        self._tapped = 0  # the number of sweeps that `_tap_missed_end` has checked

    def _wire_lamps(self) -> None:
        """Have the hole's unit signal on its lamps, as at a table that set-up has not compared pictures of yet."""
        engine, self.panel = self._engine, Panel()
        self.panel.add(UnitLamps(self._setting.hole, lights(self._state)))
        engine.on_changed.append(lambda _: self.panel.show(engine.state, engine.word))

    @property
    def _state(self) -> MatchState:
        assert self._engine.state is not None
        return self._engine.state

    def play(self) -> Played:
        """Play until the board is swept after the last round."""
        for frame in self._frames():
            self._t = frame.t
            self._see(frame)
            self._follow_truth(frame.t)
            self._tap_missed_end(frame.t)
            if self._setting.table.over or frame.t > LONGEST:
                break
        self._setting.close()
        self._engine.recorder.close()
        counts, verdicts = self._comparison.counts(self._state, self._setting.umpire.match)
        figures = self._watcher.figures
        counts.frames, counts.reads = figures.frames, figures.readings
        counts.ms_per_gate, counts.ms_per_read = 1000 * figures.gate_seconds, 1000 * self._reading
        counts.simulated_seconds = self._setting.table.t
        counts.events_lost = self._missed
        return Played(self._plan, counts, tuple(verdicts))

    def _frames(self) -> Iterator[Frame]:
        """The camera's frames, also those after a cable was pulled."""
        while True:
            try:
                for frame in self._setting.frames(self._on_hole):
                    if self._lost:
                        self._lost = False
                        self._engine.camera_changed(lost=False)
                    yield frame
                return
            except DeviceLost as error:
                if not self._lost:
                    self._lost = True
                    self._engine.camera_changed(True, str(error))

    def _see(self, frame: Frame) -> None:
        """Process a frame as the service does, and measure the time without the painting."""
        began, painted = time.perf_counter(), self._painting
        figures = self._watcher.figures
        read = figures.read_seconds
        frame = replace(frame, full=self._timed(frame.full))
        observations = self._watcher.process_frame(frame)
        if figures.read_seconds > read:
            self._reading += max(figures.read_seconds - read - (self._painting - painted), 0.0)
        self._shots = []
        for observation in observations:
            self._engine.observe(observation)
        work = time.perf_counter() - began - (self._painting - painted)
        for shot in self._shots:
            self._comparison.work.append(work)
            rested = self._comparison.rested.get((self._state.game.round.number, shot.disc))
            if self._calm is not None and rested is not None and self._calm >= rested:
                self._comparison.latencies.append(frame.t - self._calm)
        if any(isinstance(observation, BoardRead) for observation in observations):
            self._comparison.seats = self._true_seats()
            self._comparison.settled(self._state, self._setting.umpire.match, hands=self._calm is None)

    def _timed(self, full: Callable[[], Image]) -> Callable[[], Image]:
        def paint() -> Image:
            began = time.perf_counter()
            picture = full()
            self._painting += time.perf_counter() - began
            return picture

        return paint

    def _follow_truth(self, t: float) -> None:
        """Note when each shot ended, and when the board became calm."""
        table = self._setting.table
        self._calm = (self._calm or t) if table.calm else None
        shots = table.truth.shots
        if len(shots) > self._flicked:
            number = self._setting.umpire.match.round.number
            for shot in shots[self._flicked :]:
                self._comparison.rested[number, shot.disc] = shot.t
            self._flicked = len(shots)
            self._comparison.shot()

    def _tap_missed_end(self, t: float) -> None:
        """End the round as people would, with a tap, if the board was swept and the table missed the round's end."""
        sweeps = self._setting.table.truth.sweeps
        if len(sweeps) <= self._tapped or t < sweeps[-1] + PATIENCE or self._lost:
            return
        self._tapped = len(sweeps)
        number = self._state.game.round.number
        if self._state.confirmed < len(sweeps) and number <= len(sweeps) and not self._state.over:
            self._comparison.touched.add(number)
            with suppress(Refused):  # then it stays as the table has it
                self._engine.command({"do": "end_round"})

    def _true_seats(self) -> Directions | None:
        calibration = self._watcher.calibration
        if calibration is None:
            return None
        sits = self._plan.arrangement.sits(seat for seat, _ in self._plan.seats)
        return true_directions(calibration.camera, self._setting.pose, sits)

    def _on_events(self, events: Sequence[ev.Event], state: MatchState) -> None:
        truth = self._setting.umpire.match
        self._comparison.seats = self._true_seats()
        self._shots += self._comparison.events(events, state, truth, self._t)
        if self._keeper:
            self._keeper.confirmed(state.confirmed)

    def _on_hole(self, event: HoleEvent) -> None:
        self._missed += event.missed or 0
        self._engine.hole_changed(event)
