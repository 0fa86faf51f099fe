"""A USB serial device on a cable that can be pulled: the kernel's own gadget, on a host controller without wires.

What the table sees is /dev/ttyACM0; what the device's program sees is /dev/ttyGS0.
"""

import os
import time
import tty
from pathlib import Path

from tests.hardware.pseudo_terminal import PseudoTerminal

GADGET = Path("/sys/kernel/config/usb_gadget/unit")
CONTROLLER = "dummy_udc.0"
HOST, DEVICE = Path("/dev/ttyACM0"), Path("/dev/ttyGS0")
PATIENCE = 60.0  # s: the guest stands still while its host is busy
PICO = ("0x2e8a", "0x0005")  # Raspberry Pi's vendor id, MicroPython's product id


class Cable(PseudoTerminal):
    """The unit's end of the cable. Plugged in from the start."""

    name = HOST

    def __init__(self):
        if not GADGET.exists():
            (GADGET / "strings/0x409").mkdir(parents=True)
            (GADGET / "configs/c.1").mkdir(parents=True)
            (GADGET / "functions/acm.0").mkdir(parents=True)
            (GADGET / "idVendor").write_text(PICO[0])
            (GADGET / "idProduct").write_text(PICO[1])
            (GADGET / "strings/0x409/serialnumber").write_text("PC000001")
            (GADGET / "configs/c.1/acm.0").symlink_to(GADGET / "functions/acm.0")
        self.far = -1
        self.plug()

    def plug(self):
        (GADGET / "UDC").write_text(CONTROLLER)
        wait(HOST.exists)
        self.far = os.open(DEVICE, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.far)

    def unplug(self):
        if self.far >= 0:
            os.close(self.far)
            self.far = -1
            (GADGET / "UDC").write_text("\n")
            wait(lambda: not HOST.exists())


def wait(condition):
    """Until what was set going has happened."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.005)
