"""A round that people dispute: kept from the browser, downloaded, played again and scored by another process."""

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.config import Config
from controller.errors import Refused
from controller.service import Service
from controller.table.recorder import Pseudonyms, cut_to_board
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.reading.reader import read_board
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Image
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.fed_table import a, b
from tests.slow import slow
from tests.waiting import eventually

SIDES = [{"name": "Zoltan Quux", "colour": "black"}, {"name": "Wilma Fnord", "colour": "natural"}]
START = {"do": "start", "rules": "nca", "sides": SIDES, "discs": 6, "format": {"kind": "rounds", "rounds": 2}}
ROUND = [
    [a(0, 60)],
    [a(0, 90), b(20, 70)],
    [a(0, 90), b(20, 70), a(-20, 69)],
    [a(0, 90), b(20, 70), a(-20, 69), b(15, 120)],
]


@pytest.fixture(scope="module")
def seen():
    painter = Painter(seed=5)
    empty = painter.full(Scene(0.0))
    discs = (SceneDisc("a1", "black", 30.0, 150.0), SceneDisc("b1", "natural", -40.0, 260.0))
    return painter.full(Scene(1.0, discs)), calibrate(empty)


class Played:
    """A real service, whose camera's readings the test gives."""

    def __init__(self, folder: Path, picture: Image, calibration: Calibration, keep: str = "asked") -> None:
        self._picture, self.t = picture, 10.0
        self.service = Service(
            Config.model_validate(
                {
                    "table": {"data": folder / "data"}, "camera": {"device": "none"}, "hole": {"device": "none"},
                    "web": {"host": "127.0.0.1", "port": 0}, "rounds": {"keep": keep}, "checks": {"ask": False},
                }
            )
        )  # fmt: skip
        self.service.pipeline.eye.calibration = calibration
        self.service.start()
        self.url = f"http://127.0.0.1:{self.service.server.port}/"
        self.service.engine.set_notice("camera", None)
        self.done(lambda: self.service.pipeline.camera_changed(None))

    def done(self, work: Any) -> None:
        self.service._engine_thread.call(work)

    def do(self, **command: Any) -> None:
        self.service.command({**command, "by": "phone"})

    def see(self, *discs: SeenDisc) -> None:
        self.t += 8.0
        reading = BoardReading(tuple(discs), False, 0.0, self.t)
        seen = BoardRead(self.t, reading, self._picture, None)
        self.service.pipeline.recorder.look([seen])
        for word in ("hand", "moving", "still"):
            self.done(lambda word=word: self.service.pipeline.observed(GateChanged(self.t, word)))
        self.done(lambda: self.service.pipeline.observed(seen))

    def play(self) -> None:
        self.do(**START)
        self.see()
        for quarters in (1, 3):
            self.do(do="turn_seats", quarters=quarters)
        for discs in ROUND:
            self.see(*discs)


@pytest.fixture
def played(tmp_path, seen):
    table = Played(tmp_path, *seen)
    yield table
    table.service.stop()


def shots(table: Played) -> int:
    state = table.service.engine.state
    return len(state.game.round.shots) if state else 0


def scored(packed: bytes, folder: Path, *options: str) -> dict[str, Any]:
    """What the command says of the downloaded file, in a process of its own that knows nothing of the table."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    (kept,) = folder.iterdir()
    line = [sys.executable, "-m", "controller.cli", "replay", str(kept), "--against", "truth", "--json", *options]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@slow
def test_a_disputed_round_is_kept_in_the_browser_sent_and_scored_elsewhere(played, open_page, tmp_path):
    played.play()
    assert shots(played) == 4
    page = open_page(played.url)
    page.click("text=Keep score")
    if page.locator("dialog input").count():
        page.fill("dialog input", played.service.pin)
    page.click("dialog >> text=Enter")
    page.click("dialog >> text=Keep this round")
    page.wait_for_url("**/rounds")
    card = page.locator(".kept")
    card.wait_for()
    words = card.text_content()
    assert "5 pictures of the board at rest" in words
    assert "0 shots were shown otherwise" in words
    played.do(do="correct_shot", round=1, shot=2, valid=False)
    eventually(lambda: "valid" in (played.service.rounds.folder / "1-1" / "truth.json").read_text(), "the truth")
    page.reload()
    page.locator("text=were shown otherwise").or_(page.locator("text=1 shot was shown otherwise")).wait_for()
    page.wait_for_function("() => document.querySelector('.kept img').naturalWidth === 1280")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    with page.expect_download() as download:
        page.click("text=Save as one file")
    packed = Path(download.value.path()).read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        whole = b"".join(map(archive.read, archive.namelist()))
    for name in (b"Zoltan", b"Quux", b"Wilma", b"Fnord"):
        assert name not in whole
    found = scored(packed, tmp_path / "elsewhere")
    outcomes = [shot["outcome"] for shot in found["shots"]]
    assert outcomes[1] == "silently_wrong", found
    assert outcomes[0] == "right"
    assert found["counts"]["right"] + found["counts"]["silently_wrong"] == 4
    assert not found["totals"]["right"]


def test_only_those_who_may_score_see_a_kept_round(played):
    played.play()
    played.service.rounds.keep(None)
    from urllib.error import HTTPError
    from urllib.request import urlopen

    for path in ("api/rounds", "api/rounds/1-1.zip", "api/rounds/1-1/000000.jpg"):
        with pytest.raises(HTTPError, match="403"):
            urlopen(played.url + path, timeout=10)


def test_a_file_that_is_being_written_is_no_part_of_a_round(played):
    played.play()
    played.service.rounds.keep(None)
    eventually(lambda: played.service.rounds.document()["rounds"], "the round")
    (played.service.rounds.folder / "1-1" / "truth.json.part").symlink_to("it is gone by now")
    assert played.service.rounds.document()["rounds"]
    assert played.service.rounds.packed("1-1")
    assert played.service.rounds.has_room(10**9)


@slow
def test_a_round_that_people_corrected_is_kept_by_itself_where_they_agreed_to_it(tmp_path, seen):
    table = Played(tmp_path, *seen, keep="corrected")
    try:
        table.play()
        assert table.service.rounds.document()["rounds"] == []
        table.do(do="annul_shot", round=1, shot=3)
        eventually(lambda: table.service.rounds.document()["rounds"], "the round")
        (kept,) = table.service.rounds.document()["rounds"]
        assert (kept["name"], kept["why"], kept["disputed"]) == ("1-1", "corrected", 1)
        table.service.rounds.remove("1-1")
        with pytest.raises(Refused, match="not kept"):
            table.service.rounds.remove("1-1")
        for name in ("../data", "1-1", "..", "2-1"):
            assert table.service.rounds.packed(name) is None
    finally:
        table.service.stop()


def test_the_round_before_can_still_be_disputed_and_those_before_it_are_gone(played):
    played.play()
    played.do(do="end_round")
    played.see()
    played.see(b(0, 60))
    played.service.rounds.keep(1)
    played.do(do="correct_shot", round=1, shot=2, valid=False)
    eventually(
        lambda: played.service.rounds.document()["rounds"][0]["disputed"] > 0, "the correction of an ended round"
    )
    with pytest.raises(Refused, match="Round 7 was not recorded"):
        played.service.rounds.keep(7)
    played.do(**START)
    played.see()
    played.do(do="end_round")
    eventually(lambda: (played.service.rounds.folder / "2-2").exists(), "the newest")
    left = sorted(one.name for one in played.service.rounds.folder.iterdir())
    assert left == ["1-1", "2-1", "2-2"], "one is kept, one is played, one may be disputed"


def test_a_picture_cut_to_the_board_reads_the_same(seen):
    picture, calibration = seen
    cut = cut_to_board(picture, calibration)
    assert (cut[:20, :20] == 0).all()
    assert not cut_to_board(picture, None).any()
    before, after = (read_board(one, calibration) for one in (picture, cut))
    assert len(before.discs) == 2
    assert [(d.colour, d.zone, d.call) for d in before.discs] == [(d.colour, d.zone, d.call) for d in after.discs]
    assert np.allclose([(d.x, d.y) for d in before.discs], [(d.x, d.y) for d in after.discs], atol=0.05)


def test_everybody_is_called_the_same_throughout_and_rules_and_boards_keep_their_names():
    names = Pseudonyms()
    said = {"do": "start", "sides": [{"name": "Ann"}, {"name": "Bo & Cy"}], "seats": {"1": "Bo"}, "who": "Ann's phone"}
    assert names.of(said) == {
        "do": "start",
        "sides": [{"name": "Player 1"}, {"name": "Player 2"}],
        "seats": {"1": "Player 3"},
    }
    again = {
        "rules": {"name": "Club rules"},
        "board": {"name": "club"},
        "events": [{"body": {"who": "A", "name": "Bo"}}],
    }
    assert names.of(again) == {
        "rules": {"name": "Club rules"},
        "board": {"name": "club"},
        "events": [{"body": {"name": "Player 3"}}],
    }
    assert names.of({"do": "rename_player", "name": "Bo", "to": "Di"}) == {
        "do": "rename_player",
        "name": "Player 3",
        "to": "Player 4",
    }


def test_a_player_who_is_called_as_a_side_or_a_word_of_the_recording_changes_nothing_else():
    said = {"sides": [{"name": "A"}, {"name": "valid"}], "starter": "A", "body": {"side": "A", "why": "valid"}}
    assert Pseudonyms().of(said) == {**said, "sides": [{"name": "Player 1"}, {"name": "Player 2"}]}


def test_a_full_disk_ends_the_recording_and_not_the_match(played, monkeypatch):
    played.play()
    recorder = played.service.pipeline.recorder

    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recorder._writer, "encoded", full)
    played.see(*ROUND[-1], replace(a(0, -60), x=0.0))
    assert shots(played) == 5
