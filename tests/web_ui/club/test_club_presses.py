"""A button that others' news redraw while it is pressed keeps its click, however it is pressed; the order is forced.

What is tapped while the hub is away counts at the board where it was tapped.
"""

import hashlib
import hmac

import pytest

from controller.club.store import TableOfClub
from controller.club.tournament.events import EntrantRenamed
from tests.controller.club.a_club import begun, do
from tests.slow import slow
from tests.web_ui.club.conftest import CODE, tap

HEARD = """
  window.heard = 0;
  const Plain = EventSource;
  window.EventSource = class extends Plain {
    constructor(...address) {
      super(...address);
      for (const kind of ['unchanged', 'message', 'changes']) super.addEventListener(kind, () => { heard += 1; });
    }
  };"""
"""Counts what the page has heard, whether it shows it or not."""


@pytest.fixture
def board(open_page, hub):
    begun(hub, boards=("h1",))
    page = open_page("/evenings", has_touch=True)
    page.add_init_script(HEARD)
    page.goto(f"{page.evaluate('location.origin')}/board/h1/{CODE}")
    page.wait_for_function("() => heard > 0")
    return page


def news(board, hub):
    """One who plays at the board is renamed, which redraws its button; the page has heard it when this is over."""
    before = board.evaluate("heard")
    entrant = hub.tournament.state.open_matches[0].sides[0]
    do(hub, EntrantRenamed(entrant, ("Renamed meanwhile",)))
    board.wait_for_function("(before) => heard > before", arg=before)


def mouse(page, button):
    button.hover()
    return page.mouse.down, page.mouse.up


def finger(page, button):
    box, session = button.bounding_box(), page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    return lambda: touch("touchStart", at), lambda: touch("touchEnd")


def key(page, button):
    button.focus()
    return lambda: page.keyboard.down(" "), lambda: page.keyboard.up(" ")


@pytest.mark.parametrize("how", [mouse, finger, key])
def test_a_button_that_is_pressed_when_news_come_is_clicked_and_the_news_are_shown(board, hub, how):
    button = board.get_by_role("button", name="Begin this match")
    press, release = how(board, button)
    press()
    news(board, hub)
    release()
    board.get_by_role("heading", name="Round 1", exact=True).wait_for()
    board.get_by_text("Renamed meanwhile").first.wait_for()


@slow
def test_a_press_without_a_release_does_not_hold_news_back_for_good(board, hub):
    press, release = mouse(board, board.get_by_role("button", name="Begin this match"))
    press()
    news(board, hub)
    board.get_by_text("Renamed meanwhile").first.wait_for()
    release()


def test_what_is_tapped_while_the_hub_is_away_is_never_counted_at_another_board(open_page, hub):
    hub.store.put_table(TableOfClub("h2", "By the door", by_hand=True))
    begun(hub, boards=("h1", "h2"))
    page = open_page("/evenings")
    home = page.evaluate("location.origin")
    other = hmac.new(b"", b"board h2", hashlib.sha256).hexdigest()[:12]
    boards = [f"{home}/board/h1/{CODE}", f"{home}/board/h2/{other}"]
    for board in boards:
        page.goto(board)
        tap(page, "Begin this match")
        page.locator(".pad.side-A .twenty").wait_for()
    page.goto(boards[0])
    page.route("**/api/board/**", lambda route: route.abort())
    page.locator(".pad.side-A .twenty").click()
    page.locator("#pads .unsent").wait_for()
    page.goto(boards[1])
    page.unroute("**/api/board/**")
    page.locator(".pad.side-B .of-5").click()
    page.locator(".pad.side-B .sum:text-matches(' 5$')").wait_for()
    assert page.locator(".pad.side-A .sum").text_content().endswith(" 0")
    page.goto(boards[0])
    page.locator(".pad.side-A .sum:text-matches(' 20$')").wait_for()
