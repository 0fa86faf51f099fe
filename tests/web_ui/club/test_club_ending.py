"""The end of an evening in the browser: names of rounds, bracket, first three, closing; results by two phones."""

import re

from controller.club.tournament.events import BoardAdded, EntrantAdded, FormatSet, Result
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.standings import all_played
from tests.controller.club.a_club import do
from tests.controller.club.evenings import result_of
from tests.slow import slow
from tests.web_ui.club.conftest import tap
from tests.web_ui.club.test_club_pages import confirm

PLAYERS = ("Player 1", "Player 2", "Player 3", "Player 4")


def playing(hub):
    hub.begin("Autumn evening")
    do(
        hub,
        FormatSet(TournamentFormat((RoundRobin(), Playoffs(entrants=4)))),
        BoardAdded("t1", "Table 1"),
        BoardAdded("h1", "By the window"),
    )
    do(hub, *(EntrantAdded(f"p{k}", (name,)) for k, name in enumerate(PLAYERS, 1)))
    do(hub, NextRound())


def finish(hub):
    """The side whose number is lower wins, with as many twenties as its opponent's number."""
    for match in hub.tournament.state.open_matches:
        a, b = (int(side[1:]) for side in match.sides)
        do(hub, result_of(match, (6, 2) if a < b else (2, 6), (b, a)))


def to_the_final(hub):
    playing(hub)
    for _ in range(4):
        finish(hub)
        do(hub, NextRound())


def test_the_evening_ends_with_a_winner_on_every_page(open_page, hub):
    to_the_final(hub)
    desk, hall = open_page("/organiser", 1280, 800), open_page("/hall", 1920, 1080)
    phone, visitor = open_page("/", 360, 640), open_page("/spectators", 390, 844)
    phone.get_by_label("I am").select_option(label="Player 1")
    for page in (desk, hall, visitor):
        page.locator("#evening", has_text="Final · Third place").wait_for()
    hall.locator(".bracket .slot", has_text="Semi-final").first.wait_for()
    phone.get_by_role("heading", name=re.compile("· Final")).wait_for()
    finish(hub)

    for page in (desk, hall, visitor, phone):
        first = page.locator(".podium .place-1")
        first.get_by_text("Player 1").wait_for()
        first.get_by_text("2 matches · 2 won · 6 twenties").wait_for()
        assert page.locator(".podium li").count() == 3
    assert not hall.locator("#boards").is_visible()
    phone.get_by_text("Place 1", exact=True).last.wait_for()
    phone.get_by_text("5 of 5 matches won · 15 twenties").wait_for()
    assert not phone.get_by_text("no match").count()

    assert not desk.get_by_role("button", name="Pair the next round").count()
    tap(desk, "Close the evening")
    desk.get_by_role("dialog").get_by_text("The evening is closed.").wait_for()
    confirm(desk)
    hall.locator("#evening", has_text="The evening is over.").wait_for()
    desk.get_by_role("button", name="Another evening").wait_for()
    tap(desk.locator(".changes li", has_text="The evening is closed."), "Undo")
    confirm(desk)
    desk.get_by_role("button", name="Close the evening").wait_for()
    desk.get_by_role("link", name="Results and files").click()
    desk.locator(".podium .place-1", has_text="Player 1").wait_for()
    desk.get_by_role("link", name="Everything, for programs").wait_for()


@slow
def test_an_evening_of_twelve_players_takes_the_organiser_thirty_actions_at_most(open_page, hub):
    """From an empty club to the final, when the boards report the results."""
    desk, actions = open_page("/organiser", 1280, 800), []

    def button(name):
        actions.append(name)
        tap(desk, name, exact=True)

    def fill(label, text):
        actions.append(label)
        desk.get_by_label(label).fill(text)

    button("Add a board")
    fill("Names, one on each line", "\n".join(f"Board {k}" for k in range(1, 7)))
    button("Add")
    desk.get_by_label("Board 6").wait_for()
    fill("Title", "Autumn evening")
    fill("Players, one on each line", "\n".join(f"Player {k}" for k in range(1, 13)))
    desk.get_by_label("Format").select_option("swiss-playoffs")
    actions.append("Format")
    button("Begin the evening")
    while not hub.tournament.state.rounds or not all_played(hub.tournament.state):
        button("Pair the next round")
        button("Confirm")
        desk.get_by_role("dialog").wait_for(state="hidden")
        finish(hub)
    button("Close the evening")
    button("Confirm")
    desk.get_by_role("button", name="Another evening").first.wait_for()
    assert len(hub.tournament.state.rounds) == 7
    assert len(actions) <= 30, actions


def test_a_result_at_the_desk_is_two_fields_and_enter(open_page, hub):
    playing(hub)
    desk = open_page("/organiser", 1280, 800)
    match, other = hub.tournament.state.open_matches
    line = desk.locator(f'#open-list [data-match="{match.id}"]')
    left = desk.locator(f'#open-list [data-match="{other.id}"] input').first
    left.fill("3")
    inputs = line.locator("input")
    inputs.nth(0).fill("5")
    inputs.nth(1).fill("3")
    line.get_by_text(re.compile(r"5 : 3 → Player \d: place \d · Player \d: place \d")).wait_for()
    inputs.nth(1).press("Enter")
    line.wait_for(state="detached")
    result = hub.tournament.state.match(match.id).result
    assert (result.points, result.twenties) == ((5, 3), None)
    assert left.input_value() == "3", "what is being typed for another match stays"
    left.press("Enter")  # the format tells the rest
    desk.get_by_text("2 matches are over").wait_for()
    assert hub.tournament.state.match(other.id).result.points == (3, 5)


def test_on_a_phone_a_result_is_beside_its_sides_with_a_button_that_saves_it(open_page, hub):
    playing(hub)
    line = open_page("/organiser?language=de", 390, 844).locator("#open-list li").first
    line.get_by_role("button", name="Speichern").wait_for()
    points, other, twenties, others = (field.bounding_box()["y"] for field in line.locator("input").all())
    assert points == twenties < other == others
    line.locator("input").first.fill("6")
    tap(line, "Speichern")
    line.page.get_by_text("1 Match ist vorbei").wait_for()


def test_a_result_that_can_t_be_is_refused_with_the_names_of_its_match(open_page, hub):
    playing(hub)
    desk = open_page("/organiser", 1280, 800)
    line = desk.locator("#open-list li").first
    line.locator("input").nth(0).fill("5")
    line.locator("input").nth(1).fill("5")
    line.locator("input").nth(1).press("Enter")
    labels = hub.tournament.state.labels
    one, other = (labels[side] for side in hub.tournament.state.match(line.get_attribute("data-match")).sides)
    refusal = desk.get_by_role("alert").get_by_text(re.compile(f"^{one} – {other}: .*the points must add up to 8"))
    refusal.wait_for()
    last = hub.tournament.state.open_matches[1]
    do(hub, Result(last.id, last.sides, (6, 2), (0, 0)))
    desk.get_by_text("1 match is over").wait_for()
    assert refusal.is_visible(), "what others do leaves it"


HOLD_CLAIM = """() => {
  const { fetch } = window;
  window.unheld = fetch;
  window.fetch = async (path, ...options) => {
    const answer = await fetch(path, ...options);
    if (path.includes('/claim')) await new Promise((resolve) => { window.go = resolve; });
    return answer;
  };
}"""


def test_two_players_enter_their_result_on_two_phones_with_the_code_of_their_board(open_page, hub, app):
    playing(hub)
    match = next(match for match in hub.tournament.state.open_matches if match.board == "h1")
    code = app.extensions["club"].desk.board_code("h1")
    labels = hub.tournament.state.labels
    phones = []
    for side in match.sides:
        phone = open_page("/", 360, 640)
        phone.get_by_label("I am").select_option(label=labels[side])
        phones.append(phone)
    one, two = phones
    tap(one, "Enter the result")
    one.get_by_role("dialog").locator("input").nth(0).fill("5")
    one.get_by_label("Code of the board").fill("000000000000")
    tap(one.get_by_role("dialog"), "Enter the result")
    one.get_by_text("This is not the board's code.").wait_for()
    one.get_by_label("Code of the board").fill(code)
    one.evaluate(HOLD_CLAIM)
    tap(one.get_by_role("dialog"), "Enter the result")
    one.get_by_text("Your opponent still has to confirm it.").wait_for()
    assert hub.tournament.state.match(match.id).result is None
    one.get_by_label("I am").select_option(label=labels[match.sides[1]])  # the same phone can't be the opponent's
    one.wait_for_function("() => window.go")
    one.evaluate("() => { fetch = window.unheld; go(); }")  # the answer is later than the evening's new state
    tap(one, "Yes, it counts")
    one.get_by_text("The opponent confirms it on a phone of their own").wait_for()
    assert hub.tournament.state.match(match.id).result is None
    two.goto(two.url + f"board/h1/{code}")  # who has scanned it is not asked
    two.wait_for_selector("html[data-live=yes]")
    two.go_back()
    two.get_by_text("Your opponent says:").wait_for()
    tap(two, "Yes, it counts")
    two.locator("#mine").get_by_text("5 : 3").wait_for()
    assert hub.tournament.state.match(match.id).result.points == (5, 3)


def test_one_sheet_has_the_codes_of_all_boards(open_page, hub):
    playing(hub)
    sheet = open_page("/codes", 1280, 800)
    sheet.get_by_text("By the window").wait_for()
    assert sheet.locator(".codes li").count() == 1
    assert re.search(r"/board/h1/\w{12}$", sheet.locator(".codes code").inner_text())
    sheet.wait_for_function("() => document.querySelector('.codes img').naturalWidth > 0")
