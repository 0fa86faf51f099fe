"""Runs the tests on another date: `TEST_DATE=2028-02-29T23:59:50 python -m pytest -p tests.dated`, local time.

The whole process runs under libfaketime (Debian's package `faketime`), and so does every process that a test starts,
Chromium too. The date goes on from there; the steady clocks are the machine's. Other variables of the environment, such
as `TZ` and `LC_ALL`, need no plugin."""

import datetime as dt
import os
import sys
import time
from pathlib import Path

LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1")


def environment(date):
    """What the environment of a process must have to run on this date. An offset from now: the processes that it starts
    later go on with the same date."""
    found = [path for pattern in LIBRARIES for path in Path("/").glob(pattern[1:])]
    if not found:
        raise SystemExit("TEST_DATE needs libfaketime: apt-get install faketime")
    try:
        ahead = dt.datetime.fromisoformat(date).timestamp() - time.time()
    except ValueError:
        raise SystemExit(f"TEST_DATE={date}: write it as 2028-02-29T23:59:50") from None
    path = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
    real = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}
    return {"LD_PRELOAD": str(found[0]), "FAKETIME": f"{ahead:+.0f}s", "PYTHONPATH": path, **real}


if (date := os.environ.get("TEST_DATE")) and "FAKETIME" not in os.environ:
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ | environment(date))
