"""To whom the journal's files belong."""

import os
from pathlib import Path

OWNER_ONLY = 0o600
"""The journal holds the PIN and the secret that signs sessions: nobody but the table's user reads it."""


def belongs_to(path: Path, model: Path) -> None:
    """Let a file that root made belong to whom `model` belongs: the table's service must be able to use it."""
    if os.geteuid() == 0:
        like = model.stat()
        os.chown(path, like.st_uid, like.st_gid)
