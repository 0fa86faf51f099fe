"""`release.py` builds a release; `release.py cut` first puts the changelog's unreleased entries under its version.

A release is the wheel, the sdist and the list of what is pinned (CycloneDX), in dist/. Wheel and sdist are each
installed into an empty environment, outside the checkout, where the table has to start and serve its pages."""

import datetime
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
from pathlib import Path

import packages

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
DIST = ROOT / "dist"
UNRELEASED = "## [Unreleased]\n"


def version() -> str:
    """The version that pyproject.toml names, the only place where it stands."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def cut(changelog: str, number: str, day: str) -> str:
    """The changelog with what was unreleased under this version. Raises `ValueError` where there is nothing."""
    before, found, after = changelog.partition(UNRELEASED)
    if f"## [{number}]" in changelog:
        raise ValueError(f"CHANGELOG.md has version {number} already: raise the version in pyproject.toml.")
    if not found or not re.match(r"\s*###", after):
        raise ValueError("CHANGELOG.md has no entries under [Unreleased]: write what users notice.")
    return f"{before}{UNRELEASED}\n## [{number}] - {day}\n{after}"


def build(number: str) -> list[Path]:
    """The wheel and the sdist, beside the list of packages. Raises `CalledProcessError`."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.iterdir():
        old.unlink()
    uv("build", "--quiet", "--out-dir", DIST, ROOT)
    document = packages.document()
    document["metadata"]["component"]["version"] = number
    (DIST / f"crokinole_table-{number}.cdx.json").write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    built = sorted(DIST.glob(f"crokinole_table-{number}*.whl")) + sorted(DIST.glob(f"crokinole_table-{number}.tar.gz"))
    if len(built) != 2:
        raise ValueError(f"{DIST} should have a wheel and an sdist of {number} and has {[one.name for one in built]}.")
    return built


def start(package: Path) -> str:
    """Install the package into an empty environment, with the pinned versions, and start the table; what it served.
    Raises `CalledProcessError` where it can't be installed, and `ValueError` where it does not start."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "empty"
        uv("venv", "--quiet", "--python", sys.executable, environment)
        lock = packages.REQUIREMENTS / "dev.txt"
        uv("pip", "install", "--quiet", "--python", environment, "--constraint", lock, package)
        settings = Path(folder) / "table.toml"
        settings.write_text(f'[table]\ndata = "{folder}/data"\n[web]\nhost = "127.0.0.1"\nport = 0\n', "utf-8")
        command = [environment / "bin/crokinole-table", "run", "--config", settings]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as table:
            try:
                assert table.stdout is not None
                line = table.stdout.readline()
                found = re.search(r"http://\S+/", line)
                if found is None:
                    raise ValueError(f"{package.name} does not start: {line or 'it says nothing'}")
                for path in ("", "tv", "api/v1/state"):
                    with urllib.request.urlopen(found[0] + path, timeout=60) as answer:
                        answer.read()
            finally:
                table.terminate()
    return f"{package.name} starts from an empty environment and serves its pages"


def uv(*arguments: str | Path) -> None:
    """Run the uv of this environment. Raises `CalledProcessError`."""
    subprocess.run([Path(sys.executable).with_name("uv"), *arguments], check=True)


def main() -> None:
    """Cut the changelog or build."""
    number = version()
    try:
        if sys.argv[1:] == ["cut"]:
            CHANGELOG.write_text(cut(CHANGELOG.read_text("utf-8"), number, f"{datetime.date.today()}"), "utf-8")
            return
        if f"## [{number}]" not in CHANGELOG.read_text("utf-8"):
            raise ValueError(
                f"CHANGELOG.md has no section [{number}]: run `python setup/release.py cut`, read, commit."
            )
        for package in build(number):
            print(start(package))
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
    print(f"{DIST} has version {number}: tag it v{number}")


if __name__ == "__main__":
    main()
