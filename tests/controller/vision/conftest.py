"""A table and its camera that several files watch."""

import pytest

from controller.vision.calibration.calibration import calibrate
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene


@pytest.fixture(scope="session")
def painter():
    return Painter(seed=3)


@pytest.fixture(scope="session")
def bare(painter):
    return painter.full(Scene(0.0))


@pytest.fixture(scope="session")
def calibration(bare):
    return calibrate(bare)
