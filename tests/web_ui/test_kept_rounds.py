"""*Keep this round*: saved in the browser as one file, played again and scored by another process."""

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest

from controller.config import Config
from controller.errors import BadInput, Refused
from controller.service import Service
from controller.table.recorder import Pseudonyms, cut_to_board
from controller.tools.replay import replay, unpacked
from controller.vision.calibration.calibration import calibrate
from controller.vision.reading.reader import read_board
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.checkout import CHECKOUT
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

    def __init__(self, folder, picture, calibration, keep=True):
        self._picture, self.t = picture, 10.0
        self.service = Service(
            Config.model_validate(
                {
                    "table": {"data": folder / "data"},
                    "camera": {"device": "none"},
                    "hole": {"device": "none"},
                    "web": {"host": "127.0.0.1", "port": 0},
                    "rounds": {"keep": keep},
                    "checks": {"ask": False},
                }
            )
        )
        self.service.engine.model.calibration = calibration
        self.service.start()
        self.url = f"http://127.0.0.1:{self.service.server.port}/"
        self.service.engine.set_notice("camera", None)
        self.done(lambda: self.service.engine.camera_changed(lost=False))

    def done(self, work):
        self.service._engine_thread.call(work)

    def do(self, do, **command):
        self.service.command({"do": do, **command, "by": "phone"})

    def see(self, *discs):
        self.t += 8.0
        reading = BoardReading(tuple(discs), False, 0.0, self.t)
        seen = BoardRead(self.t, reading, self._picture, None)
        for word in ("hand", "moving", "still"):
            self.done(lambda word=word: self.service.engine.observe(GateChanged(self.t, word)))
        self.done(lambda: self.service.engine.observe(seen))

    def play(self):
        self.do(**START)
        self.see()
        for quarters in (1, 3):
            self.do("turn_seats", quarters=quarters)
        for discs in ROUND:
            self.see(*discs)


@pytest.fixture
def played(tmp_path, seen):
    table = Played(tmp_path, *seen)
    yield table
    table.service.stop()


def shots(table):
    state = table.service.engine.state
    return len(state.game.round.shots) if state else 0


def replayed(packed, *options):
    """What the command says of the file, in a process of its own that knows nothing of the table."""
    line = [sys.executable, "-m", "controller.cli", "replay", str(packed), "--json", *options]
    done = subprocess.run(line, capture_output=True, text=True, cwd=CHECKOUT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@slow
def test_a_disputed_round_is_kept_in_the_browser_and_scored_elsewhere(played, open_page, tmp_path):
    played.play()
    assert shots(played) == 4
    played.do("correct_shot", round=1, shot=2, valid=False)
    page = open_page(played.url)
    page.click("text=Keep score")
    if page.locator("dialog input").count():
        page.fill("dialog input", played.service.pin)
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog .tools")
    page.click("dialog [aria-label=Close]")
    page.click("#tools >> text=Menu")
    page.click("dialog >> text=Keep this round")
    with page.expect_download() as download:
        page.click("dialog >> text=Round 1")
    assert download.value.suggested_filename == "match-1-round-1.zip"
    packed = Path(download.value.path())
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
        whole = b"".join(map(archive.read, names))
    assert sum(name.endswith(".jpg") for name in names) == 5
    for name in (b"Zoltan", b"Quux", b"Wilma", b"Fnord"):
        assert name not in whole
    found = json.loads(replayed(packed, "--against", "truth"))
    outcomes = [shot["outcome"] for shot in found["shots"]]
    assert outcomes[1] == "silently_wrong", found
    assert outcomes[0] == "right"
    assert found["counts"]["right"] + found["counts"]["silently_wrong"] == 4
    assert not found["totals"]["right"]


def test_only_those_who_may_score_keep_a_round(played):
    played.play()
    with pytest.raises(HTTPError, match="403"):
        urlopen(played.url + "api/round-1.zip", timeout=10)


def test_the_round_before_can_still_be_kept_and_those_before_it_are_gone(played, tmp_path):
    played.play()
    played.do("end_round")
    played.see()
    played.see(b(0, 60))
    played.do("correct_shot", round=1, shot=2, valid=False)
    kept = tmp_path / "round.zip"
    kept.write_bytes(played.service.kept_round(1))
    with unpacked(kept) as folder:
        assert not json.loads((folder / "truth.json").read_text())["truth"]["shots"][1]["valid"]
        assert len(list(replay(folder))) == 5
    assert not folder.exists()
    with pytest.raises(Refused, match="Round 7 was not recorded"):
        played.service.kept_round(7)
    played.do(**START)
    played.see()
    rounds = tmp_path / "data" / "rounds"
    eventually(lambda: (rounds / "2-1" / "recording.jsonl").exists(), "the newest")
    assert sorted(one.name for one in rounds.iterdir()) == ["1-2", "2-1"]


def test_a_restart_keeps_the_round_before(played, tmp_path, seen):
    played.play()
    played.do(do="end_round")
    played.see()
    played.see(b(0, 60))
    played.service.stop()
    again = Played(tmp_path, *seen)
    try:
        again.done(lambda: None)  # after what was queued at the start
        for number in (1, 2):
            assert again.service.kept_round(number)
    finally:
        again.service.stop()


def test_where_the_settings_say_so_nothing_is_recorded_and_nothing_is_left(tmp_path, seen):
    (tmp_path / "data" / "rounds" / "1-1").mkdir(parents=True)
    table = Played(tmp_path, *seen, keep=False)
    try:
        table.do(**START)
        with pytest.raises(Refused, match="not recorded"):
            table.service.kept_round(1)
        assert not (tmp_path / "data" / "rounds").exists()
    finally:
        table.service.stop()


@pytest.mark.parametrize("spoil", [lambda whole: whole[: len(whole) // 2], lambda whole: b"", lambda whole: b"PK" * 99])
def test_a_file_that_is_no_whole_zip_is_named(tmp_path, spoil):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("recording.jsonl", "{}" * 500)
    broken = tmp_path / "round.zip"
    broken.write_bytes(spoil(packed.getvalue()))
    with pytest.raises(BadInput, match=r"round\.zip is not a whole ZIP"), unpacked(broken):
        pass


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
    recorder = played.service.engine.recorder

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recorder._writer, "encoded", full)
    played.see(*ROUND[-1], replace(a(0, -60), x=0.0))
    assert shots(played) == 5
