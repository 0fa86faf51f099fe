"""Review, history and score sheet in Chromium, over a match that a real engine refereed."""

import math

import pytest

from tests.web_ui.conftest import hold


@pytest.fixture
def look(open_page, serve, played):
    played.play()
    server = serve(played)
    return lambda path: open_page(server.url + path)


def test_a_match_is_stepped_through_shot_by_shot(look, played):
    shots = played.archive.match(1).shots
    page = look("review/1")
    page.wait_for_selector(".verdict >> text=Foul: no contact.")
    assert page.locator("figure .disc").count() == 3
    page.click("text=Before")
    assert page.locator("figure .disc").count() == 2
    page.click("text=After")
    assert page.locator("figure .disc").count() == 3
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".verdict >> text=Natural")
    assert page.url.endswith(f"/review/1/{shots[1].id}"), "a link to this very shot"
    page.click("[aria-label='The shot before']")
    page.wait_for_selector("select:has-text('Round 1, shot 1: Black')")
    assert page.locator("[aria-label='The shot before']").is_disabled()


def test_a_number_that_no_shot_has_is_reported(look):
    page = look("review/1/12")
    page.wait_for_selector("[role=alert]:has-text('There is no shot 12 in this match')")
    page.click("[aria-label='The shot before']")
    assert page.locator("text=There is no shot").count() == 0


def test_stepping_by_keyboard_keeps_the_focus(look):
    page = look("review/1")
    page.wait_for_selector(".verdict")
    page.focus("[aria-label='The shot before']")
    page.keyboard.press("Enter")
    page.wait_for_selector("select:has-text('Round 1, shot 2: Natural')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict >> text=Black")
    assert page.eval_on_selector(".steps-bar select", "s => s.value") == "0"


def test_a_straight_line_goes_from_the_seat_to_the_disc_that_was_hit(look, played):
    """Natural sits at the top: the line touches the disc that was hit, it does not pass it."""
    shot = played.archive.match(1).shots[1]
    page = look(f"review/1/{shot.id}")
    page.wait_for_selector(".verdict")
    ways = page.eval_on_selector_all(
        ".trails .path", "all => all.map((one) => [...one.points].map(({ x, y }) => [x, -y]))"
    )
    (way,) = [way for way in ways if len(way) == 3]
    (hit,) = [one for one in shot.before if one.id == "a1"]
    assert way[0][1] > 0, "from seat 3"
    assert math.dist(way[1], (hit.x, hit.y)) == pytest.approx(2 * 15.9, abs=0.1)


def test_a_shot_of_a_finished_round_is_corrected_and_all_follows(look, played):
    page = look("review/1")
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    before = played.archive.match(1).rounds[0].totals
    page.click("text=It was valid")
    page.wait_for_selector(".verdict >> text=Corrected by hand.")
    after = played.archive.match(1).rounds[0].totals
    assert after["A"] == before["A"] + 20


def test_an_unknown_match_is_reported_in_words(look):
    assert "There is no match 99." in look("review/99").wait_for_selector(".error:has-text('99')").text_content()
    assert "There is no match 99." in look("sheet/99").wait_for_selector(".error").text_content()


def test_the_history_has_matches_players_and_places(look):
    page = look("history")
    page.wait_for_selector(".matches >> text=Black 0 – Natural 2")
    page.wait_for_selector("text=2 shots")
    assert page.locator(".heat").count() == 0, "two shots are no density"
    assert page.is_visible("text=Too few for a map: 30 are needed.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.select_option("label:has-text('Player') select", "Natural")
    page.wait_for_selector("text=1 shot")
    page.click("text=Score sheet")
    page.wait_for_selector("text=Signed: Natural")
    first = page.locator("tbody tr").first
    assert first.locator("td").all_text_contents() == ["Natural", "10", "0", "0", "15", "0", "2"]


def test_the_history_shows_what_was_chosen_last_whatever_answer_comes_late(look):
    page = look("history")
    chosen = page.locator("label:has-text('Player') select")
    held = hold(page, "**/figures?*player=Natural*")
    chosen.select_option("Natural")
    chosen.select_option("Black")
    page.wait_for_selector("text=1 shot")
    before = page.inner_text("main")
    with page.expect_response("**/figures?*player=Natural*"):
        held[0].continue_()
    page.evaluate("fetch('/api/v1/state').then(() => new Promise(requestAnimationFrame))")
    assert page.inner_text("main") == before


def test_the_history_says_why_another_choice_shows_nothing(look):
    page = look("history")
    page.wait_for_selector(".matches")
    page.route("**/api/v1/**", lambda route: route.abort())
    page.select_option(".filters select", "Black")
    page.wait_for_selector("#refusal:has-text('The table did not answer')")
