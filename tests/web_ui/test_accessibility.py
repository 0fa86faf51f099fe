"""WCAG 2.2 AA and best practice, by axe in Chromium, for every page in both themes; and what axe can't see."""

from importlib import resources

import pytest

from tests.slow import first_is_quick, slow
from tests.web_ui.conftest import keep_score, publish
from tests.web_ui.fake_table import STATES

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js")

RUN = """async (only) => {
  const found = await axe.run(document, { runOnly: only });
  return found.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map((n) => `${n.html.slice(0, 160)} ${n.failureSummary}`).join(' | ')}`);
}"""

EVERYTHING = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CHECKS = {"light": EVERYTHING, "dark": {"type": "rule", "values": ["color-contrast"]}}
"""In the dark only the colours differ."""
STILL = {"reduced_motion": "reduce"}


def findings(page, theme):
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(RUN, CHECKS[theme])
    assert isinstance(found, list)
    return found


TV = (1920, 1080)
SCORES = [
    ("", (390, 844)),
    ("tv", TV),
    *((f"overlay{more}", TV) for more in ("", "?board=yes", "?ground=101010&text=ffffff")),
]


@pytest.mark.parametrize("theme", first_is_quick(CHECKS))
@pytest.mark.parametrize(("path", "size"), first_is_quick(SCORES), ids=[path or "phone" for path, _ in SCORES])
def test_phone_screen_and_stream_are_for_everyone(serve, table, open_page, path, size, theme):
    page = open_page(serve().url + path, size, color_scheme=theme, **STILL)
    page.wait_for_selector("html[data-live=yes]")
    for build in STATES.values():
        publish(page, table, build())
        assert findings(page, theme) == [], build.__name__


@slow
@pytest.mark.parametrize("theme", CHECKS)
def test_the_scorers_sheets_are_for_everyone(serve, open_page, theme):
    page = open_page(serve().url, color_scheme=theme, **STILL)
    page.click("#tools >> text=Menu")
    page.wait_for_selector("dialog .pages")
    assert findings(page, theme) == []
    page.click("dialog >> [aria-label=Close]")
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog .tools")
    assert findings(page, theme) == [], "the tools"
    page.click("dialog >> text=Match and camera")
    page.click("dialog >> text=Start a match")
    page.click("dialog summary")
    page.wait_for_selector("dialog >> text=Discs a side")
    assert findings(page, theme) == [], "the form that starts a match"
    page.locator("dialog [role=combobox]").first.fill("pl")
    page.wait_for_selector("dialog .names [role=option]")
    page.keyboard.press("ArrowDown")
    assert findings(page, theme) == [], "names that are suggested"
    page.click("dialog >> [aria-label=Close]")
    page.click("#tools >> text=Tools")
    page.click("dialog >> text=Correct a round")
    page.wait_for_selector("dialog h2:has-text('Correct a round')")
    assert findings(page, theme) == [], "a round's correction"
    page.click("dialog >> [aria-label=Close]")
    page.click("[data-disc=b4] .touch")
    page.wait_for_selector("dialog >> text=Where is this disc?")
    assert findings(page, theme) == [], "a disc's correction"
    page.click("dialog >> [aria-label=Close]")
    page.click("#questions button")
    assert findings(page, theme) == [], "the questions"
    page.click("dialog >> [aria-label=Close]")
    page.click("#board .hole", force=True)
    page.wait_for_selector("dialog >> text=Twenties")
    assert findings(page, theme) == [], "the hole"


@pytest.mark.parametrize("theme", first_is_quick(CHECKS))
def test_the_pads_are_for_everyone(serve, played, open_page, theme):
    played.do("manual")
    page = open_page(serve(played).url, color_scheme=theme, **STILL)
    keep_score(page)
    page.wait_for_selector(".pad.side-A .twenty")
    assert findings(page, theme) == []
    page.focus(".pad.side-A .ring")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pad.side-A .sum:has-text('15')")
    page.click("#pads .over")
    page.wait_for_selector("dialog >> text=Do you both agree?")
    assert findings(page, theme) == []


@slow
@pytest.mark.parametrize("theme", CHECKS)
def test_review_history_and_sheet_are_for_everyone(serve, played, open_page, theme):
    played.play()
    server = serve(played)
    for path, shown in (("review/1", ".chart"), ("history", ".map"), ("sheet/1", "table")):
        page = open_page(server.url + path, color_scheme=theme, **STILL)
        page.wait_for_selector(shown)
        assert findings(page, theme) == [], path
        if path == "history":
            for opener in names_are_changed(page):
                assert findings(page, theme) == [], opener


def names_are_changed(page):
    """Open what renames and merges players, then what undoes it."""
    enter = "fetch('/api/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"
    assert page.evaluate(f"{enter}.then((answer) => answer.ok)")
    page.reload()
    page.wait_for_selector(".map")
    page.locator(".filters select").select_option(index=1)
    page.locator("main > div > .actions").first.locator("button").first.click()
    page.wait_for_selector("dialog form")
    yield page.text_content("dialog h2")
    page.click("dialog header button")
    page.locator("main > div > .actions").first.locator("button").first.click()
    page.fill("dialog input", "Somebody")
    page.click("dialog form button")
    page.wait_for_selector(".renamed li:not(.undone)", state="attached")
    page.click(".renamed summary")
    page.wait_for_selector(".renamed button")
    yield page.text_content(".renamed summary")
    page.click(".renamed button")
    page.wait_for_selector(".renamed li:not(.undone)", state="detached")


@pytest.mark.parametrize("theme", first_is_quick(CHECKS))
def test_the_set_up_is_for_everyone(serve, open_page, theme):
    page = open_page(serve().url + "setup", color_scheme=theme, **STILL)
    page.wait_for_selector(".step")
    for step in ("Camera", "Board", "Lamps", "Programs"):
        page.locator("nav").get_by_role("button", name=step, exact=True).click()
        page.locator("h2", has_text=step).wait_for()
        assert findings(page, theme) == [], step


def test_everything_can_be_done_by_keyboard(serve, table, open_page):
    page = open_page(serve().url, **STILL)
    page.wait_for_selector("text=Keep score")
    page.focus("text=Keep score")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog >> text=Your name")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .tools")
    page.keyboard.press("Escape")
    page.focus("[data-disc=b4]")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog >> text=Where is this disc?")
    page.focus("dialog .answers button:has-text('10')")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog:not([open])", state="attached")
    assert table.commands[-1]["do"] == "correct_disc"


def test_changes_are_announced_to_screen_readers(serve, table, open_page):
    page = open_page(serve().url, **STILL)
    page.wait_for_selector("html[data-live=yes]")
    assert page.get_attribute("#call", "aria-live") == "polite"
    assert page.get_attribute("#questions", "aria-live") == "polite"
    ears = page.locator("#side-B .for-ears").first.text_content()
    assert ears == "60 to 65 this round, 1 in the match"
