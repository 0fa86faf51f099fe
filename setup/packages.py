"""What is installed with the table's program: `packages.py write` lists it, `packages.py check` holds it against rules.

The list is a CycloneDX document, requirements/sbom.cdx.json: every pinned package with its licence. Checked is that it
is up to date, that each licence is one that a club may use and pass on, and that no version has a known advisory."""

import json
import re
import sys
import urllib.request
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements"
LIST = REQUIREMENTS / "sbom.cdx.json"
ADVISORIES = "https://api.osv.dev/v1/querybatch"
"""The database of osv.dev, which has those of PyPI and GitHub."""

ALLOWED = {
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "EPL-2.0", "LGPL-3.0-only", "MIT", "MIT-0",
    "MPL-2.0", "PSF-2.0", "ZPL-2.1", "Zlib",
}  # fmt: skip
"""SPDX ids. Those of the LGPL, EPL and MPL bind who changes the library itself."""

IN_WORDS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""How packages said it before PEP 639."""

LOOKED_UP = {"axe-playwright-python": "MIT", "colorama": "BSD-3-Clause", "tzdata": "Apache-2.0"}
"""Licences from the packages' repositories, where the metadata lacks them or another system installs the package."""
PINNED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==([^ ;\\]+)", re.MULTILINE)


def pinned() -> dict[tuple[str, str], bool]:
    """Each package and version of the locks, and whether a table's machine gets it: else it is for development."""
    found: dict[tuple[str, str], bool] = {}
    for name in ("dev", "pi"):
        for one in PINNED.findall((REQUIREMENTS / f"{name}.txt").read_text()):
            found[one] = found.get(one, False) or name == "pi"
    return dict(sorted(found.items()))


def licence(package: str) -> str:
    """The SPDX expression of a package; empty if its metadata has none."""
    if package in LOOKED_UP:
        return LOOKED_UP[package]
    try:
        known = metadata(package)
    except PackageNotFoundError:
        return ""
    if expression := known.get("License-Expression"):
        return str(expression)
    if known.get("License") in ALLOWED:
        return str(known["License"])
    last = [one.rpartition(" :: ")[2] for one in known.get_all("Classifier", []) if one.startswith("License ::")]
    return next((IN_WORDS[one] for one in last if one in IN_WORDS), "")


def document() -> dict[str, Any]:
    """The list, as CycloneDX 1.6 has it. It holds no time, so that it changes when the packages do."""
    components = []
    for (name, version), shipped in pinned().items():
        component: dict[str, Any] = {
            "type": "library", "bom-ref": f"{name}@{version}", "name": name, "version": version,
            "scope": "required" if shipped else "excluded", "purl": f"pkg:pypi/{name.lower()}@{version}",
        }  # fmt: skip
        if found := licence(name):
            component["licenses"] = [{"expression": found}]
        components.append(component)
    about = {"type": "application", "bom-ref": "crokinole-table", "name": "crokinole-table"}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": about},
            "components": components}  # fmt: skip


def text() -> str:
    """The list as it is written."""
    return json.dumps(document(), indent=1) + "\n"


def troubles() -> list[str]:
    """What is wrong with the list and the licences."""
    found = [] if LIST.exists() and LIST.read_text() == text() else [f"{LIST} is out of date: run `make lock`"]
    for component in document()["components"]:
        expression = component.get("licenses", [{"expression": ""}])[0]["expression"]
        either = [set(re.findall(r"[A-Za-z0-9.-]+", part)) - {"AND"} for part in re.split(r" OR ", expression)]
        if not any(part and part <= ALLOWED for part in either):
            found.append(
                f"{component['name']}: the licence {expression or 'that nobody knows'} is not among the allowed ones"
            )
    return found


def advisories(address: str = ADVISORIES) -> list[str]:
    """The known advisories of what is pinned. Raises `OSError` where the database can't be reached."""
    known = list(pinned())
    queries = [{"package": {"purl": f"pkg:pypi/{name.lower()}@{version}"}} for name, version in known]
    request = urllib.request.Request(
        address, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        results = json.load(answer)["results"]
    return [
        f"{name} {version}: {vulnerability['id']}, see https://osv.dev/vulnerability/{vulnerability['id']}"
        for (name, version), result in zip(known, results, strict=True)
        for vulnerability in result.get("vulns", ())
    ]


def main() -> None:
    """Write or check."""
    if sys.argv[1:] == ["write"]:
        LIST.write_text(text())
        return
    found = troubles()
    try:
        found += advisories()
    except (OSError, ValueError, KeyError) as error:
        print(f"The database of advisories can't be reached ({error}): the versions are not checked against it.")
    print(f"{len(pinned())} packages; {len(found)} of them or of what is said of them to be mended")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
