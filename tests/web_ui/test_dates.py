"""Dates as the reader's country writes them, held against Babel, which has them from the same source by another way."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from babel.dates import format_date

from tests.web_ui.played_table import PlayedTable
from web_ui import Server, create_app


@pytest.mark.parametrize(
    ("browsers", "language", "written_as"),
    [
        ("en-GB", "en", "en_GB"),
        ("en-US", "en", "en_US"),
        ("de-DE", "en", "en_GB"),
        ("fr-CA", "fr", "fr_CA"),
        ("en-US", "fr", "fr"),
        ("pl-PL", "pl", "pl"),
    ],
)
def test_a_date_is_written_as_in_the_readers_country(
    browser: Any, tmp_path: Path, browsers: str, language: str, written_as: str
) -> None:
    table = PlayedTable(tmp_path)
    table.play()
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    context = browser.new_context(locale=browsers)
    try:
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto(f"{server.url}review/1?language={language}")
        page.wait_for_selector(".chart")
        day = dt.date.fromisoformat(table.archive.match(1)["day"])
        assert format_date(day, "long", locale=written_as) in page.inner_text("main")
    finally:
        context.close()
        server.stop()
