"""A real PostgreSQL for a test: a cluster of its own in a temporary folder, reached through a socket in it."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

SERVERS = Path("/usr/lib/postgresql")  # where Debian puts its versions
USER = "postgres"  # Debian's; PostgreSQL refuses to run as root


def binaries():
    """Where PostgreSQL's server programs are, those of the newest version; None where there are none."""
    found = sorted(SERVERS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


@contextmanager
def cluster(folder, *, synchronised=False):
    """A running server in this empty folder; gives the URL of a database. It ends with the block, however that ends.
    `synchronised`: what is committed is on the disk itself, which takes time and helps only against a power cut."""
    programs = binaries()
    data = folder / "data"
    user = {"user": USER} if os.geteuid() == 0 else {}
    if user:
        shutil.chown(folder, USER)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and parent != Path("/") and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    initdb = [programs / "initdb", "-D", data, "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8"]
    subprocess.run(initdb, check=True, capture_output=True, cwd=folder, **user)
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync={'on' if synchronised else 'off'}"
    control = [programs / "pg_ctl", "-D", data, "-w", "-s"]
    start = [*control, "-o", settings, "-l", folder / "log", "start"]
    subprocess.run(start, check=True, capture_output=True, cwd=folder, **user)
    try:
        yield f"postgresql://{USER}@/{USER}?host={folder}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True, cwd=folder, **user)


def back_up(url, copy):
    """Write a database to a file, as docs/club.md says."""
    subprocess.run(["pg_dump", "--clean", "--if-exists", "-f", copy, url], check=True)


def restore(copy, url):
    """Set a database back to a file of `back_up`, as docs/club.md says; its hub may run on."""
    psql = ["psql", "-1", "-q", "-v", "ON_ERROR_STOP=1", "-c", "LOCK TABLE clubs", "-f", copy, url]
    done = subprocess.run(psql, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
