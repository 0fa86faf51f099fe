"""An evening at the table, as people live it: the real engine and journal, a phone's page, boards that are seen."""

import pytest

from tests.controller.fed_table import a, b
from tests.waiting import eventually
from web_ui import Server, create_app

PHONE = {"X-Forwarded-For": "192.168.1.20"}


def serving(table, port=0):
    server = Server(create_app(table), "127.0.0.1", port)
    server.start()
    return server


@pytest.fixture
def server(played):
    server = serving(played)
    yield server
    server.stop()


@pytest.fixture
def page(server, open_page):
    return open_page(server.url, extra_http_headers=PHONE, locale="en-GB")


def total(page, side, points):
    page.wait_for_selector(f"#side-{side} .total:text-is('{points}')")


def test_a_match_is_played_corrected_and_looked_back_at(played, server, page):
    start(page, played)
    play_to_a_close_call(page, played)
    page.click("#questions button")
    page.click(".question .answers button:text-matches('^10')")
    total(page, "B", 10)
    correct_and_undo(page)
    turn_the_drawn_board(page, played)
    end_the_round(page, played)
    look_back(page)
    change_the_language(page)
    lose_the_connection(page, played, server)


def start(page, played):
    page.click("text=Keep score")
    page.fill("input.pin", played.pin)
    page.fill("label:has-text('Your name') input", "Zoë")
    page.click("dialog >> text=Enter")
    page.click("dialog >> text=Match and camera")
    page.click("dialog >> text=Start a match")
    page.fill("[aria-label='Name 1']", "Player 7")
    page.fill("[aria-label='Name 2']", "Łukasz")
    page.click("dialog summary")
    page.fill("label:has-text('Discs a side') input", "6")
    page.click("dialog >> text=Start >> nth=-1")
    page.wait_for_selector("#side-B h2:has-text('Łukasz')")
    page.wait_for_selector("#call >> text=Player 7 to shoot.")


def play_to_a_close_call(page, played):
    played.table.see(a(0, 60))
    total(page, "A", 15)
    played.table.see(a(0, 76), b(30, 79.35))
    page.wait_for_selector(".doubt")
    assert page.text_content("[data-disc=b1] .doubt-label") == "0.1 mm"
    assert "10 or 15" in page.text_content("#side-B .range")
    board = (a(0, 76), b(30, 79.35))
    for k in range(5):  # the others miss everything, and are taken off
        for missed in (a(-150 - 8 * k, -150), b(150 + 8 * k, -150)):
            played.table.see(*board, missed)
            played.table.see(*board)
    page.wait_for_selector("#questions button:has-text('1 question'):has-text('Łukasz')")


def correct_and_undo(page):
    page.click("[data-disc=b1] .touch")
    page.click("dialog .answers button:text-is('5')")
    total(page, "B", 5)
    page.click("#tools >> text=Undo")
    total(page, "B", 10)
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Who changed what")
    page.wait_for_selector(".changes .undone:has-text('Zoë')")
    page.click("dialog >> [aria-label=Close]")


def turn_the_drawn_board(page, played):
    """Once round: a quarter for each touch, and the disc is drawn where the board shows it then."""
    lies = played.table.state.measured["b1"]
    for quarters in (1, 2, 3, 0):
        page.click("#call .next")  # what to do is said there, and how the table sees: the tool of that name
        page.click("dialog >> text=Turn the drawn board")
        x, y = lies.x, lies.y
        for _ in range(quarters):  # who sat at the bottom sits one side farther clockwise: the drawing turns back
            x, y = -y, x
        page.wait_for_function(
            """([x, y]) => {
              const disc = document.querySelector('[data-disc=b1]');
              const [left, down] = disc.style.transform.match(/-?[0-9.]+/g).map(Number);
              return Math.hypot(left - x, down - y) < 1; }""",
            arg=[x, -y],
        )


def end_the_round(page, played):
    page.click("#tools >> text=Tools")
    page.click("dialog >> text=Correct a round")
    page.click("dialog >> text=The round is over")
    page.wait_for_selector("#score:has-text('Round 2 of 4')")
    page.wait_for_selector("#rounds td:has-text('10')")
    page.wait_for_selector("#call >> text=Clear the board.")
    played.table.see()


def look_back(page):
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Look at the shots")
    page.wait_for_selector(".verdict >> text=Łukasz")
    page.go_back()
    page.wait_for_selector("html[data-scorer=yes][data-live=yes]")


def change_the_language(page):
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Polski")
    page.wait_for_selector("html[lang=pl][data-live=yes]")
    page.wait_for_selector("#score >> text=Runda 2 z 4")
    page.wait_for_selector("#call >> text=Strzela")


def lose_the_connection(page, played, server):
    page.wait_for_selector("#tools >> text=Cofnij")  # the page is whole: it has loaded all that it needs
    server.stop()
    page.wait_for_selector("#banner:has-text('Brak połączenia')")
    played.table.see(b(0, 60))
    again = serving(played, server.port)
    try:
        page.wait_for_selector("html[data-live=yes]")
        total(page, "B", 15)
        page.click("#tools >> text=Cofnij")
        eventually(lambda: not played.table.shots, "the undo, with the session from before the restart")
    finally:
        again.stop()


def test_what_a_page_asks_for_later_is_in_its_language_too(played, server, page):
    played.play()
    page.goto(f"{server.url}review/1?language=fr")
    page.wait_for_selector(".verdict >> text=Faute : aucun contact.")


def test_a_sheet_that_others_overtook_while_it_was_open_overwrites_nothing(played, page):
    """The page goes on behind the open sheet, and shows what the other scorer did: the sheet still shows the old."""
    start(page, played)
    played.table.see(a(0, 60))
    total(page, "A", 15)
    page.click("[data-disc=a1] .touch")
    page.wait_for_selector("dialog .answers button:text-is('5')")
    played.do("correct_disc", disc="a1", zone=10, by="phone", who="Max")
    total(page, "A", 10)
    page.click("dialog .answers button:text-is('5')")
    page.wait_for_selector("dialog:has-text('Something has changed') >> text=Max")
    page.click("dialog >> text=Leave it as it is")
    page.wait_for_selector("dialog:not([open])", state="attached")
    assert played.table.totals[0] == 10
    page.click("[data-disc=a1] .touch")
    page.wait_for_selector("dialog .answers button:text-is('5')")
    played.do("correct_disc", disc="a1", zone=15, by="phone", who="Max")
    total(page, "A", 15)
    page.click("dialog .answers button:text-is('5')")
    page.click("dialog >> text=Change it all the same")
    total(page, "A", 5)


def test_the_mark_of_a_twenty_is_not_that_of_a_foul(played, page):
    start(page, played)
    played.table.see(a(0, 60))
    played.table.see(a(0, 60), b(100, 120))
    page.wait_for_selector("[data-disc=b1] .cross")
    played.table.see(a(0, 60))
    played.table.see(a(0, 60.9), a(0, 0, "in_hole"))
    page.wait_for_selector("[data-disc=a2] .lift")
    assert page.locator(".cross").count() == 0
    assert "lift it out (twenty)" in page.get_attribute("[data-disc=a2]", "aria-label")
