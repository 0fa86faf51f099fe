"""What the pages carry: headers, texts, sizes, and that text from people stays text."""

import gzip
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from flask.testing import FlaskClient

from hardware.board import TOURNAMENT
from tests.web_ui.conftest import WEB_UI
from tests.web_ui.fake_table import FakeTable
from web_ui.texts import TEXTS

SCRIPTS = sorted((WEB_UI / "static").glob("*.js"))
FILES = [path for path in WEB_UI.glob("*/*") if path.suffix in (".js", ".css", ".svg", ".html")]


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self._inside: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.data[self._inside] = self.data.get(self._inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._inside = None


@pytest.mark.parametrize("path", ["/", "/table", "/api/state", "/static/style.css", "/picture/q1.jpg", "/nowhere"])
def test_every_answer_carries_the_protecting_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        keep = answer.headers.get("Cache-Control")
        assert (keep == "no-store") == (not path.startswith(("/static", "/picture")))


@pytest.mark.parametrize("path", ["/", "/table"])
def test_no_inline_script_or_style(client: FlaskClient, path: str) -> None:
    for tag, attributes in Elements(client.get(path).text).found:
        assert tag != "style"
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        if tag == "script":
            assert "src" in attributes or attributes["type"] == "application/json"


def test_a_name_with_markup_cannot_leave_the_embedded_state(client: FlaskClient, table: FakeTable) -> None:
    table.state["match"]["sides"][0]["name"] = "</script><script>alert(1)</script><!--"
    page = Elements(client.get("/").text)
    assert json.loads(page.data["state"]) == table.state


def test_nothing_is_set_as_markup() -> None:
    for script in SCRIPTS:
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script.read_text())


def test_nothing_comes_from_the_internet() -> None:
    for path in FILES:
        addresses = set(re.findall(r"https?://[^\s\"'<>)]*", path.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg", "http://"}, path


def test_the_whole_page_is_small() -> None:
    assert sum(len(gzip.compress(path.read_bytes())) for path in FILES) < 30_000


def test_every_text_is_used_and_every_used_text_is_there() -> None:
    source = "".join(path.read_text() for path in FILES)
    literal = set(re.findall(r"text\('(\w+)'", source)) | set(re.findall(r"texts\.(\w+)", source))
    chosen = {name for name in re.findall(r"'(\w+)'", source) if name in TEXTS}
    patterns = re.findall(r"text\(`([a-z_]+)\$\{", source)
    built = {name for name in TEXTS if name.startswith(tuple(patterns))}
    assert literal <= set(TEXTS), literal - set(TEXTS)
    assert set(TEXTS) <= literal | chosen | built, set(TEXTS) - literal - chosen - built
    words = "ready hand moving reading check covered light_changed camera_moved no_camera no_match paused over"
    assert {f"status_{word}" for word in words.split()} <= set(TEXTS)


def test_the_drawn_board_has_the_tables_own_dimensions() -> None:
    source = (WEB_UI / "static" / "board.js").read_text()
    literal = re.search(r"BOARD = (\{.*?\});", source, re.DOTALL)
    assert literal is not None
    drawn: dict[str, Any] = json.loads(re.sub(r"(\w+):", r'"\1":', literal[1]).replace(",\n}", "\n}"))
    board = TOURNAMENT
    assert drawn.pop("pegAngles") == list(board.peg_angles)
    assert drawn.pop("quadrantAngles") == list(board.quadrant_angles)
    assert drawn == pytest.approx(
        {
            "hole": board.hole_radius,
            "fifteen": board.fifteen_line,
            "ten": board.ten_line,
            "outer": board.outer_line,
            "line": board.line_width,
            "surface": board.surface_radius,
            "ditch": board.rail_radius,
            "rail": board.rail_radius + board.rail_width,
            "pegCircle": board.peg_circle,
            "peg": board.peg_radius,
            "disc": board.disc.radius,
        }
    )
