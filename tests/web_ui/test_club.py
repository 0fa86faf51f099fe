"""The club's match on the phone and the table's screen: shown with the longest names, begun with one tap."""

import pytest

from tests.slow import first_is_quick
from tests.waiting import eventually
from tests.web_ui.conftest import keep_score, publish
from tests.web_ui.fake_table import in_club, no_match, over, start
from tests.web_ui.test_browser import look, page
from tests.web_ui.test_fits import CUT, LONGEST, OUTSIDE, SCREENS, after

__all__ = ["page"]
ASSIGNED = lambda: in_club(over(), (LONGEST, LONGEST[:-1]))  # noqa: E731


def test_the_next_match_is_shown_and_begun_with_one_tap(serve, table, page):
    table.state = in_club(no_match())
    wanted = {"do": "start", **table.state["club"]["next"]["start"]}
    look(page, serve())
    assert page.inner_text(".assigned").startswith("Next: Player 3 and Player 4")
    keep_score(page)
    page.click("#tools >> text='Begin'")
    eventually(lambda: [one for one in table.commands if one["do"] == "start"], "a start")
    (begun,) = [one for one in table.commands if one["do"] == "start"]
    assert begun == wanted
    publish(page, table, in_club(start()))  # while a match goes on, the next one begins from the scorer's sheet alone
    page.wait_for_selector("#tools >> text='Begin'", state="detached")
    page.click("#call .next")
    page.wait_for_selector("dialog >> text=Begin the assigned match")
    back = in_club(start())
    back["club"] |= {"next": None, "taken_back": "The organiser has taken this match back."}
    publish(page, table, back)
    assert page.inner_text(".taken-back") == back["club"]["taken_back"]


@pytest.mark.parametrize("screen", first_is_quick(SCREENS))
def test_the_longest_names_fit_on_every_screen(serve, table, open_page, screen):
    width, height = SCREENS[screen]
    page = open_page(serve().url + ("/tv" if screen == "TV" else "/"), (width, height), reduced_motion="reduce")
    for state in (in_club(no_match(), (LONGEST, LONGEST[:-1])), ASSIGNED(), in_club(after(25, start), (LONGEST, "B"))):
        publish(page, table, state)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(CUT) == []
        if screen == "TV" and state["match"] and not state["match"]["over"]:
            assert not page.is_visible(".assigned"), "the table's screen shows the match that is played"
            continue
        box = page.locator(".assigned").bounding_box()
        assert box
        if screen == "TV":
            assert box["y"] + box["height"] <= height
