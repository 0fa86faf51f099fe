"""Setting the table up, in Chromium and against those who may not."""

import re

import pytest

from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.conftest import Scorer, hold
from tests.web_ui.fake_table import PICTURE


def test_the_cameras_picture_is_for_those_with_a_session(client):
    for path in ("/api/setup", "/api/setup/picture"):
        assert client.get(path).status_code == 403
    Scorer(client)
    assert client.get("/api/setup/picture").data == PICTURE
    assert [step["id"] for step in client.get("/api/setup").json["steps"]][:2] == ["camera", "board"]


@pytest.fixture
def page(serve, open_page):
    page = open_page(serve().url + "setup")
    page.wait_for_selector(".step")
    return page


def to_step(page, title):
    page.locator("nav").get_by_role("button", name=title, exact=True).click()
    step = page.locator(f".step:has(h2:text-is('{title}'))")
    step.wait_for()
    return step


def sent(table, **command):
    eventually(lambda: command in table.commands, f"{command} among {table.commands}")


def test_the_first_step_that_is_not_good_says_why_and_the_next_is_one_tap_away(page):
    board = page.locator(".step:has-text('The board was found.')")
    assert "0.81 mm" in board.locator(".figure:has-text('Fit of the lines')").text_content()
    assert "✗ not good enough" in board.locator(".figure").first.text_content()
    assert "12.5°" in board.locator("details .figure:has-text('Tilt')").text_content()
    board.get_by_text(f"Step 2 of {page.locator('nav button').count()}", exact=True).wait_for()
    page.get_by_role("button", name="Next: Colours").click()
    page.locator("h2", has_text="Colours").wait_for()
    assert "– not needed" in to_step(page, "Buttons").text_content()
    assert page.locator("nav .bad").count() == 1


def test_each_step_has_a_drawing(page):
    for title in page.locator("nav button").all_inner_texts():
        href = to_step(page, title).locator(".drawing use").get_attribute("href")
        assert page.locator(f"symbol{href}").count() == 1


def test_each_button_of_the_set_up_page_sends_its_command(page, table):
    page.click("text=Find the board")
    sent(table, do="find_board")
    to_step(page, "Colours").get_by_text("This disc is of Player 2").click()
    sent(table, do="learn_colour", side="B")
    to_step(page, "Lamps").locator("select").select_option("foul")
    sent(table, do="lamp", signal="foul", side=None)
    page.click("text=Compare pictures")
    sent(table, do="compare_lamps")
    to_step(page, "Name").get_by_text("Another name").click()
    page.fill("dialog input", "Table 7")
    page.click("dialog >> text=Save")
    sent(table, do="name_table", name="Table 7")


def test_the_lamps_list_says_what_they_show(page, table):
    """The browser reports no choice of what is chosen already."""
    lamps = to_step(page, "Lamps").locator("select")
    assert lamps.input_value() == "", "the match's own signal"
    for signal, side in (("turn", "A"), ("check", None), ("", None)):
        with page.expect_response("**/api/setup?*"):
            lamps.select_option(signal)
        sent(table, do="lamp", signal=signal or None, side=side)
        page.get_by_role("heading", name="Lamps").wait_for()
        assert lamps.input_value() == signal


def test_a_programs_token_is_made_shown_once_and_revoked(page, table):
    held = hold(page, "**/api/programs?*")
    page.reload()
    page.wait_for_selector(".step")
    programs = to_step(page, "Programs")
    programs.locator("input").fill("Stream of hall 2")
    with page.expect_response("**/api/programs?*"):  # the list comes late, and leaves what was typed
        held.pop().continue_()
    programs.get_by_text("Make a token").click()
    token = programs.locator("code").text_content()
    assert table.tokens.holder("program", token) == "Stream of hall 2"
    page.reload()
    page.wait_for_selector(".step")
    to_step(page, "Programs")
    programs.get_by_text("Stream of hall 2").wait_for()
    assert programs.locator("code").count() == 0
    programs.get_by_text("Revoke").click()
    programs.get_by_text("Stream of hall 2").wait_for(state="detached")
    assert table.tokens.holder("program", token) is None


def test_the_disc_that_was_laid_is_shown_as_the_camera_saw_it(page):
    shown = to_step(page, "Colours").locator("img.disc")
    assert "of=disc" in shown.get_attribute("src")
    page.wait_for_function("() => document.querySelector('img.disc').naturalWidth > 0")


@slow
def test_the_sensors_lesson_is_followed_step_by_step(page, table):
    step = to_step(page, "Hole_Sensor")
    page.click("text=Learn the sensor with a disc")
    sent(table, do="learn_sensor")
    for line in ("Take it out.", "Learnt."):  # the page asks again by itself
        step.locator(f"text={line}").wait_for()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    step.locator("text=Learn the sensor with a disc").wait_for()
    page.wait_for_timeout(1200)
    assert asked == []  # nothing to wait for any more


def test_steps_that_need_no_picture_come_at_once(client):
    Scorer(client)
    steps = client.get("/api/setup?devices=1").json["steps"]
    assert [step["id"] for step in steps] == ["hole_sensor", "lamps", "buttons"]


def test_taps_on_the_picture_find_the_board_whatever_answer_comes_meanwhile(page, table):
    pictured = "() => document.querySelector('.camera img').naturalWidth === 64"
    page.wait_for_function(pictured)
    held = hold(page, re.compile(r"/api/setup\?"))
    to_step(page, "Camera").get_by_text("Look again").click()
    to_step(page, "Board").get_by_text("Tap its landmarks").click()
    page.wait_for_function(pictured)
    box = page.locator(".camera img").bounding_box()
    for n in range(9):
        if n == 4:
            with page.expect_response(re.compile(r"/api/setup\?")):
                held[0].continue_()
        page.mouse.click(box["x"] + box["width"] * (n + 1) / 16, box["y"] + box["height"] / 2)
    eventually(lambda: table.commands, "the taps")
    (command,) = table.commands
    assert command["do"] == "landmarks"
    assert command["points"]["hole"] == pytest.approx([4, 24], abs=0.3)
    assert command["points"]["pegs"][7] == pytest.approx([36, 24], abs=0.3)
