"""Every page on every screen, with few rounds and many, the longest names, in all languages: nothing is wider than the
screen, and what people look for is on it.
"""

from itertools import pairwise

import pytest

from tests.slow import first_is_quick
from tests.web_ui.conftest import keep_score, publish
from tests.web_ui.fake_table import STATES
from tests.web_ui.played_table import PlayedTable
from tests.web_ui.test_accessibility import STILL, names_are_changed
from web_ui import Server, create_app
from web_ui.languages import LANGUAGES

LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."  # 40 letters, the most that a name may have
PHONES = {"small": (360, 640), "with its bars": (390, 664), "usual": (390, 844), "large": (430, 932)}
SCREENS = {**PHONES, "sideways": (844, 390), "TV": (1920, 1080)}
ROUNDS = (1, 9, 25)
OUTSIDE = """() => [...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  const scrolls = node.closest('#rounds, .wide, .for-ears, [style*=absolute]');
  return !scrolls && box.width > 1 && (box.right > innerWidth + 1 || box.left < -1);
}).map((node) => node.outerHTML.slice(0, 120))"""

CROSSING = """() => [...document.querySelectorAll('.side :is(p, span)')].filter((node) => {
  const [box, side] = [node, node.closest('.side')].map((each) => each.getBoundingClientRect());
  const cut = getComputedStyle(node).display !== 'inline' && node.scrollWidth > node.clientWidth + 1;
  const crosses = box.right > side.right + 1 || box.left < side.left - 1;
  return box.width > 1 && !node.closest('.for-ears') && (cut || crosses);
}).map((node) => node.textContent)"""
"""What of a side is cut, or reaches into its neighbour."""

HALF = """() => [...document.querySelectorAll('#rounds thead th:not(:first-child)')].filter((node) => {
  const [{ left, right }, head] = [node, node.parentNode.firstChild].map((each) => each.getBoundingClientRect());
  return left < head.right - 1 && right > head.right + 1;
}).map((node) => node.textContent)"""
"""Rounds of which the heads of the lines hide a part."""

CUT = """() => [...document.querySelectorAll('#tools button, dialog[open] button, .shots > :first-child')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent)"""
BROKEN = """() => [...document.querySelectorAll('.choice span, .wide :is(td, th:not([scope=colgroup]))')]
  .flatMap((node) => {
  const words = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = [];
  while (words.nextNode()) for (const { 0: word, index } of words.currentNode.data.matchAll(/[^\\s–-]+/g)) {
    const range = document.createRange();
    range.setStart(words.currentNode, index);
    range.setEnd(words.currentNode, index + word.length);
    if (word.length < 30 && new Set([...range.getClientRects()].map((box) => box.top)).size > 1) found.push(word);
  }
  return found;
})"""
"""Words that go on in the next line; not names, which may be as long as they like."""


def after(rounds, build):
    """A state after so many rounds of three-digit totals between sides of the longest names."""
    state = build()
    match = state["match"]
    ids = [side["id"] for side in match["sides"]]
    match["rounds"] = [
        {
            "number": n,
            "starter": "A",
            "totals": dict.fromkeys(ids, 115 + 5 * n % 100),
            "twenties": dict.fromkeys(ids, 1),
            "awarded": dict.fromkeys(ids, 115),
            "corrected": n % 3 == 0,
            "ranges": {side: [100, 115] for side in ids},
        }
        for n in range(1, rounds + 1)
    ]
    match["round"] |= {"number": rounds + 1, "of": None, "player": LONGEST}
    for side in match["sides"]:
        side |= {"name": LONGEST, "score": 115 * rounds}
    return state


def on_screen(page, selector, above):
    box = page.locator(selector).bounding_box()
    assert box, selector
    assert box["y"] >= 0, selector
    assert box["y"] + box["height"] <= above, selector


def at_every_size(page, address, loaded, screens, language):
    """The page on each screen: loaded there in English, in other languages loaded once and turned to the others."""
    for name, (width, height) in screens.items():
        first = page.url == "about:blank" or address not in page.url
        page.set_viewport_size({"width": width, "height": height})
        if first or language == "en":
            page.goto(address)
            page.wait_for_selector(loaded)
        yield name


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_four_sides_stand_beside_each_other_on_a_small_phone(serve, table, open_page, language):
    page = open_page(f"{serve().url}?language={language}", PHONES["small"], **STILL)
    for state in (STATES["four_sides"](), after(9, STATES["four_sides"])):
        publish(page, table, state)
        assert page.evaluate(CROSSING) == []


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_nothing_is_wider_than_the_screen(serve, table, open_page, language):
    server = serve()
    page = open_page("about:blank", PHONES["usual"], **STILL)
    for path in ("", "tv"):
        address = f"{server.url}{path}?language={language}"
        screens = SCREENS if path else {name: size for name, size in SCREENS.items() if name != "TV"}
        for screen in at_every_size(page, address, "html[data-live=yes]", screens, language):
            for rounds in ROUNDS if language == "en" else ROUNDS[-1:]:  # no language has other figures
                for name in ("question", "four_sides", "over"):
                    publish(page, table, after(rounds, STATES[name]))
                    where = (path, screen, rounds, name)
                    assert page.evaluate(f"[document.documentElement.scrollWidth <= innerWidth, ({OUTSIDE})()]") == [
                        True,
                        [],
                    ], where
                    assert language != "en" or page.evaluate(HALF) == [], where


BOXES = """(nodes) => nodes.map((node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  return [left, top, right, bottom];
})"""


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_call_next_step_question_and_tools_are_on_a_phones_first_screen(serve, table, open_page, language):
    server = serve()
    page = open_page(server.url, PHONES["usual"], **STILL)
    keep_score(page)
    address = f"{server.url}?language={language}"
    for screen in at_every_size(page, address, "html[data-live=yes][data-scorer=yes]", PHONES, language):
        width, height = PHONES[screen]
        for name in ("mid_round", "question", "four_sides", "over"):
            publish(page, table, after(25, STATES[name]))
            tools = page.eval_on_selector_all("#tools button", BOXES)
            to_do = {"question": ["#questions button"], "over": []}.get(name, ["#call .next"])
            for selector in ("#call .words", *to_do):
                on_screen(page, selector, tools[0][1])
            for left, _, right, bottom in tools:
                assert (left >= 0, right <= width, bottom <= height) == (True, True, True), (screen, name)


@pytest.mark.parametrize(("width", "height"), first_is_quick([(1366, 768), (1920, 1080), (3840, 2160)]))
def test_all_that_the_tables_screen_says_can_be_read_and_is_on_it(serve, table, open_page, width, height):
    """A 24th of the height at least, as tall as 10 mm on a screen of 399 mm; names of 40 letters may be smaller."""
    page = open_page(serve().url + "tv", (width, height), **STILL)
    page.wait_for_selector("html[data-live=yes]")
    by_hand = after(25, STATES["mid_round"])
    by_hand["match"] |= {"manual": True, "last_call": None, "discs": []}
    for state in (STATES["mid_round"](), STATES["question"](), STATES["four_sides"](), STATES["over"](), by_hand):
        publish(page, table, state)
        assert page.evaluate(SMALL, height / 24 - 0.1) == []
        assert page.evaluate(BEYOND) == []
    assert page.locator("#side-A .played b").count() == 3, "the last rounds"
    by_hand["match"]["rounds"][-1]["awarded"] = {"A": 2, "B": 0}
    publish(page, table, by_hand)
    colours = page.locator(".played b").evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
    assert [colour == colours[2] for colour in colours] == [False, False, True, False, False, False], "who won it"
    long = STATES["question"]()
    long["notices"] = [{"kind": "hole_sensor", "text": "The 20-hole unit does not answer: is its USB cable in?"}]
    long["match"]["questions"][0] |= {
        "text": "Is Player 1's disc in the hole? The sensor says so; the camera does not see it.",
        "picture": None,
    }
    publish(page, table, long)
    parts = page.eval_on_selector_all(".asks, .answers p, .next, #notices p", BOXES)
    tall = sorted((top, bottom) for left, top, right, bottom in parts if left < width / 5 and right > left)
    assert len(tall) > 2
    assert all(bottom <= below for (_, bottom), (below, _) in pairwise(tall)), "each below the other"


SMALL = """(floor) => [...document.querySelectorAll('main *')].filter((node) => {
  const own = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
  const box = node.getBoundingClientRect();
  const seen = own && box.width > 1 && !node.closest('.for-ears, h2.long, svg');
  return seen && parseFloat(getComputedStyle(node).fontSize) < floor;
}).map((node) => node.outerHTML)"""
BEYOND = """() => [...document.querySelectorAll('main *')].filter((node) => {
  const box = node.getBoundingClientRect();
  const seen = box.width > 1 && !node.closest('.for-ears, svg, #day');
  return seen && (box.top < 0 || box.bottom > innerHeight + 1);
}).map((node) => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_sheets_fit_and_scroll(serve, table, open_page, language):
    server = serve()
    page = open_page(server.url, PHONES["usual"], **STILL)
    keep_score(page)
    publish(page, table, after(25, STATES["question"]))
    for opener in ("#questions button", "#tools button:nth-last-of-type(3)", "#tools .quiet"):
        address = f"{server.url}?language={language}"
        for screen in at_every_size(page, address, "html[data-scorer=yes] #questions button", SCREENS, language):
            if not page.locator("dialog[open]").count():
                page.click(opener)
            width, height = SCREENS[screen]
            box = page.locator("dialog[open]").bounding_box()
            where = (opener, screen)
            assert box["x"] >= 0, where
            assert box["x"] + box["width"] <= width, where
            assert box["y"] + box["height"] <= height, where
            inside = page.eval_on_selector("dialog[open]", "d => [d.scrollWidth, d.clientWidth]")
            assert inside[0] <= inside[1], where
            assert page.evaluate(CUT) == [], where
            assert page.evaluate(BROKEN) == [], where
        page.click("dialog header button")


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_a_match_starts_without_scrolling_on_a_small_phone(serve, table, open_page, language):
    """Also of two pairs of the longest names Start is on the screen, and the head says that a table is simulated."""
    page = open_page(f"{serve().url}?language={language}", PHONES["small"], **STILL)
    page.evaluate("fetch('/api/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})")
    page.reload()
    page.wait_for_selector("html[data-scorer=yes]")
    publish(page, table, after(25, STATES["mid_round"]))
    assert page.eval_on_selector("#table small", "(one) => one.scrollWidth <= one.parentNode.clientWidth")
    page.click("#call .next")
    page.click("dialog .tool:last-child")
    for players in ("2", "doubles"):
        page.click(f"dialog label:has([value='{players}'])")
        on_screen(page, "dialog form > .main", PHONES["small"][1])
        rows = {box[1] for box in page.eval_on_selector_all("dialog [name=kind] + span", BOXES)}
        assert len(rows) == 1, "who plays is one row"
        assert page.evaluate(CUT) == []
        assert page.eval_on_selector("dialog", "one => one.scrollWidth <= one.clientWidth")


PAGES = (("review/2", ".chart"), ("history", ".map"), ("sheet/2", "table"), ("accuracy", "#accuracy table"))


@pytest.fixture(scope="module")
def played_server(tmp_path_factory):
    """A scoreboard of a table on which sides of the longest names have played."""
    sides = [{"name": LONGEST, "colour": "black"}, {"name": LONGEST[::-1], "colour": "natural"}]
    table = PlayedTable(tmp_path_factory.mktemp("played"))
    table.command({"do": "start", "rules": "nca", "sides": sides})
    table.play()
    table.command({"do": "correct_round", "round": 1, "twenties": {"A": 2}, "by": "phone"})
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()
    table.close()


@pytest.mark.parametrize("language", first_is_quick(sorted(LANGUAGES)))
def test_review_history_sheet_and_accuracy_are_no_wider_than_the_screen(played_server, open_page, language):
    page = open_page("about:blank", PHONES["small"], **STILL)
    screens = {name: SCREENS[name] for name in ("large", "sideways", "small")}
    for path, shown in PAGES:
        address = f"{played_server.url}{path}?language={language}"
        for screen in at_every_size(page, address, shown, screens, language):
            for opener in ("", *(names_are_changed(page) if (path, screen) == ("history", "small") else ())):
                where = (path, screen, opener)
                assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen][0], where
                assert page.evaluate(BROKEN) == [], where
