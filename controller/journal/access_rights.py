"""Owner and permissions of the journal's files."""

import os
from pathlib import Path

OWNER_ONLY = 0o600
"""The journal holds the PIN and the secret that signs sessions: only the table's user may read it."""


def copy_owner(path: Path, model: Path) -> None:
    """Give a file that root created the owner of `model`, so that the table's service can use it."""
    if os.geteuid() == 0:
        like = model.stat()
        os.chown(path, like.st_uid, like.st_gid)
