"""Partners' names, the end of a match scored by hand, what the form for a start offers, what lies over what."""

import pytest

from tests.slow import first_is_quick, slow

SIZES = {"phone": (360, 640), "usual": (390, 844), "desk": (1280, 800), "TV": (1920, 1080)}
NAMES = (
    "Maximilian Wolfeschlegelsteinhausenberge",
    "Anneliese Schimmelpfennig-Wintergerst II",
    "Bartholomäus Hohenlohe-Schillingsfürst I",
    "Katarzyna Grzegorzewska-Brzęczyszczykiew",
)
"""Of 40 letters each, the most that a name may have, in seats 1 to 4."""


@pytest.fixture
def look(open_page, serve, played):
    server = serve(played)
    return lambda path="", size="phone": open_page(server.url + path, SIZES[size], reduced_motion="reduce")


def pairs(played):
    sides = [{"name": f"{NAMES[i]} & {NAMES[i + 2]}", "colour": ("black", "natural")[i]} for i in (0, 1)]
    seats = dict(zip("1234", NAMES, strict=True))
    played.do("start", rules="nca", doubles=True, sides=sides, seats=seats)


CUT = """() => [...document.querySelectorAll('.side h2 span')].filter((one) => {
  const box = one.getBoundingClientRect();
  const text = document.createRange();
  text.selectNodeContents(one);
  const words = text.getBoundingClientRect();
  return words.right > box.right + 1 || words.bottom > box.bottom + 1 || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent)"""


@pytest.mark.parametrize("language", first_is_quick(["en", "de", "pl"]))
@pytest.mark.parametrize(
    ("path", "size"), first_is_quick([("", "phone"), ("", "usual"), ("", "desk"), ("tv", "TV"), ("tv", "desk")])
)
def test_long_names_are_shown_whole(look, played, path, size, language):
    played.do("start", rules="nca", sides=[{"name": name} for name in NAMES[:2]])
    page = look(f"{path}?language={language}", size)
    for names in (1, 2):  # of a side: one player, then two partners
        if names == 2:
            pairs(played)
        page.wait_for_selector(f"#side-B h2 span:nth-of-type({names})")
        assert page.locator("#side-A h2 span").count() == names
        assert page.evaluate(CUT) == []
        full, score = page.locator("#side-A h2").bounding_box(), page.locator("#score .caption").bounding_box()
        apart = (
            full["y"] + full["height"] <= score["y"]
            or full["x"] + full["width"] <= score["x"]
            or (score["x"] + score["width"] <= full["x"] or score["y"] + score["height"] <= full["y"])
        )
        assert apart, "names and score do not lie on each other"


OVERLAPPING = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect();
  });
  return boxes('.side h2 span').some((a) => boxes('#score .points, #score .caption').some((b) => (
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)));
}"""


@pytest.mark.parametrize("size", first_is_quick(["phone", "usual", "desk"]))
def test_partners_names_leave_the_score_free_beside_the_pads(look, played, size):
    pairs(played)
    played.do("manual")
    page = look("?language=pl", size)
    page.click("#tools button >> nth=0")
    page.click("dialog form .main")
    page.wait_for_selector("html[data-pads=yes] .pad", state="attached")
    assert page.locator(".side h2 span").count() == 4
    assert page.evaluate(OVERLAPPING) is False


def test_a_pair_has_the_hammer_and_wins_in_the_plural(look, played):
    pairs(played)
    page = look(size="usual")
    page.wait_for_selector(f"#situation:has-text('{NAMES[3]} have the hammer')")
    page.goto(f"{page.url}?language=de")
    page.wait_for_selector(f"#situation:has-text('{NAMES[3]} haben den Hammer')")


def by_hand(played):
    """Four rounds by hand; Player 1 has 3 twenties in each but the last, which has none."""
    sides = [{"name": "Jo", "colour": "black"}, {"name": "Mo", "colour": "natural"}]
    played.do("start", rules="nca", sides=sides, manual=True)
    for twenties in (3, 3, 3, 0):
        totals = {"A": 20 * twenties + 15, "B": 5}
        counted = {"A": twenties, "B": 0}
        played.do("end_round", totals=totals, twenties=counted)


@pytest.mark.parametrize(("path", "size"), first_is_quick([("", "phone"), ("", "desk"), ("tv", "TV")]))
def test_a_match_scored_by_hand_ends_with_who_won_by_how_much(look, played, path, size):
    by_hand(played)
    assert played.table.shown.over
    page = look(path, size)
    page.wait_for_selector("#call >> text=Jo wins 8–0.")
    large = page.eval_on_selector("#call .words", "one => parseFloat(getComputedStyle(one).fontSize)")
    usual = page.eval_on_selector("html", "one => parseFloat(getComputedStyle(one).fontSize)")
    assert large >= 1.8 * usual
    for side, score, twenties in (("A", "8", "9 × 20"), ("B", "0", "0 × 20")):
        assert page.text_content(f"#side-{side} .total") == score, "of the match, not of its last round"
        assert page.inner_text(f"#side-{side} .twenties").strip() == twenties


def test_only_formats_by_which_the_rules_can_be_counted_are_offered(look, played):
    page = look()
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.click("dialog >> text=Match and camera")
    page.click("dialog >> text=Start a match")
    page.wait_for_selector("dialog h2:text-is('Start a match')")  # its module is fetched at the first tap
    format_of = page.locator("dialog label:has-text('Format') select")
    assert format_of.locator("option").count() == 3
    assert format_of.locator("option:has-text('Count the')").count() == 0
    page.click("dialog label:has-text('Alone')")
    page.click("dialog summary")
    page.select_option("dialog label:has-text('Rules') select", label="Practice: a series")
    page.click("dialog form .main")
    page.wait_for_selector("html[data-sides='1']")
    assert played.table.shown.format["kind"] == "series"


NO_VOICE = """() => {
  const failed = () => Object.assign(new Event('error'), { error: 'synthesis-failed' });
  speechSynthesis.speak = (words) => setTimeout(() => words.dispatchEvent(failed()));
}"""


@pytest.mark.parametrize(("path", "size"), first_is_quick([("?caller=full", "phone"), ("tv?caller=full", "TV")]))
def test_the_note_that_there_is_no_voice_covers_nothing(look, played, path, size):
    played.play()
    page = look("history", size)
    page.add_init_script(f"({NO_VOICE})()")
    page.goto(page.url.replace("history", path))
    note = page.wait_for_selector("#sound >> text=This browser has no voice")
    box = note.bounding_box()
    for shown in ("#call .next", "#side-A .medal", "#side-B .total", "#score"):
        other = page.locator(shown).bounding_box()
        assert other["y"] + other["height"] <= box["y"] or box["y"] + box["height"] <= other["y"], shown


# The page makes room below the rounds when it has drawn the tools: so it may grow after it was scrolled down.
FREE_AT_THE_END = """() => {
  scrollTo(0, document.body.scrollHeight);
  const box = (one) => one.getBoundingClientRect();
  const [rounds, tools] = ['#rounds', '#tools'].map((one) => box(document.querySelector(one)));
  const first = Math.min(...Array.from(document.querySelectorAll('#tools button'), (one) => box(one).y));
  return rounds.right <= tools.x || rounds.bottom <= first;
}"""


@slow
@pytest.mark.parametrize("language", ["de", "pl"])
def test_the_tools_leave_the_rounds_free_at_the_pages_end(look, played, language):
    sides = [{"name": "Jo", "colour": "black"}, {"name": "Mo", "colour": "natural"}]
    endless = {"kind": "points", "target": 999}
    played.do("start", rules="club-100", format=endless, sides=sides, manual=True)
    for _ in range(25):
        played.do("end_round", totals={"A": 15, "B": 10}, twenties={"A": 0, "B": 0})
    for size in ("phone", "usual", "desk"):
        page = look("", size)
        page.click("#tools button")
        page.click("dialog form .main")
        page.wait_for_selector("dialog .tools")
        page.click("dialog [aria-label=Close]")
        page.goto(f"{page.url}?language={language}")
        page.wait_for_selector("html[data-live=yes][data-scorer=yes] #tools .undo")
        page.wait_for_function(FREE_AT_THE_END)
