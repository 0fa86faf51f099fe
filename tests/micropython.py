"""A MicroPython for the tests: `python -m tests.micropython` finds one or fetches one, outside the checkout."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.browser import as_root, is_debian

RELEASE = "trixie"  # the first Debian that has it: MicroPython 1.25
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
PATIENCE = 300.0  # seconds for 5 MB
REASON = "no MicroPython here: run `make micropython`, or name one in $MICROPYTHON"


def cache():
    """Where the fetched one lies: 16 MB."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "crokinole-table"


def micropython():
    """MicroPython's unix port: $MICROPYTHON, else on the path, else in the cache."""
    cached = sorted(cache().glob("micropython-*/micropython"))
    return os.environ.get("MICROPYTHON") or shutil.which("micropython") or (str(cached[-1]) if cached else None)


def fetch():
    """Debian's package, unpacked beside the system with its own libraries: nothing is installed. Its path, or None."""
    if not (is_debian() and platform.machine() in ("x86_64", "aarch64")):
        return None
    if shutil.which("mmdebstrap") is None:
        root = as_root()
        if root is None:
            return None
        subprocess.run([*root, "apt-get", "update", "-qq"])
        subprocess.run([*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "mmdebstrap"])
    target = cache() / "micropython-debian"
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as scratch:
        place = Path(scratch) / "micropython"
        source = f"deb [signed-by={KEYS}] {_mirror()} {RELEASE} main"
        command = ["mmdebstrap", "--quiet", "--variant=extract", "--include=micropython", RELEASE, str(place), source]
        try:
            subprocess.run(command, check=True, timeout=PATIENCE)
        except (OSError, subprocess.SubprocessError):
            return None
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        (place / "usr").rename(target / "usr")  # the rest, devices among it, is not needed
    library = target / "usr/lib" / f"{platform.machine()}-linux-gnu"
    loader = next(library.glob("ld-linux-*.so.*"))
    starter = target / "micropython"
    starter.write_text(
        f'#!/bin/sh\nexec {loader} --library-path {library} {target}/usr/bin/micropython "$@"\n', "utf-8"
    )
    starter.chmod(0o755)
    return str(starter)


def _mirror():
    """The Debian mirror that apt is set up with."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    told = subprocess.run(asked, capture_output=True, text=True).stdout.split()
    return next((uri for uri in told if uri.rstrip("/").endswith("/debian")), "http://deb.debian.org/debian/")


if __name__ == "__main__":
    path = micropython() or fetch()
    if path is None:
        print("No MicroPython could be had: the tests of the firmware in it are left out.", file=sys.stderr)
    else:
        print(f"MicroPython for the tests: {path}")
