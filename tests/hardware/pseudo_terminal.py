"""A real pseudo-terminal behind a name that can vanish and come back, as a USB serial port's does."""

import os
import select
import tty


class PseudoTerminal:
    def __init__(self, name):
        self.name = name
        self.far = -1
        self.plug()

    def plug(self):
        self.far, near = os.openpty()
        tty.setraw(near)
        self._near = near  # kept open: without any reader the far end would fail between two openings
        self.name.symlink_to(os.ttyname(near))

    def unplug(self):
        if self.far >= 0:
            self.name.unlink()
            os.close(self._near)
            os.close(self.far)
            self.far = -1

    def send(self, data):
        while data:
            data = data[os.write(self.far, data[:1024]) :]

    def received(self, timeout=5.0):
        return os.read(self.far, 4096) if select.select([self.far], [], [], timeout)[0] else b""
