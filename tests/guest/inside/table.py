"""The shipped program, with its picamera2 on the virtual camera: table.py PICTURES FIRST ARGUMENTS..

Shows PICTURES/FIRST.jpg and those after it. It writes each one's number to file descriptor 3 when it is shown, and
waits on file descriptor 4 until the world around has become as the picture shows it.
"""

import os
import sys
from itertools import count, takewhile
from pathlib import Path

from controller.cli import main
from hardware import picamera
from tests.guest.film import PICTURES_A_SECOND
from tests.guest.inside import virtual_picamera2

SHOWN, READY = 3, 4
OPENING = 600.0  # s: the virtual camera decodes all its pictures as it is opened and configured, 300 in three minutes
AT_ONCE = 60  # pictures that the camera holds in memory: longer than any test lets the table run between two cuts

if __name__ == "__main__":
    folder, first = Path(sys.argv[1]), int(sys.argv[2])
    most = int(os.environ.get("PICTURES", AT_ONCE))
    pictures = takewhile(Path.exists, (folder / f"{n}.jpg" for n in count(first)))
    virtual_picamera2.show(picture for _, picture in zip(range(most), pictures, strict=False))
    picamera.BLOCKED_SECONDS = OPENING
    camera = virtual_picamera2.Picamera2
    camera.pause = 1 / PICTURES_A_SECOND

    def shown(number):
        os.write(SHOWN, f"{first + number}\n".encode())
        os.read(READY, 1)

    camera.shown = staticmethod(shown)
    sys.modules["picamera2"] = virtual_picamera2
    sys.argv[1:] = sys.argv[3:]
    main()
