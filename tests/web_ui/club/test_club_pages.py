"""An evening from the pages alone: set up, paired, scored at a board, seen in the hall and on a player's phone."""

import re

from controller.club.tournament.events import EntrantRenamed
from tests.controller.club.a_club import a_table, do, play_reported
from tests.web_ui.club.conftest import tap

PLAYERS = "1. Player 1\n2. Player 2\n3. Player 3\n4. Player <i>4</i>\n5. Player 5"


def begin(page):
    page.get_by_label("Title").fill("Autumn evening")
    page.get_by_label("Players, one on each line").fill(PLAYERS)
    tap(page, "Begin the evening")
    page.get_by_text("No round is paired yet.").wait_for()


def confirm(page):
    tap(page.get_by_role("dialog"), "Confirm")
    page.get_by_role("dialog").wait_for(state="hidden")


def pair(page):
    tap(page, "Pair the next round")
    page.get_by_role("dialog").get_by_text("has a bye").wait_for()
    confirm(page)


def agree(page, first, second, twenties=(0, 0)):
    """Both sides' discs are counted on the pads, and both agree to the totals that they see."""
    page.locator(".pad").nth(1).wait_for()
    for pad, total, count in zip(page.locator(".pad").all(), (first, second), twenties, strict=True):
        for _ in range(count):
            pad.locator(".twenty").click()
        left = total - 20 * count
        for points, ring in zip((15, 10, 5), pad.locator(".ring").all(), strict=True):
            for _ in range(left // points):
                ring.click()
            left %= points
        pad.locator(".sum", has_text=re.compile(rf"(^|: ){total}$")).wait_for()
    tap(page, "Round over", exact=True)
    tap(page, "Both agree")


def test_an_evening_from_the_first_tap_to_the_first_result(open_page, hub, server):
    desk, phone = open_page("/organiser", 1280, 900), open_page("/")
    phone.get_by_text("No round is paired yet.").wait_for()
    begin(desk)
    pair(desk)
    first = hub.tournament.state.labels[next(iter(hub.tournament.state.matches.values())).sides[0]]
    phone.get_by_label("I am").select_option(label=first)
    phone.locator("#mine li", has_text="not begun").wait_for()
    assert phone.locator("#mine > :not(h2, ul)").count() == 0, "nothing is won or placed before a match is over"
    desk.locator(".tiles li", has_text="By the window").locator("summary").click()
    tap(desk, "Code for phones")
    board = open_page(desk.get_by_role("dialog").get_by_role("link").get_attribute("href"))
    tap(board, "Begin this match")
    tap(board, "Clock", exact=True)
    board.get_by_role("button", name="Start now").first.click()
    board.locator("#timers", has_text=re.compile(r"^(10:00|9:5\d)$")).wait_for()
    agree(board, 40, 20, (1, 0))
    board.get_by_role("heading", name="Round 2").wait_for()
    assert board.locator(".score .side b").all_inner_texts() == ["2", "0"]
    assert board.locator(".rounds li").all_inner_texts() == ["40 : 20"]
    for round in (2, 3, 4):
        board.get_by_role("heading", name=f"Round {round}", exact=True).wait_for()
        agree(board, 20, 35)
    board.get_by_text("The last match").wait_for()
    match = next(match for match in hub.tournament.state.matches.values() if match.board == "h1")
    assert (match.result.points, match.result.twenties) == ((2, 6), (1, 0))
    tap(desk.get_by_role("dialog"), "Close")
    desk.locator(f'.over [data-match="{match.id}"]').wait_for()
    assert desk.locator(".over .result b").all_inner_texts() == ["2", "6", "1", "0"]

    hall = open_page("/hall", 1920, 1080)
    hall.locator("#boards").get_by_text("By the window").wait_for()
    loser = hub.tournament.state.labels[match.sides[0]]
    phone.get_by_label("I am").select_option(label=loser)
    phone.locator("#mine").get_by_text("2 : 6").wait_for()

    tap(board, "Take the last round back")
    tap(board, "Take it back")
    board.get_by_role("heading", name="Round 4").wait_for()
    desk.locator(f'[data-match="{match.id}"]').get_by_text("going on again").wait_for()
    desk.locator("#next").get_by_text(re.compile("Being played again|Without a result")).wait_for()
    assert desk.get_by_role("button", name="Pair the next round").is_disabled()


def test_the_desk_does_not_redraw_what_somebody_is_about_to_touch(open_page, hub):
    desk = open_page("/organiser", 1280, 900)
    desk.get_by_label("Title").fill("Autumn evening")
    tap(desk, "Add a board")
    desk.get_by_role("dialog").get_by_label("Name").fill("In the corner")
    tap(desk.get_by_role("dialog"), "Add")
    desk.get_by_label("In the corner").uncheck()
    assert desk.get_by_label("Title").input_value() == "Autumn evening"
    begin(desk)
    pair(desk)
    desk.locator("#players-list summary").click()
    desk.locator("#players-list li").first.get_by_role("button", name="Rename").focus()
    do(hub, EntrantRenamed("p5", ("Another name",)))
    desk.locator("#players-list li", has_text="Another name").wait_for()
    assert desk.evaluate("document.activeElement.textContent") == "Rename", "in the list, which stays unfolded"
    table = a_table(hub)
    play_reported(hub, table)
    desk.get_by_text("1 match is over").wait_for()
    assert desk.evaluate("document.activeElement.textContent") == "Rename"
    tap(desk.locator("#players-list li").first, "Drop out")
    confirm(desk)
    desk.locator("#players-list").get_by_role("button", name="Plays again").wait_for()


def test_the_desk_says_why_it_is_empty(open_page):
    desk = open_page("/organiser")
    desk.route("**/api/desk?*", lambda route: route.abort())
    desk.reload()
    desk.locator("#refusal", has_text="The table did not answer").wait_for()
