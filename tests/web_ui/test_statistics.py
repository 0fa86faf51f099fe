"""What many matches add up to, on a small phone: held against the archive's own documents, counted otherwise."""

import math

import pytest

from controller.journal import Journal
from controller.views.history import Archive
from tests.slow import slow
from tests.web_ui.fake_table import FakeTable, question
from tests.web_ui.test_accessibility import findings
from tests.years import played, write_years

pytestmark = slow

MATCHES = 30
BREADTH = 2 * 15.9  # mm, of a disc


@pytest.fixture(scope="module")
def years(tmp_path_factory):
    path = tmp_path_factory.mktemp("years") / "journal.sqlite"
    write_years(path, MATCHES, [played(1, rounds=2)])
    table = FakeTable(question())
    journal = Journal(path)
    table.archive = Archive(journal)
    table.archive.upkeep.catch_up()
    yield table
    table.archive.close()
    journal.close()


@pytest.fixture
def page(open_page, serve, years):
    page = open_page(serve(years).url + "history", (360, 640), reduced_motion="reduce")
    page.wait_for_selector(".heat")
    return page


def resting(years, seat):
    """Where the shots of a seat, or of all, came to rest: from each match's review."""
    found = []
    for number in range(1, MATCHES + 1):
        after = 0
        while after is not None:
            part = years.archive.match(number, after)
            after = part.next
            for shot in part.shots:
                lying = [d for d in shot.after if d.id == shot.disc and d.zone < 20 and not d.remove]
                found += [(d.x, d.y) for d in lying if seat in (None, shot.seat)]
    return found


@pytest.mark.parametrize("seat", [None, 3])
def test_the_map_shows_how_many_of_100_shots_lie_near_each_place(page, years, seat):
    if seat:
        page.select_option("label:has-text('Shot from') select", str(seat))
    lying = resting(years, seat)
    page.wait_for_selector(f"text={len(lying)} shots")
    told = page.evaluate(
        """async (seat) => {
          const [{ shares }, figures] = await Promise.all([
            import(`/static/${document.documentElement.dataset.version}/en/review/statistics.js`),
            fetch('/api/v1/figures').then((answer) => answer.json())]);
          return shares(figures.density, seat).found;
        }""",
        seat or 0,
    )
    assert told
    error = [
        share - 100 * sum(math.hypot(px - x, py - y) <= BREADTH for px, py in lying) / len(lying)
        for x, y, share in told[:: max(1, len(told) // 200)]
    ]
    most = max(share for *_, share in told)
    assert abs(sum(error) / len(error)) < 0.1 * most, "on the whole, neither too much nor too little"
    x, y, _ = max(told, key=lambda one: one[2])
    dense = sum(math.hypot(px - x, py - y) <= BREADTH for px, py in lying) / len(lying)
    assert 100 * dense > 0.5 * most, "where the map is darkest, many shots do lie"
    keys = page.locator(".key li").all_inner_texts()
    assert len(keys) == 6
    assert float(keys[-1].removeprefix("to ")) == pytest.approx(most, abs=0.051)


def test_trends_spread_and_records_say_on_how_much_they_rest(page, years):
    figures = years.archive.figures()
    told = [point for point in figures.trend.points if point.twenties_a_round is not None]
    assert page.locator(".trend").first.locator(".trend-point").count() == len(told) > 1
    page.click("summary")
    assert page.locator("details tbody tr").count() == len(figures.trend.points)
    rounds = sum(one.rounds for one in figures.rounds_by_twenties)
    assert page.is_visible(f"text=over {rounds:,} rounds")
    assert page.is_visible(f"text=Of {MATCHES} matches.")
    best = next(one for one in figures.records if one.kind == "round_points")
    row = page.locator("tr:has-text('Most points in a round')")
    assert row.locator("td").first.inner_text() == str(best.value)
    assert row.locator("a").get_attribute("href") == f"/review/{best.match}"


def test_a_player_of_few_rounds_has_dashes_and_no_trend(page, years):
    few = min(years.archive.figures().players, key=lambda one: one.rounds)
    assert few.rounds < years.archive.figures().enough_rounds
    row = page.locator(f"tr:has(th:text-is('{few.player}'))").first
    assert row.locator("td").nth(4).inner_text() == "–"
    page.select_option("label:has-text('Player') select", few.player)
    page.wait_for_selector("text=Too few rounds to say anything: 10 are needed.")
    assert page.locator(".trend").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_statistics_are_for_everyone(page, theme):
    page.emulate_media(color_scheme=theme)
    assert findings(page, theme) == []
