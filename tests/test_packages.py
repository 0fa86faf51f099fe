"""The list of packages, their licences, and what a database of advisories says of them."""

import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import distributions
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))
import packages
import release

PURL = "pkg:pypi/"


def test_the_list_is_up_to_date_and_every_licence_is_allowed():
    assert packages.troubles() == []


def test_the_list_names_what_is_installed():
    """As Python itself finds it, and not the locks."""
    listed = {one["purl"].removeprefix(PURL) for one in json.loads(packages.LIST.read_text())["components"]}
    names = {one.partition("@")[0].replace("_", "-") for one in listed}
    here = {one.metadata["Name"].lower().replace("_", "-").replace(".", "-"): one.version for one in distributions()}
    for name in here.keys() & names:
        assert any(one.lower() == f"{name}@{here[name]}" for one in listed), name
    assert {"flask", "gevent", "pydantic", "numpy", "sqlalchemy", "pytest"} <= names


def test_a_forbidden_or_unknown_licence_is_reported(monkeypatch):
    true = packages.licence
    told = {"flask": "AGPL-3.0-only", "gevent": "", "segno": "AGPL-3.0-only OR MIT", "click": "MIT AND AGPL-3.0-only"}
    monkeypatch.setattr(packages, "licence", lambda name: told.get(name, true(name)))
    found = [one for one in packages.troubles() if "licence" in one]
    assert sorted(one.partition(":")[0] for one in found) == ["click", "flask", "gevent"]


@pytest.fixture
def database():
    """Answers as osv.dev does: one package has an advisory."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            bad = {"vulns": [{"id": "PYSEC-0000-1"}]}
            results = [bad if "/flask@" in one["package"]["purl"] else {} for one in asked]
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"results": results}).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_known_advisory_is_reported_and_an_unreachable_database_is_an_error(database):
    (found,) = packages.advisories(database)
    assert found.startswith("flask ")
    assert "PYSEC-0000-1" in found
    with pytest.raises(OSError, match="refused"):
        packages.advisories("http://127.0.0.1:9")


LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n- A bell.\n\n## [0.1.0] - 2026-01-02\n\n### Added\n- A table.\n"


def test_a_changelog_is_cut_once_and_loses_no_entry():
    done = release.cut(LOG, "0.2.0", "2026-03-04")
    unreleased, new, old = re.split(r"^## .*\n", done, flags=re.M)[1:]
    assert (unreleased.strip(), new.strip()) == ("", "### Added\n- A bell.")
    assert old == "\n### Added\n- A table.\n"
    assert "\n## [0.2.0] - 2026-03-04\n" in done
    with pytest.raises(ValueError, match="raise the version"):
        release.cut(done, "0.2.0", "2026-03-04")
    with pytest.raises(ValueError, match="no entries"):
        release.cut(done, "0.3.0", "2026-03-04")
