"""Two phones keep one score by hand, beside the table's screen: what one counts, all see, and nobody overwrites it."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.controller.fed_table import a
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.conftest import hold, keep_score, middle

SMALL, LARGE, SCREEN = (360, 640), (390, 844), (1920, 1080)
SIDES = [{"name": "Player 1", "colour": "black"}, {"name": "Player 2", "colour": "natural"}]
MANUAL = {"do": "start", "rules": "nca", "sides": SIDES, "manual": True}


@pytest.fixture
def opened(open_page, serve, played):
    """Open a page of a table on which a match is scored by hand."""
    played.command(MANUAL)
    server = serve(played)

    def opened(size, path="", scorer=True):
        page = open_page(server.url + path, size, has_touch=scorer, reduced_motion="reduce")
        page.wait_for_selector("html[data-live=yes]", state="attached")
        if scorer:
            keep_score(page)
        return page

    return opened


def count(page, side, *points):
    """Tap the pads, and wait until the table has it."""
    for one in points:
        before = int(page.text_content(f".pad.side-{side} .sum").rpartition(" ")[2])
        page.click(f".pad.side-{side} .twenty" if one == 20 else f".pad.side-{side} .of-{one}")
        sums(page, **{side: before + one})


def sums(page, **by_side):
    for side, total in by_side.items():
        page.wait_for_selector(f".pad.side-{side} .sum:text-matches(' {total}$')")


def over(page):
    page.click("#pads >> text=Round over")
    page.wait_for_selector("dialog >> text=Do you both agree?")


def agreed(page):
    page.click("dialog >> text='Both agree'")


def hears_nothing(page):
    """What others do comes late to this phone."""
    page.route("**/events?*", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("html[data-live=no]", state="attached")


def test_what_was_counted_since_is_never_overwritten_by_an_agreement(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    count(first, "A", 15)
    count(first, "B", 5)
    over(first)
    sums(second, A=15, B=5)
    count(second, "B", 20)
    first.wait_for_selector("dialog >> text=The round has changed in the meantime.")
    assert first.locator("dialog .agreed b").all_text_contents() == ["15", "25"]
    assert first.locator("dialog .agreed s").all_text_contents() == ["5"], "what was on the sheet before"
    assert first.locator("dialog >> text='Both agree'").count() == 0
    first.click("dialog >> text=Go on with these totals")
    agreed(first)
    second.wait_for_selector("#score >> text=Round 2")
    (round_,) = played.table.state.finished
    assert (round_.totals, round_.twenty_counts) == ({"A": 15, "B": 25}, {"A": 0, "B": 1})
    assert round_.awarded == {"A": 0, "B": 2}


def test_an_agreement_that_crosses_with_a_count_is_refused_with_both_totals(played, opened):
    page = opened(SMALL)
    count(page, "A", 15)
    over(page)

    def counted_on_the_way(route):
        played.do("count", round=1, side="B", points=20, by="phone")
        route.continue_()

    page.route("**/api/command?*", counted_on_the_way, times=1)
    agreed(page)
    page.wait_for_selector("dialog >> text=The round has changed in the meantime")
    assert played.table.state.confirmed == 0
    assert page.locator("dialog .agreed b").all_text_contents() == ["15", "20"]


def test_what_another_made_impossible_is_refused_with_the_tool_that_leads_on(played, opened):
    page = opened(SMALL)

    def ended_on_the_way(route):
        played.do("end_round", totals={"A": 20, "B": 5}, by="phone")
        route.continue_()

    page.route("**/api/command?*", ended_on_the_way, times=1)
    page.click(".pad.side-A .twenty")
    page.wait_for_selector("#refusal:has-text('Round 1 has ended already.')")
    page.context.clear_cookies()  # as after a year without this phone
    page.click("#refusal >> text=Correct a round")
    page.wait_for_selector("dialog >> text=Total of Player 1")
    page.click("dialog >> text=The round is over")
    page.click("#refusal >> text=Keep score")
    page.wait_for_selector("dialog >> text=Enter")


@contextmanager
def down(page):
    """The table does not answer."""
    page.route("**/api/command?*", lambda route: route.abort())
    yield
    page.unroute("**/api/command?*")


@slow
def test_what_is_tapped_while_the_table_is_down_is_kept_and_counts_once(played, opened):
    page = opened(SMALL)
    with down(page):
        page.click(".pad.side-A .twenty")
        page.click(".pad.side-A .of-5")
        page.wait_for_selector("#pads .unsent:text-matches('Waiting for the table: *Player 1 *[+]20 *Player 1 *[+]5')")
        assert page.locator("#pads .unsent").bounding_box()["y"] < SMALL[1], "without scrolling"
        page.reload()
        page.wait_for_selector("#pads .unsent:has-text('Waiting for the table')")
    sums(page, A=25)
    lost = threading.Event()

    def lose_the_answer(route):
        route.fetch()
        lost.set()
        route.abort()

    page.route("**/api/command?*", lose_the_answer, times=1)
    page.click(".pad.side-B .twenty")
    sums(page, B=20)
    eventually(lambda: page.evaluate("localStorage.taps") == "[]", "it was sent again")
    assert lost.is_set()
    assert played.table.state.by_hand == {"A": 25, "B": 20}


def test_nobody_agrees_while_a_tap_is_on_its_way(played, opened):
    page = opened(SMALL)
    count(page, "A", 20)
    held = hold(page, "**/api/command?*")
    page.click(".pad.side-B .twenty")
    for button in ("#pads .over", "#pads .ends button:text-is('Level')", ".pad.side-A .won", ".pad.side-B .won"):
        page.wait_for_selector(f"{button}:disabled")
    assert played.table.state.by_hand == {"A": 20, "B": 0}
    held[0].continue_()
    sums(page, B=20)
    page.wait_for_selector("#pads .over:enabled")
    over(page)
    assert page.locator("dialog .agreed b").all_text_contents() == ["20", "20"]


def test_a_clock_beside_the_pads_is_stopped_and_runs_on_by_one_tap(played, opened):
    played.do("set_timer", timer="round", seconds=600, on_first_shot=True)
    page = opened(SMALL)
    count(page, "A", 20)
    page.click("#pads [aria-label='Stop the clock']")
    page.click("#pads [aria-label='Let the clock run']")
    page.wait_for_selector("#timers >> text=/^9:5\\d$/")
    page.wait_for_selector("#pads [aria-label='Stop the clock']")


@slow
def test_the_form_that_starts_a_match_opens_at_its_top(played, opened):
    played.command({**MANUAL, "manual": False})  # then the scorer has more tools than fit
    page = opened(SMALL)
    page.click("#call .next")
    page.click("dialog >> text=Start a match")
    page.wait_for_selector("dialog h2:text-is('Start a match')")
    for text in ("Start a match", "This ends the match that is going on."):
        box = page.locator(f"dialog >> text={text}").first.bounding_box()
        assert 0 <= box["y"] < SMALL[1], text
    assert page.evaluate("document.querySelector('dialog').scrollTop") == 0


def test_the_keyboard_stays_on_the_pad_that_it_pressed(played, opened):
    page = opened((1280, 800))
    ring = ".pad.side-B .of-10"
    page.focus(ring)
    for total in (10, 20):
        page.keyboard.press("Enter")
        sums(page, B=total)
        assert page.text_content(".pad.side-B .ring:focus b") == "10"


def test_a_double_tap_on_round_over_changes_nothing_and_keys_rest_after_both_agree(opened):
    page = opened(SMALL)
    count(page, "A", 20)
    round_over = page.locator("#pads .over")
    there, box = middle(round_over), round_over.bounding_box()
    round_over.click()
    again = page.locator("dialog >> text=Count again")
    assert again.bounding_box()["y"] == pytest.approx(box["y"], abs=2)
    page.touchscreen.tap(*there)
    again.click()  # as soon as the sheet takes taps
    page.wait_for_selector("dialog:not([open])", state="attached")
    sums(page, A=20)
    page.evaluate("""() => new MutationObserver(() => {
      const keys = [...document.querySelectorAll('.pad :is(.ring, .twenty)')];
      if (keys.length && keys.every((key) => key.disabled)) window.rested = true;
    }).observe(document.querySelector('#pads'), {childList: true, subtree: true})""")
    over(page)
    agreed(page)
    page.wait_for_function("() => window.rested")
    count(page, "A", 5)
    sums(page, A=5)


def test_both_sides_see_who_wins_the_round_and_the_score_after_it(played, opened):
    page = opened(SMALL)
    played.do("win_round", round=1, winner="B", twenties={"A": 0, "B": 0})
    page.wait_for_selector("#score >> text=Round 2")
    page.click(".pad.side-A .won")
    assert page.locator("dialog .agreed").all_text_contents() == ["Player 1won", "Player 2"], "nobody counted twenties"
    page.click("dialog >> text=Count again")
    count(page, "A", 20)
    over(page)
    assert page.locator("dialog .agreement .line > *").all_text_contents() == ["Player 1 wins round 2.", "2 – 2"]
    agreed(page)
    page.wait_for_selector("#score >> text=Round 3")
    assert played.table.state.score == {"A": 2, "B": 2}


@slow
def test_who_won_and_the_twenties_take_three_taps(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    first.evaluate("window.taps = 0; addEventListener('click', () => { window.taps += 1; }, true);")
    count(first, "B", 20)
    first.click(".pad.side-A .won")
    assert first.locator("dialog .agreed").all_text_contents() == [
        "Player 10\u00a0×\u00a020won",
        "Player 21\u00a0×\u00a020",
    ]
    agreed(first)
    for page in (first, second):
        page.wait_for_selector("#score >> text=Round 2")
    assert first.evaluate("window.taps") == 3
    (round_,) = played.table.state.finished
    assert (round_.awarded, round_.twenty_counts) == ({"A": 2, "B": 0}, {"A": 0, "B": 1})
    assert second.locator("#rounds td:not(.sum) b").all_text_contents() == ["+2", "–"], "its totals are not known"
    assert "corrected" not in second.text_content("#rounds")
    first.click("#pads .ends >> text=Level")
    agreed(first)
    second.wait_for_selector("#score >> text=Round 3")
    assert played.table.state.score == {"A": 3, "B": 1}
    count(first, "A", 15)
    assert first.locator("#pads .won").count() == 0, "where discs are counted, their totals say who has won"


def test_equal_questions_are_one_with_one_answer(played, opened):
    """A sensor that feels nothing: each disc in the hole that the camera is not sure of is asked about."""
    played.do("start", rules="practice-twenties", sides=SIDES[:1], discs=24)
    played.table.see(hand=False)
    played.table.hole((0.0, False))
    for _ in range(4):
        played.table.see(replace(a(0, 0, "in_hole"), call="close"))
        played.table.see()
    page = opened(SMALL)
    page.wait_for_selector("#questions b:text-is('1 question')")
    page.wait_for_selector("#notices >> text=missed the last 4 discs")
    page.click("#questions button")
    page.wait_for_selector("dialog .hint:text-is('Round 1, shots 1, 2, 3, 4')")
    page.click("dialog >> text=One by one")
    page.wait_for_selector("dialog .hint:text-is('Round 1, shot 1')")
    assert page.text_content("dialog .asks small") == " 1 of 4"
    page.click("dialog [aria-label=Close]")
    page.click("#questions button")
    page.click("dialog .answers >> text=All: No twenty")
    page.wait_for_selector("dialog", state="hidden")
    assert not played.table.state.questions
    assert played.table.round.twenty_counts == {"A": 0}
    page.click("#tools .undo")
    page.wait_for_selector("#questions b:text-is('1 question')")


@slow
def test_what_was_brought_back_can_be_taken_back_again(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    count(first, "A", 15, 5)
    first.click(".pad.side-A .back")
    sums(first, A=15)
    sums(second, A=15)
    second.click("#tools >> text=Tools")
    second.click("dialog >> text=Redo")
    sums(first, A=20)
    first.click(".pad.side-A .back")
    sums(second, A=15)
    points = [one.points for one in played.table.state.counted.values()]
    assert points == [15], "the five that was counted last, not the 15"


@slow
def test_two_who_undo_the_same_step_undo_it_once(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    count(first, "A", 20, 15)
    sums(second, A=35)
    hears_nothing(second)
    first.click("#tools .undo")
    sums(first, A=20)
    second.click("#tools .undo")
    second.wait_for_selector("dialog >> text=Something has changed")
    assert second.locator("dialog >> text=Change it all the same").count() == 0, "it would undo another step unseen"
    second.click("dialog >> text=Leave it as it is")
    assert played.table.state.by_hand == {"A": 20, "B": 0}


def test_an_agreement_does_not_end_a_round_of_another_match(played, opened):
    page = opened(SMALL)
    over(page)
    hears_nothing(page)
    played.command(MANUAL)
    agreed(page)
    page.wait_for_selector("dialog .error:has-text('is no longer being played')")
    assert played.table.state.confirmed == 0


def test_a_tap_aimed_at_a_sheet_that_the_table_closes_takes_nothing_back(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    count(first, "A", 20)
    sums(second, A=20)
    over(first)
    over(second)
    there = middle(first.locator("dialog >> text='Both agree'"))
    agreed(second)
    first.wait_for_selector("dialog >> text=Another phone was faster: this round is no longer being played.")
    first.touchscreen.tap(*there)
    first.wait_for_selector("dialog >> text=Another phone was faster")
    first.click("dialog .sheet-body >> text=Close")
    first.touchscreen.tap(*there)
    first.click("#tools .undo:has-text('the end of the round')")
    assert played.table.state.confirmed == 1, "it asks"
    first.click("dialog form >> text=Undo")
    sums(first, A=20)
    assert played.table.state.confirmed == 0


def test_what_an_answer_brings_late_is_seen_before_it_is_tapped(opened):
    page = opened(SMALL)
    count(page, "A", 20)
    over(page)
    page.evaluate("""() => document.querySelector('#sheet').addEventListener('close', () => {
      window.held = [...document.querySelectorAll('#tools button')].map((button) => button.ariaDisabled);
    })""")
    late = hold(page, "**/api/command?*")
    agreed(page)
    page.wait_for_function("pressed => performance.now() > pressed + 200", arg=page.evaluate("performance.now()"))
    late[0].continue_()
    page.wait_for_function("() => window.held")
    assert set(page.evaluate("window.held")) == {"true"}
    page.click("#tools .undo:has-text('the end of the round')")


@slow
def test_what_another_changes_while_an_answer_is_awaited_is_held_as_long_as_ever(played, opened):
    played.do("set_timer", timer="round", seconds=600, on_first_shot=False)
    first, second = opened(SMALL), opened(LARGE)
    count(first, "A", 20)
    sums(second, A=20)
    first.evaluate("""() => {
      let brought = 0;
      window.held = new Promise((resolve) => { new MutationObserver(() => {
        const undo = document.querySelector('#tools .undo');
        if (!undo.textContent.includes('the end of the round')) return;
        brought ||= performance.now();
        if (undo.ariaDisabled === 'false') resolve(performance.now() - brought);
      }).observe(document, { subtree: true, childList: true, attributes: true }); });
    }""")
    late = hold(first, "**/api/command?*")
    first.click("#pads .clock")
    eventually(lambda: late)
    over(second)
    agreed(second)
    assert first.evaluate("Promise.race([window.held, new Promise((resolve) => setTimeout(resolve, 20000))])") > 900
    late[0].abort()


def test_a_refusal_is_seen_whatever_was_closed_meanwhile(played, opened):
    first, second = opened(SMALL), opened(LARGE)
    for page, side in ((first, "A"), (second, "B")):
        page.click(f".pad.side-{side} .won")
    held = hold(second, "**/api/command?*")
    agreed(second)
    agreed(first)
    second.wait_for_selector("#score >> text=Round 2", state="attached")
    eventually(lambda: held)
    held[0].continue_()
    refusal = second.wait_for_selector("#refusal:has-text('round 1')")
    box = refusal.bounding_box()
    assert 0 <= box["y"] < box["y"] + box["height"] <= LARGE[1]
    second.click("dialog .sheet-body >> text=Close")
    second.wait_for_selector("#refusal:has-text('round 1')")
    assert played.table.state.score == {"A": 2, "B": 0}
