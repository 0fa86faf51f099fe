import os

import pytest
import serial

from hardware.errors import DeviceLost, DeviceNotFound
from hardware.serial_link import PICO, SerialLink, only_pico
from tests.hardware.bytelink_contract import ByteLinkContract
from tests.hardware.pseudo_terminal import PseudoTerminal


class SerialBench(PseudoTerminal):
    def __init__(self, name):
        super().__init__(name)
        self.link = SerialLink(str(name))

    def close(self):
        self.link.close()
        self.unplug()


class TestSerialLink(ByteLinkContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.place_for_port = tmp_path / "ttyUNIT"

    def make(self):
        return SerialBench(self.place_for_port)


class Port:
    def __init__(self, device, vid):
        self.device = device
        self.vid = vid


@pytest.mark.parametrize(
    ("ports", "says"),
    [
        ([], "No Pico is plugged in"),
        ([Port("/dev/ttyUSB0", 0x10C4), Port("/dev/ttyS0", None)], "No Pico is plugged in"),
        ([Port("/dev/ttyACM1", PICO), Port("/dev/ttyACM0", PICO)], "one of /dev/ttyACM0, /dev/ttyACM1"),
    ],
)
def test_no_pico_or_several_are_reported_with_what_to_do(monkeypatch, ports, says):
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    with pytest.raises(DeviceNotFound, match=says):
        only_pico()


def test_the_one_pico_among_other_ports_is_found(monkeypatch):
    ports = [Port("/dev/ttyUSB0", 0x10C4), Port("/dev/ttyACM3", PICO)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert only_pico() == "/dev/ttyACM3"


def why(port):
    link = SerialLink(str(port))
    with pytest.raises(DeviceLost) as refused:
        link.read(0.0)
    assert str(port) in str(refused.value)
    return str(refused.value)


def test_a_wrong_port_is_named_with_what_to_do(tmp_path):
    assert "plug the device in, or name the right port" in why(tmp_path / "ttyACM9")


def test_files_and_folders_are_not_serial_ports(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    assert "is not a serial port" in why(plain)
    assert "is a folder" in why(tmp_path)


def test_a_port_in_use_is_reported_and_works_once_it_is_free(tmp_path):
    terminal = PseudoTerminal(tmp_path / "tty")
    link = SerialLink(str(terminal.name))
    with (
        serial.Serial(str(terminal.name), exclusive=True),
        pytest.raises(DeviceLost, match="in use by another program"),
    ):
        link.read(0.0)
    assert link.read(0.0) == b""
    link.close()
    terminal.unplug()


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs POSIX users")
def test_a_missing_permission_names_the_group_to_join(tmp_path):
    terminal = PseudoTerminal(tmp_path / "tty")
    port = terminal.name.readlink()  # under /dev, where every user may look
    os.chmod(port, 0o000)
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        assert "dialout" in why(port)
    finally:
        os.seteuid(user)
    terminal.unplug()
