"""Packages that only the Raspberry Pi's own archive has, and what stands in for them: stand_ins.py FOLDER.

| package | stand-in | how it differs from the real one |
| --- | --- | --- |
| python3-gpiozero | gpiozero and colorzero, the wheels from PyPI | none: it is the same code |
| python3-lgpio | a module that finds no chip of pins | there are no pins, as on a computer that is no Pi |
| python3-picamera2 | a module that finds no camera | there is no camera, as on a Pi with an unplugged cable |

The screen needs graphics, which a container lacks: SCREEN replaces the programs that show the page and keeps all else
of the service, its user, its session and its start.

Nothing else is stood in for: Python, numpy, OpenCV, avahi, systemd and the browser are the distribution's own.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GPIOZERO = ("gpiozero==2.0.1.post3", "colorzero==2.0")
MODULES = {
    "lgpio": (
        "0.2.2-1~rpt1",
        """
class error(Exception):
    pass

def gpiochip_open(chip):
    raise error("can not open gpiochip")
""",
    ),
    "picamera2": (
        "0.3.31-1",
        """
class Picamera2:
    @staticmethod
    def global_camera_info():
        return []

    def __init__(self, camera_num=0, tuning=None):
        raise IndexError("list index out of range")  # so says the real one without a camera
""",
    ),
}
SCREEN = """\
[Unit]
ConditionPathExists=

[Service]
TTYPath=
StandardInput=null
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
ExecStart=
ExecStart=/bin/sleep infinity
"""

HEADLESS = """\
[Service]
Environment=WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1
ExecStart=
"""
"""What lets cage run without graphics; after it comes the unit's own ExecStart."""


def main():
    """Write the packages and their list into the folder, as a place for apt to take them from."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    entries = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, "gpiozero")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--target"]
        subprocess.run([*pip, root / "usr/lib/python3/dist-packages", *GPIOZERO], check=True)
        shutil.rmtree(root / "usr/lib/python3/dist-packages/bin", ignore_errors=True)
        entries.append(package(folder, root, "python3-gpiozero", "2.0.1-0+rpt1", "python3"))
        for name, (version, code) in MODULES.items():
            root = Path(scratch, name)
            place = root / "usr/lib/python3/dist-packages"
            place.mkdir(parents=True)
            (place / f"{name}.py").write_text(code, "utf-8")
            needs = "python3, python3-numpy" if name == "picamera2" else "python3"
            entries.append(package(folder, root, f"python3-{name}", version, needs))
    (folder / "Packages").write_text("\n".join(entries), "utf-8")


def package(folder, root, name, version, needs):
    """Build a package of what is below `root`; its entry in the list."""
    control = (
        f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: tests\nDepends: {needs}\n"
        "Description: stand-in for the Raspberry Pi's package\n"
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(control, "utf-8")
    file = folder / f"{name}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", root, file], check=True, stdout=subprocess.DEVNULL)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return f"{control}Filename: ./{file.name}\nSize: {file.stat().st_size}\nSHA256: {digest}\n"


if __name__ == "__main__":
    main()
