"""One thumb: the drawn board, the last call and the pads, on a small phone with the real engine behind it."""

import pytest

from tests.controller.fed_table import a, b
from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.conftest import keep_score, middle

HOLE = 17.4625  # mm, of the NCA tournament board


@pytest.fixture
def page(open_page, serve, played):
    page = open_page(serve(played).url, (360, 640), has_touch=True, reduced_motion="reduce")
    keep_score(page)
    return page


def tap(page, x, y):
    """Tap the drawn board at a place, mm, once no sheet covers it."""
    page.wait_for_selector("dialog[open]", state="detached")
    page.locator("#board").scroll_into_view_if_needed()
    hole = page.locator("#board .hole").bounding_box()
    scale = hole["width"] / (2 * HOLE)
    page.touchscreen.tap(hole["x"] + hole["width"] / 2 + x * scale, hole["y"] + hole["height"] / 2 - y * scale)


def shows(page, played):
    """Wait until the page shows the newest state: what a tap offers depends on it."""
    page.wait_for_selector(f"html[data-state='{played.snapshot().id}']", state="attached")


def total(page, side, points):
    page.wait_for_selector(f"#side-{side} .total:text-is('{points}')", state="attached")


def test_a_missed_shot_is_added_by_tapping_its_place(played, page):
    played.table.see(a(0, 60))
    total(page, "A", 15)
    tap(page, -150, 60)
    page.click("dialog >> text=A shot of Natural that was missed")
    total(page, "B", 10)
    (disc,) = [d for d in played.table.shown.discs if d.id == "b1"]
    assert (disc.x, disc.y) == (pytest.approx(-150, abs=4), pytest.approx(60, abs=4))
    page.click("#tools >> text=Undo")
    total(page, "B", 0)


def test_a_disc_that_was_taken_for_off_is_put_where_it_lies(played, page):
    played.table.see(a(0, 60))
    played.do("add_shot", side="B", at="ditch", by="phone")
    shows(page, played)
    tap(page, 100, 100)
    page.click("dialog >> text=Natural's first disc")
    total(page, "B", 10)


def test_the_hole_is_tapped_for_twenties(played, page):
    tap(page, 0, 0)
    page.click("dialog >> text=Black has shot a twenty")
    total(page, "A", 20)
    assert len(played.table.shots) == 1
    tap(page, 4, -4)
    page.click("dialog >> [aria-label='One twenty more for Natural']")
    total(page, "B", 20)
    tap(page, 0, 0)
    page.click("dialog >> [aria-label='One twenty less for Natural']")
    total(page, "B", 0)


def test_beside_the_board_and_for_those_who_only_look_nothing_opens(played, page):
    tap(page, 350, 0)
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Leave scoring")
    page.wait_for_selector("text=Keep score")
    tap(page, 100, 0)
    tap(page, 0, 0)
    assert not page.locator("dialog[open]").count()


def test_a_foul_is_called_with_one_touch_and_taken_back_with_one(played, page):
    played.table.see(a(0, 60))
    played.table.see(a(0, 60.9), b(30, 40))
    total(page, "B", 15)
    foul = page.locator("#tools [aria-label='It was a foul']")
    assert page.locator("#tools .undo + button").text_content() == "Tools", "no foul is called by who misses the undo"
    there = middle(foul)
    foul.click()
    total(page, "B", 0)
    page.click("#tools [aria-label='It was valid']:not([aria-disabled=true])", trial=True)
    page.touchscreen.tap(*there)  # where it was called
    total(page, "B", 15)
    page.click("#tools [aria-label='It was a foul']")
    total(page, "B", 0)
    page.click("#tools >> text=Undo")
    total(page, "B", 15)


@slow
def test_on_an_open_board_a_foul_is_by_agreement_and_taken_back_with_one_touch(played, page):
    played.table.see(a(0, 60))
    total(page, "A", 15)
    page.click("#tools [aria-label='Play it as a foul by agreement']")
    total(page, "A", 0)
    page.wait_for_selector("#call >> text=Foul by agreement; by the rules valid.")
    page.click("#tools [aria-label='Let the rules decide the shot']")
    total(page, "A", 15)
    page.route("**/api/command?*", lambda route: route.abort())
    page.click("#tools [aria-label='Play it as a foul by agreement']")
    page.wait_for_selector("#refusal:has-text('The table did not answer')")


@slow
def test_an_agreement_is_made_in_the_review_and_shown_on_the_score_sheet(played, page):
    played.table.see(a(0, 60))
    played.table.see(a(0, 60.9), b(30, 40))
    played.do("call_conduct", side="A", conduct="moved_board", by="phone")
    played.do("end_round", by="phone")
    base = page.url.rstrip("/")
    page.goto(f"{base}/review/1")
    page.click(".actions >> text=Play it as a foul by agreement")
    page.wait_for_selector(".verdict >> text=Foul by agreement; by the rules valid.")
    page.goto(f"{base}/sheet/1")
    page.wait_for_selector(".notes li:has-text('Round 1, shot 2: Natural: Foul by agreement; by the rules valid.')")
    page.wait_for_selector(".notes li:has-text('Round 1: Black moved the board. These rules forbid it')")
    page.goto(f"{base}/sheet")
    page.wait_for_selector(".one-sheet .notes li >> nth=1")


@slow
def test_a_player_is_called_for_conduct_and_that_is_undone(played, page):
    played.table.see(a(0, 60))
    total(page, "A", 15)
    page.click("#side-A h2")
    page.wait_for_selector("dialog h2:text-is('Call a player')")
    assert page.is_checked("dialog >> text=At the last shot")
    page.click("dialog >> text=left the chair")
    page.wait_for_selector("#call .conduct:has-text('Black left the chair. These rules forbid it and name no penalty')")
    total(page, "A", 15)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    (called,) = played.table.state.conduct
    assert (called.shot, called.conduct) == (1, "left_chair")
    page.click("#tools >> text=Undo")
    page.wait_for_selector("#call .conduct", state="detached")


@slow
def test_a_clock_is_set_waits_for_the_first_shot_and_is_called(played, page):
    page.click("#timers [aria-label=Clock]")
    page.fill("dialog .clock-round input", "1")
    page.click("dialog .clock-round >> text=Start with the first shot")
    page.wait_for_selector("#timers .timer.waiting:has-text('1:00')")
    played.table.see(a(0, 60))
    page.wait_for_selector("#timers .timer.running")
    page.wait_for_function("() => /^0:5[0-8]$/.test(document.querySelector('.timer').textContent)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click("#timers .timer")
    page.click("dialog .clock-round >> text=Stop the clock")
    page.wait_for_selector("#timers .timer.stopped")
    page.click("#timers .timer")
    page.click("dialog .clock-round >> text=A minute more")
    page.wait_for_function("() => /^[12]:/.test(document.querySelector('.timer.stopped')?.textContent)")
    page.click("#timers .timer")
    page.click("dialog .clock-round >> text=Let the clock run")
    page.wait_for_selector("#timers .timer.running")
    played.ahead += 120
    played.table.engine.time_is_up()
    page.wait_for_selector("#timers .timer.ended:has-text('0:00')")
    page.wait_for_selector("#call .time-up:has-text('a side with fewer shots has one more')")
    page.click("#timers .timer")
    page.click("dialog .clock-round >> text=Time ran out")
    page.wait_for_selector("#call .time-up:has-text('Time was called.')")
    assert played.table.round.shots_left == {"A": 0, "B": 1}
    page.click("#timers .timer")
    page.click("dialog .clock-round >> text=Play without this clock")
    page.wait_for_selector("#timers .timer", state="detached")


def test_the_tv_and_the_overlay_show_the_clock(played, page):
    played.do("set_timer", timer="match", seconds=5400, by="phone")
    page.set_viewport_size({"width": 1920, "height": 1080})
    root = page.url.rstrip("/")
    for path in ("tv", "overlay"):
        page.goto(f"{root}/{path}")
        page.wait_for_selector("#timers .timer.stopped:has-text('1:30:00')")
        assert page.locator("#timers button").count() == 0


@slow
def test_a_match_is_deleted_and_brought_back(played, page):
    played.play()
    page.goto(page.url.rstrip("/") + "/history")
    page.click(".matches >> text=Delete")
    page.wait_for_selector("dialog >> text=1 round no longer counts in the figures of Black, Natural.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click("dialog >> text=Delete the match")
    page.wait_for_selector("text=No match was played yet.")
    page.click("text=1 deleted match")
    page.click("text=Bring back")
    page.wait_for_selector(".matches >> text=Score sheet")
    assert not played.table.state.deleted


def by_hand(page, played):
    played.do("manual", by="phone")
    page.wait_for_selector("html[data-pads=yes]")


@slow
def test_no_more_discs_are_counted_than_a_side_has(played, page):
    by_hand(page, played)
    for _ in range(8):
        page.click(".pad.side-A .of-15")
    page.wait_for_selector(".pad.side-A .sum:has-text('120')")
    assert page.locator(".pad.side-A .ring:enabled, .pad.side-A .twenty:enabled").count() == 0
    page.click(".pad.side-A .back")
    page.wait_for_selector(".pad.side-A .sum:has-text('105')")
    assert page.locator(".pad.side-A .ring:enabled").count() == 3


def test_a_board_without_camera_is_scored_on_the_pads(played, page):
    played.table.engine.camera_changed(lost=True)
    page.wait_for_selector("html[data-pads=yes]")
    page.click(".pad.side-B .twenty")
    eventually(lambda: played.table.totals == (0, 20), "the twenty")
    played.do("manual")
    for notice, offered in (("There is no camera.", 0), (None, 1)):
        played.table.engine.set_notice("camera", notice)
        page.locator("#notices p, #notices li").first.wait_for(state="detached" if notice is None else "attached")
        page.click("#score .points")
        page.wait_for_selector("dialog h2:text-is('Match and camera')")
        assert page.locator("dialog >> text=Let the table keep the score").count() == offered
        page.keyboard.press("Escape")


def test_a_rematch_says_who_begins_and_the_other_side_does(played, page):
    for number in range(1, 5):
        played.do("end_round", totals={"A": 20, "B": 0}, by="phone")
        assert played.table.state.confirmed == number
    assert page.text_content("#tools .main") == "RematchNatural begins."
    page.click("#tools >> text=Rematch")
    page.wait_for_selector("#score >> text=Round 1")
    assert played.table.state.number == 2
    assert played.table.round.starter == "B"
    assert [side.name for side in played.table.state.started.sides] == ["Black", "Natural"]
    assert page.text_content("#score .for-ears") == "Match score: Black 0, Natural 0"


@slow
def test_those_who_have_played_are_suggested(played, page):
    played.play()
    page.click("#tools >> text=Tools")
    page.click("dialog >> text=Match and camera")
    page.click("dialog >> text=Start a match")
    first = page.locator("dialog [role=combobox]").first
    first.tap()
    assert page.locator("dialog .names:visible [role=option]").all_text_contents() == [], "both are in the form"
    first.press_sequentially("bl")  # who types before the names have come gets them when they come
    page.wait_for_selector("dialog .names:visible [role=option]:text-is('Black')")
    assert first.get_attribute("aria-expanded") == "true"
    first.press("ArrowDown")
    chosen = page.locator(f"#{first.get_attribute('aria-activedescendant')}")
    assert (chosen.text_content(), chosen.get_attribute("aria-selected")) == ("Black", "true")
    assert chosen.bounding_box()["height"] >= 44
    first.press("Escape")
    assert page.is_visible("dialog"), "it closes the list and leaves the sheet"
    first.fill("b")
    first.press("ArrowUp")
    first.press("Enter")
    assert (first.input_value(), page.is_visible("dialog")) == ("Black", True), "it chooses and starts nothing"
    second = page.locator("dialog [role=combobox]").nth(1)
    second.fill("")
    page.locator("dialog .names:visible [role=option]:text-is('Natural')").tap()
    assert second.input_value() == "Natural"
    assert page.locator("dialog [name=starter] + span").all_text_contents() == ["Black", "Natural", "By lot"]


@slow
def test_a_player_is_renamed_and_merged_and_it_is_undone(played, page):
    played.play()
    played.do("start", rules="nca", sides=[{"name": "Blakc"}, {"name": "Red"}])
    page.goto(page.url.rstrip("/") + "/history")
    assert page.locator("main button:text-is('Rename')").count() == 0, "nobody is looked up"
    page.select_option("label:has-text('Player') select", "Blakc")
    page.click("main button:text-is('Rename')")
    page.fill("dialog input", "BLACK")
    page.click("dialog button:text-is('Rename')")
    page.wait_for_selector("dialog .error:has-text('There is a player called Black already.')")
    page.wait_for_selector("dialog p:has-text('These will be matches of Black: 1 match of Blakc')")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click("dialog >> text=Merge with Black")
    page.wait_for_selector("dialog", state="hidden")
    page.wait_for_selector(".matches >> text=Black 0 – Red 0")
    assert page.locator("label:has-text('Player') select").input_value() == "Black"
    assert played.table.state.name_of("A") == "Black", "the match that is played follows"
    page.click("text=1 name changed")
    page.click("[aria-label='Undo: Blakc is called Black']")
    page.wait_for_selector(".renamed .undone >> text=Blakc is called Black", state="attached")
    assert "Blakc" in page.locator(".matches li").all_text_contents()[0]


RINGS = "[...document.querySelectorAll('.disc:has(.named)')].map((disc) => disc.dataset.disc)"
CLEARANCE = """() => { const [ring, disc] = ['.named', '.face'].map((one) =>
  [...document.querySelectorAll(`[data-disc=a1] ${one}`)].at(-1).getBoundingClientRect().width);
  return ring / disc; }"""


def test_the_disc_that_the_call_names_is_marked(played, page):
    played.table.see(a(0, 60))
    played.table.see(a(0, 90), b(20, 70))
    root = page.url.rstrip("/")
    for path, size in (("/", (360, 640)), ("/", (844, 390)), ("/tv", (1920, 1080)), ("/review/1", (360, 640))):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(root + path)
        page.wait_for_selector("[data-disc=a1] .named")
        eventually(lambda: set(page.evaluate(RINGS)) == {"a1"})
        assert page.evaluate(CLEARANCE) > 1.7, "it stands clear of a question's ring"
        assert "the call names it" in page.locator("[data-disc=a1]").last.get_attribute("aria-label")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(root + "/tv")
    page.wait_for_selector("#call .for-ears:text-is('Valid: it hit Black\\'s first disc.')")
    played.table.see(a(0, 90), b(20, 70), a(200, 0))
    page.wait_for_selector("[data-disc=a2] .named")
    eventually(lambda: page.evaluate(RINGS) == ["a2"], "the newest call's alone")
    eventually(lambda: page.locator("[data-disc=a2] .cross").count() == 1, "beside the mark of what comes off")


@slow
def test_the_screen_between_matches_follows_a_renaming(played, page):
    for one in ("Player 1", "Player 2"):
        kind = {"rules": "nca", "format": {"kind": "rounds", "rounds": 1}, "manual": True}
        played.do("start", **kind, sides=[{"name": one}, {"name": "Player 3"}])
        played.do("end_round", totals={"A": 40, "B": 25})
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.clock.install()
    page.goto(page.url.rstrip("/") + "/tv")
    page.wait_for_selector("#day li:has-text('Player 1')")
    played.do("rename_player", name="Player 1", to="Zoé")  # who is not in the match that is shown
    for heading in ("Table of the day", "Records of this table", "Played today"):
        page.clock.fast_forward(12_000)
        page.wait_for_selector(f"#day h2:has-text('{heading}')")
        page.wait_for_selector("#day :is(li, th):has-text('Zoé')")


def test_the_discs_that_a_question_is_about_are_marked_in_the_review(played, page):
    played.table.see(a(0, 60))
    played.table.see(a(288.4, 0), b(10, 50))  # at the outer line
    (question,) = played.table.shown.questions
    (asked,) = played.archive.match(1).shots[-1].questions
    assert asked.discs == question.discs
    (disc,) = asked.discs
    played.do("answer", question=question.id, answer="5")
    page.goto(page.url.rstrip("/") + "/review/1")
    page.wait_for_selector(f".shot-board [data-disc={disc}] .doubt")
    page.click(".ends >> text=Before")
    page.wait_for_selector(f".shot-board [data-disc={disc}]")
    assert page.locator(f".shot-board [data-disc={disc}] .doubt").count() == 0


@pytest.mark.parametrize("sides", [3, 4])
def test_the_pads_of_three_and_four_are_for_thumbs(played, page, sides):
    players = [
        {"name": f"Player {k}", "colour": c} for k, c in enumerate(["black", "natural", "red", "blue"][:sides], 1)
    ]
    played.do("start", rules="nca", sides=players, manual=True)
    page.wait_for_selector(f"html[data-sides='{sides}'][data-pads=yes]")
    buttons = [button.bounding_box() for button in page.locator(".pad button").all()]
    assert len(buttons) == 5 * sides
    assert min(min(box["width"], box["height"]) for box in buttons) >= 44
    assert page.evaluate(
        "[...document.querySelectorAll('.pad button')].every((one) => one.scrollWidth <= one.clientWidth)"
    )
