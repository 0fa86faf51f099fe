"""The whole suite in other surroundings, one after the other: `python -m tests.environments [NAME ...]`, hours.

Each is a fresh clone of what is committed, away from the checkout, with packages and a home of its own. What passes in
one and fails in another depends on something that no test names: zone, locale, date, user, order, number of processes.
"""

import argparse
import os
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.checkout import CHECKOUT

SYSTEM_PYTHON = "/usr/bin/python3"
OTHER_USER = "nobody"
GERMAN = "de_DE.UTF-8"


@dataclass(frozen=True)
class Environment:
    """What differs from a usual run."""

    variables: dict[str, str] = field(default_factory=dict)
    processes: int = 3
    shuffled: bool = False
    alone: bool = False  # nothing beside the checkout, as after a newcomer's clone
    other_user: bool = False


ENVIRONMENTS = {
    "chatham": Environment({"TZ": "Pacific/Chatham", "LC_ALL": "C"}, processes=1),  # 12:45 or 13:45 h before UTC
    "newfoundland": Environment({"TZ": "America/St_Johns", "LANG": GERMAN}, processes=4),
    "other-user": Environment(shuffled=True, alone=True, other_user=True),
    "leap-day": Environment({"TEST_DATE": "2028-02-29T23:58:00"}, shuffled=True),
    "new-years-eve": Environment({"TEST_DATE": "2026-12-31T23:58:00"}, alone=True),
}


def run(environment, seed, select):
    """Whether the suite passes there. `select`: further arguments of pytest."""
    with tempfile.TemporaryDirectory(prefix="crokinole-") as scratch:
        Path(scratch).chmod(0o755)  # PostgreSQL, which never runs as root, reads the locales that are made below
        place, home = Path(scratch, "main"), Path(scratch, "home")
        subprocess.run(["git", "clone", "--quiet", CHECKOUT, place], check=True)
        home.mkdir()
        if not environment.alone and (CHECKOUT.parent / "shared").is_dir():
            Path(scratch, "shared").symlink_to(CHECKOUT.parent / "shared")
        variables = {**os.environ, **environment.variables, "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
        if environment.variables.get("LANG") == GERMAN:
            variables["LOCPATH"] = str(_german(home))
        # fetched here, as another user may not be able to
        subprocess.run([sys.executable, "-m", "tests.micropython"], cwd=CHECKOUT, env=variables)
        user, python = _other_user(Path(scratch)) if environment.other_user else ([], sys.executable)
        tests = ["-n", str(environment.processes), "--dist", "worksteal", "-q", *select]
        if environment.shuffled:
            tests += ["--shuffle", str(seed)]
        if "TEST_DATE" in variables:
            tests += ["-p", "tests.dated"]
        for command in (
            ["make", f"PYTHON={python}", ".venv/installed-dev", "browser", "micropython"],
            [".venv/bin/python", "-m", "pytest", *tests],
        ):
            if subprocess.run([*user, *command], cwd=place, env=variables).returncode:
                return False
    return True


def _german(home):
    """A folder with the German locale, where the system has its source; without one, tests run with "C"."""
    folder = home / "locales"
    folder.mkdir()
    if shutil.which("localedef"):
        subprocess.run(
            ["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8", str(folder / GERMAN)],
            capture_output=True,
        )
    if not (folder / GERMAN).is_dir():
        print(f"{GERMAN} can't be had here (Debian: sudo apt-get install locales): its names are not tried.")
    return folder


def _other_user(scratch):
    """What to put before a command so that another user runs it, and a Python that this user can start. The user owns
    the folder then. Nothing is put before where this user is not root already."""
    if os.geteuid() != 0:
        return [], sys.executable
    user = pwd.getpwnam(OTHER_USER)
    subprocess.run(["chown", "-R", f"{user.pw_uid}:{user.pw_gid}", scratch], check=True)
    switch = ["runuser", "-u", OTHER_USER, "--"]
    try:
        subprocess.run([*switch, sys.executable, "-c", ""], check=True, capture_output=True)
    except subprocess.CalledProcessError:  # root's own, in a home that nobody else may enter
        return switch, SYSTEM_PYTHON
    return switch, sys.executable


def main():
    """Run those named, else all, and say which passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ENVIRONMENTS)}; all by default")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000), help="of the order of shuffled runs")
    parser.add_argument(
        "--select", action="append", default=[], help="an argument for pytest, as in --select=tests/web_ui"
    )
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.names) - set(ENVIRONMENTS)):
        parser.error(f"there is no environment {unknown[0]}: use {', '.join(ENVIRONMENTS)}")
    passed = {}
    for name in chosen.names or ENVIRONMENTS:
        print(f"== {name}: {ENVIRONMENTS[name]}, seed {chosen.seed}", flush=True)
        passed[name] = run(ENVIRONMENTS[name], chosen.seed, chosen.select)
        print(f"== {name}: {'passed' if passed[name] else 'FAILED'}", flush=True)
    if failed := [name for name, well in passed.items() if not well]:
        again = f"python -m tests.environments {failed[0]} --seed {chosen.seed}"
        sys.exit(f"Failed in {', '.join(failed)}; see above. One alone: {again}")


if __name__ == "__main__":
    main()
