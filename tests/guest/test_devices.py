"""The real drivers in the guest: pytest runs there, over inside/."""

import re

import pytest

from tests.guest.machine import Guest

# picamera2 leaves pipes open and calls what is deprecated: there, warnings are not ours
PYTEST = "cd /checkout && CROKINOLE_GUEST=inside python3 -m pytest -q -s -rs -W ignore --color=no -c pyproject.toml"
PATIENCE = 900.0  # s, on a host that is busy with other things

pytestmark = pytest.mark.timeout(7200)  # each boot has a limit of its own


@pytest.mark.parametrize("tests", ["test_pins.py", "test_serial.py", "test_camera.py"])
def test_drivers_keep_their_promises_on_real_interfaces(tmp_path, tests):
    with Guest(f"{PYTEST} tests/guest/inside/{tests}", tmp_path) as guest:
        status = guest.status(PATIENCE)
    for figures in re.findall("edge .*|SKIPPED .*", guest.text):
        print(figures)
    assert status == 0, guest.text
