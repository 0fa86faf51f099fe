"""The table's screen: moments, sounds, its colours at each hour, and what it shows between matches."""

import copy

import pytest

from controller.config import ScreenSection
from tests.controller.fed_table import a
from tests.slow import first_is_quick, slow
from tests.web_ui.conftest import keep_score, publish
from tests.web_ui.fake_table import film, in_club, mid_round, over, question
from tests.web_ui.test_accessibility import findings

TV = (1920, 1080)

HEARD = """window.heard = [];
  class Node { constructor(context, { frequency }) { if (frequency) window.heard.push(Math.round(frequency));
    this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
    connect(other) { return other; } start() {} stop() {} }
  window.AudioContext = class { constructor() { this.currentTime = 0;
      this.state = window.mute ? 'suspended' : 'running'; }
    resume() { this.state = 'running'; } };
  window.OscillatorNode = window.GainNode = Node;"""


@pytest.fixture
def screen(open_page):
    """Open the table's screen with a clock that the test moves."""

    def opened(server, query="", at="2026-05-06T18:00:00", script="", **more):
        page = open_page("about:blank", TV, HEARD + script, **more)
        page.clock.install(time=at)
        page.goto(f"{server.url}tv{query}")
        page.wait_for_selector("html[data-live=yes]")
        return page

    return opened


def with_twenties(count, **more):
    state = mid_round()
    state["match"]["sides"][0]["twenties"] = count
    state["match"] |= more
    return state


MOMENT = "html[data-moment={}]"


def test_a_twenty_has_its_moment_and_then_the_score_moves(serve, table, screen):
    table.state = with_twenties(1)
    page = screen(serve(screen=ScreenSection(sounds=True)))
    assert page.locator("html[data-moment]").count() == 0, "what was there already is no news"
    publish(page, table, with_twenties(2))
    page.wait_for_selector(MOMENT.format("twenty"))
    assert page.evaluate("heard.length") == 2
    assert page.inner_text("#side-A .twenties").startswith("1")
    page.clock.fast_forward(2000)
    page.wait_for_selector("html:not([data-moment])")
    assert page.inner_text("#side-A .twenties").startswith("2")


def test_a_twenty_that_is_taken_back_or_in_question_is_not_celebrated(serve, table, screen):
    table.state = with_twenties(1)
    page = screen(serve())
    asked = copy.deepcopy(question()["match"]["questions"][0]) | {"kind": "twenty"}
    publish(page, table, with_twenties(2, questions=[asked]))
    assert page.locator("html[data-moment]").count() == 0
    publish(page, table, with_twenties(3))
    assert page.locator(MOMENT.format("twenty")).count() == 1
    publish(page, table, with_twenties(2))
    assert page.locator("html[data-moment]").count() == 0
    assert page.evaluate("heard.length") == 0, "nobody wanted sounds"


def test_a_matchs_end_shows_who_won_before_the_next_match(serve, table, screen):
    table.state = mid_round()
    page = screen(serve(), "?sounds=yes")
    publish(page, table, in_club(over()))
    assert page.inner_text("#call .words") == "Player 1 wins 7–1."
    assert page.inner_text("#side-A .total") == "7"
    assert page.evaluate("heard.length") == 4
    page.clock.fast_forward(10_000)
    page.wait_for_selector("#side-A h2:text-is('Player 3')")
    assert page.locator("#call .words").count() == 0
    assert page.inner_text("#score") == "Next on Table 4"
    assert page.locator("#side-B [aria-label=Hammer]").count() == 1


def test_a_moment_stands_still_for_those_who_want_no_motion(serve, table, screen):
    state = with_twenties(1)
    state["match"]["discs"][0] |= {"pose": "in_hole", "zone": 20}
    table.state = state
    page = screen(serve(), reduced_motion="reduce")
    publish(page, table, {**state, "match": with_twenties(2, film=film(12))["match"]})
    page.wait_for_selector(MOMENT.format("twenty"))
    moving = "all => all.map((one) => getComputedStyle(one).animationName).filter((name) => name !== 'none')"
    assert page.locator(".trails *").count() > 0
    assert page.eval_on_selector_all("#board *", moving) == []


def test_sounds_wait_for_a_touch_where_the_browser_wants_one(serve, table, screen):
    table.state = with_twenties(1)
    page = screen(serve(), "?sounds=yes", script="window.mute = true;")
    publish(page, table, with_twenties(2))
    assert page.evaluate("heard.length") == 0
    page.click("text=Tap for sound")
    publish(page, table, with_twenties(3))
    assert page.evaluate("heard.length") == 2


@pytest.mark.parametrize(
    ("settings", "query", "hour", "theme"),
    first_is_quick(
        [
            ({}, "", 21, None),
            ({"theme": "evening"}, "", 18, "light"),
            ({"theme": "evening"}, "", 19, "dark"),
            ({"theme": "evening"}, "", 6, "dark"),
            ({"theme": "evening"}, "", 7, "light"),
            ({"theme": "evening", "dark_from": 1, "dark_until": 5}, "", 3, "dark"),
            ({"theme": "evening", "dark_from": 1, "dark_until": 5}, "", 22, "light"),
            ({"theme": "dark"}, "", 12, "dark"),
            ({"theme": "dark"}, "?theme=light", 12, "light"),
        ]
    ),
)
def test_the_colours_follow_settings_address_and_hour(serve, screen, settings, query, hour, theme):
    page = screen(serve(screen=ScreenSection(**settings)), query, at=f"2026-05-06T{hour:02}:00:30")
    assert page.get_attribute("html", "data-theme") == theme
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == ("rgb(18, 16, 14)" if theme == "dark" else "rgb(242, 237, 227)")


def test_it_gets_dark_while_the_page_is_open(serve, screen):
    page = screen(serve(screen=ScreenSection(theme="evening")), at="2026-05-06T18:58:30")
    assert page.get_attribute("html", "data-theme") == "light"
    page.clock.fast_forward("02:00")
    page.wait_for_selector("html[data-theme=dark]")


def test_the_dark_colours_are_the_same_whoever_wants_them(serve, screen):
    colours = """() => Object.fromEntries([...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter(({ selectorText }) => selectorText === ':root').flatMap(({ style }) => [...style])
      .filter((name) => name.startsWith('--') && !['--light', '--dark'].includes(name))
      .map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue(name).trim()]))"""
    server = serve()
    settings, browser = screen(server, "?theme=dark"), screen(server, color_scheme="dark")
    assert (dark := settings.evaluate(colours))["--page"] == "#12100e"
    assert browser.evaluate(colours) == dark
    assert screen(server).evaluate(colours)["--page"] == "#f2ede3"


def test_between_matches_it_shows_results_the_days_table_and_records_in_turn(serve, table, screen):
    table.state = over()
    page = screen(serve())
    page.wait_for_selector("text=Played today")
    page.clock.fast_forward(12_000)
    page.wait_for_selector("text=Table of the day")
    places = page.locator("#day tbody tr").all_inner_texts()
    assert [place.split("\t")[:3] for place in places] == [
        ["1", "Player 1", "2 / 2"],
        ["2", "Player 2", "1 / 2"],
        ["2", "Player 3", "1 / 2"],
        ["4", "Player 4", "0 / 2"],
    ]
    page.clock.fast_forward(12_000)
    page.wait_for_selector("text=Records of this table")
    won = page.inner_text("#day li:has-text('in a row')").split()
    assert won == ["Matches", "won", "in", "a", "row", "2", "Player", "1"]
    page.clock.fast_forward(12_000)
    page.wait_for_selector("text=Played today")
    publish(page, table, mid_round())
    assert not page.is_visible("#day")


LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."


@slow
def test_a_practice_is_started_shot_and_looked_up(serve, played, open_page):
    url = serve(played).url
    page = open_page(url, (360, 640))
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.click("dialog >> text=Match and camera")
    page.click("dialog >> text=Start a match")
    page.click("dialog >> text=Alone")
    page.click("dialog summary")
    assert page.locator("dialog select:visible >> nth=-1").locator("option").all_text_contents() == [
        "Practice: twenties",
        "Practice: a series",
    ]
    assert not page.is_visible("dialog >> text=Discs a side")
    assert not page.is_visible("dialog >> text=Who begins")
    page.click("dialog >> .choice >> text='8'")
    page.fill("dialog .side-fields input", LONGEST)
    page.click("dialog >> text='Start'")
    page.wait_for_selector("#score >> text=0 of 0")
    for seen in (a(0, 0, "in_hole"), a(0, 60), a(0, 0, "in_hole")):
        played.table.see(seen)
        played.table.see()
    page.wait_for_selector("#score >> text=2 of 3")
    assert page.text_content("#side-A .total") == "2"
    assert page.text_content("#situation") == "2 of 3 in the hole; 5 shots left."
    assert page.locator(".hammer").count() == 0
    page.click("#tools >> text=Tools")
    page.wait_for_selector("dialog >> text=Correct a shot")
    assert not page.is_visible("dialog >> text=Call a player"), "there is nobody to agree with"
    page.click("dialog >> text=Clock")
    page.wait_for_selector("dialog h2:text-is('Clock')")
    assert "Time ran out" not in page.inner_text("dialog"), page.inner_text("dialog")
    for twenties in (3, 6, 5):
        played.table.do("end_round", totals={"A": 20 * twenties}, twenties={"A": twenties})
        rules = {"rules": "practice-twenties", "sides": [{"name": LONGEST}], "discs": 8}
        played.table.do("start", **rules)
    page.goto(f"{url}history")
    page.wait_for_selector("section:has(h2:text-is('Practice')) .trend")
    row = page.locator("section:has(h2:text-is('Practice')) tbody tr").inner_text().split("\t")
    assert (row[0], row[1], row[2], row[3], row[5]) == (LONGEST, "Twenties with 8 discs", "3", "6", "5")
    assert findings(page, "light") == []


def test_a_code_that_lets_a_phone_in_is_shown_while_no_scorer_is_in_and_on_a_scorers_phone(serve, open_page):
    drawn = "() => document.querySelector('img[src*=let-in]')?.naturalWidth > 0"
    server = serve()
    screen, phone = open_page(server.url + "tv"), open_page(server.url)
    screen.wait_for_function(drawn)
    assert screen.is_visible("#let-in")
    keep_score(phone)
    phone.get_by_role("button", name="Menu", exact=True).click()
    phone.click("text=Let another phone keep score")
    phone.wait_for_function(drawn)
    screen.reload()
    screen.wait_for_function(drawn)
    assert not screen.is_visible("#let-in")
