"""`make test-pi`: makes Debian trees that stand for Raspberry Pi OS, once, outside the checkout; installs the table in
them as a technician does, and runs the unit tests on their libraries. Both systems at the same time.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.checkout import CHECKOUT
from tests.pi.machine import folder

HERE = Path(__file__).resolve().parent
SUITES = ("bookworm", "trixie", "arm64")
CGROUP = Path("/sys/fs/cgroup")
ROOM = 10e9  # bytes: 2 GB of trees and packages that stay, 2.5 GB for each Pi that runs; measured


def reason_to_skip():
    """Why it can't be done here, or None."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return "the trees are made for Linux on x86_64"
    if os.geteuid() != 0:
        return "it needs root, to make and to start the systems: sudo make test-pi"
    if shutil.which("apt-get") is None or not Path("/etc/debian_version").exists():
        return "it needs Debian's packages and tools"
    if not any(CGROUP.glob("**/cgroup.procs")) or not os.access(CGROUP, os.W_OK):
        return f"systemd can't be started in a container: {CGROUP} can't be written"
    if not Path("/dev/net/tun").exists():
        return "a container can't be given a network: there is no /dev/net/tun"
    place = next(parent for parent in folder().parents if parent.exists())
    if shutil.disk_usage(place).free < ROOM:
        return f"it needs {ROOM / 1e9:.0f} GB at {place}"
    return None


def main():
    reason = reason_to_skip()
    if reason:
        print(f"test-pi is skipped: {reason}")
        return 0
    folder().mkdir(parents=True, exist_ok=True)
    with (folder() / "running.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another checkout's tests may be at it
        subprocess.run([HERE / "prepare.sh", folder(), *SUITES], check=True)
        running = {suite: run(suite) for suite in SUITES}
        return max(report(suite, process) for suite, process in running.items())


def run(suite):
    """The tests of one system, in a process of its own; what they print goes into a file."""
    tests = [sys.executable, "-m", "pytest", "-x", "-q", "-rsP", "--durations=8", HERE, *sys.argv[1:]]
    with log(suite).open("wb") as out:
        return subprocess.Popen(
            tests, cwd=CHECKOUT, env={**os.environ, "CROKINOLE_PI": suite}, stdout=out, stderr=subprocess.STDOUT
        )


def report(suite, process):
    """Wait for it and show what it printed; its exit status."""
    began = time.monotonic()
    status = process.wait()
    print(f"\n=== {suite} (waited {time.monotonic() - began:.0f} s)", flush=True)
    print(log(suite).read_text("utf-8", "replace"), flush=True)
    return status


def log(suite):
    return folder() / f"{suite}.tests"


if __name__ == "__main__":
    sys.exit(main())
