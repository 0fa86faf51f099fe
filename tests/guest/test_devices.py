"""The real drivers in the guest: pytest runs there, over inside/."""

from pathlib import Path

import pytest

from tests.guest.machine import Guest

PYTEST = "cd /checkout && CROKINOLE_GUEST=inside python3 -m pytest -q -s --color=no -c /checkout/pyproject.toml "
PATIENCE = 300.0  # s

pytestmark = pytest.mark.timeout(7200)  # each boot has a limit of its own


@pytest.mark.parametrize("tests", ["test_pins.py", "test_serial.py", "test_camera.py"])
def test_drivers_keep_their_promises_on_real_interfaces(tmp_path: Path, tests: str) -> None:
    guest = Guest(f"{PYTEST} tests/guest/inside/{tests}", tmp_path)
    status = guest.status(PATIENCE)
    print(guest.text)
    assert status == 0
