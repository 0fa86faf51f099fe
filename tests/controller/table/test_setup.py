"""Setting a table up: what the page is told, and what its commands do, over a painted board and a real journal."""

import json
import threading
from contextlib import closing
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from controller.config import Config
from controller.errors import BadInput, Refused
from controller.journal import Journal
from controller.messages import Message, encoded, say
from controller.table.camera_thread import FrameRequests
from controller.table.devices import Supervised
from controller.table.engine import Engine
from controller.table.lamps_and_buttons import Panel
from controller.table.setup import steps
from controller.table.setup.setup_service import SetupService
from controller.table.setup.steps import ColourTrials, club_step
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.reader import read_board
from hardware.devices import Frame
from hardware.errors import DeviceNotFound
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.served import faults

EMPTY = Scene(0.0)
BLACK, NATURAL = SceneDisc("a1", "black", 30.0, 150.0), SceneDisc("b1", "natural", -40.0, 60.0)


@pytest.fixture(scope="module")
def pictures():
    painter = Painter(seed=5)
    inside = 15.9 + 0.1
    touching = [
        SceneDisc("a1", "black", 0.0, -(4 * 25.4 - 0.8 - inside)),
        SceneDisc("a2", "black", -(8 * 25.4 - 0.8 - inside), 0.0),
        SceneDisc("a3", "black", 0.0, 12 * 25.4 - 0.8 - inside),
    ]
    return {
        "empty": painter.full(EMPTY),
        "black": painter.full(Scene(1.0, (BLACK,))),
        "natural": painter.full(Scene(1.0, (NATURAL,))),
        "both": painter.full(Scene(1.0, (BLACK, NATURAL))),
        "touching": painter.full(Scene(1.0, tuple(touching))),
        "dark": np.zeros((960, 1280, 3), np.uint8),
    }


@dataclass(frozen=True)
class Member:
    """A table in a club, or in none."""

    club: tuple[str, str] | None = None
    trouble: Message | None = None
    fixed: bool = False

    def join(self, address, code):
        raise Refused("no")

    def leave(self):
        raise Refused("no")


class Camera:
    """Shows one picture, frame after frame, on a thread of its own, until it is given another or none."""

    def __init__(self, pictures):
        self.pictures = pictures
        self.shows = "empty"
        self.flicker = 0.0
        self._number = 0
        self._stop = threading.Event()
        self._thread = None

    def start(self, requests):
        def run():
            while not self._stop.wait(0.001):
                if self.shows is not None:
                    requests.serve(self._frame(self.pictures[self.shows]))

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def _frame(self, picture):
        self._number += 1
        light = 1 + self.flicker * (self._number % 2)
        small = np.clip(picture[::4, ::4, 1] * light, 0, 255).astype(np.uint8)
        return Frame(self._number / 30, self._number, small, lambda: picture)

    def stop(self):
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10)


class Table:
    """The rest of the table, as the set-up service knows it."""

    def __init__(self, folder, pictures, **supervised):
        self.journal = Journal(folder / "journal.sqlite")
        self.requests = FrameRequests()
        self.lit = []
        self.panel = Panel()
        self.panel.add(self)
        self._supervised = supervised
        self.open()
        self.camera = Camera(pictures)
        self.camera.start(self.requests)

    def open(self):
        self.engine = Engine(self.journal, wall=lambda: 0.0)
        self.palettes = []
        self.engine.certify = self.palettes.append
        self.model = self.engine.model
        now = lambda work: work()  # noqa: E731
        devices, nobody = self._supervised, Member()
        self.setup = SetupService(
            Config(), self.journal, self.engine, self.requests, self.panel, now, devices, lambda: None, str, nobody
        )

    def show(self, signal, side, *, lit):
        """As a lamp."""
        self.lit.append((signal, side))

    def look_at(self, picture):
        """From the next frame on; one that is being looked at may still show the picture before."""
        self.camera.shows = picture
        self.requests.ask(lambda frame: True)

    def step(self, id_):
        (found,) = [step for step in self.setup.document()["steps"] if step["id"] == id_]
        return found

    def do(self, do, **command):
        self.setup.carry_out({"do": do, **command})

    def close(self):
        self.camera.stop()
        self.journal.close()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    # a busy machine is no camera without pictures
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 60.0)


@pytest.fixture
def table(tmp_path, pictures):
    with closing(Table(tmp_path, pictures)) as table:
        yield table


def figures(step):
    return {str(figure["name"]): figure for figure in step["figures"]}


def test_a_good_table_says_so_in_figures(table):
    document = table.setup.document()
    assert document["schema"] == "setup/1"
    states = {step["id"]: step["state"] for step in document["steps"]}
    assert states["camera"] == states["board"] == "good"
    assert states["colours"] == states["proof"] == states["hole_sensor"] == "optional"
    fit = figures(table.step("board"))["Fit of the lines"]
    assert 0 < fit["value"] < fit["limit"] == 0.5


def test_a_dark_picture_is_reported_with_what_to_do(table):
    table.look_at("dark")
    camera = table.step("camera")
    assert camera["state"] == "bad"
    assert "light" in str(camera["text"])
    assert table.step("board")["state"] == "bad"


def test_a_lasting_name_of_the_camera_is_recommended(table, monkeypatch):
    assert "call it" not in str(table.step("camera")["text"])
    monkeypatch.setattr("hardware.catalogue.lasting_camera", lambda name: "usb:/dev/v4l/by-id/usb-1")
    camera = table.step("camera")
    assert camera["state"] == "good"
    assert "call it usb:/dev/v4l/by-id/usb-1 under [camera]" in str(camera["text"])


def test_flickering_pictures_have_a_bad_figure(table):
    table.camera.flicker = 0.1
    flicker = figures(table.step("camera"))["Flicker"]
    assert not flicker["good"]
    assert flicker["value"] == pytest.approx(10, abs=3)


def test_without_pictures_the_camera_is_missing(table, monkeypatch):
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 0.05)
    table.camera.shows = None
    assert table.step("camera")["state"] == "missing"
    assert table.setup.picture() is None
    with pytest.raises(Refused, match="sent no picture"):
        table.do("find_board")


def test_the_picture_shows_the_board_as_found(table, pictures):
    assert table.setup.picture() is not None
    table.do("find_board")
    drawn = table.setup.picture()
    assert drawn.startswith(b"\xff\xd8")


def test_taps_find_the_board_and_wrong_ones_change_nothing(table, pictures):
    table.do("find_board")
    found = table.model.calibration
    turn = np.radians(np.arange(0, 360, 45))
    ring = np.stack([found.board.outer_line * np.cos(turn), found.board.outer_line * np.sin(turn)], -1)
    outer = [[float(x), float(y)] for x, y in found.project(ring)]
    hole = [float(v) for v in found.project(np.zeros(2))]
    table.do("landmarks", points={"hole": hole, "outer_line": outer})
    tapped = table.model.calibration
    assert np.allclose(tapped.project(ring), found.project(ring), atol=1.0)
    with pytest.raises(BadInput, match="outer_line"):
        table.do("landmarks", points={"outer_line": [[1, 2]]})
    with pytest.raises((BadInput, Refused)):
        table.do("landmarks", points={"hole": [5, 5], "outer_line": [[9, 9]] * 8})
    assert table.model.calibration is tapped


def test_colours_are_learnt_from_one_disc_each_and_outlast_a_restart(table, pictures):
    table.look_at("both")
    with pytest.raises(Refused, match="alone"):
        table.do("learn_colour", side="A")
    table.look_at("black")
    table.do("learn_colour", side="A")
    table.look_at("natural")
    table.do("learn_colour", side="B")
    learnt = table.step("colours")
    assert learnt["state"] == "good"
    assert figures(learnt)["Side A from side B"]["value"] > 18
    assert [sorted(palette.sides) for palette in table.palettes] == [["A"], ["A", "B"]]
    before = table.model.palette
    table.open()
    assert table.model.palette == before is not None
    assert table.palettes == [before], "the table is told when it starts, too"


def test_a_disc_of_the_woods_own_colour_is_no_distance_from_it():
    wood = (90.0, 150.0, 200.0)
    scaled = cv2.cvtColor(np.array([[wood]], np.float32) / 255, cv2.COLOR_BGR2Lab)[0, 0]
    of_wood = (float(scaled[0]), float(scaled[1]), float(scaled[2]))
    found = steps.colours_step({"A": of_wood, "B": (20.0, 0.0, 0.0)}, wood)
    assert figures(found)["Side A from the wood"]["value"] == pytest.approx(0.0, abs=0.3)
    assert figures(found)["Side B from the wood"]["value"] > 20


def test_a_disc_that_the_light_hides_is_reported_with_its_picture(table, pictures):
    """Under a lamp from everywhere a disc of the board's own colour has neither colour nor shadow of its own."""
    table.look_at("empty")
    assert table.setup.picture(of_disc=True) is None
    with pytest.raises(Refused, match="looks like the board in this light"):
        table.do("learn_colour", side="B")
    missed = table.step("colours")
    assert missed["state"] == "bad"
    assert missed["pictured"]
    assert str(missed["text"]).startswith("Side B: No disc is seen.")
    board = table.setup.picture(of_disc=True)
    table.look_at("black")
    table.do("learn_colour", side="A")
    assert table.setup.picture(of_disc=True) == board, "what went wrong is shown first"
    table.look_at("natural")
    table.do("learn_colour", side="B")
    learnt = table.step("colours")
    assert learnt["state"] == "good", learnt
    assert 0 < figures(learnt)["Place of a disc of side B"]["value"] <= 0.33
    assert table.setup.picture(of_disc=True) != board


def test_poor_light_for_measuring_a_disc_is_reported_with_what_helps(pictures):
    trials = ColourTrials()
    calibration = calibrate(pictures["black"])
    (disc,) = [seen for seen in read_board(pictures["black"], calibration).discs if seen.pose == "flat"]
    trials.shown("A", pictures["black"], calibration, replace(disc, sigma=0.5))
    step = steps.colours_step({"A": disc.lab}, None, trials.all())
    assert step["state"] == "bad"
    assert str(step["text"]).startswith("Learnt: A. Side A: its discs look almost like the board")
    trials.shown("A", pictures["black"], calibration, replace(disc, sigma=0.2))
    assert steps.colours_step({"A": disc.lab}, None, trials.all())["state"] == "good"


def test_a_part_of_the_board_outside_the_picture_is_reported(table, pictures):
    table.look_at("empty")
    assert figures(table.step("board"))["Not shown: beyond the picture, or blown out by light"]["good"]
    glare = cv2.circle(pictures["empty"].copy(), (640, 300), 60, (255, 255, 255), cv2.FILLED)
    pictures["glare"] = glare
    table.look_at("glare")
    board = table.step("board")
    assert board["state"] == "bad"
    assert 1 < figures(board)["Not shown: beyond the picture, or blown out by light"]["value"] < 6


def test_the_proof_reads_discs_that_touch_the_lines(table):
    table.look_at("touching")
    proof = table.step("proof")
    assert len(proof["figures"]) == 3
    assert proof["state"] == "good", proof


def test_the_name_is_kept_and_a_lamp_is_shown_until_it_is_let_go(table):
    table.do("name_table", name="Table 7")
    assert table.setup.document()["table"] == "Table 7" == table.journal.facts.get("name")
    table.lit.clear()
    table.do("lamp", signal="twenty", side="A")
    table.do("lamp")
    assert table.lit == [("twenty", "A"), ("idle", None)]


def test_pictures_are_compared_only_while_the_lamps_can_be_lit(tmp_path, pictures):
    lamps = Supervised(lambda: object(), lambda _: None)
    with closing(Table(tmp_path, pictures, lamps=lamps)) as table:
        with pytest.raises(Refused, match="not found yet"):
            table.do("compare_lamps")
        table.do("find_board")
        table.do("compare_lamps")
        assert table.step("lamps")["state"] == "good"
        lamps.trouble = "There is no pin."
        with pytest.raises(Refused, match="no pin"):
            table.do("compare_lamps")
        lamps.trouble, table.panel.watched = None, True
        with pytest.raises(Refused, match="between matches"):
            table.do("compare_lamps")


def test_a_wrong_command_is_refused_and_its_member_named(table):
    with pytest.raises(BadInput, match="side"):
        table.do("learn_colour", side="E")


def test_devices_say_what_is_wrong_with_them(tmp_path, pictures):
    def missing():
        raise DeviceNotFound("There is no unit at /dev/ttyACM0: plug it in.")

    lost = Supervised(missing, lambda _: None)
    lost.check()
    with closing(Table(tmp_path, pictures, lamps=lost)) as table:
        lamps = table.step("lamps")
        assert lamps["state"] == "missing"
        assert "plug it in" in str(lamps["text"])


def test_the_page_gets_what_the_schema_says(table, monkeypatch):
    def gets(document):
        assert faults(json.loads(encoded(document)), "Setup") == []

    for picture in ("touching", "dark"):
        table.look_at(picture)
        gets(table.setup.document())
    table.camera.shows = None
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 0.05)
    gets(table.setup.document())
    for member in (Member(), Member(fixed=True), Member(("Our club", "t1")), Member(("Our club", "t1"), say("Away."))):
        gets({"schema": "setup/1", "table": "Table 1", "steps": [club_step(member)]})
