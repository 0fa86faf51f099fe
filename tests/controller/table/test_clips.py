"""Clips: what moved before a question or a shot worth seeing, in files of their own beside the journal."""

import json
import shutil
import threading
from contextlib import closing
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.journal import Journal, media
from controller.journal.media import Clip, Clips
from controller.match.base import Stamped
from controller.service import Service
from controller.table.clips import APART, LONGEST, ClipRing
from controller.table.housekeeping import Pruning
from controller.views.history import Archive
from controller.vision.calibration.calibration import calibrate
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import Frame, ManualClock
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.controller.fed_table import ReadTable, a, b, settings_of
from tests.slow import slow

PICTURE = cv2.imencode(".jpg", np.full((24, 32), 90, np.uint8))[1].tobytes()
CLIP_OF_TWO = Clip(32, 24, (0.0, 0.05), (PICTURE, PICTURE))


def pictures_of(data):
    """A clip's file, read as its description says, by another decoder's rules than the writer's."""
    line, _, rest = data.partition(b"\n")
    about = json.loads(line)
    found = []
    for length in about["bytes"]:
        jpeg, rest = rest[:length], rest[length:]
        assert jpeg.startswith(b"\xff\xd8")
        assert jpeg.endswith(b"\xff\xd9")
        found.append(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_UNCHANGED))
    assert rest == b""
    return about, found


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "clips"


class Watched:
    """A ring that is shown a painted board."""

    def __init__(self):
        painter = Painter(seed=4)
        self.calibration = calibrate(painter.full(Scene(0.0)))
        self.small = painter.small(Scene(0.0))
        self.ring = ClipRing(self)
        self.number = 0

    def see(self, t, *seen, small=None):
        self.number += 1
        picture = self.small if small is None else small
        return self.ring.add(Frame(t, self.number, picture, lambda: picture), seen)

    def read(self, t):
        return self.see(t, GateChanged(t, "still"), BoardRead(t, BoardReading((), False, 0.0, t), self.small))


@pytest.fixture(scope="module")
def watched():
    return Watched()


@pytest.fixture
def fresh(watched):
    watched.ring = ClipRing(watched)
    return watched


def test_nothing_is_encoded_while_the_board_rests(fresh, monkeypatch):
    asked = []
    monkeypatch.setattr("controller.table.clips.encode", lambda *_: asked.append(1) or PICTURE)
    fresh.see(0.0, GateChanged(0.0, "still"))
    for k in range(1, 200):
        fresh.see(k / 30)
    assert asked == []
    fresh.see(7.0, GateChanged(7.0, "moving"))
    assert asked == [1]


def test_a_clip_shows_what_moved_and_ends_with_the_board_at_rest(fresh):
    fresh.see(0.0, GateChanged(0.0, "moving"))
    for k in range(1, 60):
        fresh.see(k / 30, small=np.roll(fresh.small, k, axis=1))
    clip = fresh.read(2.0)
    about, pictures = pictures_of(clip.to_bytes())
    assert about["t"][0] == 0.0
    assert about["t"][-1] == pytest.approx(2.0)
    assert all(later - earlier >= 0.04 for earlier, later in zip(about["t"], about["t"][1:-1], strict=False))
    assert {picture.shape for picture in pictures} == {(about["height"], about["width"])}
    assert fresh.read(3.0) is None, "nothing moved since"


def test_only_the_last_seconds_are_kept(fresh):
    fresh.see(0.0, GateChanged(0.0, "hand"))
    for k in range(1, 600):
        fresh.see(k / 30)
    clip = fresh.read(20.0)
    assert clip.t[-1] - clip.t[0] <= LONGEST + 0.1
    assert len(clip.to_bytes()) < 800_000


def test_what_lies_beyond_the_rail_is_not_in_it(fresh):
    """A face beside the board leaves no trace: two rooms that differ beyond the rail only give the same clip."""
    h, w = fresh.small.shape
    away = fresh.small.copy()
    centre = fresh.calibration.project(np.zeros((1, 3)))[0] * (w / fresh.calibration.width)
    y, x = np.mgrid[:h, :w]
    out = np.hypot(x - centre[0], y - centre[1]) > 0.56 * h  # by eye: well beyond the rail of this picture
    assert out.any()
    away[out] = 255 - away[out]
    clips_ = []
    for picture in (fresh.small, away):
        fresh.ring = ClipRing(fresh)
        fresh.see(0.0, GateChanged(0.0, "moving"), small=picture)
        fresh.see(0.1, small=picture)
        clip = fresh.see(0.2, BoardRead(0.2, BoardReading((), False, 0.0, 0.2), picture), small=picture)
        clips_.append(clip.jpegs)
    assert clips_[0] == clips_[1]


class Kept:
    """A table of readings whose clips are kept."""

    def __init__(self, folder):
        self.table = ReadTable(folder)

    def see(self, *discs, clip=CLIP_OF_TWO):
        self.table.engine.clips.filmed(clip)
        return self.table.see(*discs)

    @property
    def shots(self):
        return Archive(self.table.journal).match(1).shots


@pytest.fixture
def kept(tmp_path):
    found = Kept(tmp_path)
    yield found
    found.table.journal.close()


def test_twenties_fouls_and_great_takeouts_keep_their_clip_and_others_do_not(kept):
    kept.see(a(0, 60))
    kept.see(a(0, 90), b(20, 70))
    kept.see(a(0, 90), b(20, 70), a(0, 0, "in_hole"))  # a foul: nobody's disc was touched
    first, second, foul = kept.shots
    assert (first.clip, second.clip) == (None, None)
    assert not foul.valid
    about, pictures = pictures_of(kept.table.journal.clips.read(foul.clip))
    assert about["t"] == [0.0, 0.05]
    assert len(pictures) == 2


def test_an_open_question_leads_to_its_clip_and_so_after_a_restart(kept):
    kept.see(a(0, 60))
    kept.see(a(0, 150), b(10, 50), a(60, 0))
    questions = kept.table.questions_shown
    assert "contact" in [question.kind for question in questions]
    (name,) = {question.clip for question in questions}
    assert name is not None
    kept.table.restart()
    assert {q.clip for q in kept.table.questions_shown} == {name}


def test_a_question_keeps_its_clip_when_the_start_of_its_match_is_undone(kept):
    kept.table.do("start", rules="nca", sides=[{"name": "Anna"}, {"name": "Bram"}], manual=True)
    kept.see()
    kept.table.hole((1.0, True), (3.0, False))
    (question,) = kept.table.questions_shown
    kept.see(clip=Clip(32, 24, (0.0,), (PICTURE,)))
    kept.table.do("undo")
    about, _ = pictures_of(kept.table.journal.clips.read(question.clip))
    assert about["t"] == list(CLIP_OF_TWO.t)


def test_a_clip_of_another_journal_is_nobodys(tmp_path, folder):
    """A journal was replaced by a backup: the numbers are the same, the shots are others."""
    kept = Clips(folder)
    kept.keep(3, 10, 12, 1000.25, CLIP_OF_TWO)
    written = [Stamped(number, 1000.25, None) for number in (10, 11, 12)]
    assert set(kept.by_event(3, written)) == {10, 11, 12}
    assert kept.by_event(3, [replace(one, at=2000.0) for one in written]) == {}
    assert kept.by_event(4, written) == {}


@pytest.mark.parametrize(
    "name", ["", "..", "../journal.sqlite", "1-2-3-4.clip/../../journal.sqlite", "1-2-3-4.clip", "1-2-3.clip", "a.clip"]
)
def test_only_a_clip_is_read(folder, name):
    folder.mkdir()
    (folder.parent / "journal.sqlite").write_bytes(b"secret")
    assert Clips(folder).read(name) is None


def test_a_clip_cut_short_by_a_power_cut_does_not_count(folder):
    kept = Clips(folder)
    name = kept.keep(1, 2, 2, 5.0, CLIP_OF_TWO)
    whole = kept.read(name)
    assert whole == CLIP_OF_TWO.to_bytes()
    for cut in (0, 1, 30, len(whole) - 1):
        (folder / "1" / name).write_bytes(whole[:cut])
        assert kept.read(name) is None


def test_old_clips_go_then_the_earliest_beyond_the_limit(folder):
    kept, years = Clips(folder), [100.0, 0.0, 1e9, 2e9, 1e8]  # whatever the date was
    names = [kept.keep(1, k, k + 1, at, CLIP_OF_TWO) for k, at in zip(range(7, 17, 2), years, strict=True)]
    size = (folder / "1" / names[0]).stat().st_size
    assert kept.prune(0, 10**9) == 0
    assert kept.prune(10, 10**9) == 2
    assert [kept.read(name) is not None for name in names] == [False, False, True, True, True]
    assert kept.prune(10, 2 * size) == 1
    assert [kept.read(name) is not None for name in names] == [False, False, False, True, True]
    assert kept.prune(10, 2 * size) == 0


def test_a_disk_that_fills_takes_the_clips_first(kept, monkeypatch):
    kept.see(a(0, 0, "in_hole"))
    (shot,) = kept.shots
    assert shot.clip is not None
    pruning = Pruning(kept.table.journal.clips, lambda: 0, megabytes=500)
    assert pruning.step(0.0) == 0
    free = media.ROOM_FOR_CLIPS - 1  # more than five times what pictures need
    usage = shutil.disk_usage(".")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=free))
    assert kept.table.journal.pictures.has_room()
    assert pruning.step(1.0) == 1, "at once, though the next search is not due"
    assert kept.shots[0].clip is None
    kept.see(a(0, 60), b(0, 0, "in_hole"))
    assert all(shot.clip is None for shot in kept.shots)
    assert len(kept.shots) >= 1, "the events are there all the same"


def test_a_folder_that_refuses_costs_the_clip_and_nothing_else(kept):
    kept.table.journal.path.with_name("clips").write_text("no folder")
    kept.see(a(0, 0, "in_hole"))
    journal = Journal(kept.table.journal.path, writing=False)
    assert [entry.kind for entry in journal.events(1)][-1] == "shot_seen"
    journal.close()


@slow
def test_a_table_that_plays_keeps_clips_of_its_frames_and_serves_them(tmp_path):
    """The whole way, from the camera's frames to the name in the state and the file behind it."""
    config = settings_of(
        tmp_path,
        match={"discs": 6, "format": {"kind": "rounds", "rounds": 1}},
        simulated={"frames_per_second": 15, "seed": 3},
    )
    service = Service(config, clock=ManualClock())
    done = threading.Event()

    def happened(events, state):
        if state.over or service.journal.clips.of(state.number):
            done.set()

    service.engine.on_happened.append(happened)
    service.start()
    try:
        assert done.wait(120)
    finally:
        service.stop()
    with closing(Journal(tmp_path / "journal.sqlite", writing=False)) as journal:
        shots = Archive(journal).match(1).shots
        names = {one.clip for shot in shots for one in (shot, *shot.questions) if one.clip}
        assert names, [shot.call for shot in shots]
        for name in names:
            about, pictures = pictures_of(service.clip(name))
            assert 10 <= len(pictures) <= LONGEST / APART + 2
            assert about["t"][-1] > 0.5
            moved = max(float(np.mean(np.abs(one.astype(float) - pictures[-1]))) for one in pictures)
            assert moved > 1.0, "something moves in it"
