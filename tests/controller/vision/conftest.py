"""A table and its camera that several files watch."""

import pytest

from controller.vision.calibration.calibration import calibrate
from controller.vision.watching.background_model import BackgroundModel
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.controller.vision.painted import FRAME, PaintedTable


@pytest.fixture(scope="session")
def painter():
    return Painter(seed=3)


@pytest.fixture(scope="session")
def bare(painter):
    return painter.full(Scene(0.0))


@pytest.fixture(scope="session")
def calibration(bare):
    return calibrate(bare)


@pytest.fixture
def film():
    """Thirty frames a second of a table in front of a camera that knows nothing yet."""
    return PaintedTable(Painter(seed=2, look=Look(surface="oak")), BackgroundModel(), FRAME)
