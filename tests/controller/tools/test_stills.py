"""`calibrate` and `read` as a technician calls them: what they write, and what they say of pictures that are no use."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller import cli
from controller.vision.calibration.calibration import Calibration
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.simulated.lens import CameraPose
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.slow import first_is_quick, slow

DISCS = (SceneDisc("a1", "black", 10.0, 160.0), SceneDisc("b1", "red", -120.0, 140.0))
POSE = CameraPose(position=(30.0, -20.0, 1000.0), focal=1180.0)


@dataclass(frozen=True)
class Table:
    """A folder with a picture, the calibration that belongs to it, and taps."""

    folder: Path
    picture: Image

    def file(self, name, picture):
        path = self.folder / name
        assert cv2.imwrite(str(path), picture)
        return path


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stills")
    painter = Painter(seed=3, pose=POSE)
    table = Table(folder, painter.full(Scene(0.0, DISCS)))
    table.file("board.png", table.picture)
    marks = [
        (TOURNAMENT.outer_line * np.cos(a), TOURNAMENT.outer_line * np.sin(a), 0) for a in np.arange(8) * np.pi / 4
    ]
    taps = {"hole": POSE.project((0, 0, 0)).tolist(), "outer_line": [POSE.project(mark).tolist() for mark in marks]}
    (folder / "taps.json").write_text(json.dumps(taps))
    return table


@pytest.fixture(scope="module")
def calibrated(table):
    folder, file = table.folder, table.folder / "table.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sys,
            "argv",
            ["", "calibrate", f"{folder}/board.png", "--height=1000", f"-o{file}", f"--annotated={folder}/drawn.png"],
        )
        cli.main()
    return file


@pytest.fixture
def refused(monkeypatch, capsys):
    """The one line that a command prints which can't do what it is asked."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["crokinole-table", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        told = capsys.readouterr()
        assert ended.value.code == 2
        assert told.out == ""
        assert told.err.startswith("crokinole-table: ")
        assert told.err.count("\n") == 1
        return told.err

    return call


def test_calibrate_keeps_the_calibration_and_draws_it(table, calibrated):
    calibration = Calibration.load(calibrated, 1280, 960)
    assert calibration.quality.height == pytest.approx(1000, abs=10)
    assert calibration.quality.height_sigma < 15
    drawn = cv2.imread(str(table.folder / "drawn.png"))
    changed = np.any(drawn != table.picture, axis=2)
    turn = np.linspace(0, 2 * np.pi, 200)
    for radius in (calibration.fifteen, calibration.ten, calibration.outer):
        pixels = calibration.project(radius * np.stack((np.cos(turn), np.sin(turn)), axis=-1))
        column, row = np.rint(pixels).astype(int).T
        assert changed[row, column].mean() > 0.95
    assert changed[:150, :400].any(), "the quality's figures"


def test_the_first_picture_of_a_folder_may_be_a_camera_s_own(table, monkeypatch, tmp_path):
    folder, file = tmp_path / "photos", tmp_path / "table.json"
    folder.mkdir()
    (folder / "IMG_0001.PNG").write_bytes((table.folder / "board.png").read_bytes())
    monkeypatch.setattr(sys, "argv", ["", "calibrate", str(folder), "--height=1000", f"-o{file}"])
    cli.main()
    assert Calibration.load(file, 1280, 960)


def test_a_camera_may_have_a_point_in_its_name(table, monkeypatch, tmp_path):
    """As what a USB camera is best called: usb:/dev/v4l/by-path/..:1.0-video-index0."""
    recording = tmp_path / "rec.1"
    recording.mkdir()
    (recording / "0.png").write_bytes((table.folder / "board.png").read_bytes())
    file = tmp_path / "table.json"
    monkeypatch.setattr(sys, "argv", ["", "calibrate", f"folder:{recording}", "--height=1000", f"-o{file}"])
    cli.main()
    assert Calibration.load(file, 1280, 960)


def test_read_takes_a_calibration_that_the_picture_confirms(table, calibrated, monkeypatch, capsys):
    nudged = cv2.warpAffine(
        table.picture, np.float32([[1, 0, 6], [0, 1, -3]]), (1280, 960), borderMode=cv2.BORDER_REPLICATE
    )
    for picture in (table.folder / "board.png", table.file("nudged.png", nudged)):
        options = ["--calibration", str(calibrated), "--annotated", str(table.folder / "seen.png"), "--json"]
        monkeypatch.setattr(sys, "argv", ["crokinole-table", "read", str(picture), *options])
        cli.main()
        assert cv2.imread(str(table.folder / "seen.png")) is not None
        discs = sorted((d["x"], d["y"]) for d in json.loads(capsys.readouterr().out)["discs"])
        assert np.allclose(discs, [(-120.0, 140.0), (10.0, 160.0)], atol=0.6)


def _clothed(picture):
    """A table without a board."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    cloth = 120 + 50 * np.sign(np.sin(x / 17) * np.sin(y / 17))
    return np.repeat(cloth.astype(np.uint8)[..., None], 3, axis=2)


SPOILT = [
    ("none", _clothed, "no crokinole board"),
    ("dark", lambda p: (p // 16).astype(np.uint8), "too dark"),
    ("covered", lambda p: np.full_like(p, 90), "shows nothing"),
]


@pytest.mark.parametrize(("name", "spoil", "trouble"), first_is_quick(SPOILT), ids=[name for name, *_ in SPOILT])
def test_a_picture_that_shows_no_whole_board_is_never_a_score(table, calibrated, refused, name, spoil, trouble):
    picture = table.file(f"{name}.png", spoil(table.picture))
    output = table.folder / "never.json"
    assert trouble in refused("calibrate", picture, "-o", output)
    assert not output.exists()
    assert trouble in refused("read", picture, "--json")
    known = refused("read", picture, "--calibration", calibrated, "--json")
    assert trouble in known or "not where the calibration has it" in known
    if name in ("dark", "covered"):  # taps do not make up for what the picture does not show
        assert trouble in refused("read", picture, "--landmarks", table.folder / "taps.json", "--json")


@slow
def test_the_calibration_of_another_camera_or_size_is_named(table, calibrated, refused):
    other = CameraPose(position=(-20.0, 40.0, 700.0), focal=830.0, roll=30.0, k1=-0.1)
    elsewhere = table.file("other.png", Painter(seed=4, pose=other).full(Scene(0.0, DISCS)))
    words = refused("read", elsewhere, "--calibration", calibrated)
    assert "another camera" in words
    assert "calibrate again" in words
    small = table.file("small.png", cv2.resize(table.picture, (640, 480)))
    assert "1280x960, this one has 640x480" in refused("read", small, "--calibration", calibrated)
    bare = table.file("bare.png", cv2.resize(table.picture, (800, 600)))
    assert "800x600, this one has 1280x960" in refused("read", table.folder / "board.png", "--empty", bare)


def test_what_is_no_picture_is_named(table, refused, tmp_path):
    data = cv2.imencode(".jpg", table.picture)[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(data[: len(data) // 2])
    (tmp_path / "words.jpg").write_text("a board, really")
    (tmp_path / "nothing").mkdir()
    tiny = tmp_path / "tiny.png"
    cv2.imwrite(str(tiny), table.picture[:100, :100])
    for source, trouble in (
        ("cut.jpg", "cut off after"),
        ("words.jpg", "not a picture"),
        ("nowhere.jpg", "No such file"),
        ("tiny.png", "at least 200 pixels"),
    ):
        assert trouble in refused("calibrate", tmp_path / source, "-o", tmp_path / "out.json")
        assert trouble in refused("read", tmp_path / source)
    assert "no picture in this folder" in refused("calibrate", tmp_path / "nothing", "-o", tmp_path / "out.json")
    assert "kinect:0" in refused("calibrate", "kinect:0", "-o", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


def test_impossible_input_is_named(table, calibrated, refused, tmp_path):
    board = table.folder / "board.png"
    assert "in millimetres" in refused("calibrate", board, "--height", "100", "-o", tmp_path / "out.json")
    assert "does not go with this picture" in refused("calibrate", board, "--height", 4000, "-o", tmp_path / "out.json")
    assert "can't be written" in refused("calibrate", board, "-o", tmp_path / "no" / "out.json")
    words = refused("calibrate", board, "-o", tmp_path / "out.json", "--annotated", tmp_path / "drawn.doc")
    assert "name a .jpg or .png" in words
    (tmp_path / "broken.json").write_text("{}")
    assert "broken.json" in refused("read", board, "--calibration", tmp_path / "broken.json")
    (tmp_path / "few.json").write_text('{"hole": [640, 480]}')
    assert "four places around it" in refused("read", board, "--landmarks", tmp_path / "few.json")
