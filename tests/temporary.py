"""The folder for the files that tests write: `python -m tests.temporary` prints it.

The program has SQLite write each event to the disk before it goes on, so on a disk a third of the tests' time is
waiting for it. What a disk does to the program is tried elsewhere: power cuts in `tests/guest`, kills in `tests/soak`.
"""

import os
import shutil
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ENOUGH = 4 * 2**30  # bytes; a whole run of the tests was seen to hold 0.7 GB at once


def folder():
    """The file system in memory where it is there and has room, else the system's own folder for temporary files."""
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= ENOUGH:
        return IN_MEMORY
    return Path(tempfile.gettempdir())


if __name__ == "__main__":
    print(folder())
