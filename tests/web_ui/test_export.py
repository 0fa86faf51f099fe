"""What is taken home from the browser, read again by other programs' means: Python's csv and json."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web_ui.played_table import PlayedTable
from web_ui import Server, create_app

NAMES = ('=cmd "Quoted", Ltd', "Żółć; Émile")


@pytest.fixture
def played(tmp_path: Path) -> PlayedTable:
    table = PlayedTable(tmp_path)
    table.play()
    sides = [{"name": name, "colour": colour} for name, colour in zip(NAMES, ("black", "natural"), strict=True)]
    table.command({"do": "start", "rules": "nca", "sides": sides})
    table.command({"do": "enter_round", "totals": {"A": 60, "B": 35}, "twenties": {"A": 2, "B": 0}})
    return table


@pytest.fixture
def page(browser: Any, played: PlayedTable) -> Iterator[Any]:
    server = Server(create_app(played), "127.0.0.1", 0)
    server.start()
    page = browser.new_page()
    page.set_default_timeout(10_000)
    page.base = server.url
    yield page
    page.context.close()
    server.stop()


def saved(page: Any, button: str) -> tuple[str, str]:
    with page.expect_download() as download:
        page.click(f"text={button}")
    return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8-sig")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_the_matches_that_are_shown_are_saved_as_a_table(page: Any) -> None:
    page.goto(page.base + "history")
    name, text = saved(page, "Table of these matches (CSV)")
    assert name == "matches.csv"
    table = rows(text)
    assert len(table) == 4, "one round of each match, two sides"
    newest = {row["side"]: row for row in table if row["match"] == "2"}
    assert newest["A"]["name"] == "'" + NAMES[0], "no spreadsheet takes a name for a formula"
    assert newest["B"]["name"] == NAMES[1]
    assert [(row["total"], row["twenties"], row["points"]) for row in newest.values()] == [
        ("60", "2", "2"),
        ("35", "0", "0"),
    ]
    page.select_option("label:has-text('Player') select", NAMES[1])
    page.wait_for_function("() => document.querySelectorAll('.matches li').length === 1")
    _, text = saved(page, "Table of these matches (CSV)")
    assert {row["match"] for row in rows(text)} == {"2"}
    page.fill("label:has-text('From') input", "2099-01-01")
    page.wait_for_function("() => !document.querySelectorAll('.matches li').length")
    name, text = saved(page, "Table of these matches (CSV)")
    assert (name, rows(text)) == ("matches-2099-01-01.csv", [])


def test_a_match_is_saved_from_its_score_sheet(page: Any, played: PlayedTable) -> None:
    page.goto(page.base + "sheet/1")
    name, text = saved(page, "Table of its rounds (CSV)")
    assert name == "match-1.csv"
    (shown,) = played.archive.match(1)["rounds"]
    assert {row["side"]: int(row["total"]) for row in rows(text)} == shown["totals"]
    name, text = saved(page, "Every shot (JSON)")
    assert name == "match-1.json"
    assert [shot["side"] for shot in json.loads(text)["shots"]] == ["A", "B", "A"]
