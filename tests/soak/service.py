"""The service with two seams for the soak: a clock that somebody sets, and a contact in the hole that flickers.

Everything else is `crokinole-table`. The switches are read from a file that the soak writes (`tests.soak.table`).
"""

import os
import time
from pathlib import Path

from tests.soak.table import CLOCK, FLICKER, Switches

SWITCHES = Switches(Path(os.environ["SOAK_SWITCHES"]))


def set_the_clock():
    """Replace the time of day by the switch's. Must run before anything else is imported."""
    real = time.time
    time.time = lambda: real() + SWITCHES.get(CLOCK)


def loosen_the_contact():
    """Let the contact in the hole change with every frame while the switch says so, as a loose wire does."""
    from controller.simulation.setting import SimulatedSetting

    serve = SimulatedSetting._serve_unit
    loose = False

    def flickering(self, t):
        nonlocal loose
        if SWITCHES.get(FLICKER):
            loose = True
            self.unit.sense(t, not self.unit._occupied)
        elif loose:
            loose = False
            self.unit.sense(t, self.table.hole_level)
        serve(self, t)

    SimulatedSetting._serve_unit = flickering


if __name__ == "__main__":
    set_the_clock()
    from controller.cli import main

    loosen_the_contact()
    main()
