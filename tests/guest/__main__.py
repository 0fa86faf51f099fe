"""`make test-hardware`: builds what it needs, once, outside the checkout, and runs the tests in a guest kernel."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.guest.machine import HERE, Guest, folder


def reason_to_skip():
    """Why it can't be done here, or None."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return "User-Mode Linux needs Linux on x86_64"
    if os.geteuid() != 0:
        return "it needs root, to make the guest's Debian tree: sudo make test-hardware"
    if shutil.which("apt-get") is None or not os.path.exists("/usr/share/keyrings/debian-archive-keyring.gpg"):
        return "it needs Debian's packages"
    return None


def reason_for_panic():
    """Why the guest kernel cannot run a first process on this computer's processor, or None."""
    with tempfile.TemporaryDirectory() as world, Guest("true", Path(world)) as guest:
        if guest.status(60) == 0:
            return None
        panic = next((line for _, line in guest.lines if "Kernel panic" in line), None)
        return panic and f"the guest kernel does not run on this processor: {panic}"


def main():
    reason = reason_to_skip()
    if reason is None:
        subprocess.run([HERE / "prepare.sh", folder()], check=True)
        reason = reason_for_panic()
    if reason:
        print(f"test-hardware is skipped: {reason}")
        return 0
    # Latencies are measured alone; then two guests play at the same time, which mostly wait.
    return max(run("test_devices.py"), run("test_match.py", "test_power_cuts.py", "-n", "2"))


def run(*arguments):
    """Pytest's exit status; what tests print of their figures is shown at the end."""
    tests = [sys.executable, "-m", "pytest", "-q", "-rP", "--durations=0", *arguments, *sys.argv[1:]]
    environment = {**os.environ, "CROKINOLE_GUEST": "host"}
    return subprocess.run(tests, env=environment, cwd=HERE).returncode


if __name__ == "__main__":
    sys.exit(main())
