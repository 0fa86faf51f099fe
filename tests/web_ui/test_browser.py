"""The page in Chromium, driven as a person would."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from gevent.pywsgi import WSGIHandler

from tests.checkout import CHECKOUT
from tests.slow import first_is_quick, slow
from tests.waiting import eventually
from tests.web_ui.conftest import hold, keep_score, middle, publish
from tests.web_ui.fake_table import PICTURE, STATES, FakeTable, film, four_sides, mid_round, no_match, question
from web_ui.assets import Assets
from web_ui.languages import LANGUAGES

SIZES = {"phone": (390, 844), "phone on its side": (844, 390), "TV": (1920, 1080)}
PHONE = {"X-Forwarded-For": "192.168.1.20"}  # the table itself needs no PIN
NO_GESTURE = "--autoplay-policy=no-user-gesture-required"
SILENT = """
import sys
from playwright.sync_api import sync_playwright
from tests.browser import chromium
with sync_playwright() as playwright:
    page = playwright.chromium.launch(executable_path=chromium(), args=sys.argv[2:]).new_page()
    page.goto(sys.argv[1])
    page.wait_for_selector("#sound")
    print(page.text_content("#sound"))
    if page.locator("button#sound").count():
        page.click("#sound")
        page.wait_for_selector("button#sound", state="detached")
"""
RECORD_LIVE = """
window.seen = [];
new MutationObserver(() => window.seen.push(document.documentElement.dataset.live))
  .observe(document, {subtree: true, attributes: true, attributeFilter: ['data-live']});
"""


class Renewed(Assets):
    """The files of a newer program."""

    def __init__(self, folder):
        super().__init__(folder)
        self.version = "renewed"


@pytest.fixture
def page(open_page):
    return open_page(
        "about:blank", script=RECORD_LIVE, has_touch=True, reduced_motion="reduce", extra_http_headers=PHONE
    )


WHOLE = "#tools button"  # of the phone's page: its modules that come after the score are there


def look(page, server, path=""):
    page.goto(server.url + path)
    page.wait_for_selector("html[data-live=yes]")


def score(page, server):
    """Look at the page, and log in."""
    look(page, server)
    keep_score(page)


def total(page, side):
    return page.text_content(f"#side-{side} .total")


def sent(table, command):
    eventually(lambda: command in table.commands, f"{command} among {table.commands}")


def test_the_page_shows_each_new_state(serve, page, table):
    look(page, serve())
    assert (total(page, "A"), total(page, "B")) == ("40", "60 or 65")
    assert [page.get_attribute(f"#side-{side}", "class") for side in "AB"] == ["side", "side lit"], "who shoots"
    sides = [dict(side) for side in table.state["match"]["sides"]]
    sides[0] |= {"total": 60, "name": "<b>Bold</b>"}
    table.publish(sides=sides)
    page.wait_for_selector("#side-A .total:text-is('60')")
    assert page.text_content("#side-A h2").strip() == "<b>Bold</b>"


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_state_that_changes_nothing_on_a_phone_rebuilds_nothing_there(serve, open_page, table, by_hand):
    state = mid_round()
    state["match"]["manual"] = by_hand
    table.publish(state)
    page = open_page(serve(table).url)
    keep_score(page)
    page.wait_for_selector(".pad" if by_hand else ".disc")
    page.wait_for_selector("body > #refusal", state="attached")  # the sheet has closed to its end
    page.wait_for_function("() => !document.querySelector('[aria-disabled=true]')")
    page.evaluate("""() => {
      window.changes = [];
      new MutationObserver((all) => window.changes.push(...all.map(({ type, target }) => `${type} ${target.nodeName}`)))
        .observe(document, {
          subtree: true, childList: true, attributeFilter: ['hidden', 'data-pads', 'style', 'aria-disabled'] });
    }""")
    publish(page, table, state)
    assert page.evaluate("window.changes") == []


def test_the_board_shows_every_disc_where_it_is_and_how_sure(serve, page, table):
    table.state = mid_round()
    look(page, serve())
    seen = page.evaluate("""() => {  // all at once: the board may still give way to what stands above it
      const mm = 1 / document.querySelector('#board svg').getScreenCTM().a;
      const middle = (drawn) => {
        const { x, y, width, height } = drawn.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const [x, y] = middle(document.querySelector('#board .hole'));
      return Object.fromEntries([...document.querySelectorAll('[data-disc]')].map((disc) => {
        const [left, top] = middle(disc.querySelector('.face'));
        return [disc.dataset.disc, [(left - x) * mm, (y - top) * mm]];
      }));
    }""")
    for disc in table.state["match"]["discs"]:
        assert seen[disc["id"]] == pytest.approx([disc["x"], disc["y"]], abs=1.0), disc
    assert page.locator(".doubt").count() == 1
    assert page.text_content("[data-disc=b4] .doubt-label") == "0.2 mm"
    assert page.locator(".cross").count() == 1
    assert "take it off (foul)" in page.get_attribute("[data-disc=a3]", "aria-label")


def test_a_wrong_pin_is_reported_and_the_right_one_allows_undo(serve, page, table):
    look(page, serve())
    assert page.locator("#questions button").count() == 0, "answers are for those who know the PIN"
    assert "1 question" in page.text_content("#questions")
    page.click("text=Keep score")
    page.fill("input.pin", "0000")
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog .error:has-text('not this table')")
    page.fill("input.pin", FakeTable.pin)
    page.click("dialog >> text=Enter")
    page.click("dialog .tool:has-text('the last shot of Player 1')")
    sent(table, {"do": "undo"})
    page.wait_for_selector("dialog:not([open])", state="hidden")


def test_the_scorer_opens_the_questions_and_answers_with_one_touch(serve, page, table):
    score(page, serve())
    assert page.text_content("#questions button") == "1 questionDoes Player 2's disc touch the 15 line?›"
    page.click("#questions button")
    assert page.text_content(".question .measured") == "0.2 mm inside±0.3 mm"
    page.click(".question >> text=Touches: 10")
    eventually(lambda: table.commands == [{"do": "answer", "question": 58, "answer": "10"}], table.commands)
    page.wait_for_function("() => !document.querySelector('#questions').children.length")
    page.wait_for_selector("dialog:not([open])", state="attached")


def test_the_questions_stay_open_while_there_are_more_and_old_ones_are_folded(serve, page, table):
    asked = table.state["match"]["questions"][0]
    old = {**asked, "id": 31, "round": 1, "pressing": False, "text": "Whose twenty was it?"}
    table.state["match"]["questions"] = [old, asked, {**asked, "id": 59, "text": "A second one?"}]
    look(page, serve())
    assert "2 questions" in page.text_content("#questions"), "what was agreed on does not press"
    keep_score(page)
    page.click("#questions button")
    assert page.text_content(".asks") == "Does Player 2's disc touch the 15 line? 1 of 2"
    table.publish(questions=[old, {**asked, "id": 59, "text": "A second one?"}])
    page.wait_for_selector(".asks:text-is('A second one?')")
    page.click("dialog >> text=1 question that was left open")
    page.wait_for_selector(".asks:text-is('Whose twenty was it?')")
    page.click("dialog >> text=Touches: 10")
    eventually(lambda: table.commands, "the answer")
    assert table.commands == [{"do": "answer", "question": 31, "answer": "10"}]


def test_a_tap_aimed_at_one_question_does_not_answer_the_next(serve, page, table):
    asked = table.state["match"]["questions"][0]
    score(page, serve())
    page.click("#questions button")
    answer = page.locator(".question >> text=Touches: 10")
    there = middle(answer)
    table.publish(questions=[{**asked, "id": 59}])  # somebody else answered the first
    page.wait_for_selector(".question button[value='59']")
    page.touchscreen.tap(*there)
    answer.click()
    eventually(lambda: table.commands, "the answer")
    assert table.commands == [{"do": "answer", "question": 59, "answer": "10"}], "the one that was read"
    table.publish(questions=[])
    page.wait_for_selector("dialog:not([open])", state="attached")


def test_a_question_hides_neither_board_nor_call(serve, page, table):
    table.state["match"]["questions"] *= 3
    score(page, serve())
    assert page.text_content("#call .words") == "Valid."
    board = page.locator("#board svg").bounding_box()
    for covering in ("#questions", "#words"):
        box = page.locator(covering).bounding_box()
        assert box["y"] + box["height"] <= board["y"] + 1, covering


def test_a_touched_disc_offers_the_likeliest_rings_first(serve, page, table):
    score(page, serve())
    page.click("[data-disc=b4] .touch")
    page.wait_for_selector("dialog >> text=Where is this disc?")
    assert page.locator("dialog .answers button").all_text_contents() == [
        "15",
        "10",
        "20",
        "5",
        "Ditch",
        "Not on the board",
        "It lies elsewhere",
    ]
    page.click("dialog .answers >> text=Not on the board")
    sent(table, {"do": "correct_disc", "disc": "b4", "zone": "remove"})


def test_a_round_is_corrected(serve, page, table):
    score(page, serve())
    page.click("#tools >> text=Tools")
    page.click("dialog >> text=Correct a round")
    page.click("dialog >> text=Save")
    page.wait_for_selector("dialog .error:has-text('Nothing was changed')")
    page.select_option("dialog select", "2")
    page.click("[aria-label='Twenties of Player 2: one more']")
    page.fill("label:has-text('Total of Player 2') input", "65")
    page.click("dialog >> text=Save")
    figures = {"totals": {"A": 45, "B": 65}, "twenties": {"A": 1, "B": 1}, "points": {}}
    sent(table, {"do": "correct_round", "round": 2, **figures})


def test_a_refused_start_keeps_the_form_and_a_good_one_starts(serve, page, table):
    from controller.errors import Refused

    table.state = no_match()
    score(page, serve())
    page.click("#tools >> text=Start a match")
    page.click("dialog summary")
    page.select_option("label:has-text('Rules') select", "club-100")
    page.click("[aria-label='Target: one less']")
    assert page.text_content("dialog summary b") == "To 99, with 12 discs"
    page.fill("[aria-label='Name 1']", "Zoë")
    page.click("fieldset:has-text('Who begins') label:has-text('Player 2')")
    table.fault = Refused("The board is not empty.")
    page.click("dialog >> text=Start >> nth=-1")
    page.wait_for_selector("dialog .error:has-text('The board is not empty.')")
    table.publish()
    table.fault = None
    page.click("dialog >> text=Start >> nth=-1")
    page.wait_for_selector("dialog:not([open])", state="attached")
    sides = [{"name": "Zoë", "colour": "black"}, {"name": "Player 2", "colour": "natural"}]
    form = {"kind": "points", "target": 99, "tie": "round"}
    wanted = {"rules": "club-100", "format": form, "sides": sides, "starter": "B", "discs": 12, "manual": False}
    wanted |= {"doubles": False, "seats": {"1": "Zoë", "3": "Player 2"}, "seat": 3}
    assert table.commands == [{"do": "start", **wanted}]


def test_a_session_that_ended_asks_for_the_pin_again(serve, page, table):
    score(page, serve())
    table.tokens.end_all("session", "device")
    page.click("#questions button")
    page.click(".question >> text=Touches: 10")
    page.wait_for_selector("html[data-scorer=no]")
    page.click("dialog >> [aria-label=Close]")
    page.wait_for_selector("text=Keep score")
    assert table.commands == []


def test_doubles_are_started_with_who_sits_where(serve, page, table):
    table.state = no_match()
    score(page, serve())
    page.click("#tools >> text=Start a match")
    page.click("dialog >> text=2 × 2")
    page.fill("[aria-label='Player 2']", "Player 7")
    page.click("fieldset:has-text('Who begins') >> text=Player 7")
    page.click("dialog >> text=We do, by hand")
    page.click("dialog >> text=Start >> nth=-1")
    eventually(lambda: table.commands, "the command")
    (command,) = table.commands
    assert [side["name"] for side in command["sides"]] == ["Player 1 & Player 3", "Player 7 & Player 4"]
    assert command["seats"] == {"1": "Player 1", "2": "Player 7", "3": "Player 3", "4": "Player 4"}
    assert (command["doubles"], command["seat"], command["starter"], command["manual"]) == (True, 2, "B", True)
    assert command["discs"] == 12


def test_four_each_for_themselves_are_offered_what_they_play_with(serve, page, table):
    table.state["match"]["sides"][0] |= {"colour": "red"}
    score(page, serve())
    page.click("#table")
    page.click("dialog >> text=Start a match")
    page.click("fieldset:has-text('Who plays') >> text='4'")
    page.click("dialog >> text=Start >> nth=-1")
    eventually(lambda: table.commands, "the command")
    (command,) = table.commands
    assert [side["colour"] for side in command["sides"]] == ["red", "natural", "black", "green"]
    assert command["seats"] == {str(seat): f"Player {seat}" for seat in (1, 2, 3, 4)}
    assert (command["doubles"], command["discs"], command["manual"]) == (False, 6, False)


def test_a_disc_is_put_where_somebody_taps(serve, page, table):
    table.state = mid_round()
    score(page, serve())
    page.click("[data-disc=a2] .touch")
    page.click("dialog >> text=It lies elsewhere")
    hole = page.locator("#board .hole").bounding_box()
    scale = hole["width"] / (2 * 17.4625)
    page.mouse.click(hole["x"] + hole["width"] / 2 + 100 * scale, hole["y"] + hole["height"] / 2 + 50 * scale)
    eventually(lambda: table.commands, "the command")
    (command,) = table.commands
    assert (command["do"], command["disc"]) == ("correct_disc", "a2")
    assert command["at"] == pytest.approx([100, -50], abs=3)


def test_a_sheet_that_was_opened_while_a_command_was_on_its_way_stays_open(serve, page):
    score(page, serve())
    held = hold(page, "**/api/command?*")
    page.click("#tools .undo")
    page.click("#tools >> text=Tools")
    page.click("dialog >> text=Correct a round")
    page.wait_for_selector("dialog h2:text-is('Correct a round')")
    with page.expect_response("**/api/command?*"):
        held[0].continue_()
    page.evaluate("fetch('/api/v1/state').then(() => new Promise(requestAnimationFrame))")
    assert page.is_visible("dialog h2:text-is('Correct a round')")


def test_a_page_of_an_older_program_reloads_itself(serve, page, monkeypatch):
    server = serve()
    look(page, server)
    page.evaluate("window.old = true")
    page.wait_for_selector(WHOLE)
    server.stop()
    page.wait_for_selector("html[data-live=no]")
    monkeypatch.setattr("web_ui.app.Assets", Renewed)
    serve(port=server.port)
    page.wait_for_function("() => !window.old && document.documentElement.dataset.live === 'yes'")


SAYS = """async ([level, before, after]) => {
  const { sentences } = await import(document.querySelector('script[type=module]').src.replace('phone', 'caller'));
  return sentences(after, before, level);
}"""


def test_the_caller_says_what_is_new_and_no_more(serve, page):
    look(page, serve())
    before = mid_round()["match"]
    shot = STATES["question"]()["match"]
    shot["sides"][0] |= {"total": 35, "total_range": [35, 35]}

    def said(level, old, new):
        return page.evaluate(SAYS, [level, old, new])

    assert said("off", before, shot) == []
    asks = "Does Player 2's disc touch the 15 line?"
    assert said("calls", before, shot) == ["Valid.", asks]
    assert said("scores", before, shot) == ["Valid.", "Player 1: 35", "Player 2: 60 to 65", asks]
    full = said("full", before, shot)
    assert full[:4] == ["Valid.", "Player 1: 35", "Player 2: 60 to 65", asks]
    assert {"Clear: 15", "Touches: 10", "Look at the marked disc and answer."} <= set(full)
    assert said("full", shot, shot) == [], "what was said is not said again"
    corrected = STATES["question"]()["match"] | {"last_call": shot["last_call"]}
    corrected["sides"][0] |= {"total": 30, "total_range": [30, 30]}
    assert said("scores", shot, corrected) == ["Player 1: 30"], "of a correction, only the change"
    foul = STATES["question"]()["match"] | {"next_step": "Take off the marked discs.", "questions": []}
    foul["discs"][0] |= {"remove": "foul"}
    for much in ("calls", "full"):
        assert said(much, before, foul)[:2].count("Take off the marked discs.") == 1
    assert said("full", before, foul).count("Take off the marked discs.") == 1, "once"
    amended = STATES["amended"]()["match"]
    assert said("calls", before, amended) == [one["text"] for one in amended["amended"]]


HANGS = """window.said = [];
Object.defineProperty(window, 'speechSynthesis', { value: { cancel() {}, speak(one) { said.push(one.text); } } });"""


def test_a_voice_that_hangs_is_cancelled_and_goes_on(serve, open_page, table):
    page = open_page("about:blank", script=HANGS)
    page.clock.install()
    look(page, serve(), "?caller=calls")
    page.wait_for_function("said.length === 1")  # the silent trial, which neither ends nor fails
    table.publish(last_call={**table.state["match"]["last_call"], "text": "Valid again."})
    shown = table.snapshot().id
    page.wait_for_selector(f"html[data-state='{shown}']", state="attached")
    assert "Valid again." not in page.evaluate("said")
    page.clock.fast_forward(10_000)
    page.wait_for_function("said.includes('Valid again.')")


def test_a_revised_call_is_shown_until_play_has_gone_on(serve, page, table):
    told = STATES["amended"]()
    newest = told["match"]["amended"][-1]["text"]
    server = serve()
    for path in ("", "tv"):
        table.publish(told)
        look(page, server, path)
        page.wait_for_selector("#call .amended")
        assert page.locator("#call .amended").all_inner_texts() == [newest], "an older one has had its time"
        size = page.locator("#side-A .total").bounding_box()["height"]
        later = STATES["amended"]()
        later["match"]["round"]["shots"] = 12
        table.publish(later)
        page.wait_for_selector("#call .amended", state="detached")
        assert size >= page.locator("#side-A .total").bounding_box()["height"] - 1, "the totals keep their room"


def test_a_silent_connection_counts_as_not_live(serve, page):
    """As one to a process that hangs: it is kept open."""
    page.goto(serve(heartbeat=60, silence=1.0).url)
    page.wait_for_function("() => window.seen.includes('yes') && window.seen.includes('no')")


@slow
def test_heartbeats_keep_a_quiet_page_live(serve, page):
    server = serve(heartbeat=0.05, silence=3.0)
    look(page, server)
    page.wait_for_function("start => performance.now() - start > 4000", arg=page.evaluate("performance.now()"))
    assert "no" not in page.evaluate("window.seen")


@pytest.mark.parametrize("size", first_is_quick(SIZES))
def test_every_state_fits_every_screen(serve, page, table, size):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    server = serve()
    for path in ("", "tv"):
        look(page, server, path)
        for name, build in STATES.items():
            state = build()
            for side in (state["match"] or {"sides": []})["sides"]:
                side["name"] = "Wolfeschlegelsteinhausenbergerdorff"
            publish(page, table, state)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, name)
            if not path or name not in ("no_match", "question", "over"):  # those have a picture or the day in its place
                board = page.locator("#board svg").bounding_box()
                assert board["y"] + board["height"] <= height, "the whole board is on the screen"
            if size != "phone":
                assert page.evaluate("document.documentElement.scrollHeight") <= height, (path, name)


def test_the_totals_on_a_tv_can_be_read_from_five_metres(serve, page, table):
    """15 mm of letter for 2.4 m makes 32 mm for 5 m; the smallest TV, 32 inches, is 399 mm high."""
    table.state = mid_round()
    page.set_viewport_size({"width": 1920, "height": 1080})
    look(page, serve(), "tv")
    for side in "AB":
        size = page.eval_on_selector(f"#side-{side} .total", "t => parseFloat(getComputedStyle(t).fontSize)")
        digit_height = 0.7  # of the font's size
        assert size * digit_height * 399 / 1080 > 32


def test_the_tables_own_screen_shows_how_to_join_between_matches(serve, page, table):
    server = serve()
    look(page, server, "tv")
    assert not page.is_visible("#join"), "nobody scans from the chair"
    table.publish(no_match())
    look(page, server, "tv")
    assert page.text_content("#join .address") == f"127.0.0.1:{server.port}"
    assert page.locator("#join img").bounding_box()["width"] > 100


@pytest.mark.parametrize("path", ["", "tv"])
def test_a_match_by_hand_draws_no_board(serve, page, table, path):
    table.state = mid_round()
    server = serve()
    look(page, server, path)
    assert page.is_visible("#board")
    table.publish(manual=True, discs=[])
    look(page, server, path)
    assert not page.is_visible("#board")


def test_the_overlay_looks_as_its_address_says(serve, page, table):
    table.state = mid_round()
    server = serve()
    look(page, server, "overlay")
    assert page.text_content("#call") == "Foul: no contact."
    plain = page.locator("#strip").bounding_box()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert not page.is_visible("#board")
    look(page, server, "overlay?size=2&ground=112233&text=zzz;&board=yes&call=no")
    large = page.locator("#strip").bounding_box()
    assert large["width"] > 1.5 * plain["width"]
    assert page.locator("#strip").evaluate("(strip) => getComputedStyle(strip).backgroundColor") == "rgb(17, 34, 51)"
    assert page.evaluate("() => document.documentElement.style.getPropertyValue('--text')") == ""
    assert page.text_content("#call") == ""
    assert page.is_visible("#board .disc >> nth=0")


def test_a_doubt_names_millimetres_only_where_a_line_decides(serve, page, table):
    at_line = table.state["match"]["discs"][-1]
    sunk = {
        **at_line,
        "id": "b9",
        "name": "Player 2's ninth disc",
        "x": 1.0,
        "y": 2.0,
        "zone": 20,
        "pose": "in_hole",
        "clearance": 82.3,
        "at_line": False,
    }
    table.state["match"]["discs"] = [at_line, sunk]
    look(page, serve())
    assert page.locator(".doubt-label text").all_text_contents() == ["0.2 mm", "?"]
    assert page.get_attribute("[data-disc=b9]", "aria-label") == "Player 2's ninth disc: 20, not seen well"


def test_the_tables_screen_asks_one_question_of_many_beside_the_score(serve, open_page, table):
    asked = question()["match"]["questions"][0]
    table.state["match"]["questions"] = [{**asked, "id": 60 + k} for k in range(5)]
    page = open_page("about:blank", (1280, 720))
    look(page, serve(), "tv")
    assert page.text_content("#questions .asks") == "Does Player 2's disc touch the 15 line? 1 of 5"
    answers = page.locator("#questions .answers p b").all_text_contents()
    assert answers == ["Clear: 15", "Touches: 10"], "not that nobody knows"
    assert page.locator("#picture img").bounding_box()["height"] > 720 / 2
    assert page.text_content("#picture .measured") == "0.2 mm inside±0.3 mm"
    assert page.text_content("#call .next") == "Look closely, then answer on any scorer's phone."
    for side, shown in (("A", "40"), ("B", "60 or 65")):
        assert total(page, side) == shown
        assert page.locator(f"#side-{side} .total").bounding_box()["height"] > 720 / 20
    table.publish(questions=[])
    page.wait_for_selector("#board svg")
    assert page.locator("#questions > *, #picture > *").count() == 0


def test_sideways_the_totals_stay_in_sight_when_much_is_asked(serve, open_page, table):
    asked = table.state["match"]["questions"]
    table.state = four_sides()
    table.state["match"]["questions"] = asked * 3
    page = open_page("about:blank", (844, 390))
    look(page, serve())
    for side in "ABCD":
        assert page.locator(f"#side-{side} .total").bounding_box()["height"] > 30


def test_without_a_camera_a_match_is_started_and_scored_by_hand(serve, open_page, table):
    notice = {"kind": "camera", "text": "There is no camera."}
    table.state = no_match() | {"status": {"word": "no_camera", "text": notice["text"]}, "notices": [notice]}
    page = open_page(serve().url, (360, 640))
    begin = page.locator("#tools .main:text-is('Start a match')")
    box = begin.bounding_box()
    assert 0 <= box["y"] <= 640 - box["height"], "without scrolling"
    begin.click()
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog h2:text-is('Start a match')")
    assert page.is_checked("dialog >> text=We do, by hand")
    page.click("dialog form .main")
    eventually(lambda: table.commands, "the start")
    assert (table.commands[0]["do"], table.commands[0]["manual"]) == ("start", True)


@pytest.mark.parametrize("path", ["tv", "overlay?board=yes"])
def test_a_shot_leaves_the_trail_that_was_filmed_and_no_other(serve, open_page, table, path):
    table.state = mid_round()
    table.state["match"] |= {"film": film(50)}
    page = open_page("about:blank", (1920, 1080))
    look(page, serve(), path)
    ways = page.locator(".trails polyline")
    assert ways.count() == 0, "what lay there already did not move"
    shot = {**mid_round()["match"]["discs"][0], "id": "a9", "x": 20.0, "y": -140.0, "zone": 10}
    table.publish(discs=[*table.state["match"]["discs"], shot])
    page.wait_for_selector("#board [data-disc=a9]", state="attached")
    assert ways.count() == 0, "it was not filmed"
    table.publish(film=film(58))
    page.wait_for_selector(".trails .way.side-A", state="attached")
    drawn = ways.evaluate_all("all => all.map((one) => one.getAttribute('points'))")
    assert drawn == ["20,-302 20,-52 64.5,55", "20,-20 150,294"], "each corner of the ways"
    table.publish(film=film(50))
    page.wait_for_selector(".trails > *", state="detached")


@pytest.mark.parametrize(
    ("flags", "says"), first_is_quick([([], "Tap for sound"), ([NO_GESTURE], "This browser has no voice")])
)
def test_a_screen_that_may_not_speak_says_so(serve, flags, says):
    """Chromium lets a page speak after a touch, or by the flag that the table's screen is started with; in the tests it
    has no voice, which the page says too. It says so before anybody touches it."""
    probe = subprocess.run(
        [sys.executable, "-c", SILENT, serve().url + "tv?caller=full", *flags],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert says in probe.stdout, probe.stdout + probe.stderr
    assert NO_GESTURE in (CHECKOUT / "setup/files/crokinole-screen.service").read_text()


@pytest.fixture
def sent_bytes(monkeypatch):
    """All that servers send, headers included: bytes by path."""
    weights = Counter()

    def count(self, data):
        weights[self.path] += len(data)
        send(self, data)

    send = WSGIHandler._sendall
    monkeypatch.setattr(WSGIHandler, "_sendall", count)
    return weights


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_the_phones_page_weighs_little_with_a_question_open(serve, open_page, sent_bytes, language):
    """54 kB at most over the wire, all until the scorer sees the question and its picture; without what a browser
    may fetch for its own frame. A twentieth is in reserve: zlib's versions pack differently."""
    page = open_page("about:blank", (390, 664))
    page.goto(f"{serve(heartbeat=60.0, silence=120.0).url}?language={language}")
    page.click("#tools button")
    page.click("dialog button.main")
    page.wait_for_selector("dialog .tool")
    page.click("dialog header button")
    page.click("#questions button")
    page.wait_for_function("() => document.querySelector('.question img')?.complete")
    weights = [weight for path, weight in sent_bytes.items() if not re.search("icon|manifest", path)]
    picture = 7_000 - len(PICTURE)  # what a real one weighs at most, see test_evidence, in place of this one
    assert sum(weights) + picture <= 54_000, sorted(weights)[-5:]


def test_a_newcomers_first_question_is_no_spot_check(serve, page, table):
    asked = table.state["match"]["questions"][0]
    check = {**asked, "id": 59, "kind": "check", "pressing": False, "text": "Is this round right?"}
    table.state["match"]["questions"] = [check]
    score(page, serve())
    assert page.locator("#questions button").count() == 0
    table.publish(questions=[check, asked])
    page.click("#questions button:has-text('1 question')")
    assert page.text_content(".asks") == asked["text"]
    page.click("dialog >> text=Touches: 10")
    page.wait_for_selector("dialog", state="hidden")
    table.publish(questions=[check])
    page.click("#questions button:has-text('1 question')")
    page.wait_for_selector(".asks:text-is('Is this round right?')")


FILLED = ".sheet-body:not(:has-text('One moment'))"  # until it is, the sheet may grow, and its buttons move
TOOLS = {
    "Correct a shot": "#call .words",
    "Correct a round": "#score .caption",
    "Clock": "#timers button",
    "Call a player": "#side-B h2",
    "Match and camera": "#call .next",
}


def test_six_tools_open_by_name_and_by_a_touch_of_their_thing(serve, page, table):
    table.state = mid_round()
    score(page, serve())
    page.click("#tools >> text=Tools")
    rows = page.locator("dialog .tool").all_inner_texts()
    assert [row.splitlines()[0] for row in rows] == ["Undo", *TOOLS]
    page.click("dialog >> [aria-label=Close]")
    for name, thing in TOOLS.items():
        page.click("#tools >> text=Tools")
        page.click(f"dialog >> text={name}")
        page.wait_for_selector(f"dialog h2:text-is('{name}') >> xpath=ancestor::dialog >> {FILLED}")
        page.click("dialog >> [aria-label=Close]")
        page.click(thing)
        page.wait_for_selector(f"dialog h2:text-is('{name}') >> xpath=ancestor::dialog >> {FILLED}")
        page.click("dialog >> [aria-label=Close]")
    page.click("#rounds thead th:text-is('1')")
    page.wait_for_selector("dialog h2:text-is('Correct a round')")
    assert page.input_value("dialog select") == "1", "the round that was touched"


def test_what_the_match_waits_for_is_one_tap(serve, page, table):
    score(page, serve())
    going = table.state["match"]["round"]
    none = dict.fromkeys(("to_shoot", "seat_to_shoot", "player"))
    for changes, label in (
        ({"uncleared": True}, "The board is clear"),
        ({"uncleared": False, "round": going | none}, "Shoot-out"),
    ):
        table.publish(**changes)
        page.wait_for_selector(f"#tools .main:text-is('{label}')")
    table.publish(table.state | {"status": {"word": "paused", "text": "Paused"}})
    page.click("#tools .main:text-is('Go on refereeing')")
    sent(table, {"do": "resume"})


def test_by_hand_nothing_waits_for_the_board_and_neither_a_question_nor_silence_moves_a_key(serve, page, table):
    page.set_viewport_size({"width": 360, "height": 640})
    asked = table.state["match"]["questions"]
    table.publish(manual=True, uncleared=True, questions=[])
    score(page, serve())
    page.wait_for_selector("#pads .over")
    assert page.locator("#tools .main").count() == 0, "the camera changes nothing"
    assert not page.is_visible("#timers button"), "the clock has a key"
    there = [middle(page.locator(one)) for one in (".pad.side-A .twenty", "#pads .over")]
    table.publish(questions=asked)
    page.wait_for_selector("#questions .inbox")
    assert [middle(page.locator(one)) for one in (".pad.side-A .twenty", "#pads .over")] == there
    page.route("**/events?*", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("#banner:has-text('Not live')")
    assert [middle(page.locator(one)) for one in (".pad.side-A .twenty", "#pads .over")] == there
