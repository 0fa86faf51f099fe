"""The table's service as a process of its own, its disk, its clock and its sensor, which can go wrong on request."""

import mmap
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import gevent

from tests.soak.http import ask
from tests.waiting import free_port

PATIENCE = 120.0
"""Seconds until a start is given up: the machine may have much else to do."""

FRAMES_PER_SECOND = 10
"""Of the simulated camera. It paints each of its pictures, which no real table does; ten a second follow play well."""

CONFIG = """
[table]
data = "{data}"
[web]
host = "127.0.0.1"
port = {port}
[simulated]
frames_per_second = {fps}
faults = ["bounce", "missed-edge", "serial-noise", "unit-restart", "returned-discs"]
[match]
format = {{kind = "rounds", rounds = 2}}
"""

CLOCK, FLICKER = 0, 8
"""Where in the file of switches the clock's offset (s) and the sensor's flicker (0 or 1) stand, each a double."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the process holds now."""

    megabytes: float
    descriptors: Counter[str]
    """How many are open, by what they are: a file's name, "socket", "anon_inode"."""


class Switches:
    """What the soak does to the service from outside: it reads them in its own process (`tests.soak.service`)."""

    def __init__(self, path):
        if not path.exists():
            path.write_bytes(struct.pack("dd", 0.0, 0.0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 16)

    def get(self, place):
        """The switch at `CLOCK` or `FLICKER`."""
        return float(struct.unpack_from("d", self._memory, place)[0])

    def put(self, place, value):
        """Set it."""
        struct.pack_into("d", self._memory, place, value)


class Table:
    """`crokinole-table run` on a journal, started, killed, filled up and emptied."""

    def __init__(self, folder):
        """`folder` has or gets the journal, in `data`."""
        self.folder = folder
        self.journal = folder / "data" / "journal.sqlite"
        self.port = free_port()
        self.pin = ""
        self.starts = []
        """Seconds from each start to the first answer."""
        self.deaths = []
        """What it said before it ended by itself, which it never may."""
        self.full = False
        self._config = folder / "table.toml"
        self._config.write_text(CONFIG.format(data=folder / "data", port=self.port, fps=FRAMES_PER_SECOND))
        self._log = (folder / "service.log").open("ab")
        self.switches = Switches(folder / "switches")
        self._process = None

    @property
    def address(self):
        """Where it listens."""
        return "127.0.0.1", self.port

    @property
    def log_file(self):
        """The journal's write-ahead log."""
        return self.journal.with_name(f"{self.journal.name}-wal")

    def start(self):
        """Start it and wait for its first answer."""
        began, end = time.monotonic(), time.monotonic() + PATIENCE
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.service", "run", "--config", str(self._config)],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, "LOG_LEVEL": "WARNING", "SOAK_SWITCHES": str(self.folder / "switches")},
        )
        os.set_blocking(self._process.stdout.fileno(), False)
        said = b""
        while not (found := re.search(rb"PIN for the scorer: (\d+)", said)):
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"The service did not start. It said:\n{said.decode()}{self.log()[-3000:]}")
            said += self._process.stdout.read() or b""
            gevent.sleep(0.005)
        self.pin = found[1].decode()
        while ask(self.address, "GET", "/api/v1/state").status != 200:
            gevent.sleep(0.005)
        self.starts.append(time.monotonic() - began)

    @property
    def up(self):
        """Whether it runs, as far as is known."""
        return self._process is not None and self._process.poll() is None

    def put_down(self):
        """Leave nothing running, however the soak ends."""
        if self.up:
            self.kill()
        self._log.close()

    def log(self):
        """What it has logged since the first start."""
        return (self.folder / "service.log").read_text(errors="replace")

    def kill(self):
        """As a power cut ends it, as far as the process is concerned."""
        self._end(signal.SIGKILL)

    def stop(self):
        """As `systemctl stop` ends it; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how):
        if self._process.poll() is not None:
            self.deaths.append(f"exit code {self._process.returncode}\n{self.log()[-3000:]}")
        self._process.send_signal(how)
        while self._process.poll() is None:
            gevent.sleep(0.005)
        self._process.stdout.close()
        self.full = False
        return self._process.returncode

    def held(self):
        """Memory that it alone holds, and its open files."""
        proc = Path("/proc", str(self._process.pid))
        rollup = dict(line.split(":", 1) for line in (proc / "smaps_rollup").read_text().splitlines()[1:])
        kilobytes = sum(int(rollup[name].split()[0]) for name in ("Private_Clean", "Private_Dirty"))
        opened = Counter()
        for descriptor in (proc / "fd").iterdir():
            with suppress(FileNotFoundError):  # closed since it was listed
                opened[Path(os.readlink(descriptor)).name.partition(":")[0]] += 1
        return Held(kilobytes / 1000, opened)

    def processor_time(self):
        """Seconds of processor time that this process has used."""
        try:
            fields = Path("/proc", str(self._process.pid), "stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def fill_disk(self, left):
        """From now on the journal's log can grow by `left` bytes; a write that needs more fails, half-way if need be.

        The kernel refuses it: no file of the service may grow beyond this size.
        """
        log = self.log_file
        self._limit((log.stat().st_size if log.exists() else 0) + left)
        self.full = True

    def empty_disk(self):
        """There is room again."""
        self._limit(resource.RLIM_INFINITY)
        self.full = False

    def _limit(self, size):
        _, most = resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (size, most))
