"""What the gate costs: milliseconds of processor time for each small picture, one core."""

import time

from controller.rules import Match
from controller.simulation.setting import RulesUmpire
from controller.vision.calibration.calibration import calibrate
from controller.vision.watching.frame_watcher import region
from controller.vision.watching.gate import Gate
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from hardware.simulated.table import SimulatedTable

FRAMES_PER_SECOND = 30
GAME_SECONDS = 60
SHOWN = 30  # pictures are painted and shown in bunches of so many: the watch runs for the gate alone


def milliseconds():
    """For each picture of a game, how long the gate took."""
    painter = Painter(seed=4)
    gate = Gate(region(calibrate(painter.full(Scene(0.0))), painter.small(Scene(0.0))))
    table = SimulatedTable(RulesUmpire(Match.start("nca")), seed=4)
    spent = []
    for begin in range(0, GAME_SECONDS * FRAMES_PER_SECOND, SHOWN):
        pictures = []
        for k in range(begin, begin + SHOWN):
            table.advance(k / FRAMES_PER_SECOND)
            scene = table.scene()
            pictures.append((scene.t, painter.small(scene)))
        for t, small in pictures:
            before = time.process_time()
            gate.see(small, t)
            spent.append(1000 * (time.process_time() - before))
    return spent
