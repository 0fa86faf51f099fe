"""A guest kernel as a machine to test on: User-Mode Linux, in a process that `kill` ends like a power cut."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from tests.checkout import CHECKOUT

HERE = Path(__file__).resolve().parent
STATUS = "@@status "


def folder():
    """Where prepare.sh puts the kernel and the Debian tree."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crokinole-table" / "guest"


class Guest:
    """One boot, in a `with` statement. The guest sees this checkout at /checkout (read only), `world` at /world, disks
    at /disk and /flash.

    What it prints is in `lines`, each with the moment of its arrival.
    """

    def __init__(self, run, world, *, disks=(), memory="1G"):
        """Boot, and run the shell commands `run` as root."""
        (world / "run.sh").write_text(run, "utf-8")
        self.lines = []
        self._arrived = threading.Condition()
        self._ended = False
        self._sockets = tempfile.mkdtemp(prefix="guest-")
        camera = folder() / "root/usr/share/libcamera/pipeline/virtual"
        camera.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / "virtual.yaml", camera)
        # What the guests' Python compiled is kept, since it is slow at it. Guests that run at the same time keep theirs
        # apart: hostfs opens a new file that another guest is writing, and reads as much of it as was there.
        compiled = folder() / "compiled" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
        compiled.mkdir(parents=True, exist_ok=True)
        self.started = time.monotonic()
        self._process = subprocess.Popen(
            [
                folder() / "linux",
                f"mem={memory}",
                f"uml_dir={self._sockets}/",
                *(f"ubd{n}={disk}" for n, disk in enumerate(disks)),
                *("root=/dev/root", "rootfstype=hostfs", "hostfs=/", "ro"),
                *("quiet", "con=null", "con0=null,fd:1", "panic=-1", f"init={HERE / 'init.sh'}"),
                f"ROOT={folder() / 'root'}",
                f"CHECKOUT={CHECKOUT}",
                f"WORLD={world}",
                f"COMPILED={compiled}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def _read(self):
        for line in self._process.stdout:
            if not line.endswith(b"\n"):
                break  # its power was cut while it printed this
            with self._arrived:
                self.lines.append((time.monotonic(), line.decode(errors="replace").strip("\r\n")))
                self._arrived.notify_all()
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()

    @property
    def text(self):
        """All that it printed, each line with the seconds since its start."""
        return "\n".join(f"{t - self.started:8.2f} {line}" for t, line in self.lines)

    def wait_for(self, condition, seconds):
        """Whether `condition` of the printed lines came true before the guest ended and the time was over."""

        def true():
            return condition([line for _, line in self.lines])

        with self._arrived:
            self._arrived.wait_for(lambda: true() or self._ended, seconds)
            return true()

    def status(self, seconds):
        """The exit status of what ran, once the guest is off; None when it died or took longer."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._ended, seconds)
        self.kill()
        told = [line for _, line in self.lines if line.startswith(STATUS)]
        return int(told[-1].removeprefix(STATUS)) if told else None

    def kill(self):
        """Cut its power."""
        with_children = os.getpgid(self._process.pid) if self._process.poll() is None else None
        if with_children is not None:
            os.killpg(with_children, signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        shutil.rmtree(self._sockets, ignore_errors=True)


def disk(path, megabytes):
    """An empty ext4 disk in a file."""
    with path.open("wb") as file:
        file.truncate(megabytes * 1_000_000)
    subprocess.run(["mkfs.ext4", "-q", "-F", path], check=True)
    return path
