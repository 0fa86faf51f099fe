"""A serial port as a `ByteLink`, through pyserial: exclusive, and reopened when it comes back."""

import errno
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import serial
from serial.tools import list_ports

from hardware.errors import DeviceLost, DeviceNotFound

BAUD_RATE = 115_200  # a USB device takes any
WRITE_TIMEOUT = 1.0  # seconds: a USB serial port that takes no byte for this long has no reader

REASONS = {
    errno.ENOENT: "There is no serial port {port}: plug the device in, or name the right port in the configuration.",
    errno.ENXIO: "Nothing is plugged in at {port}: check the cable.",
    errno.ENODEV: "Nothing is plugged in at {port}: check the cable.",
    errno.EACCES: "No permission for {port}: add this user to its group ('sudo usermod -aG dialout $USER'), "
    "then log in again.",
    errno.EAGAIN: "{port} is in use by another program: close it (a serial terminal, mpremote, a second table).",
    errno.EBUSY: "{port} is in use by another program: close it (a serial terminal, mpremote, a second table).",
    errno.EISDIR: "{port} is a folder, not a serial port: name the right port in the configuration.",
    errno.ENOTTY: "{port} is not a serial port: name the right port in the configuration.",
}

PICO = 0x2E8A  # the USB vendor number of Raspberry Pi's microcontrollers


def only_pico() -> str:
    """The port of the one Pico that is plugged in. Raises `DeviceNotFound` when there is none, or several."""
    ports = sorted(port.device for port in list_ports.comports() if port.vid == PICO)
    if not ports:
        raise DeviceNotFound(
            "No Pico is plugged in: check its USB cable (some carry power alone). A new Pico needs MicroPython first: "
            "hold BOOTSEL while you plug it in, and copy it (micropython.org/download) onto the drive that appears."
        )
    if len(ports) > 1:
        raise DeviceNotFound(f"Several Picos are plugged in: name the port, one of {', '.join(ports)}.")
    return ports[0]


def ports() -> list[dict[str, Any]]:
    """The serial ports: {"port", "id": vendor and product, "what": description}, without serial numbers."""
    return [
        {"port": port.device, "id": f"{port.vid or 0:04x}:{port.pid or 0:04x}", "what": port.description}
        for port in list_ports.comports()
    ]


class SerialLink:
    """A `hardware.devices.ByteLink`. `read` and `write` open the port if it is closed, at first or after a loss.
    Thread-safe; a `write` waits for a running `read`."""

    def __init__(self, port: str) -> None:
        """`port`: as `/dev/serial/by-id/..`, `/dev/ttyACM0` or `COM3`."""
        self._name = port
        self._port: serial.Serial | None = None
        self._closed = False
        self._using = threading.Lock()

    def read(self, timeout: float) -> bytes:
        with self._opened() as port:
            if port.timeout != timeout:
                port.timeout = timeout
            first = port.read(1)
            return first + port.read(port.in_waiting) if first else b""

    def write(self, data: bytes) -> None:
        with self._opened() as port:
            port.write(data)

    def close(self) -> None:
        self._closed = True
        port = self._port
        if port is not None:
            port.cancel_read()
        with self._using:
            self._close_port()

    @contextmanager
    def _opened(self) -> Iterator[serial.Serial]:
        """The port, for one thread at a time; closed if it turns out to be gone."""
        with self._using:
            port = self._open()
            try:
                yield port
            except OSError as error:
                self._close_port()
                raise DeviceLost(f"{self._name} is gone: check the cable.") from error

    def _open(self) -> serial.Serial:
        if self._closed:
            raise DeviceLost(f"{self._name} was closed by this program.")
        if self._port is None:
            try:
                self._port = serial.Serial(
                    self._name, BAUD_RATE, timeout=0, write_timeout=WRITE_TIMEOUT, exclusive=True
                )
            except (OSError, ValueError) as error:
                raise DeviceLost(self._reason(error)) from error
        return self._port

    def _close_port(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def _reason(self, error: Exception) -> str:
        code = error.errno if isinstance(error, OSError) else None
        if code is None and "Inappropriate ioctl" in str(error):
            code = errno.ENOTTY  # pyserial reports this one only in its message
        reason = REASONS.get(code) if code is not None else None
        return reason.format(port=self._name) if reason else f"The serial port {self._name} can't be opened: {error}"
