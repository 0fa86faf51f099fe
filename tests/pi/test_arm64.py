"""The Pi's processor, emulated: the program with arm64's Python, numpy and OpenCV. It works; its times mean nothing."""

import json
import shutil
import subprocess

import cv2
import pytest

from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.pi.machine import copy_checkout, folder
from tests.pi.pictures import DISCS, misplaced

pytestmark = pytest.mark.timeout(1500)  # s: an emulated minute is ten on a busy computer

LIBRARIES = ("/usr/lib/aarch64-linux-gnu/blas", "/usr/lib/aarch64-linux-gnu/lapack")
"""Which of several is taken is the packages' scripts' choice, which have not run here."""


@pytest.fixture(scope="module")
def python():
    """Runs arm64's Python on arguments, in a tree in which /checkout is this program; gives what it prints."""
    root = folder() / "arm64"
    shutil.rmtree(root / "checkout", ignore_errors=True)
    copy_checkout(root / "checkout")
    for place in ("pictures", "compiled"):  # Python makes only folders below
        (root / place).mkdir(exist_ok=True)

    def run(*arguments):
        inside = ["systemd-nspawn", "--quiet", f"--directory={root}", "--register=no", "--keep-unit", "--as-pid2"]
        inside += ["--private-network", "--setenv=PYTHONPATH=/checkout:/opt/packages", "--chdir=/pictures"]
        inside += ["--setenv=PYTHONPYCACHEPREFIX=/compiled"]  # emulated, compiling takes longer than running
        inside += [f"--setenv=LD_LIBRARY_PATH={':'.join(LIBRARIES)}"]
        done = subprocess.run(
            [*inside, "/usr/bin/qemu-aarch64-static", "/usr/bin/python3", *arguments],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_all_of_the_program_is_imported_on_an_arm(python):
    code = "import platform, cv2, numpy, controller.service, web_ui, hardware.picamera, firmware_bridge.client; "
    code += "print(platform.machine(), cv2.__file__, numpy.__file__)"
    machine, *places = python("-c", code).split()
    assert machine == "aarch64"
    assert all(place.startswith("/usr/lib/python3/dist-packages/") for place in places)


def test_a_board_is_calibrated_and_a_picture_read(python):
    painter = Painter(seed=5)
    for name, discs in (("empty", ()), ("discs", DISCS)):
        assert cv2.imwrite(str(folder() / f"arm64/pictures/{name}.png"), painter.full(Scene(0.0, discs)))
    python("-m", "controller.cli", "calibrate", "empty.png", "--output", "calibration.json")
    read = python("-m", "controller.cli", "read", "discs.png", "--calibration", "calibration.json", "--json")
    assert misplaced(json.loads(read)["discs"]) == []
