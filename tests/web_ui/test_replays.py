"""The film of a shot on the pages that follow the match: played once when it is new, and never in the way."""

import pytest

from controller.config import ScreenSection
from tests.slow import first_is_quick
from tests.web_ui.conftest import publish
from tests.web_ui.fake_table import FakeTable, film, mid_round, question

SIZES = {"phone": (360, 640), "TV": (1920, 1080)}
PLAYER = """async () => {
  const scripts = document.querySelector('script[type=module]').src;
  await import(scripts.replace(/[^/]+$/, 'replay.js'));
}"""
"""Resolves when the page has what plays films: the phone's page fetches it with the first one."""

TIME = "document.getAnimations().filter((one) => one.effect.target.closest('#board svg') && one.playbackRate === 0.5)"
"""The running animations of a film, and not the board's own transitions."""


@pytest.fixture
def table():
    state = mid_round()
    state["match"] |= {"film": film(50)}  # the shot before: it has been played
    return FakeTable(state)


@pytest.fixture(params=["", "tv"])
def path(request):
    return request.param


@pytest.fixture
def look(open_page, serve):
    def opened(path="", motion="no-preference", **settings):
        page = open_page(serve(**settings).url + path, SIZES["TV" if path else "phone"], reduced_motion=motion)
        page.wait_for_selector("html[data-live=yes]")
        return page

    return opened


def shown(page, table, **changes):
    """A new state, on the page."""
    publish(page, table, **changes)
    page.evaluate(PLAYER)


def plays(page):
    return bool(page.locator(".ghost").count())


def stopped_at(page, t):
    """Stop the film at a time of the shot, in seconds."""
    page.evaluate(f"t => {TIME}.forEach((one) => {{ one.pause(); one.currentTime = t * 1000; }})", t)


def place(page, disc, within="#board"):
    """Where a disc is drawn on this board, mm."""
    x, y = page.evaluate(
        """([disc, within]) => {
          const box = (node) => document.querySelector(node).getBoundingClientRect();
          const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
          const drawn = document.querySelector(`${within} svg`);
          const mm = drawn.viewBox.baseVal.width / Math.min(drawn.clientWidth, drawn.clientHeight);
          const [[x, y], [x0, y0]] = [box(disc), box(`${within} .hole`)].map(middle);
          return [(x - x0) * mm, (y0 - y) * mm];
        }""",
        [f"{disc} .face", within],
    )
    return x, y


GHOST, STRUCK_BY = "#board .ghost", "#board [data-disc=b4]"


@pytest.mark.parametrize("path", first_is_quick(["", "tv"]))
def test_a_new_shot_goes_its_real_way_in_its_real_time(look, table, path):
    page = look(path)
    assert not plays(page), "the shot before was played before the page was opened"
    shown(page, table, film=film(58, "takeout"))
    assert plays(page)
    stopped_at(page, 2.5)
    assert place(page, STRUCK_BY) == pytest.approx((20, 177), abs=2)
    assert place(page, GHOST) == pytest.approx((20, 20), abs=2), "what is struck lies still until then"
    stopped_at(page, 7.5)
    assert place(page, STRUCK_BY) == pytest.approx((27.4, 34.2), abs=2)
    assert place(page, GHOST) == pytest.approx((85, -137), abs=2)
    stopped_at(page, 10.24)
    x, y = place(page, GHOST)
    assert (x * x + y * y) ** 0.5 == pytest.approx(365, abs=4), "out over the edge, on in its direction"
    assert x / y == pytest.approx(150 / -294, rel=0.05)


def test_it_ends_in_exactly_the_state_that_is_shown(look, table, path):
    page = look(path)
    board = "document.querySelector('#board .discs').innerHTML"
    before = page.evaluate(board)
    shown(page, table, film=film(58, "foul"))
    assert plays(page)
    page.evaluate(f"{TIME}.forEach((one) => one.finish())")
    page.wait_for_selector(".ghost", state="detached")
    assert page.evaluate(board) == before
    assert page.evaluate(f"{TIME}.length") == 0
    assert place(page, STRUCK_BY) == pytest.approx((64.5, -55), abs=1)
    shown(page, table, can_undo=None)
    assert not plays(page), "once"


def test_people_who_want_less_motion_see_the_state_at_once(look, table, path):
    page = look(path, motion="reduce")
    shown(page, table, film=film(58, "twenty"))
    assert not plays(page)
    assert place(page, STRUCK_BY) == pytest.approx((64.5, -55), abs=1)


def test_a_question_ends_it_and_keeps_it_away(look, table, path):
    page = look(path)
    shown(page, table, film=film(58, "foul"))
    assert plays(page)
    asked = question()["match"]["questions"][0] | {"picture": None}  # whose place on the screen the board keeps
    shown(page, table, questions=[asked])
    assert not plays(page)
    assert place(page, STRUCK_BY) == pytest.approx((64.5, -55), abs=1)
    shown(page, table, film=film(62, "foul"))
    assert not plays(page)
    shown(page, table, questions=[])
    assert not plays(page), "when it has been answered, the shot is long over"


def test_the_next_shot_takes_its_place(look, table, path):
    page = look(path)
    shown(page, table, film=film(58, "foul"))
    stopped_at(page, 7.5)
    shown(page, table, film=film(63, "twenty", of="b3"))
    assert page.locator(".ghost").count() == 1
    stopped_at(page, 2.5)
    assert place(page, "#board [data-disc=b3]") == pytest.approx((20, 177), abs=2)
    assert place(page, STRUCK_BY) == pytest.approx((64.5, -55), abs=1)


def test_a_running_shot_and_an_undo_end_it(look, table, path):
    page = look(path)
    shown(page, table, film=film(58, "foul"))
    assert plays(page)
    table.state["status"] = {"word": "hand", "text": "A hand is over the board."}
    shown(page, table)
    assert plays(page), "a disc is placed for the next shot"
    table.state["status"] = {"word": "moving", "text": "Something moves."}
    shown(page, table)
    assert not plays(page)
    table.state["status"] = {"word": "ready", "text": "Ready"}
    shown(page, table, film=film(64, "foul"))
    assert plays(page)
    shown(page, table, film=film(50))
    assert not plays(page), "the shot was taken back; the one before it is not new"
    assert place(page, STRUCK_BY) == pytest.approx((64.5, -55), abs=1)


def test_the_screen_shows_again_what_is_worth_it_and_says_so(look, table):
    page = look("tv")
    shown(page, table, film=film(58))
    assert not plays(page)
    assert page.locator("#replay").is_hidden()
    shown(page, table, film=film(59, "twenty"))
    assert plays(page)
    assert page.inner_text("#replay").split() == ["Replay", "Twenty", "1.24", "m/s"]
    assert page.locator(".trails > *").count() == 0, "the discs themselves go there now"
    page.evaluate(f"{TIME}.forEach((one) => one.finish())")
    page.wait_for_selector("#replay", state="hidden")


def test_a_twenty_has_its_moment_before_it_is_shown_again(look, table):
    page = look("tv")
    sides = [dict(side) for side in table.state["match"]["sides"]]
    sides[1]["twenties"] += 1
    shown(page, table, film=film(58, "twenty"), sides=sides)
    waits = page.evaluate(f"{TIME}.map((one) => one.effect.getTiming().delay / one.playbackRate)")
    assert waits == [2000, 2000], "as long as the twenty lights up on the board"


def test_replays_on_the_screen_can_be_switched_off(look, table):
    page = look("tv", screen=ScreenSection(replays=False))
    shown(page, table, film=film(58, "twenty"))
    assert not plays(page)
    assert page.locator("#replay").is_hidden()


def test_the_phone_plays_every_shot(look, table):
    page = look()
    shown(page, table, film=film(58))
    assert plays(page)


def test_a_disc_of_which_nothing_more_was_seen_is_shown_as_such(look, table):
    page = look()
    lost = film(58)
    lost["tracks"][1] |= {"ended": "lost"}
    shown(page, table, film=lost)
    stopped_at(page, 9.0)
    assert page.eval_on_selector(GHOST, "one => getComputedStyle(one).opacity") == "1"
    stopped_at(page, 15.0)
    assert float(page.eval_on_selector(GHOST, "one => getComputedStyle(one).opacity")) == pytest.approx(0.35)
