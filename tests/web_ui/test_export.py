"""What is taken home from the browser, read again by other programs' means: Python's csv, the judge, OpenCV."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.views.history.upkeep import Progress
from tests.browser import chromium
from tests.controller.command_line import call
from tests.slow import slow
from tests.waiting import PATIENCE
from web_ui import create_app

NAMES = ('=cmd "Quoted", Ltd', "Żółć; Émile")


@pytest.fixture
def played(played):
    played.play()
    sides = [{"name": name, "colour": colour} for name, colour in zip(NAMES, ("black", "natural"), strict=True)]
    played.do("start", rules="nca", sides=sides)
    played.do("end_round", totals={"A": 60, "B": 35}, twenties={"A": 2, "B": 0})
    return played


@pytest.fixture
def client(played):
    return create_app(played).test_client()


@pytest.fixture(scope="module")
def whole(browser):
    """The whole of Chromium: its engine alone has no clipboard."""
    launched = browser.browser_type.launch(executable_path=chromium(whole=True))
    yield launched
    launched.close()


@pytest.fixture
def page(whole, serve, played):
    page = whole.new_page(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    page.set_default_timeout(1000 * PATIENCE)
    page.base = serve(played).url
    yield page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.context.close()


def saved(page, link):
    with page.expect_download() as download:
        page.click(f"text={link}")
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def rows(table):
    return list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline=""), strict=True))


@slow
def test_the_matches_that_are_shown_are_saved_as_a_table(page):
    page.goto(page.base + "history")
    name, text = saved(page, "Table of the rounds (CSV)")
    assert name == "matches.csv"
    assert [row["name"] for row in rows(text) if row["match"] == "2"] == ["'" + NAMES[0], NAMES[1]], "no formula"
    page.select_option("label:has-text('Player') select", NAMES[1])
    page.wait_for_function("() => document.querySelectorAll('.matches li').length === 1")
    _, text = saved(page, "Table of the rounds (CSV)")
    assert {row["match"] for row in rows(text)} == {"2"}
    page.fill("label:has-text('From') input", "2099-01-01")
    page.wait_for_function("() => !document.querySelectorAll('.matches li').length")
    name, text = saved(page, "Table of the rounds (CSV)")
    assert (name, rows(text)) == ("matches-2099-01-01.csv", [])


@slow
def test_a_match_is_saved_from_its_score_sheet(page, played, tmp_path):
    page.goto(page.base + "sheet/1")
    name, text = saved(page, "Table of the rounds (CSV)")
    assert name == "match-1.csv"
    (shown,) = played.archive.match(1).rounds
    assert {row["side"]: int(row["total"]) for row in rows(text)} == shown.totals
    name, text = saved(page, "Match record (JSON)")
    assert name == "match-1.jsonl"
    (tmp_path / name).write_bytes(text)
    judged = json.loads(call("judge", tmp_path / name, "--json").stdout)
    assert judged["rounds"][0]["totals"] == shown.totals, "the judge counts what the table counted"


@slow
def test_finished_matches_are_saved_for_other_programs(client, played):
    """By the rules of Crokinole Match Notation: a record of results, each with an id that never changes."""
    assert client.get("/api/v1/cmn").json["matches"] == [], "neither is over"
    for totals in ({"A": 20, "B": 45}, {"A": 25, "B": 25}, {"A": 40, "B": 30}):
        played.do("end_round", totals=totals, twenties={"A": 0, "B": 1})
    answer = client.get("/api/v1/cmn")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="matches.cmn.json"'
    assert answer.json["cmn"] == "1.0"
    assert answer.json["batch"] is True
    (entry,) = answer.json["matches"]
    assert [game["scores"] for game in entry["match"]["games"]] == [[60, 35], [20, 45], [25, 25], [40, 30]]
    assert client.get("/api/v1/cmn?match=2").json["matches"] == [entry]
    path = played.table.journal.path
    one = call("export", 2, "--as", "cmn", "--config", configured(path.parent))
    assert json.loads(one.stdout)["id"] == entry["id"]


def configured(data):
    file = data / "table.toml"
    file.write_text(f'[table]\ndata = "{data}"\n')
    return file


@slow
def test_the_score_sheets_of_a_span_are_printed_each_on_its_own_page(page):
    page.goto(page.base + "history")
    page.click("text=Score sheets to print")
    page.wait_for_selector(".one-sheet")
    titles = page.locator(".one-sheet h2").all_inner_texts()
    assert titles == [" – ".join(NAMES), "Black – Natural"]
    assert page.locator(".one-sheet").first.locator("tfoot b").all_inner_texts() == ["2", "0"]
    page.emulate_media(media="print")
    assert not page.is_visible("text=Print")
    assert page.pdf().count(b"/Type /Page\n") == len(titles)


@slow
def test_a_result_is_shared_as_a_picture_and_a_link(page):
    page.goto(page.base)
    page.wait_for_selector("html[data-live=yes]")
    page.click("text=Menu")
    page.click("dialog >> text=Share the result")
    page.wait_for_selector("canvas.result")
    assert page.get_attribute("canvas.result", "aria-label") == (f"{NAMES[0]} 2 – {NAMES[1]} 0. The match is going on.")
    name, png = saved(page, "Save the picture")
    assert name == "match-2.png"
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[1] == 1080
    inked = (image.astype(int).sum(axis=2) < 300).any(axis=1)
    assert inked.sum() > 150, "names, scores and rounds are written on it"
    page.click("text=Copy the address")
    page.wait_for_selector("text=Copied.")
    assert page.input_value("dialog input").endswith("/sheet/2")


@slow
def test_a_result_is_handed_to_other_programs_where_the_browser_can(page):
    page.add_init_script("""navigator.canShare = ({ files }) => files.length === 1;
      navigator.share = async (what) => { window.shared = [what.files[0].name, what.files[0].type, what.text]; };""")
    page.goto(page.base + "sheet/2")
    page.click("text=Share")
    page.click("text=Share the picture")
    assert page.wait_for_function("() => window.shared").json_value() == [
        "match-2.png",
        "image/png",
        "The match is going on.",
    ]


def test_matches_are_read_while_they_are_sent(client, played, monkeypatch):
    """The memory that they take does not grow with their number: the next page is read when the one before is gone."""
    read = []
    page = played.archive.matches()

    def endless(asked):
        read.append(asked.before)
        return replace(page, next=(asked.before or 10_000_000) - 1)

    monkeypatch.setattr(played.archive, "matches", endless)
    for address in ("/api/v1/rounds.csv", "/api/v1/records"):
        read.clear()
        answer = client.get(address, buffered=False)
        parts = iter(answer.response)
        for _ in range(20):
            next(parts)
        assert 1 < len(read) <= 21
        answer.close()


def test_an_unreadable_match_is_reported_among_the_records(client, played):
    with closing(sqlite3.connect(played.table.journal.path)) as damaging, damaging:
        damaging.execute("UPDATE events SET body = '{}' WHERE match = 1 AND kind = 'match_started'")
    good, bad = map(json.loads, client.get("/api/v1/records").text.splitlines())
    assert good["schema"] == "match-record/1"
    assert bad["match"] == 1
    assert "set aside" in bad["unreadable"]
    assert client.get("/api/v1/records?match=1").status_code == 404
    assert client.get("/api/v1/records?match=7").status_code == 404
    assert client.get("/api/v1/rounds.csv?since=yesterday").status_code == 400


@pytest.mark.parametrize("file", ["rounds.csv", "records", "cmn"])
@pytest.mark.parametrize("query", ["since=%0A", "until=2026-13-01", "player="])
def test_every_parameter_is_checked_also_beside_the_number_of_a_match(client, file, query):
    assert client.get(f"/api/v1/{file}?match=1&{query}").status_code == 400


def test_what_nobody_recorded_is_empty_in_the_table(client, played):
    played.do("win_round", round=2, winner="B", twenties={"A": 0, "B": 0})
    found = [*csv.DictReader(io.StringIO(client.get("/api/v1/rounds.csv?match=2").text.lstrip("\ufeff")))]
    assert [[line[name] for name in ("total", "twenties", "points")] for line in found] == [
        ["60", "2", "2"],
        ["35", "0", "0"],
        ["", "", "0"],
        ["", "", "2"],
    ]


@pytest.mark.parametrize("file", ["rounds.csv", "records", "cmn"])
def test_while_matches_are_summed_up_no_part_of_them_is_given_as_all(client, played, monkeypatch, file):
    monkeypatch.setattr(played.archive.upkeep, "progress", Progress(3, 40))
    answer = client.get(f"/api/v1/{file}")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "3 of 40" in answer.json["error"]
    assert client.get(f"/api/v1/{file}?match=1").status_code == 200
