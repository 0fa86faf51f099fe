"""The scripts of the pages by eslint and TypeScript's checker: `python -m tests.web_ui.checked_scripts`.

Both are pinned in scripts/package-lock.json and installed once in ~/.cache. Without Node.js, or where npm's registry
can't be reached, it says so and checks nothing: no user needs either.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.checkout import CHECKOUT

TOOLS = Path(__file__).parent / "scripts"
STATIC = CHECKOUT / "web_ui" / "static"
INSTALLED = ("package.json", "package-lock.json", "eslint.config.js")
OLDEST = 20  # Node.js's major version that eslint needs


def unfit():
    """Why nothing can be checked here; None where it can."""
    if not (shutil.which("node") and shutil.which("npm")):
        return "there is no Node.js here (Debian: sudo apt-get install nodejs npm)"
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    old = int(said.lstrip("v").partition(".")[0]) < OLDEST
    return f"Node.js {said} is too old: {OLDEST} is needed" if old else None


def installed():
    """The folder of the pinned tools; None where they can't be fetched."""
    digest = hashlib.sha256(b"".join((TOOLS / name).read_bytes() for name in INSTALLED)).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "crokinole-table" / f"scripts-{digest}"
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in INSTALLED:
            shutil.copy(TOOLS / name, folder)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"]
        if subprocess.run(command, cwd=folder).returncode:
            return None
        (folder / "complete").touch()
    return folder


def check(folder):
    """Whether both tools find nothing; what they find is printed."""
    modules = folder / "node_modules"
    commands = (
        ["node", modules / "eslint/bin/eslint.js", "--config", folder / "eslint.config.js", "--max-warnings", "0", "."],
        ["node", modules / "typescript/bin/tsc", "--project", TOOLS / "tsconfig.json"],
    )
    codes = [subprocess.run(command, cwd=STATIC).returncode for command in commands]
    return not any(codes)


def main():
    """Check, or say why not."""
    why = unfit()
    folder = None if why else installed()
    if folder is None:
        print(f"The scripts of the pages are not checked: {why or 'npm could not fetch the tools'}.")
    elif not check(folder):
        sys.exit("The scripts of the pages have the faults above.")


if __name__ == "__main__":
    main()
