"""The film and the clip of a shot in the review, in Chromium."""

import pytest

from controller.journal.media import Clip
from tests.controller.films import film, filmed, keeping_clips
from tests.slow import first_is_quick, slow
from tests.web_ui.conftest import keep_score
from tests.web_ui.fake_table import clip, wandering
from tests.web_ui.played_table import PlayedTable
from tests.web_ui.test_accessibility import findings
from tests.web_ui.test_replays import place

SIZES = {"phone": (360, 640), "TV": (1920, 1080)}
FILM, A1, B1 = ".film", ".film [data-disc=a1]", ".film [data-disc=b1]"


@pytest.fixture
def played(played, request):
    filmed(played.table.engine, getattr(request, "param", film))
    keeping_clips(played.table, Clip(64, 48, tuple(k / 10 for k in range(6)), tuple(wandering())))
    played.play()
    return played


@pytest.fixture
def look(open_page, serve, played):
    server = serve(played)

    def opened(path, size="phone", motion="no-preference", theme="light"):
        page = open_page(server.url + path, SIZES[size], reduced_motion=motion, color_scheme=theme)
        page.wait_for_selector(".film .story")
        return page

    return opened


def slowed(film):
    """A film of minutes, which no machine is too slow to see playing."""
    tracks = (one.model_copy(update={"points": tuple((1000 * t, *at) for t, *at in one.points)}) for one in film.tracks)
    return film.model_copy(update={"tracks": tuple(tracks)})


def second(played):
    """The shot of Natural that hits Black's disc."""
    return f"review/1/{played.archive.match(1).shots[1].id}"


@pytest.mark.parametrize("size", SIZES)
def test_the_slider_shows_the_shot_at_any_time(look, played, size):
    page = look(second(played), size)
    slider = page.locator(".film input[type=range]")
    page.click("text=Before")
    assert slider.input_value() == "0"
    assert place(page, B1, FILM) == pytest.approx((20, -302), abs=3), "it begins with the flick"
    slider.evaluate("one => { one.value = 0.15; one.dispatchEvent(new Event('input')); }")
    assert place(page, B1, FILM) == pytest.approx((17.5, -151), abs=3)
    slider.focus()
    page.keyboard.press("End")
    assert place(page, B1, FILM) == pytest.approx((20, 70), abs=3), "it ends as the still board was read"
    assert place(page, A1, FILM) == pytest.approx((0, 90), abs=3)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "0.01 of 0.90 s"


def board(page):
    """The discs of the page's one board and where they lie, mm."""
    drawn = page.eval_on_selector_all(
        "svg .discs > [data-disc]",
        "all => all.map((one) => [one.dataset.disc, Number(one.dataset.x), Number(one.dataset.y)])",
    )
    assert len(drawn) == len({disc for disc, *_ in drawn}), "one board"
    return {disc: (x, y) for disc, x, y in drawn}


@pytest.mark.parametrize("size", first_is_quick(SIZES))
def test_one_board_is_the_one_before_and_becomes_the_one_after(look, played, size):
    shot = played.archive.match(1).shots[1]
    before, after = ({one.id: (one.x, one.y) for one in discs} for discs in (shot.before, shot.after))
    page = look(second(played), size)
    assert page.locator("svg .hole").count() == 1, "one board"
    assert board(page) == after, "what the verdict is about"
    assert page.get_attribute("text=After", "aria-pressed") == "true"
    page.click("text=Before")
    assert board(page) == before
    assert place(page, A1, FILM) == pytest.approx(before["a1"], abs=3), "not yet where it is struck to"
    for control in (".film svg", ".film .main", ".film input[type=range]"):
        box = page.locator(control).bounding_box()
        assert box["y"] + box["height"] <= SIZES[size][1], f"{control} is seen without scrolling"
    page.click("text=Play")
    running = "document.getAnimations().filter((one) => one.effect.target.closest('.film svg'))"
    page.evaluate(f"{running}.forEach((one) => one.finish())")
    page.wait_for_selector("button[aria-pressed=true]:text-is('After')")
    assert board(page) == after
    assert page.evaluate(f"{running}.length") == 0, "the film is gone, what was read stays"


def test_a_filmed_disc_has_its_real_way_and_no_straight_line(look, played):
    page = look(second(played))
    assert page.locator(".trails polyline.way").count() == 2
    assert page.locator(".trails .path").count() == 0


def test_a_disc_that_no_film_followed_is_faint_until_it_rests(tmp_path, open_page, serve):
    """Nobody saw where it was: it is neither shown as if it still lay there nor moved along."""
    table = PlayedTable(tmp_path)
    filmed(table.table.engine, lambda shot: film(shot).model_copy(update={"tracks": film(shot).tracks[:1]}))
    table.play()
    page = open_page(serve(table).url + second(table))
    page.wait_for_selector(".film .story")
    assert page.locator(".trails .way").count() == 1
    assert page.locator(".trails .path").count() == 1, "the disc that was struck: from where to where is known"
    opacity = "getComputedStyle(document.querySelector('.film [data-disc=a1]')).opacity"
    page.click("text=Before")
    assert float(page.evaluate(opacity)) == 1
    page.eval_on_selector(".film input", "one => { one.value = 0.5; one.dispatchEvent(new Event('input')); }")
    assert float(page.evaluate(opacity)) < 0.5
    page.click("text=After")
    assert float(page.evaluate(opacity)) == 1


@pytest.mark.parametrize("played", [lambda shot: slowed(film(shot))], indirect=True)
def test_it_plays_at_two_speeds_and_stops(look, played):
    page = look(second(played))
    assert page.evaluate("document.getAnimations().every((one) => one.playState !== 'running')"), "nothing by itself"
    play = page.locator(".film .main")
    assert play.text_content() == "Play"
    running = "document.getAnimations().filter((one) => one.effect.target.closest('.film svg'))"
    play.click()
    assert play.text_content() == "Pause"
    assert page.evaluate(f"{running}.map((one) => one.playbackRate)") == [0.5, 0.5]
    page.click("text=Real speed")
    assert page.evaluate(f"{running}.map((one) => one.playbackRate)") == [1, 1]
    assert page.get_attribute(".film button:has-text('Real speed')", "aria-pressed") == "true"
    play.click()
    assert play.text_content() == "Play"
    assert page.evaluate(f"{running}.every((one) => one.playState === 'paused')")
    play.click()
    page.evaluate(f"{running}.forEach((one) => one.finish())")
    page.wait_for_selector(".film .main:text-is('Play')")


def test_speeds_and_contacts_are_described_in_words_and_lead_to_their_time(look, played):
    page = look(second(played))
    story = page.locator(".story li").all_inner_texts()
    assert story[0] == "0.00 Natural's first disc is flicked at 1.24 m/s"
    assert story[1] == "0.30 Natural's first disc hits Black's first disc at 0.90 m/s, 90% likely"
    assert story[2:] == ["0.80 Black's first disc comes to rest", "0.90 Natural's first disc comes to rest"]
    assert page.locator(".timeline i").count() == 1, "the contact is marked on the time line"
    page.click(".story >> text=hits")
    assert page.input_value(".film input[type=range]") == "0.3"
    assert place(page, B1, FILM) == pytest.approx((15, 0), abs=3)
    hints = page.locator(".film .hint").all_inner_texts()
    assert any("25%" in hint for hint in hints), "what was not watched is said"
    assert any("Natural" in hint for hint in hints)


def test_a_shot_without_film_has_no_player(tmp_path, open_page, serve):
    table = PlayedTable(tmp_path)
    table.play()
    page = open_page(serve(table).url + "review/1")
    page.wait_for_selector(".verdict")
    assert page.locator(".film").count() == 0
    assert page.locator("text=Watch the clip").count() == 0
    assert page.locator(".trails .path").count() == 1, "all that is known: from where to where"
    assert page.is_visible("text=Not filmed")


@pytest.mark.parametrize("theme", first_is_quick(["light", "dark"]))
@pytest.mark.parametrize("size", first_is_quick(SIZES))
def test_film_and_clip_are_for_everyone(look, size, theme):
    page = look("review/1", size, motion="reduce", theme=theme)
    page.click("text=Watch the clip")
    page.wait_for_selector(".clip canvas")
    assert findings(page, theme) == []


def brightest(page):
    """The column of the clip's canvas in which its bright square stands."""
    return int(
        page.eval_on_selector(
            ".clip canvas",
            """(canvas) => {
              const { data, width } = canvas.getContext('2d').getImageData(0, 24, canvas.width, 1);
              const row = Array.from({ length: width }, (_, x) => data[4 * x]);
              return row.findIndex((grey) => grey > 150);
            }""",
        )
    )


@slow
def test_a_clip_plays_in_a_loop_that_can_be_stopped(look):
    page = look("review/1")
    page.click("text=Watch the clip")
    page.wait_for_selector(".clip button:text-is('Stop')")
    for picture in ("3", "0", "2"):  # on, round, and on again
        page.wait_for_function(f"() => document.querySelector('.clip input').value === '{picture}'")
    page.click(".clip button")
    assert page.text_content(".clip button") == "Play"
    at = int(page.input_value(".clip input"))
    assert brightest(page) == pytest.approx(8 * at, abs=2)
    page.focus(".clip input")
    page.keyboard.press("End")
    assert brightest(page) == pytest.approx(40, abs=2)
    assert page.get_attribute(".clip input", "aria-valuetext") == "0.5 s"


def test_with_less_motion_a_clip_waits_at_its_first_picture(look):
    page = look("review/1", motion="reduce")
    page.click("text=Watch the clip")
    page.wait_for_selector(".clip button:text-is('Play')")
    assert brightest(page) == pytest.approx(0, abs=2)
    page.click(".clip button")
    page.wait_for_selector(".clip button:text-is('Stop')")


def asked(open_page, serve, table, clip):
    """A phone's page, on which the scorer looks at a question with this clip."""
    table.state["match"]["questions"][0]["clip"] = clip
    page = open_page(serve().url, (360, 640))
    keep_score(page)
    page.click("#questions button")
    return page


def test_a_question_is_asked_with_its_clip(serve, open_page, table):
    fetched = []
    table.clip = lambda name: fetched.append(name) or clip()
    page = asked(open_page, serve, table, "1-58-58-1.clip")
    page.wait_for_selector("dialog >> text=Watch the clip")
    assert fetched == [], "nobody pays for a clip that nobody wants to see"
    page.click("dialog >> text=Watch the clip")
    page.wait_for_selector("dialog canvas")
    assert page.locator("dialog .answers button").first.is_visible()


def test_a_missing_clip_is_reported(serve, open_page, table):
    page = asked(open_page, serve, table, "1-7-7-1.clip")
    page.click("dialog >> text=Watch the clip")
    page.wait_for_selector("dialog >> text=Its clip is not kept any more.")


def test_a_clip_is_served_as_it_is_and_nothing_else(serve, client):
    answer = client.get("/clip/1-58-58-1.clip")
    assert answer.data == clip()
    assert answer.mimetype == "application/octet-stream"
    for name in ("1-1-1-1.clip", "..%2Fjournal.sqlite", "q1.jpg"):
        assert client.get(f"/clip/{name}").status_code == 404
    asked = {"Content-Type": "application/json"}  # as the pages' scripts ask
    assert client.get("/clip/1-1-1-1.clip", headers=asked).json == {"error": "Its clip is not kept any more."}
