"""Every page on every screen, with few rounds and many, the longest names, in all languages: nothing is wider than the
screen, and what people look for is on it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web_ui.fake_table import STATES, FakeTable
from tests.web_ui.played_table import PlayedTable
from tests.web_ui.test_accessibility import names_are_changed
from web_ui import Server, create_app
from web_ui.languages import LANGUAGES

Serve = Callable[..., Server]
LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."  # 40 letters, the most that a name may have
PHONES = {"small": (360, 640), "with its bars": (390, 664), "usual": (390, 844), "large": (430, 932)}
SCREENS = {**PHONES, "sideways": (844, 390), "TV": (1920, 1080)}
ROUNDS = (1, 9, 25)
OUTSIDE = """() => [...document.querySelectorAll('body *')].filter((node) => {
  const box = node.getBoundingClientRect();
  const scrolls = node.closest('#rounds, .wide, .for-ears, [style*=absolute]');
  return !scrolls && box.width > 1 && (box.right > innerWidth + 1 || box.left < -1);
}).map((node) => node.outerHTML.slice(0, 120))"""

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


def after(rounds: int, build: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """A state after so many rounds of three-digit totals between sides of the longest names."""
    state = build()
    match = state["match"]
    ids = [side["id"] for side in match["sides"]]
    match["rounds"] = [
        {"number": n, "starter": "A", "totals": dict.fromkeys(ids, 115 + 5 * n % 100),
         "twenties": dict.fromkeys(ids, 1), "awarded": dict.fromkeys(ids, 115), "counted": True,
         "corrected": n % 3 == 0,
         "ranges": {side: [100, 115] for side in ids}}
        for n in range(1, rounds + 1)
    ]  # fmt: skip
    match["round"] |= {"number": rounds + 1, "of": None, "player": LONGEST}
    for side in match["sides"]:
        side |= {"name": LONGEST, "score": 115 * rounds}
    return state


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    contexts: list[Any] = []

    def opened(size: tuple[int, int], **more: Any) -> Any:
        viewport = {"width": size[0], "height": size[1]}
        contexts.append(browser.new_context(viewport=viewport, reduced_motion="reduce", **more))
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        return page

    yield opened
    for context in contexts:
        context.close()


def shows(page: Any, table: FakeTable, state: dict[str, Any]) -> None:
    newest = table.publish(state)
    page.wait_for_function("id => document.documentElement.dataset.state === String(id)", arg=newest.id)


def on_screen(page: Any, selector: str, above: float) -> None:
    box = page.locator(selector).bounding_box()
    assert box, selector
    assert box["y"] >= 0, selector
    assert box["y"] + box["height"] <= above, selector


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_wider_than_the_screen(serve: Serve, table: FakeTable, open_page: Any, screen: str) -> None:
    width, height = SCREENS[screen]
    server = serve()
    page = open_page((width, height))
    for path in ("tv",) if screen == "TV" else ("", "tv"):
        for language in LANGUAGES:
            page.goto(f"{server.url}{path}?language={language}")
            page.wait_for_selector("html[data-live=yes]")
            for rounds in ROUNDS if language == "en" else ROUNDS[-1:]:  # no language has other figures
                for name in ("question", "four_sides", "over"):
                    shows(page, table, after(rounds, STATES[name]))
                    where = (path, language, rounds, name)
                    assert page.evaluate(f"[document.documentElement.scrollWidth <= {width}, ({OUTSIDE})()]") == [
                        True,
                        [],
                    ], where


@pytest.mark.parametrize("screen", PHONES)
def test_call_next_step_question_and_tools_are_on_a_phones_first_screen(
    serve: Serve, table: FakeTable, open_page: Any, screen: str
) -> None:
    page = open_page(PHONES[screen], extra_http_headers={})
    server = serve()
    page.goto(server.url)
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog >> text=Leave scoring")
    page.click("dialog >> [aria-label=Close]")
    for language in LANGUAGES:
        page.goto(f"{server.url}?language={language}")
        page.wait_for_selector("html[data-live=yes][data-scorer=yes]")
        for name in ("mid_round", "question", "four_sides"):
            shows(page, table, after(25, STATES[name]))
            tools = page.locator("#tools button").first.bounding_box()["y"]
            for selector in ("#call .words", "#call .next", *(["#questions button"] if name == "question" else [])):
                on_screen(page, selector, tools)
            for button in page.locator("#tools button").all():
                box = button.bounding_box()
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= PHONES[screen][0]
                assert box["y"] + box["height"] <= PHONES[screen][1]


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_the_tables_screen_shows_whole_rounds_in_figures_to_be_read(
    serve: Serve, table: FakeTable, open_page: Any, size: tuple[int, int]
) -> None:
    page = open_page(size)
    page.goto(serve().url + "tv")
    page.wait_for_selector("html[data-live=yes]")
    for name in ("question", "four_sides"):
        shows(page, table, after(25, STATES[name]))
        area = page.locator("#rounds").bounding_box()
        heads = page.locator("#rounds thead th").all()
        assert len(heads) >= 6, "at least four rounds beside the names and the sum"
        for cell in page.locator("#rounds :is(td, th)").all():
            box = cell.bounding_box()
            assert box["x"] >= area["x"] - 1
            assert box["x"] + box["width"] <= area["x"] + area["width"] + 1
        figure = page.eval_on_selector("#rounds td b", "b => parseFloat(getComputedStyle(b).fontSize)")
        assert figure >= size[1] / 40, "as tall as 10 mm on a screen of 399 mm"


@pytest.mark.parametrize("screen", SCREENS)
def test_sheets_fit_and_scroll(serve: Serve, table: FakeTable, open_page: Any, screen: str) -> None:
    width, height = SCREENS[screen]
    page = open_page((width, height))
    server = serve()
    for language in LANGUAGES:
        page.goto(f"{server.url}?language={language}")
        page.wait_for_selector("html[data-live=yes]")
        shows(page, table, after(25, STATES["question"]))
        if language == "en":
            page.click("text=Keep score")
            page.click("dialog button.main")
            page.wait_for_selector("html[data-scorer=yes]")
            page.click("dialog header button")
        page.wait_for_selector("html[data-scorer=yes]")
        for opener in ("#questions button", "#tools button:nth-last-of-type(2)", "#tools .quiet"):
            page.click(opener)
            box = page.locator("dialog[open]").bounding_box()
            assert box["x"] >= 0, opener
            assert box["x"] + box["width"] <= width, opener
            assert box["y"] + box["height"] <= height, opener
            inside = page.eval_on_selector("dialog[open]", "d => [d.scrollWidth, d.clientWidth]")
            assert inside[0] <= inside[1], (opener, language)
            assert page.evaluate(CUT) == [], (opener, language)
            assert page.evaluate(BROKEN) == [], (opener, language)
            page.click("dialog header button")


@pytest.mark.parametrize("size", [(360, 640), (430, 932), (844, 390)])
def test_review_history_and_sheet_are_no_wider_than_the_screen(
    tmp_path: Any, open_page: Any, size: tuple[int, int]
) -> None:
    sides = [{"name": LONGEST, "colour": "black"}, {"name": LONGEST[::-1], "colour": "natural"}]
    table = PlayedTable(tmp_path)
    table.command({"do": "start", "rules": "nca", "sides": sides})
    table.play()
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    try:
        page = open_page(size)
        for language in LANGUAGES:
            for path, shown in (("review/2", ".chart"), ("history", ".map"), ("sheet/2", "table")):
                page.goto(f"{server.url}{path}?language={language}")
                page.wait_for_selector(shown)
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (path, language)
                assert page.evaluate(BROKEN) == [], (path, language)
                for opener in names_are_changed(page) if (path, size[0]) == ("history", 360) else ():
                    assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (opener, language)
                    assert page.evaluate(BROKEN) == [], (opener, language)
    finally:
        server.stop()
