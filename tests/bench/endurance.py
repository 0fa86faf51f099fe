"""Eight hours of simulated play in one process: does it grow, does it slow down? Takes about half an hour of one core.

Not among the benchmarks that run by themselves: `HOURS=8 FPS=30 python -m tests.bench endurance`.
"""

import os
import resource
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from controller.journal import Journal
from controller.simulation.plan import COLOURS, MatchPlan
from controller.simulation.setting import SimulatedSetting
from controller.table.pipeline import Pipeline
from controller.vision.watching.eye import Eye
from hardware.devices import HoleEvent, ManualClock

HOURS = float(os.environ.get("HOURS", "8"))
FPS = float(os.environ.get("FPS", "30"))
PARTS = 8  # of the whole time, each with figures of its own
PLAN = MatchPlan(0, 1, "nca")


def run() -> list[tuple[str, float, str]]:
    """(name, value, unit) for each figure."""
    cv2.setNumThreads(1)
    with (
        TemporaryDirectory(prefix="crokinole-") as folder,
        closing(Journal(Path(folder) / "journal.sqlite")) as journal,
    ):
        return _play(journal)


def _play(journal: Journal) -> list[tuple[str, float, str]]:
    clock = ManualClock()
    pipeline = Pipeline(
        journal,
        Eye(),
        now=clock.now,
        wall=clock.now,
        simulated=True,
        pictures=False,
        level=lambda: setting.hole.occupied(),
    )
    engine = pipeline.engine
    pipeline.command(PLAN.start)
    assert engine.state is not None
    setting = SimulatedSetting(
        engine.state.game,
        clock,
        seed=PLAN.seed,
        colours=COLOURS,
        arrangement=PLAN.arrangement,
        frames_per_second=FPS,
    )

    def on_hole(event: HoleEvent) -> None:
        pipeline.hole(event)
        setting.hole.acknowledge(event)

    figures: list[tuple[str, float, str]] = []
    part, matches = HOURS * 3600 / PARTS, 1
    spent = time.process_time()
    for frame in setting.frames(on_hole):
        clock.sleep_until(frame.t)
        for observation in pipeline.look(frame):
            pipeline.observed(observation)
        if setting.table.over:
            pipeline.command(PLAN.start)
            setting.restart(engine.state.game, COLOURS)
            matches += 1
        if frame.t >= part * (len(figures) // 2 + 1):
            until = f"until {frame.t / 3600:.2f} h"
            work = time.process_time() - spent
            figures.append((f"{until}: processor time for an hour", work * 3600 / part, "s"))
            figures.append((f"{until}: memory", _memory(), "MB"))
            print(*figures[-2:], flush=True)
            spent = time.process_time()
        if len(figures) == 2 * PARTS:
            break
    setting.close()
    readings = pipeline.lookout.figures.readings
    return [*figures, ("matches", matches, ""), ("readings", readings, ""), ("events", journal.last(), "")]


def _memory() -> float:
    """Megabytes that the process holds now; its most so far where the system does not say."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
