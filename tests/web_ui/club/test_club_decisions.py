"""What an organiser decides now and then, at the desk: formats, seeds, shoot-outs, pairing again, results that wait,
earlier rounds, former evenings."""

import csv
import io
import re

from controller.club.store import TableOfClub
from controller.club.tournament.events import BoardAdded, EntrantAdded, FormatSet, LogEntry
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.swiss import Swiss
from tests.controller.club.a_club import a_table, do, play_reported
from tests.controller.club.evenings import of_stages, result_of
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.club.conftest import tap
from tests.web_ui.club.test_club_pages import confirm
from tests.web_ui.test_fits import SMALL

PLAYERS = ("Player 1", "Player 2", "Player 3", "Player 4")


def what_follows(page, *words):
    """Ask for the plan, which has to say these words, and confirm it."""
    dialog = page.get_by_role("dialog")
    tap(dialog, "What follows")
    for word in words:
        dialog.get_by_text(word).first.wait_for()
    confirm(page)


def an_evening(hub, form, boards=("t1", "h1")):
    hub.begin("Club evening")
    do(hub, FormatSet(of_stages(form)), *(BoardAdded(board) for board in boards))
    do(hub, *(EntrantAdded(f"p{k}", (name,)) for k, name in enumerate(PLAYERS, 1)))


def finish(hub, points=(4, 4)):
    do(hub, *(result_of(match, points, (1, 1)) for match in hub.tournament.state.open_matches))


@slow
def test_a_format_of_ones_own_and_the_order_of_the_seeds(open_page, hub):
    desk = open_page("/organiser", 1280, 900)
    desk.get_by_label("Players, one on each line").fill("\n".join(PLAYERS))
    desk.get_by_label(re.compile("^Format")).select_option("pools")
    desk.get_by_text("Details of the format").click()
    pools, knock_out = desk.locator(".stage").all()
    pools.get_by_label("Pools").fill("2")
    knock_out.get_by_label("How many go on to it").fill("2")
    knock_out.get_by_label("A match for third place").uncheck()
    desk.get_by_label("Rounds of a game").fill("6")
    desk.get_by_label("Ranking").select_option(label="Points · Head to head · Twenties · Shoot-out")
    tap(desk, "Begin the evening")
    desk.locator("#players-list").wait_for()
    form = hub.tournament.state.format
    assert form.stages == (RoundRobin(pools=2), Playoffs(third_place=False, entrants=2))
    assert (form.play.rounds, form.ranking) == (6, ("points", "head_to_head", "twenties", "shoot_out"))

    desk.locator("#players-list summary").click()
    tap(desk, "Seeds")
    seeds = desk.get_by_role("dialog").get_by_label("Players, one on each line")
    seeds.fill("Player 4\nplayer  3\nPlayer 9")
    tap(desk.get_by_role("dialog"), "What follows")
    desk.get_by_text("There is no player Player 9").wait_for()
    seeds.fill("Player 4\nplayer  3")
    what_follows(desk, "Player 4, Player 3, Player 1 and Player 2")
    do(hub, NextRound())
    assert hub.tournament.state.stage.groups == (("p4", "p2"), ("p3", "p1")), "two pools in the order of a snake"


@slow
def test_the_format_of_the_rounds_to_come_can_be_changed(open_page, hub):
    an_evening(hub, Swiss(5))
    do(hub, NextRound())
    desk = open_page("/organiser", 1280, 900)
    tap(desk, "Format")
    dialog = desk.get_by_role("dialog")
    assert dialog.locator(".stage select").first.locator("option").count() == 1, "a stage that has begun stays"
    dialog.get_by_label("Rounds of the stage").fill("3")
    tap(dialog, "Add a stage")
    dialog.locator(".stage").nth(1).get_by_label("Stage").select_option("round_robin")
    dialog.locator(".stage").nth(1).get_by_label("How many go on to it").fill("3")
    what_follows(desk, "The format has changed")
    assert hub.tournament.state.format.stages == (Swiss(3), RoundRobin(entrants=3))


def test_a_shoot_out_decides_who_goes_on(open_page, hub):
    an_evening(hub, TournamentFormat((RoundRobin(), Playoffs(entrants=2))))
    for _ in range(3):
        do(hub, NextRound())
        finish(hub)
    desk = open_page("/organiser", 1280, 900)
    desk.locator("#next").get_by_text("A shoot-out has to decide who goes on").wait_for()
    tap(desk, "Shoot-out")
    dialog = desk.get_by_role("dialog")
    for name, twenties in zip(PLAYERS, (3, 7, 5, 1), strict=True):
        dialog.get_by_role("group", name=name).get_by_label("Twenties", exact=True).fill(str(twenties))
    what_follows(desk, "A shoot-out counts: Player 1 3, Player 2 7, Player 3 5 and Player 4 1.")
    tap(desk, "Pair the next round")
    confirm(desk)
    assert {side for match in hub.tournament.state.open_matches for side in match.sides} == {"p2", "p3"}


@slow
def test_a_round_is_paired_again_and_a_result_of_the_former_pairing_waits(open_page, hub):
    an_evening(hub, Swiss(5), boards=("t1",))
    do(hub, NextRound())
    table = a_table(hub)
    desk = open_page("/organiser", 1280, 900)
    tap(desk, "Pair this round again")
    desk.get_by_role("dialog").get_by_text("is no longer paired").first.wait_for()
    confirm(desk)
    play_reported(hub, table)
    waiting = desk.locator(".aside li")
    waiting.get_by_text("was paired again and is no longer played").wait_for()
    tap(desk, "Dismiss")
    confirm(desk)
    waiting.wait_for(state="detached")
    tap(desk.locator(".changes li").first, "Undo")
    confirm(desk)
    assert not any(match.over for match in hub.tournament.state.matches_of())
    tap(waiting, "Count it")
    desk.get_by_role("dialog").get_by_text("counts").first.wait_for()
    confirm(desk)
    waiting.wait_for(state="detached")
    assert any(match.over for match in hub.tournament.state.matches_of())


@slow
def test_a_result_of_an_earlier_round_is_corrected(open_page, hub):
    an_evening(hub, Swiss(5))
    do(hub, NextRound())
    first = hub.tournament.state.open_matches[0]
    finish(hub)
    do(hub, NextRound())
    desk = open_page("/organiser", 1280, 900)
    tap(desk, "All rounds")
    dialog = desk.get_by_role("dialog")
    names = " – ".join(hub.tournament.state.labels[side] for side in first.sides)
    tap(dialog.locator("li", has_text=re.compile(f"^{names}4 : 4")), "Correct")
    for side, points in enumerate((6, 2)):
        dialog.locator(".result input").nth(side).fill(str(points))
    what_follows(desk, "instead of 4 – 4")
    assert hub.tournament.state.match(first.id).result.points == (6, 2)


@slow
def test_twenties_count_as_counted_where_somebody_entered_some(open_page, hub):
    an_evening(hub, Swiss(5))
    do(hub, NextRound())
    desk = open_page("/organiser", 1280, 900)
    for entered in (("6", "0"), ("6", "0", "1", "0")):
        line = desk.locator("#open-list li").first
        match = line.get_attribute("data-match")
        tap(line, "More", exact=True)
        sheet = desk.get_by_role("dialog")
        for field, figure in zip(sheet.locator(".result input").all(), entered, strict=False):
            field.fill(figure)
        sheet.get_by_label("The match was ended early").check()
        what_follows(desk, "counts 6 – 0")
        desk.locator(f"#open-list [data-match='{match}']").wait_for(state="detached")
    results = [match.result.twenties for match in hub.tournament.state.matches.values()]
    assert sorted(results, key=str) == [(1, 0), None]


def test_a_former_evening_is_looked_at_taken_along_and_gone_on_with(open_page, hub):
    an_evening(hub, Swiss(5))
    former = hub.evening.id
    do(hub, NextRound())
    finish(hub, (6, 2))
    an_evening(hub, Swiss(5))
    page = open_page(f"/evenings/{former}", 390, 844)
    page.get_by_text("6 : 2").first.wait_for()
    page.get_by_text("2 matches were entered as results only").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="Matches for a spreadsheet").click()
    text = download.value.path().read_text("utf-8-sig")
    assert [row["points_first"] for row in csv.DictReader(io.StringIO(text))][:2] == ["6", "6"]

    desk = open_page("/organiser", 1280, 900)
    desk.locator("#evenings-list summary").click()
    tap(desk.locator("#evenings-list li").nth(1), "Go on with it")
    confirm(desk)
    eventually(lambda: hub.evening.id == former, "the former evening is open")


def test_visitors_see_what_is_played_what_is_next_and_the_standings(open_page, hub):
    an_evening(hub, Swiss(5), boards=("t1",))
    do(hub, NextRound())
    finish(hub, (6, 2))
    do(hub, NextRound())
    table = a_table(hub)
    page = open_page("/spectators", 390, 844)
    page.locator("#next li").nth(1).wait_for()
    assert page.locator("#now *").count() == 0
    play_reported(hub, table, rounds=1)
    page.locator("#now").get_by_text("Round 2").wait_for()
    assert page.locator("#next li").count() == 1
    assert page.locator("#standings tbody tr").count() == 4
    assert page.locator("button, input, select, form").count() == 0, "a visitor changes nothing"
    finish(hub, (5, 3))
    page.locator("#over li").first.wait_for()


def test_the_hall_shows_all_matches_in_turn_where_they_do_not_fit(open_page, hub):
    for k in range(1, 31):
        hub.store.put_table(TableOfClub(f"b{k}", f"Board {k}", by_hand=True))
    an_evening(hub, Swiss(5), boards=tuple(f"b{k}" for k in range(1, 31)))
    do(hub, *(EntrantAdded(f"q{k}", (f"Player {k}",)) for k in range(5, 61)), NextRound())
    page = open_page("/hall", 1920, 1080, reduced_motion="reduce")
    page.clock.install()
    page.reload()
    page.wait_for_selector("html[data-live=yes]")
    seen = []
    for _ in range(int(page.inner_text("#page").split(" / ")[1])):
        for row in page.locator("#boards li").all():
            box = row.bounding_box()
            assert box["y"] + box["height"] <= 1080, "no match is cut"
            seen.append(row.locator(".plate").inner_text())
        assert page.evaluate(SMALL, 1080 / 27 - 0.1) == []
        page.clock.run_for(10_000)
    assert sorted(map(int, seen)) == list(range(1, 31)), "a board by its number"


@slow
def test_boards_and_tables_with_hardware_at_the_desk(open_page, hub, office):
    """Who sends without a token, a board that is called wrongly, and what a table needs to join."""
    assert office.table_of("a guess", "192.0.2.9") is None
    office.begin("Club evening", "swiss", ["t1", "h1"], PLAYERS, "organiser")
    desk = open_page("/organiser", 1280, 900)
    desk.get_by_text("A device at 192.0.2.9 without a valid token sends results").wait_for()

    board = desk.locator(".tiles li", has_text="By the window")
    board.locator("summary").click()
    tap(board, "Rename")
    desk.get_by_role("dialog").get_by_label("Name").fill("table 1")
    tap(desk.get_by_role("dialog"), "What follows")
    desk.get_by_text("The club has a table table 1 already").wait_for()
    desk.get_by_role("dialog").get_by_label("Name").fill("By the door")
    what_follows(desk, "By the window is now By the door.")
    desk.locator(".tiles li", has_text="By the door").wait_for()
    eventually(lambda: "By the door" in [table.name for table in hub.store.tables()], "it is kept for other evenings")

    tap(desk, "Add a board")
    desk.get_by_role("dialog").get_by_label("Name").fill("Camera table")
    desk.get_by_role("dialog").get_by_label("No hardware").uncheck()
    tap(desk.get_by_role("dialog"), "Add")
    desk.get_by_role("dialog").get_by_text(re.compile("^[A-Z0-9]{4}-[A-Z0-9]{4}$")).wait_for()
    desk.get_by_role("dialog").get_by_text(re.compile("^http://127")).wait_for()


def test_a_board_that_was_added_by_mistake_is_removed_and_comes_back(open_page, hub, office):
    office.begin("Club evening", "swiss", ["t1", "h1"], PLAYERS, "organiser")
    do(hub, NextRound())
    match = next(match for match in hub.tournament.state.open_matches if match.board == "h1")
    names = " – ".join(hub.tournament.state.labels[side] for side in match.sides)
    desk, hall = open_page("/organiser", 1280, 900), open_page("/hall", 1920, 1080)
    hall.locator('[data-board="h1"]').wait_for()
    board = desk.locator(".tiles li", has_text="By the window")
    board.locator("summary").click()
    tap(board, "Remove")
    for words in ("By the window is no longer in use.", f"{names}: Table 1, in turn 2."):
        desk.get_by_role("dialog").get_by_text(words).wait_for()
    confirm(desk)
    hall.locator('[data-board="h1"]').wait_for(state="detached")
    tap(desk, "Use By the window too")
    desk.get_by_role("dialog").get_by_text("By the window can be played on.").wait_for()
    confirm(desk)
    hall.locator('[data-board="h1"]').wait_for()


@slow
def test_the_next_evening_has_the_players_of_this_one_and_offers_others_by_a_tap(open_page, hub, office):
    an_evening(hub, Swiss(5))
    names = ("Player 8", "Player 9", "Player 1")
    former = [LogEntry(n, EntrantAdded(str(n), (name,)), at=1.0) for n, name in enumerate(names, 1)]
    hub.store.append_decisions("former", former)
    desk = open_page("/organiser", 1280, 900)
    tap(desk, "Another evening")
    sheet = desk.get_by_role("dialog")
    players = sheet.get_by_label("Players, one on each line")
    assert players.input_value().splitlines() == list(PLAYERS)
    sheet.get_by_text("Others who have played here").click()
    assert sheet.locator("details .actions button").all_inner_texts() == ["Player 8", "Player 9"]
    tap(sheet, "Player 9")
    assert players.input_value().splitlines() == [*PLAYERS, "Player 9"]
    tap(sheet, "Begin the evening")
    eventually(lambda: len(hub.tournament.state.entrants) == 5, "the evening has begun")
