"""What the pages carry: headers, texts, sizes, and that text from people stays text."""

import gzip
import json
import re
from html.parser import HTMLParser

import pytest
from babel.messages.jslexer import tokenize

from hardware.board import TOURNAMENT
from tests.web_ui.conftest import WEB_UI

SCRIPTS = sorted((WEB_UI / "static").rglob("*.js"))


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.data = {}
        self._inside = None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = dict(attrs).get("id") if tag == "script" else None

    def handle_data(self, data):
        if self._inside:
            self.data[self._inside] = self.data.get(self._inside, "") + data

    def handle_endtag(self, tag):
        self._inside = None


@pytest.mark.parametrize(
    "path", ["/", "/tv", "/overlay", "/api/state", "/static/0/en/icon.svg", "/picture/q1.jpg", "/nowhere"]
)
def test_every_answer_that_can_be_a_document_carries_the_protecting_headers(client, path):
    with client.get(path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert (answer.headers["Cache-Control"] == "no-store") == (not path.startswith("/picture"))


@pytest.mark.parametrize("name", ["base.css", "score/phone.js"])
def test_a_script_or_style_sheet_carries_the_headers_that_protect_it_and_no_others(client, name):
    sent = client.get(f"/static/0/en/{name}").headers
    assert (sent["X-Content-Type-Options"], sent["Cross-Origin-Resource-Policy"]) == ("nosniff", "same-origin")
    assert not {"Content-Security-Policy", "X-Frame-Options", "Permissions-Policy"} & set(sent.keys())


@pytest.mark.parametrize("page", ["/", "/tv", "/overlay", "/review/1", "/history", "/sheet", "/accuracy", "/setup"])
def test_files_are_kept_for_good_under_the_address_that_names_their_content(client, page):
    files = [a.get("href") or a.get("src") for _, a in Elements(client.get(page).text).found]
    ours = [path for path in files if path and path.startswith("/static/")]
    assert len(ours) > 5
    for path in ours:
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["Cache-Control"]
        if answer.headers.get("Content-Encoding") == "gzip":
            assert gzip.decompress(answer.data) == client.get(path).data


def test_a_page_is_packed_for_browsers_that_can_unpack_it(client):
    for refused in ("identity", "gzip;q=0", "br, gzip; q=0"):
        assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": refused}).headers
    packed = client.get("/", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data).decode() == client.get("/").text
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_a_phone_can_keep_the_page_as_an_app(client):
    manifest = client.get("/manifest.webmanifest").json
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert picture.mimetype == icon["type"] == "image/png"
        width, height = (int.from_bytes(picture.data[i : i + 4], "big") for i in (16, 20))
        assert icon["sizes"] == f"{width}x{height}"


def test_a_name_with_markup_cannot_leave_the_embedded_state(client, table):
    table.state["match"]["sides"][0]["name"] = "</script><script>alert(1)</script><!--"
    page = Elements(client.get("/").text)
    assert json.loads(page.data["state"]) == table.state


def test_nothing_is_set_as_markup():
    for script in SCRIPTS:
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script.read_text())


def test_the_drawn_board_has_the_tables_own_dimensions():
    source = (WEB_UI / "static" / "shared" / "board.js").read_text()
    literal = re.search(r"BOARD = (\{.*?\});", source, re.DOTALL)
    drawn = json.loads(re.sub(r"(\w+):", r'"\1":', literal[1]).replace(",\n}", "\n}"))
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
            "pegCircle": board.peg_circle,
            "peg": board.peg_radius,
            "disc": board.disc.radius,
        }
    )


def test_the_score_is_there_before_any_script(client):
    for path in ("/", "/tv"):
        page = re.sub(r"<script.*?</script>", "", client.get(path).text, flags=re.DOTALL)
        assert re.findall(r'<p class="early">(\d+)</p>', page) == ["40", "65"]


def test_scripts_are_sent_without_their_comments_and_nothing_else_is_left_out(client):
    """Comments within a line of code may stay."""
    for path in SCRIPTS:
        sent = tokens(client.get(f"/static/any/en/{path.relative_to(WEB_UI / 'static')}").text)
        assert sent == [(kind, value) for kind, value in tokens(path.read_text()) if kind != "linecomment"], path.name


def test_style_sheets_are_sent_without_their_comments_and_nothing_else_is_left_out(client):
    for path in (WEB_UI / "static").glob("*.css"):
        bare = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        assert client.get(f"/static/any/en/{path.name}").text.split() == bare.split(), path.name


def tokens(script):
    found = tokenize(script, jsx=False)
    return [(one.type, one.value) for one in found if one.type != "multilinecomment"]
