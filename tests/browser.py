"""A Chromium for the tests: `python -m tests.browser` finds one or installs one."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium's engine without its windows, which Playwright takes for tests by itself too: a page opened in a context of
its own took 0.47 s of processor time in it, and 1.3 to 1.6 s in the whole program."""

NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BESIDE = "fonts-dejavu-core"
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def chromium(*, whole=False):
    """The path of a Chromium that is there, or None. `whole`: with what the shell refuses, as wake locks."""
    for name in NAMES[1:] if whole else NAMES:
        found = shutil.which(name)
        if found and not _is_snap_stub(found):
            return found
    return str(MAC) if MAC.exists() else _playwrights_own()


def _is_snap_stub(path):
    """Ubuntu's package of that name is a script that asks for a snap."""
    start = Path(path).read_bytes()[:4096]
    return start.startswith(b"#!") and b"snap" in start and not shutil.which("snap")


def _playwrights_own():
    ask = "from playwright.sync_api import sync_playwright as s; p = s().start(); print(p.chromium.executable_path)"
    answer = subprocess.run(
        [sys.executable, "-c", f"{ask}; p.stop()"], capture_output=True, text=True, timeout=60
    ).stdout.strip()
    return answer if answer and Path(answer).exists() else None


def install():
    """Install one: Debian's where that is allowed, else Playwright's own build. Its path, or None."""
    root = as_root()
    if root is not None and is_debian():
        subprocess.run([*root, "apt-get", "update", "-qq"])
        for packages in (("chromium", BESIDE), (SHELL,)):  # Raspberry Pi OS may not have the second
            subprocess.run(
                [*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )
        if found := chromium():
            return found
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"])
    return chromium()


def is_debian():
    try:
        return platform.freedesktop_os_release().get("ID") in ("debian", "raspbian")
    except OSError:
        return False


def as_root():
    """What to put before a command that needs root; None when this user can't."""
    if os.name == "posix" and os.geteuid() == 0:
        return []
    may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True)
    return ["sudo", "-n"] if may and may.returncode == 0 else None


if __name__ == "__main__":
    path = chromium() if chromium(whole=True) else install()
    if path is None:
        sys.exit(
            "No Chromium was found and none could be installed. Install Chromium or Google Chrome, then try again."
        )
    print(f"Chromium for the tests: {path}")
