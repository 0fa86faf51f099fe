"""The sheet that measures the table: as it is printed, as it is laid on a board, and what the table makes of it."""

import math
import re
from contextlib import closing
from dataclasses import replace
from xml.etree import ElementTree as Xml

import cv2
import numpy as np
import pytest

from controller.errors import Refused
from controller.table.setup import jig_sheet
from controller.table.setup.jig import JigMeasurement, grade, measure
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.reader import read_board
from hardware.board import TOURNAMENT
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.bench import hard
from tests.bench.materials import DISCS
from tests.bench.sensing import Sensor, exposure
from tests.bench.shapes import Body
from tests.bench.tracing import Tracer
from tests.controller.table.test_setup import Table, figures
from tests.slow import slow

PX = 5  # pixels a millimetre
CLEARANCES = [1.6, -1.6, 0.8, 1.6, -0.8, 3.0, -1.6, 1.6, -0.8, -1.6, 0.8, -3.0]
RIGHT = [15, 5, 10, 5, 0, 5, 10, 10, 5, 0, 5, 0]


def strokes(page: int) -> list[tuple[float, np.ndarray]]:
    """The lines of the printed file: widths and points (n, 2), millimetres from the page's upper left corner."""
    root = Xml.fromstring(jig_sheet.svg(page))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210.0mm", "297.0mm", "0 0 210.0 297.0")
    lines = root.iter("{http://www.w3.org/2000/svg}polyline")
    return [
        (float(one.get("stroke-width", 0)), np.array([p.split(",") for p in one.get("points", "").split()], float))
        for one in lines
    ]


def circle(points: np.ndarray) -> tuple[float, float, float]:
    """The circle (x, y, radius) through points on an arc."""
    (x, y, c), *_ = np.linalg.lstsq(np.c_[2 * points, np.ones(len(points))], (points**2).sum(1), rcond=None)
    return float(x), float(y), math.sqrt(c + x * x + y * y)


def hole(page: int) -> np.ndarray:
    """Where the board's middle is, beyond the page."""
    return np.mean([circle(points)[:2] for width, points in strokes(page) if width > 1], axis=0)


def crosses(page: int) -> np.ndarray:
    """The middles (6, 2) of the places, in the order in which they are numbered."""
    level = [
        p for _, p in strokes(page) if len(p) == 2 and math.isclose(abs(p[1][0] - p[0][0]), 6) and p[0][1] == p[1][1]
    ]
    return np.array([points.mean(0) for points in level])


@pytest.mark.parametrize("page", [0, 1])
def test_the_printed_lines_pegs_and_places_are_where_the_board_has_them(page):
    lines = [circle(points) for width, points in strokes(page) if width > 1]
    assert [radius for *_, radius in lines] == pytest.approx([101.6, 203.2, 304.8], abs=0.01)
    assert np.ptp([line[:2] for line in lines], axis=0) == pytest.approx([0, 0], abs=0.01)
    x, y = hole(page)
    pegs = [circle(p) for width, p in strokes(page) if width < 1 and len(p) > 6]
    assert [math.hypot(px - x, py - y) for px, py, _ in pegs] == pytest.approx([101.6, 101.6], abs=0.01)
    turns = sorted(math.degrees(math.atan2(y - py, px - x)) for px, py, _ in pegs)
    assert turns == pytest.approx([67.5, 112.5], abs=0.01)
    away = np.hypot(*(crosses(page) - (x, y)).T)
    edges = np.array([4, 8, 8, 12, 12, 12]) * 25.4 - 25.4 / 32
    assert edges - away - 15.9 == pytest.approx(CLEARANCES[6 * page : 6 * page + 6], abs=0.002)


def test_the_rulers_are_as_long_as_they_say():
    lengths = sorted(math.dist(*points) for width, points in strokes(0) if len(points) == 2)
    assert lengths[-2:] == [150, 150]


def test_the_pdf_draws_the_same_in_millimetres():
    """By PDF's own rules: 72 units an inch, y up, objects where the table at the end says."""
    file = jig_sheet.pdf()
    table = int(file.rsplit(b"startxref\n", 1)[1].split()[0])
    starts = [int(line[:10]) for line in file[table:].split(b"\n")[3:9]]
    assert [file[at:].split(b" ", 1)[0] for at in starts] == [b"1", b"2", b"3", b"4", b"5", b"6"]
    assert file.count(b"/MediaBox [0 0 595.2756 841.8898]") == 2
    streams = re.findall(rb"stream\n(.*?)\nendstream", file, re.DOTALL)
    for page, stream in enumerate(streams):
        scale = float(stream.split()[0])
        assert scale * 25.4 == pytest.approx(72, abs=1e-4)
        drawn = re.findall(rb"([\d.]+) w (.*?) S", stream)
        assert len(drawn) == len(strokes(page))
        for (width, path), (of_width, points) in zip(drawn, strokes(page), strict=True):
            at = np.array([float(n) for n in re.findall(rb"-?[\d.]+", path)]).reshape(-1, 2)
            assert float(width) == of_width
            assert np.allclose(np.c_[at[:, 0], 297 - at[:, 1]], points, atol=0.002)


class Papered(Tracer):
    """Traces a board with both pages on it, as they are printed, the first hung at +y."""

    pages = ()

    def _with_lines(self, colour, x, y, far):
        colour = super()._with_lines(colour, x, y, far)
        for printed, ahead in zip(self.pages, (1, -1), strict=False):
            middle = hole(0)
            across, down = ahead * x + middle[0], middle[1] - ahead * y
            on = (across > 6) & (across < 204) & (down > 6) & (down < 291)
            u, v = (np.clip(np.rint(part * PX - 0.5), 0, size - 1).astype(int) for part, size in
                    zip((across, down), printed.shape[::-1], strict=True))  # fmt: skip
            colour = np.where(on[:, None], 0.82 * printed[v, u][:, None], colour).astype(np.float32)
        return colour


def raster(page: int) -> np.ndarray:
    """The page (h, w) as it is printed, its whiteness 0..1."""
    paper = np.full((297 * PX, 210 * PX), 255, np.uint8)
    for width, points in strokes(page):
        cv2.polylines(
            paper, [np.rint(points * PX * 16).astype(np.int32)], False, 0, max(1, round(width * PX)), cv2.LINE_AA, 4
        )
    return cv2.GaussianBlur(paper, (0, 0), 2).astype(np.float32) / 255


def laid() -> list[tuple[float, float]]:
    """The places in the board frame, by the printed file alone."""
    found = []
    for page, ahead in ((0, 1), (1, -1)):
        x, y = hole(page)
        found += [(ahead * (px - x), ahead * (y - py)) for px, py in crosses(page)]
    return found


@pytest.fixture(scope="module")
def traced():
    """A board in light from lamps: as it was found, a picture with the sheet and twelve discs, and the true camera."""
    random = np.random.default_rng(3)
    setting = hard.Setting("maple", "black", ("black", "natural"), tilt=(3.0, 10.0))
    table = hard.table_of(TOURNAMENT, setting, random)
    bare, sensor = Tracer(table).lit(())[0], Sensor()
    exposed = exposure(bare, setting.white)
    found = calibrate(sensor.picture(bare, exposed, random))
    Papered.pages = (raster(0), raster(1))
    discs = tuple(Body(x, y, 0.0, 15.9, 9.5, DISCS["black"]) for x, y in laid())
    return found, sensor.picture(Papered(table).lit(discs)[0], exposed, random), table.camera


def shifted(true, lens: float) -> list[float]:
    """By how much farther in each disc is seen through the true camera, where `lens` was added to its k1: by OpenCV.
    What moves is the disc's outline; its middle is half its height up."""
    matrix = np.array(((true.focal, 0, true.cx), (0, true.focal, true.cy), (0, 0, 1)))
    turn, shift = np.array(true.rvec), np.array(true.t)
    own, wrong = np.array((true.k1, 0.0, 0, 0, 0)), np.array((true.k1 + lens, 0.0, 0, 0, 0))
    up = 4.75
    places = np.array([(*at, up) for at in laid()])
    pixels, _ = cv2.projectPoints(places, turn, shift, matrix, own)
    rays = cv2.undistortPoints(pixels, matrix, wrong)[:, 0]
    rotation = cv2.Rodrigues(turn)[0]
    eye, ways = -rotation.T @ shift, np.c_[rays, np.ones(12)] @ rotation
    seen = eye + ways * ((up - eye[2]) / ways[:, 2])[:, None]
    return list(np.hypot(*places[:, :2].T) - np.hypot(*seen[:, :2].T))


@pytest.fixture(scope="module")
def painted_sheet(painted):
    """The same of a painted board, which has its discs without the paper."""
    found = calibrate(painted["empty"])
    return found, painted["laid"], found.camera


@slow
@pytest.mark.parametrize("board", ["traced", "painted_sheet"])
@pytest.mark.parametrize("lens", [0.04, -0.04])
def test_a_known_error_of_the_lens_is_measured_to_a_tenth_of_a_millimetre(board, lens, request):
    """What the lens adds. A single reading scatters by more now and then, which the jig shows as it is."""
    found, picture, true = request.getfixturevalue(board)
    right = replace(found, camera=true)
    wrong = replace(found, camera=replace(true, k1=true.k1 + lens))
    before, after = (measure([read_board(picture, one)], one, 0.0) for one in (right, wrong))
    added = np.subtract(after.errors, before.errors)
    expected = shifted(true, lens)
    off = np.abs(added - expected)
    print(off.round(3))
    assert max(map(abs, expected)) > 0.3, "an error that matters"
    many = 12 if board == "painted_sheet" else 10
    assert np.sort(off)[many - 1] < 0.1, f"{many} of twelve"
    assert abs(np.mean(np.abs(added)) - np.mean(np.abs(expected))) < 0.05
    assert before.mean < 0.5
    assert [zone for zone, place in zip(before.zones, CLEARANCES, strict=True) if abs(place) > 1] == [
        zone for zone, place in zip(RIGHT, CLEARANCES, strict=True) if abs(place) > 1
    ]


@pytest.fixture(scope="module")
def painted():
    painter = Painter(seed=5)
    discs = [SceneDisc(f"a{k}", "black", x, y) for k, (x, y) in enumerate(laid())]
    turned = [replace(one, x=-one.y, y=one.x) for one in discs]  # hung on the pegs at -x and +x
    return {
        "empty": painter.full(Scene(0.0)),
        "laid": painter.full(Scene(1.0, tuple(discs))),
        "turned": painter.full(Scene(1.0, tuple(turned))),
        "eleven": painter.full(Scene(1.0, tuple(discs[:6] + discs[7:]))),
    }


@pytest.fixture
def table(tmp_path, painted):
    with closing(Table(tmp_path, painted)) as table:
        yield table


@slow
def test_set_up_measures_the_sheet_wherever_it_hangs_and_keeps_what_it_found(table):
    assert table.step("jig")["state"] == "optional"
    with pytest.raises(Refused, match="these places of the sheet: 1, 2"):
        table.do(do="measure_jig")
    table.show("laid")
    table.do(do="measure_jig")
    step = table.step("jig")
    assert step["state"] == "good", step
    shown = [figure["value"] for figure in step["figures"]]
    assert shown[0] < 0.3
    assert shown[3] == 8, "of the eight places 1.5 mm or more from a line"
    assert len(shown) == 4
    table.show("turned")
    table.do(do="measure_jig")
    changed = table.step("jig")["figures"][-1]
    assert str(changed["name"]).startswith("Changed since 20")
    assert changed["value"] < 0.5
    assert changed["good"]


def test_a_place_without_a_disc_is_named_and_nothing_is_kept(table):
    table.step("board")  # the board is found
    table.show("eleven")
    with pytest.raises(Refused, match=r"these places of the sheet: 7\. Lay one"):
        table.do(do="measure_jig")
    assert table.step("jig")["state"] == "optional"


@slow
def test_a_drifted_lens_shows_in_the_figures_and_spoils_the_grade(table):
    table.step("board")
    table.show("laid")
    table.do(do="measure_jig")
    good = table.step("jig")
    known = table.eye.calibration
    assert known is not None
    table.eye.calibration = replace(known, camera=replace(known.camera, k1=known.camera.k1 + 0.1))
    table.do(do="measure_jig")
    bad = table.step("jig")
    assert bad["state"] == "bad"
    assert figures(bad)["Mean error"]["value"] > figures(good)["Mean error"]["value"] + 0.4
    assert not bad["figures"][-1]["good"]
    assert "not good enough" in str(bad["text"])


def measured(*, error: float = 0.2, sure: bool = True, zones: list[int] = RIGHT) -> JigMeasurement:
    return JigMeasurement(1.7e9, (error, *[0.1] * 11), tuple(zones), (sure,) * 12)


def test_the_grade_says_what_the_table_is_good_for():
    assert "for a tournament" in str(grade(measured()))
    assert "for a club" in str(grade(measured(sure=False)))
    assert "for a club" in str(grade(measured(error=-1.3)))
    assert "not good enough" in str(grade(measured(error=2.2)))
    wrong = [5 if k == 6 else zone for k, zone in enumerate(RIGHT)]
    assert "Places 7 were shown" in str(grade(measured(zones=wrong)))
    assert "for a club" in str(grade(measured(zones=wrong, sure=False))), "it asks there"
