"""Setting the table up, in Chromium and against those who may not."""

from typing import Any

import pytest

from tests.slow import slow
from tests.waiting import eventually
from tests.web_ui.conftest import Scorer
from tests.web_ui.fake_table import PICTURE, FakeTable


def test_the_cameras_picture_is_for_those_with_a_session(client):
    for path in ("/api/setup", "/api/setup/picture"):
        assert client.get(path).status_code == 403
    Scorer(client)
    assert client.get("/api/setup/picture").data == PICTURE
    assert [step["id"] for step in client.get("/api/setup").json["steps"]][:2] == ["camera", "board"]


@pytest.fixture
def page(serve, open_page):
    page = open_page(serve().url + "setup")
    page.click("text=Enter")
    page.click("dialog >> text=Enter")
    page.wait_for_selector(".step")
    return page


def sent(table: FakeTable, **command: Any) -> None:
    eventually(lambda: command in table.commands, f"{command} among {table.commands}")


def test_every_step_says_whether_it_is_good_with_its_figures(page):
    board = page.locator(".step:has-text('The board was found.')")
    assert "✗ not good enough" in board.text_content()
    assert "0.81 mm" in board.locator("tr:has-text('Fit of the lines')").text_content()
    assert "– not needed" in page.locator(".step:has(h2:has-text('Buttons'))").text_content()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_each_button_of_the_set_up_page_sends_its_command(page, table):
    page.click("text=Find the board")
    sent(table, do="find_board")
    page.click("text=This disc is of Player 2")
    sent(table, do="learn_colour", side="B")
    page.select_option("label:has-text('Show on the lamps') select", "foul")
    sent(table, do="lamp", signal="foul", side=None)
    page.click("text=Compare pictures")
    sent(table, do="compare_lamps")
    page.click("text=Another name")
    page.fill("dialog input", "Table 7")
    page.click("dialog >> text=Save")
    sent(table, do="name_table", name="Table 7")


def test_a_programs_token_is_made_shown_once_and_revoked(page, table):
    programs = page.locator(".step:has(h2:has-text('Programs'))")
    programs.locator("input").fill("Stream of hall 2")
    programs.get_by_text("Make a token").click()
    token = programs.locator("code").text_content()
    assert table.tokens.holder("program", token) == "Stream of hall 2"
    page.reload()
    programs.get_by_text("Stream of hall 2").wait_for()
    assert programs.locator("code").count() == 0
    programs.get_by_text("Revoke").click()
    programs.get_by_text("Stream of hall 2").wait_for(state="detached")
    assert table.tokens.holder("program", token) is None


def test_the_disc_that_was_laid_is_shown_as_the_camera_saw_it(page):
    shown = page.locator(".step:has(h2:has-text('Colours')) img.disc")
    assert "of=disc" in shown.get_attribute("src")
    page.wait_for_function("() => document.querySelector('img.disc').naturalWidth > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@slow
def test_the_sensors_lesson_is_followed_step_by_step(page, table):
    step = page.locator(".step:has(h2:has-text('Hole_Sensor'))")
    page.click("text=Learn the sensor with a disc")
    sent(table, do="learn_sensor")
    for line in ("Take it out.", "Learnt."):  # the page asks again by itself
        step.locator(f"text={line}").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    step.locator("text=Learn the sensor with a disc").wait_for()
    page.wait_for_timeout(1200)
    assert asked == []  # nothing to wait for any more


def test_steps_that_need_no_picture_come_at_once(client):
    Scorer(client)
    steps = client.get("/api/setup?devices=1").json["steps"]
    assert [step["id"] for step in steps] == ["hole_sensor", "lamps", "buttons"]


def test_taps_on_the_picture_find_the_board_whatever_answer_comes_meanwhile(page, table):
    page.wait_for_function("() => document.querySelector('.camera img').naturalWidth === 64")
    held: list[Any] = []
    page.route("**/api/setup?*", lambda route: held.append(route), times=1)
    page.click("text=Look again >> nth=0")
    page.click("text=Tap its landmarks")
    box = page.locator(".camera img").bounding_box()
    for n in range(9):
        if n == 4:
            with page.expect_response("**/api/setup?*"):
                held[0].continue_()
        page.mouse.click(box["x"] + box["width"] * (n + 1) / 16, box["y"] + box["height"] / 2)
    eventually(lambda: table.commands, "the taps")
    (command,) = table.commands
    assert command["do"] == "landmarks"
    assert command["points"]["hole"] == pytest.approx([4, 24], abs=0.3)
    assert command["points"]["pegs"][7] == pytest.approx([36, 24], abs=0.3)
