"""Dates as the reader's country writes them, held against Babel, which has them from the same source by another way."""

import datetime as dt

import pytest
from babel.dates import format_date


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
def test_a_date_is_written_as_in_the_readers_country(serve, played, open_page, browsers, language, written_as):
    played.play()
    page = open_page(f"{serve(played).url}review/1?language={language}", locale=browsers)
    page.wait_for_selector(".chart")
    day = dt.date.fromisoformat(played.archive.match(1)["day"])
    assert format_date(day, "long", locale=written_as) in page.inner_text("main")
