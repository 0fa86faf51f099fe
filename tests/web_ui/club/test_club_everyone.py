"""The club's pages for everyone: WCAG by axe in both themes, every screen with the longest names, all languages."""

import pytest

from controller.club.desk import add_entrants
from controller.club.store import TableOfClub
from controller.club.tournament.events import BoardAdded, FormatSet
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.swiss import Swiss
from tests.controller.club.a_club import a_table, do, play_reported
from tests.controller.club.evenings import result_of
from tests.slow import slow
from tests.web_ui.club.conftest import CODE
from tests.web_ui.test_accessibility import CHECKS, findings
from tests.web_ui.test_fits import LONGEST, OUTSIDE
from web_ui.languages import LANGUAGES

pytestmark = slow

BOARDS = ("t1", "h1", "b1", "b2")
PAGES = ("/", "/hall", "/spectators", "/organiser", "/board/h1/{code}", "/evenings", "/evenings/{evening}")
SCREENS = {"small phone": (360, 640), "phone": (390, 844), "sideways": (844, 390), "TV": (1920, 1080)}

SPILT = """() => [...document.querySelectorAll(
    'main :is(p, h1, h2, h3, li, td, th, b, button, label, legend, a, span)')]
  .filter((node) => {
    const style = getComputedStyle(node);
    const box = node.getBoundingClientRect();
    return box.width > 1 && style.display !== 'inline' && style.textOverflow !== 'ellipsis'
      && !node.closest('.for-ears, .wide, select') && node.scrollWidth > node.clientWidth + 1;
  }).map((node) => node.outerHTML.slice(0, 160))"""
"""Texts that are wider than their place and are not shortened with an ellipsis."""

SHEET = """() => {
  const sheet = document.querySelector('dialog[open]');
  return sheet ? [sheet.scrollWidth, sheet.clientWidth] : [0, 0];
}"""

CUT_NAMES = """() => [...document.querySelectorAll('#boards span, #slide :is(li span, td)')]
  .filter((name) => name.getBoundingClientRect().width > 1
  && (name.scrollHeight > name.clientHeight + 2 || name.scrollWidth > name.clientWidth + 1))
  .map((name) => name.textContent)"""

CUT_BELOW = """() => {
  const slide = document.querySelector('#slide').getBoundingClientRect();
  return [...document.querySelectorAll('#slide li, #slide tr, #slide p')]
    .filter((node) => node.getBoundingClientRect().bottom > slide.bottom + 1).length;
}"""


@pytest.fixture
def evening(hub):
    """Doubles of the longest names, a match that is going on, and shared places."""
    hub.store.put_table(TableOfClub("b1", LONGEST, by_hand=True))
    hub.store.put_table(TableOfClub("b2", f"2 {LONGEST[:-2]}", by_hand=True))
    hub.begin(f"{LONGEST} {LONGEST[:19]}")
    names = {table.id: table.name for table in hub.store.tables()}
    form = TournamentFormat((Swiss(9, rematches="last_resort"), Playoffs(entrants=4)))
    do(hub, FormatSet(form), *(BoardAdded(board, names[board]) for board in BOARDS))
    do(
        hub,
        *add_entrants(hub.tournament.state, [(f"{LONGEST[:-3]} {k}", f"{LONGEST[:-4]} {k}b") for k in range(10, 20)]),
    )
    for _ in range(5):
        do(hub, NextRound())
        do(hub, *(result_of(match, (4, 4)) for match in hub.tournament.state.open_matches))
    do(hub, NextRound())
    table = a_table(hub)
    play_reported(hub, table, rounds=2)
    return hub.evening.id


def address(path, evening):
    return path.format(code=CODE, evening=evening)


SHOWN = {
    "/": "#standings tr",
    "/hall": "#boards li",
    "/spectators": "#standings tr",
    "/organiser": "#desk .lines li",
    "/board/h1/{code}": "#match button",
    "/evenings": "#evenings li",
    "/evenings/{evening}": "#evenings .matches",
}


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (1024, 768)])
@pytest.mark.parametrize("boards", [4, 12])
def test_the_hall_cuts_no_name(open_page, hub, boards, size):
    names = [f"{k} {LONGEST}"[:40] for k in range(10, 40)]
    for k in range(boards):
        hub.store.put_table(TableOfClub(f"x{k}", names[k], by_hand=True))
    hub.begin("Club evening")
    do(hub, FormatSet(TournamentFormat((Swiss(5), Playoffs(entrants=8)))))
    do(hub, *(BoardAdded(f"x{k}", names[k]) for k in range(boards)))
    do(hub, *add_entrants(hub.tournament.state, [(name,) for name in names[: 3 * boards]]), NextRound())
    page = open_page("/hall?language=de", *size, reduced_motion="reduce")
    page.clock.install()
    page.reload()
    page.wait_for_selector("html[data-live=yes]")
    for _ in range(int(page.locator("html").get_attribute("data-pages"))):
        assert page.evaluate(CUT_NAMES) == []
        assert page.evaluate(CUT_BELOW) == 0
        page.clock.run_for(10_000)


@pytest.mark.parametrize("theme", CHECKS)
def test_the_clubs_pages_are_for_everyone(open_page, evening, theme):
    page = open_page("/evenings", color_scheme=theme, reduced_motion="reduce")
    for path in PAGES:
        page.set_viewport_size({"width": 1920 if path == "/hall" else 390, "height": 1080 if path == "/hall" else 844})
        page.goto(origin(page) + address(path, evening))
        page.wait_for_selector(SHOWN[path])
        page.wait_for_function("() => ['yes', 'connecting'].includes(document.documentElement.dataset.live)")
        assert findings(page, theme) == [], path
        if path == "/organiser":
            for sheet in sheets(page) if theme == "light" else ():
                assert findings(page, theme) == [], sheet


def origin(page):
    return page.evaluate("location.origin")


def sheets(page):
    """Open every sheet of the desk, one after the other; what is refused says so without one."""
    folded = page.locator("#desk details:not([open]) > summary:visible")
    while folded.count():
        folded.first.click()
    yield "what is unfolded"
    for name in (
        "More",
        "Pair this round again",
        "Shoot-out",
        "All rounds",
        "Format",
        "Rename",
        "Remove",
        "Drop out",
        "Add players",
        "Add a board",
        "Code for phones",
        "Another evening",
        "Password",
    ):
        page.locator("main").get_by_role("button", name=name, exact=True).first.click()
        page.wait_for_selector("dialog[open] h2, #refusal:not(:empty)")
        if name == "Another evening":
            page.locator("dialog summary").click()
        yield name
        page.click("dialog[open] header button, body > #refusal:not(:empty)")


@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_of_the_club_is_wider_than_its_place(open_page, evening, screen):
    width, height = SCREENS[screen]
    page = open_page("/evenings", width, height, reduced_motion="reduce")
    for path in PAGES:
        for language in LANGUAGES if screen == "small phone" else ("de",):
            page.goto(f"{origin(page)}{address(path, evening)}?language={language}")
            page.wait_for_selector(SHOWN[path])
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, language)
            assert page.evaluate(OUTSIDE) == [], (path, language)
            assert page.evaluate(SPILT) == [], (path, language)
            if path == "/hall":
                assert page.evaluate(CUT_BELOW) == 0, language
        if path == "/organiser" and screen == "small phone":
            page.goto(f"{origin(page)}/organiser?language=en")
            page.wait_for_selector(SHOWN[path])
            for sheet in sheets(page):
                inside = page.evaluate(SHEET)
                assert inside[0] <= inside[1], sheet
