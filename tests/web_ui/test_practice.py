"""One player alone, on the phone and on the table's screen, with a real engine behind them."""

from tests.controller.fed_table import a
from tests.web_ui.test_accessibility import AXE, EVERYTHING, RUN

LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."
WIDER = "document.documentElement.scrollWidth - innerWidth"


def test_a_practice_is_started_shot_and_looked_up(serve, played, open_page):
    url = serve(played).url
    page = open_page(url, (360, 640))
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.click("dialog >> text=Start a match")
    page.click("dialog >> text=1, practice")
    assert page.locator("dialog select:visible >> nth=-1").locator("option").all_text_contents() == [
        "Practice: twenties", "Practice: a series",
    ]  # fmt: skip
    assert not page.is_visible("dialog >> text=Discs a side")
    assert not page.is_visible("dialog >> text=Begins")
    page.click("dialog >> .choice >> text='8'")
    page.fill("dialog .side-fields input", LONGEST)
    page.click("dialog >> text='Start'")
    page.wait_for_selector("#score >> text=0 of 0")
    for seen in (a(0, 0, "in_hole"), a(0, 60), a(0, 0, "in_hole")):
        played.table.see(seen)
        played.table.see()
    page.wait_for_selector("#score >> text=2 of 3")
    assert page.text_content("#side-A .total") == "2"
    assert page.text_content("#situation") == "2 of 3 in the hole; 5 shots left."
    assert page.evaluate(WIDER) <= 0
    assert page.locator(".hammer").count() == 0
    page.click("#tools >> text=Scorer")
    page.wait_for_selector("dialog >> text=Add a shot that was missed")
    for other in ("Call a player for conduct", "Time ran out", "by agreement"):
        assert not page.is_visible(f"dialog >> text={other}"), "there is nobody to agree with"
    page.click("dialog >> [aria-label=Close]")
    for twenties in (3, 6, 5):
        played.table.do(do="enter_round", totals={"A": 20 * twenties}, twenties={"A": twenties})
        rules = {"rules": "practice-twenties", "sides": [{"name": LONGEST}], "discs": 8}
        played.table.do(do="start", **rules)
    page.goto(f"{url}history")
    page.wait_for_selector("section:has(h2:text-is('Practice')) .trend")
    row = page.locator("section:has(h2:text-is('Practice')) tbody tr").inner_text().split("\t")
    assert (row[0], row[1], row[2], row[3], row[5]) == (LONGEST, "Twenties with 8 discs", "3", "6", "5")
    assert page.evaluate(WIDER) <= 0
    page.evaluate(AXE.read_text())
    assert page.evaluate(RUN, EVERYTHING) == []
    page.goto(f"{url}review/2")
    page.wait_for_selector(".chart")
    assert not page.is_visible("text=It was a foul")
